import { readThread } from '../../../run/thread.ts';
import type { Store } from '../../../store/store.ts';
import type { AuditLine } from '../../../trace/audit.ts';
import { type AuditRow, listAuditRows } from '../../../trace/audit-list.ts';
import { EngineError } from '../../../base/error.ts';
import type { AddRoutes, RouteContext } from '../../api.ts';
import { type Page, pageOfRows, readPage } from '../../http/paging.ts';
import { queryText, queryTime, type WithQuery } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';
import type { Rows } from '../../http/rows.ts';
import { type StartedBy, withStarter } from '../../auth/starter.ts';

const LIST = 'audit';
const LOGS = 'logs';

/**
 * Tool calls with what decided about them (seed 002, audit trail): `GET /api/audit?runId=&agentId=&directorId=&since=` (newest first) · `GET
 * /api/sessions/:id/logs` (of one session or thread, oldest first).
 */
export const auditRoutes: AddRoutes = (router, services) => {
  router.get(
    '/audit',
    reading(services, async ({ deps: { store }, users }, ctx) => {
      ctx.body = await listAudit({ store, users }, ctx);
    }),
  );
  router.get(
    '/sessions/:id/logs',
    reading(services, async ({ deps: { store }, users }, ctx) => {
      ctx.body = await logsOf({ store, users }, ctx);
    }),
  );
};

const sizeOf = ({ size }: AuditRow) => size;

/** The answer of `GET /api/audit`. */
export async function listAudit({ store, users }: Rows, ctx: WithQuery): Promise<Page<AuditLine & StartedBy>> {
  const runId = queryText(ctx, 'runId');
  const of = { agentId: queryText(ctx, 'agentId'), directorId: queryText(ctx, 'directorId') };
  const query = { since: queryTime(ctx, 'since'), ...(runId !== undefined && { runIds: [runId] }) };
  const load = (after: string | undefined, limit: number) =>
    listAuditRows(store, query, { order: 'desc', after, limit });
  const accept = (row: AuditRow) => isOf(row.line(), of);
  return linesOf(users, await pageOfRows(LIST, { ...readPage(ctx, LIST), load, accept, sizeOf }));
}

/** Whether a call is of this agent, and for this director. */
function isOf(
  line: AuditLine | undefined,
  of: { agentId: string | undefined; directorId: string | undefined },
): boolean {
  if (line === undefined) return false;
  return (of.agentId ?? line.agentId) === line.agentId && (of.directorId ?? line.directorId) === line.directorId;
}

async function logsOf({ store, users }: Rows, ctx: RouteContext): Promise<Page<AuditLine & StartedBy>> {
  const id = String(ctx.params['id']);
  const runIds = await runsOf(store, id);
  const load = (after: string | undefined, limit: number) =>
    listAuditRows(store, { runIds }, { order: 'asc', after, limit });
  const accept = (row: AuditRow) => row.line()?.sessionId === id;
  return linesOf(users, await pageOfRows(LOGS, { ...readPage(ctx, LOGS), load, accept, sizeOf }));
}

/** The runs of a thread: one, or in a session that a person opened one for each message. `SESSION_NOT_FOUND`. */
async function runsOf(store: Store, id: string): Promise<readonly string[]> {
  const thread = await readThread(store, id);
  if (thread === undefined) throw new EngineError('SESSION_NOT_FOUND', `there is no session "${id}"`);
  return thread.opened?.runs ?? [thread.runId];
}

async function linesOf(
  users: Rows['users'],
  { items, nextCursor }: Page<AuditRow>,
): Promise<Page<AuditLine & StartedBy>> {
  const lines = items.flatMap((row) => row.line() ?? []);
  return { items: await Promise.all(lines.map((line) => withStarter({ users }, line))), nextCursor };
}
