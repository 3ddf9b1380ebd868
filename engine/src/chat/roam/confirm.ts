import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Api } from '../../config/config.ts';
import { folderOfSetting } from '../../config/own-folders.ts';
import { isCommandLine } from '../../run/cli/cli-turn.ts';
import type { Roaming } from '../chat.ts';
import { checkFolder, type FolderRules } from './folder.ts';
import { checkMode, covers, reachOf, type RoamingMode, warningFor } from './warning.ts';

/** The `roaming` of a participant as a person sends it. */
export interface SentRoaming {
  readonly enabled: boolean;
  readonly workspaceDir?: string | undefined;
  readonly mode?: RoamingMode | undefined;
  /** True where the person has ticked the box below the warning. */
  readonly confirmed?: boolean | undefined;
}

/** Whose roaming it is, and who sends it. */
export interface Confirmation extends FolderRules {
  /** Name of the participant. */
  readonly name: string;
  /** Its api; undefined for an agent of the config. */
  readonly api: Api | undefined;
  readonly before: Roaming | undefined;
  readonly hasBubblewrap: boolean;
  /** Id of the person. */
  readonly by: string;
  readonly now: number;
}

const AT_FOLDER = { path: '/roaming/workspaceDir' } as const;

/**
 * The roaming to store. A confirmation holds for the folder, the mode and the reach for which it was given. `BAD_REQUEST` where the
 * participant is no command-line agent, no folder is named or its tool has no known mode `safe`, `ROAMING_UNCONFIRMED` with the warning as hint where nobody has
 * confirmed it, and the errors of `checkFolder`.
 */
export async function confirmRoaming(sent: SentRoaming, confirmation: Confirmation): Promise<Roaming> {
  const { before, api, name, hasBubblewrap, by, now } = confirmation;
  const mode = sent.mode ?? before?.mode ?? 'safe';
  const named = sent.workspaceDir ?? before?.workspaceDir;
  if (!sent.enabled) {
    const isSame = before !== undefined && before.workspaceDir === named && before.mode === mode;
    if (isSame) return { ...before, enabled: false };
    if (named === undefined) return { enabled: false };
    return { enabled: false, mode, workspaceDir: folderOfSetting(named, confirmation.folders.config) };
  }
  if (!isCommandLine(api))
    throw new EngineError('BAD_REQUEST', `"${name}" cannot work in a folder: it is no command-line agent`, {
      hint: 'choose an api with provider "cli"',
      where: { path: '/roaming' },
    });
  if (named === undefined)
    throw new EngineError('BAD_REQUEST', 'roaming.workspaceDir: name the folder', { where: AT_FOLDER });
  const workspaceDir = await checkFolder(named, confirmation, AT_FOLDER);
  const reach = reachOf(api, mode, hasBubblewrap);
  checkMode(name, api, mode);
  const plain = { enabled: true, workspaceDir, mode };
  if (sent.confirmed === true) return { ...plain, confirmedBy: by, confirmedAt: isoTime(now), confirmedReach: reach };
  const isConfirmed =
    before?.workspaceDir === workspaceDir && before.mode === mode && covers(before.confirmedReach ?? 'copy', reach);
  if (isConfirmed && before.confirmedBy !== undefined) return { ...before, enabled: true };
  const { text, consent } = warningFor({ name, api, folder: workspaceDir, mode, reach });
  throw new EngineError('ROAMING_UNCONFIRMED', `nobody has confirmed that "${name}" may work in ${workspaceDir}`, {
    hint: `${text} Send confirmed: true for: ${consent}`,
    where: { path: '/roaming/confirmed' },
  });
}
