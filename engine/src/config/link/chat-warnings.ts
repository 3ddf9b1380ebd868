import { isAbsolute, resolve } from 'node:path';
import { didYouMean, listOf } from '../../base/did-you-mean.ts';
import { isWithin } from '../../base/no-follow.ts';
import type { ChatPreset, Kind } from '../config.ts';
import { nameOf } from '../parse/read.ts';
import type { Finding } from '../problem.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { Others } from './config-view.ts';

/**
 * Warns about a preset of chats whose participants name an API or an agent that does not run, and about files that are in no
 * notebook. The preset can be used all the same: a person chooses others in the form of a new chat.
 */
export function chatWarnings({ typed, isEnabled }: ValidDocument, others: Others): Finding[] {
  if (!isEnabled || typed.kind !== 'chat') return [];
  return [...participants(typed.value, others), ...writer(typed.value, others), ...strayFiles(typed.value, others)];
}

function participants({ participants }: ChatPreset, others: Others): Finding[] {
  return participants.flatMap(({ displayName, apiConfigId, agentId }, i) => [
    ...unknown('api', apiConfigId, { path: ['participants', i, 'apiConfigId'], whom: `"${displayName}"`, others }),
    ...unknown('agent', agentId, { path: ['participants', i, 'agentId'], whom: `"${displayName}"`, others }),
  ]);
}

function writer({ summaryApiConfigId }: ChatPreset, others: Others): Finding[] {
  return unknown('api', summaryApiConfigId, { path: ['summaryApiConfigId'], whom: 'its summary', others });
}

function unknown(
  kind: Kind,
  id: string | undefined,
  of: {
    readonly path: Finding['path'];
    /** Whom the API or the agent is for. */
    readonly whom: string;
    readonly others: Others;
  },
): Finding[] {
  const { path, whom, others } = of;
  if (id === undefined) return [];
  const name = nameOf(kind, id);
  const target = others.get(name);
  // A file with errors has problems of its own.
  if (target?.isEnabled === true || (target === undefined && others.isUnusable(name))) return [];
  const known = others
    .in(nameOf(kind, ''))
    .flatMap(({ typed, isEnabled }) => (isEnabled && 'id' in typed.value ? [typed.value.id] : []));
  const what =
    target === undefined ? `there is no ${kind} "${id}"${didYouMean(id, known)}` : `${kind} "${id}" is disabled`;
  const more = known.length === 0 ? '' : `, or write ${listOf(known.sort())}`;
  return [
    {
      code: 'CONFIG_PARTICIPANT_UNKNOWN',
      path,
      message: `a new chat needs another ${kind} for ${whom}: ${what}`,
      hint: `${target === undefined ? 'create' : 'enable'} ${name}.yaml${more}`,
    },
  ];
}

/** By the text of the paths alone; the chat looks at the real ones. */
function strayFiles({ files }: ChatPreset, { roots }: Others): Finding[] {
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
