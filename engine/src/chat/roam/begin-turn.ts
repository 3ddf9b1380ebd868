import { realpath } from 'node:fs/promises';
import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { PermissionRules } from '../../config/permissions.ts';
import type { CliRequest, CliWork } from '../../run/cli-work.ts';
import type { Chat, Participant, Reach, Roaming } from '../chat.ts';
import { type ChangeRecord, changesIdOf, findChange, putChange } from './change-rows.ts';
import { COPY_LIMITS } from './copy-files.ts';
import { checkFolder } from './folder.ts';
import type { RoamingDependencies } from './roaming-dependencies.ts';
import { changesOf } from './turn-changes.ts';
import type { TurnFolders } from './turn-folders.ts';
import { checkMode, covers, reachOf, type RoamingMode } from './warning.ts';
import { makeWorkingCopy, removeTurn, type WorkingCopy } from './working-copy.ts';

/** A turn of a participant that may work in a folder. */
interface Turn extends CliRequest {
  readonly chat: Chat;
  readonly participant: Participant;
  readonly signal?: AbortSignal | undefined;
}

/** How often a turn that was killed is begun. */
const MAX_ATTEMPTS = 2;

/**
 * Begins the turn of a participant in a copy of its folder. The store says that it has begun before anything runs, so that after a kill
 * the turn is repeated once where it was confined, and never in `yolo` or where nothing confines it. Errors as in `CliTurns.begin`.
 */
export async function beginTurn(deps: RoamingDependencies, folders: TurnFolders, turn: Turn): Promise<CliWork> {
  const { participant, chat, run, machine, signal } = turn;
  const terms = await termsOf(deps, turn);
  const id = changesIdOf(machine, turn.turn);
  const before = await findChange(deps.store, id);
  const attempts = (before?.attempts ?? 0) + 1;
  if (attempts > (terms.mayRepeat ? MAX_ATTEMPTS : 1)) throw interrupted(participant, terms);
  const record: ChangeRecord = {
    ...{ id, chatId: chat.id, participantId: participant.id, runId: run.id, attempts, folder: terms.folder },
    ...{ status: 'working', at: isoTime(deps.clock.now()) },
  };
  await deps.store.apply([putChange(record)]);
  const turnDir = await folders.next();
  const end = () =>
    removeTurn(turnDir).catch((error: unknown) =>
      deps.log.warn('the copy of a folder could not be removed; the next start tries again', { error: String(error) }),
    );
  try {
    const options = { turnDir, limits: COPY_LIMITS, path: deps.env('PATH') ?? '', signal };
    const copy = await makeWorkingCopy(terms.folder, options);
    return { ...workIn(deps, { record, copy, terms, turn }), end };
  } catch (error) {
    await end();
    // Nothing of the tool has run.
    await deps.store.apply([{ op: 'delete', table: 'chatChange', where: { id } }]);
    throw error;
  }
}

interface Terms {
  readonly folder: string;
  readonly mode: RoamingMode;
  readonly reach: Reach;
  readonly mayRepeat: boolean;
}

/** Checks that a person has confirmed what would happen now. */
async function termsOf(deps: RoamingDependencies, { participant, api }: Turn): Promise<Terms> {
  const { roaming, displayName } = participant;
  const { mode = 'safe', workspaceDir = '', confirmedBy, confirmedReach = 'copy' } = roaming;
  const reach = reachOf(api, mode, await deps.hasBubblewrap());
  checkMode(displayName, api, mode);
  if (confirmedBy === undefined || !covers(confirmedReach, reach))
    throw new EngineError('ROAMING_UNCONFIRMED', whyUnconfirmed(displayName, roaming, reach), {
      hint: 'read the warning again and confirm it, or switch roaming off',
    });
  const folder = await checkFolder(workspaceDir, deps.rules());
  if (folder !== (await realpath(workspaceDir)) || folder !== workspaceDir)
    throw new EngineError('ROAMING_UNCONFIRMED', `${workspaceDir} leads to another folder now, ${folder}`, {
      hint: 'choose the folder again, and confirm the warning',
    });
  return { folder, mode, reach, mayRepeat: mode === 'safe' && reach !== 'user' };
}

function whyUnconfirmed(name: string, { confirmedBy, workspaceDir = '' }: Roaming, reach: Reach): string {
  if (confirmedBy === undefined) return `nobody has confirmed that "${name}" may work in ${workspaceDir}`;
  const now = reach === 'user' ? 'nothing confines it' : 'only the sandbox of the tool confines it';
  return `${now} now, which nobody has confirmed for "${name}"`;
}

function interrupted({ displayName }: Participant, { mode, mayRepeat }: Terms): EngineError {
  const why = mayRepeat
    ? 'was stopped twice in the middle'
    : `was stopped in the middle, and ${mode === 'yolo' ? 'in mode "yolo"' : 'without a sandbox'} no turn is repeated`;
  return new EngineError('ROAMING_INTERRUPTED', `the turn of "${displayName}" ${why}: it may have changed something`, {
    hint: 'look at the folder, then have it speak again',
  });
}

function workIn(
  deps: RoamingDependencies,
  {
    record,
    copy,
    terms,
    turn,
  }: { readonly record: ChangeRecord; readonly copy: WorkingCopy; readonly terms: Terms; readonly turn: Turn },
): Omit<CliWork, 'end'> {
  const { participant, chat } = turn;
  const { id } = record;
  const remove = { op: 'delete', table: 'chatChange', where: { id } } as const;
  return {
    dir: copy.dir,
    mode: terms.mode,
    isSandboxed: terms.reach === 'copy',
    async rules() {
      const now = (await deps.readChat(chat.id))?.participants.find((one) => one.id === participant.id);
      // A participant that was removed meanwhile may do nothing more.
      const newest: PermissionRules | undefined = now === undefined ? { deny: ['*'] } : now.permissions;
      return [participant.permissions, newest];
    },
    async finished() {
      const changes = await changesOf(copy);
      if (changes === undefined) return [remove];
      const diff = deps.redactor.text(changes.diff);
      const { repository } = copy;
      const head = repository === undefined ? {} : { head: repository.head };
      return [putChange({ ...record, ...head, ...changes, diff, status: 'open', at: isoTime(deps.clock.now()) })];
    },
    async failed(error) {
      if (terms.mayRepeat) {
        // It has ended by itself: only a stop in the middle counts.
        await deps.store.apply([remove]);
        return error;
      }
      if (!(error instanceof EngineError) || !error.retryable) return error;
      const { code, message, hint, where } = error;
      return new EngineError(code, message, { hint, where, cause: error });
    },
  };
}
