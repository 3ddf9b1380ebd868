import { EngineError } from '../../../base/error.ts';
import { runsOfConversation } from '../../../run/conversation.ts';
import { type Conversation, readTurns, viewConversation } from '../../../run/conversation/view-conversation.ts';
import { OPEN_STATUSES } from '../../../run/run.ts';
import { listAfter } from '../../../store/list-after.ts';
import type { Reader, Store } from '../../../store/store.ts';
import type { RouteContext, Services } from '../../api.ts';
import { type Page, pageByTime } from '../../http/paging.ts';
import { queryText } from '../../http/query.ts';
import { deleteRuns } from '../run/delete-runs.ts';

const LIST = 'person-conversations';

/** Whether an id is that of a conversation of a person with a director; all others are ids of threads. */
export function isConversationId(id: string): boolean {
  return id.startsWith('conv_');
}

/** The conversations of persons with directors, the last active first; `?directorId=` leaves others out. */
export async function listConversations(store: Store, ctx: RouteContext): Promise<Page<Conversation>> {
  const director = queryText(ctx, 'directorId');
  const where = director === undefined ? [] : [['director', '=', director] as const];
  const page = await pageByTime(
    LIST,
    ctx,
    (rows) => listAfter(store, 'conversation', { where, by: ['at', 'desc'], ids: 'desc', ...rows }),
    ({ at, id }) => [at, id],
  );
  return { ...page, items: await Promise.all(page.items.map((row) => viewConversation(store, row))) };
}

/** A conversation with its newest turns, or with those before run `?before=`. `NOT_FOUND`. */
export async function showConversation(store: Store, ctx: RouteContext, id: string): Promise<Conversation> {
  const row = await store.get('conversation', { id });
  if (row === undefined) throw missing(id);
  return { ...(await viewConversation(store, row)), ...(await readTurns(store, id, queryText(ctx, 'before'))) };
}

/** Deletes a conversation: all of its runs with everything that belongs to them. `NOT_FOUND`; `CONFLICT` while one is open. */
export async function deleteConversation(services: Services, id: string): Promise<void> {
  const { store } = services.deps;
  const ids = await runsOfConversation(store, id);
  if (ids.length === 0) throw missing(id);
  const open = await openRun(store, ids);
  if (open !== undefined)
    throw new EngineError('CONFLICT', `run "${open}" still uses this conversation`, { hint: 'cancel the run first' });
  await deleteRuns(services, ids);
}

async function openRun(reader: Reader, ids: readonly string[]): Promise<string | undefined> {
  const rows = await reader.list('run', { where: [['id', 'in', ids]], bodies: false });
  return rows.find(({ status }) => OPEN_STATUSES.some((open) => open === status))?.id;
}

function missing(id: string): EngineError {
  return new EngineError('NOT_FOUND', `no conversation "${id}"`);
}
