import type { Page } from '../api/http/paging.ts';
import { EngineError } from '../base/error.ts';
import type { ApiClient } from './client.ts';

/** What an id stands for, with its prefix and its list in the API. */
const KINDS = {
  run: { prefix: 'run_', list: '/api/runs' },
  objective: { prefix: 'run_', list: '/api/objectives' },
  approval: { prefix: 'appr_', list: '/api/approvals' },
  todo: { prefix: 'todo_', list: '/api/todos' },
  reminder: { prefix: 'rem_', list: '/api/reminders' },
  memory: { prefix: 'mem_', list: '/api/memory' },
  change: { prefix: 'fchg_', list: '/api/files/changes' },
  task: { prefix: 'task_', list: '/api/tasks' },
} as const;
type IdKind = keyof typeof KINDS;

/** Length of an id without its prefix; shorter texts are beginnings. */
const MIN_LENGTH = 22;
/** Candidates that an error names. */
const MAX_NAMED = 5;
const NAMES = {
  ...{ run: 'run', approval: 'approval', todo: 'to-do', reminder: 'reminder', memory: 'memory' },
  ...{ change: 'change', task: 'task', objective: 'objective' },
} as const;

/** A candidate for a shortened id: its id, and what a person knows it by. */
interface Candidate {
  readonly id: string;
  readonly subject?: string;
  readonly directorId?: string;
  readonly tool?: string;
  readonly title?: string;
  readonly text?: string;
  readonly content?: string;
  readonly path?: string;
  readonly userQuery?: string;
  readonly status?: string;
}

/**
 * The full id that a text stands for: an id, the beginning of one with or without its prefix (`run_01m8`, `01m8`), or `last` for
 * the newest run. `NOT_FOUND` if there is none, `USAGE` with the candidates if there are several.
 */
export async function findId(client: Pick<ApiClient, 'request'>, kind: IdKind, text: string): Promise<string> {
  const { prefix, list } = KINDS[kind];
  if (text.trim() === '') throw new EngineError('USAGE', `the id of the ${NAMES[kind]} is empty`);
  if (kind === 'run' && text === 'last') return newestRun(client);
  const begin = text.startsWith(prefix) ? text : prefix + text;
  const isBeginning = /^[0-9a-z]+$/.test(begin.slice(prefix.length));
  if (!isBeginning || begin.length >= prefix.length + MIN_LENGTH) return isBeginning ? begin : text;
  const query = new URLSearchParams({ idPrefix: begin, limit: String(MAX_NAMED + 1) });
  const { items } = await client.request<Page<Candidate>>('GET', `${list}?${query}`);
  const [first, second] = items;
  if (first === undefined) throw new EngineError('NOT_FOUND', `no ${NAMES[kind]} has an id that begins with "${text}"`);
  if (second === undefined) return first.id;
  const named = items.slice(0, MAX_NAMED).map((item) => `${item.id}  ${describe(item)}`);
  if (items.length > MAX_NAMED) named.push('…');
  throw new EngineError('USAGE', `"${text}" is the beginning of several ids`, {
    hint: ['write more of one of these:', ...named].join('\n'),
  });
}

async function newestRun(client: Pick<ApiClient, 'request'>): Promise<string> {
  const { items } = await client.request<Page<Candidate>>('GET', '/api/runs?limit=1');
  if (items[0] === undefined)
    throw new EngineError('NOT_FOUND', 'there are no runs yet', {
      hint: 'start one: callsheet run DIRECTOR --message TEXT',
    });
  return items[0].id;
}

function describe({ status, directorId, tool, subject, title, text, content, path, userQuery }: Candidate): string {
  const parts = [status, directorId, tool, subject ?? title ?? text ?? content ?? path ?? userQuery].filter(
    (part) => part !== undefined && part !== '',
  );
  return parts.map((part) => String(part).replace(/\s+/g, ' ').slice(0, 60)).join('  ');
}
