import { type ApprovalRecord, readApproval, viewApproval } from '../../../guard/approval.ts';
import { EngineError } from '../../../base/error.ts';
import type { Condition } from '../../../store/store.ts';
import type { AddRoutes } from '../../api.ts';
import { object, oneOf, optional, readBody, text } from '../../http/body.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { queryText, queryWord } from '../../http/query.ts';

const STATUSES = ['pending', 'allowed', 'denied', 'lapsed', 'expired'] as const;

/** `GET /api/approvals` · `GET|POST /api/approvals/:id` `{ decision: allow|deny, arguments?, reason? }` */
export const approvalRoutes: AddRoutes = (router, { deps: { store }, engine }) => {
  const approvalOf = async (id: string) => {
    const record = await readApproval(store, id);
    if (record === undefined) throw new EngineError('NOT_FOUND', `no approval "${id}"`);
    return viewApproval(record);
  };

  // Pending approvals are listed oldest first, in the order to answer them; all others newest first.
  router.get('/approvals', async (ctx) => {
    const status = queryWord(ctx, 'status', STATUSES);
    const runId = queryText(ctx, 'runId');
    const isQueue = status === 'pending';
    const list = isQueue ? 'approvals.pending' : 'approvals';
    const page = readPage(ctx, list);
    const where: Condition<'approval'>[] = [];
    if (status !== undefined) where.push(['status', '=', status]);
    if (runId !== undefined) where.push(['run', '=', runId]);
    if (page.after !== undefined) where.push(['id', isQueue ? '>' : '<', String(page.after[0])]);
    const rows = await store.list('approval', {
      where,
      order: [['id', isQueue ? 'asc' : 'desc']],
      limit: page.limit + 1,
    });
    ctx.body = pageOf(
      list,
      page,
      rows,
      (row) => [row.id],
      (shown) => shown.map((row) => viewApproval(JSON.parse(row.body) as ApprovalRecord)),
    );
  });
  router.get('/approvals/:id', async (ctx) => {
    ctx.body = await approvalOf(String(ctx.params['id']));
  });
  router.post('/approvals/:id', async (ctx) => {
    const id = String(ctx.params['id']);
    const {
      decision,
      arguments: args,
      reason,
    } = readBody(ctx, {
      decision: oneOf('allow', 'deny'),
      arguments: optional(object),
      reason: optional(text),
    });
    await engine.decide(id, {
      decision,
      by: 'user',
      ...(args !== undefined && { arguments: args }),
      ...(reason !== undefined && { reason }),
    });
    ctx.body = await approvalOf(id);
  });
};
