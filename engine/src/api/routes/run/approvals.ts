import { type ApprovalRecord, readApproval } from '../../../guard/approval.ts';
import { EngineError } from '../../../base/error.ts';
import type { Condition } from '../../../store/store.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { type ApprovalView, viewApprovals } from './approval-view.ts';
import { object, oneOf, optional, readBody, text } from '../../http/body.ts';
import { type Page, pageOfRows, readPage } from '../../http/paging.ts';
import { queryIdPrefix, queryText, queryWord } from '../../http/query.ts';
import { bodyOf } from '../../../store/damaged-row.ts';
import { reading } from '../../http/reading.ts';

const STATUSES = ['pending', 'allowed', 'denied', 'lapsed', 'expired'] as const;

/** `GET /api/approvals` · `GET|POST /api/approvals/:id` `{ decision: allow|deny, arguments?, reason? }` */
export const approvalRoutes: AddRoutes = (router, services) => {
  router.get(
    '/approvals',
    reading(services, async (readable, ctx) => {
      ctx.body = await listApprovals(readable, ctx);
    }),
  );
  router.get('/approvals/:id', async (ctx) => {
    ctx.body = await approvalOf(services, ctx);
  });
  router.post('/approvals/:id', async (ctx) => {
    await services.engine.decide(String(ctx.params['id']), { ...decisionOf(ctx), by: 'user' });
    ctx.body = await approvalOf(services, ctx);
  });
};

/** Pending approvals are listed oldest first, in the order to answer them; all others newest first. */
async function listApprovals({ deps: { store }, config }: Services, ctx: RouteContext): Promise<Page<ApprovalView>> {
  const status = queryWord(ctx, 'status', STATUSES);
  const runId = queryText(ctx, 'runId');
  const isQueue = status === 'pending';
  const list = isQueue ? 'approvals.pending' : 'approvals';
  const page = readPage(ctx, list);
  const where: Condition<'approval'>[] = [...queryIdPrefix(ctx)];
  if (status !== undefined) where.push(['status', '=', status]);
  if (runId !== undefined) where.push(['run', '=', runId]);
  const load = (after: string | undefined, limit: number) =>
    store.list('approval', {
      where: after === undefined ? where : [...where, ['id', isQueue ? '>' : '<', after]],
      order: [['id', isQueue ? 'asc' : 'desc']],
      limit,
    });
  const { items, nextCursor } = await pageOfRows(list, { ...page, load });
  const records = items.map((row) => bodyOf<ApprovalRecord>('approval', row));
  return { items: await viewApprovals(store, records, config.current().accounts), nextCursor };
}

async function approvalOf({ deps: { store }, config }: Services, ctx: RouteContext): Promise<ApprovalView> {
  const id = String(ctx.params['id']);
  const record = await readApproval(store, id);
  if (record === undefined) throw new EngineError('NOT_FOUND', `no approval "${id}"`);
  const [view] = await viewApprovals(store, [record], config.current().accounts);
  if (view === undefined) throw new EngineError('INTERNAL', `the approval "${id}" has no view`);
  return view;
}

function decisionOf(ctx: RouteContext) {
  const body = readBody(ctx, {
    decision: oneOf('allow', 'deny'),
    arguments: optional(object),
    reason: optional(text),
  });
  const { decision, arguments: args, reason } = body;
  return { decision, ...(args !== undefined && { arguments: args }), ...(reason !== undefined && { reason }) };
}
