import { isAbsolute, resolve } from 'node:path';
import { didYouMean, listOf } from '../../base/did-you-mean.ts';
import { isWithin } from '../../base/no-follow.ts';
import type { ChatPreset, Kind } from '../config.ts';
import { nameOf } from '../parse/read.ts';
import type { NotebookFolders } from '../permissions.ts';
import type { Finding } from '../problem.ts';
import type { ValidDocument } from '../validate/validate.ts';

/** What the warnings read of `Versions` (`candidate.ts`). */
interface FilesOnDisk {
  readonly newest: ReadonlyMap<string, ValidDocument | undefined>;
  readonly drafts?: readonly ValidDocument[];
}

interface Documents {
  readonly chosen: ReadonlyMap<string, ValidDocument>;
  readonly newest: FilesOnDisk['newest'];
}

/**
 * Warns about presets of chats whose participants name an API or an agent that does not run, and about files that are in no
 * notebook. The preset can be used all the same: a person chooses others in the form of a new chat.
 */
export function* chatWarnings(
  chosen: ReadonlyMap<string, ValidDocument>,
  { newest, drafts = [] }: FilesOnDisk,
): Iterable<[ValidDocument, Finding[]]> {
  const settings = (drafts.find(({ name }) => name === 'settings') ?? chosen.get('settings'))?.typed;
  const roots = settings?.kind === 'settings' ? settings.value.roots : {};
  for (const document of chosen.values()) {
    const { typed, isEnabled } = document;
    if (!isEnabled || typed.kind !== 'chat') continue;
    const documents = { chosen, newest };
    const notes = [
      ...participants(typed.value, documents),
      ...writer(typed.value, documents),
      ...strayFiles(typed.value, roots),
    ];
    if (notes.length > 0) yield [document, notes];
  }
}

function participants({ participants }: ChatPreset, documents: Documents): Finding[] {
  return participants.flatMap(({ displayName, apiConfigId, agentId }, i) => [
    ...unknown('api', apiConfigId, { path: ['participants', i, 'apiConfigId'], whom: `"${displayName}"`, documents }),
    ...unknown('agent', agentId, { path: ['participants', i, 'agentId'], whom: `"${displayName}"`, documents }),
  ]);
}

function writer({ summaryApiConfigId }: ChatPreset, documents: Documents): Finding[] {
  return unknown('api', summaryApiConfigId, { path: ['summaryApiConfigId'], whom: 'its summary', documents });
}

function unknown(
  kind: Kind,
  id: string | undefined,
  of: {
    readonly path: Finding['path'];
    /** Whom the API or the agent is for. */
    readonly whom: string;
    readonly documents: Documents;
  },
): Finding[] {
  const { path, whom, documents } = of;
  const { chosen, newest } = documents;
  if (id === undefined) return [];
  const name = nameOf(kind, id);
  const target = chosen.get(name);
  // A file with errors has problems of its own.
  if (target?.isEnabled === true || (target === undefined && newest.has(name))) return [];
  const known = Array.from(chosen.values()).flatMap(({ typed, isEnabled }) =>
    typed.kind === kind && isEnabled && 'id' in typed.value ? [typed.value.id] : [],
  );
  const what =
    target === undefined ? `there is no ${kind} "${id}"${didYouMean(id, known)}` : `${kind} "${id}" is disabled`;
  const others = known.length === 0 ? '' : `, or write ${listOf(known.sort())}`;
  return [
    {
      code: 'CONFIG_PARTICIPANT_UNKNOWN',
      path,
      message: `a new chat needs another ${kind} for ${whom}: ${what}`,
      hint: `${target === undefined ? 'create' : 'enable'} ${name}.yaml${others}`,
    },
  ];
}

/** By the text of the paths alone; the chat looks at the real ones. */
function strayFiles({ files }: ChatPreset, roots: NotebookFolders): Finding[] {
  const folders = Object.values(roots);
  return files.flatMap((file, i): Finding[] => {
    if (Object.hasOwn(roots, /^([^:]+):\//.exec(file)?.[1] ?? '')) return [];
    const isInside = folders.some(
      (folder) => isAbsolute(folder) !== isAbsolute(file) || isWithin(resolve(file), resolve(folder)),
    );
    if (isInside) return [];
    const message = `${JSON.stringify(file)} is in no folder of "roots", so a chat cannot read it`;
    const known = Object.entries(roots).map(([name, folder]) => `${name} (${folder})`);
    const hint = known.length === 0 ? 'add its folder to roots in settings.yaml' : `folders of roots: ${listOf(known)}`;
    return [{ code: 'CONFIG_CHAT_FILE', path: ['files', i], message, hint }];
  });
}
