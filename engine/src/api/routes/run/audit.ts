import { readThread } from '../../../run/thread.ts';
import { bodyOf } from '../../../store/damaged-row.ts';
import type { Row, Store } from '../../../store/store.ts';
import { type AuditLine, auditLineOf, listAuditRows } from '../../../trace/audit.ts';
import { EngineError } from '../../../base/error.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { type Page, pageOfRows, readPage } from '../../http/paging.ts';
import { queryText, queryTime } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';
import { type StartedBy, withStarter } from './starter.ts';

const LIST = 'audit';
const LOGS = 'logs';

/**
 * Tool calls with what decided about them (seed 002, audit trail): `GET /api/audit?runId=&agentId=&directorId=&since=` (newest first) · `GET
 * /api/sessions/:id/logs` (of one session or thread, oldest first).
 */
export const auditRoutes: AddRoutes = (router, services) => {
  router.get(
    '/audit',
    reading(services, async (view, ctx) => {
      const { store } = view.deps;
      const runId = queryText(ctx, 'runId');
      const of = { agentId: queryText(ctx, 'agentId'), directorId: queryText(ctx, 'directorId') };
      const query = { since: queryTime(ctx, 'since'), ...(runId !== undefined && { runIds: [runId] }) };
      const load = (after: string | undefined, limit: number) =>
        listAuditRows(store, query, { order: 'desc', after, limit });
      const accept = (row: Row<'audit'>) => isOf(row, of);
      const isPicky = of.agentId !== undefined || of.directorId !== undefined;
      const page = { ...readPage(ctx, LIST), load, ...(isPicky && { accept }) };
      ctx.body = await linesOf(view, await pageOfRows(LIST, page));
    }),
  );
  router.get(
    '/sessions/:id/logs',
    reading(services, async (view, ctx) => {
      ctx.body = await logsOf(view, ctx);
    }),
  );
};

/** Whether a call is of this agent, and for this director. */
function isOf(row: Row<'audit'>, of: { agentId: string | undefined; directorId: string | undefined }): boolean {
  const line = bodyOf<Pick<AuditLine, 'agentId' | 'directorId'>>('audit', row);
  return (of.agentId ?? line.agentId) === line.agentId && (of.directorId ?? line.directorId) === line.directorId;
}

async function logsOf(view: Services, ctx: RouteContext): Promise<Page<AuditLine & StartedBy>> {
  const { store } = view.deps;
  const id = String(ctx.params['id']);
  const runIds = await runsOf(store, id);
  const load = (after: string | undefined, limit: number) =>
    listAuditRows(store, { runIds }, { order: 'asc', after, limit });
  const accept = (row: Row<'audit'>) => bodyOf<Pick<AuditLine, 'sessionId'>>('audit', row).sessionId === id;
  return linesOf(view, await pageOfRows(LOGS, { ...readPage(ctx, LOGS), load, accept }));
}

/** The runs of a thread: one, or in a session that a person opened one for each message. `SESSION_NOT_FOUND`. */
async function runsOf(store: Store, id: string): Promise<readonly string[]> {
  const thread = await readThread(store, id);
  if (thread === undefined) throw new EngineError('SESSION_NOT_FOUND', `there is no session "${id}"`);
  return thread.opened?.runs ?? [thread.runId];
}

async function linesOf(
  view: Services,
  { items, nextCursor }: Page<Row<'audit'>>,
): Promise<Page<AuditLine & StartedBy>> {
  return { items: await Promise.all(items.map((row) => withStarter(view, auditLineOf(row)))), nextCursor };
}
