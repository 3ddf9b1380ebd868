import { type ApprovalRecord, readApproval } from '../../../guard/approval.ts';
import { EngineError } from '../../../base/error.ts';
import type { Condition } from '../../../store/store.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { alwaysChanges } from './always.ts';
import { ANSWER, type Answer, answerApproval } from './answer-approval.ts';
import { type ApprovalView, viewApprovals } from './approval-view.ts';
import { object, oneOf, optional, readBody } from '../../http/body.ts';
import { type Page, pageOfRows, readPage } from '../../http/paging.ts';
import { queryIdPrefix, queryText, queryWord } from '../../http/query.ts';
import { bodyOf } from '../../../store/damaged-row.ts';
import { reading } from '../../http/reading.ts';
import { sendHtml } from '../../http/send-html.ts';
import { readPreview } from '../../../tool/preview.ts';

const ENDED = ['allowed', 'denied', 'answered', 'lapsed', 'expired'] as const;
const STATUSES = ['pending', ...ENDED, 'ended'] as const;

/**
 * `GET /api/approvals` · `GET|POST /api/approvals/:id` `{ decision: allow|deny, arguments?, reason?, remember?, pattern?, seen? }` ·
 * `GET …/always?pattern=`: what `remember: always` changes in the config · `POST …/preview`
 * `{ arguments? }`: the call with other arguments · `GET …/body.html`: the HTML of the mail that it writes
 */
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
  router.post('/approvals/:id/preview', async (ctx) => {
    const { arguments: edited } = readBody(ctx, { arguments: optional(object) });
    ctx.body = await services.engine.draftCall(String(ctx.params['id']), edited);
  });
  router.get('/approvals/:id/body.html', async (ctx) => {
    const preview = readPreview((await recordOf(services, ctx)).preview);
    if (preview?.kind !== 'mail') throw new EngineError('NOT_FOUND', 'this approval writes no mail');
    sendHtml(ctx, await services.mail.html(preview.html ?? '', { images: false }), false);
  });
  router.get('/approvals/:id/always', async (ctx) => {
    ctx.body = await alwaysChanges(services, String(ctx.params['id']), queryText(ctx, 'pattern'));
  });
  router.post('/approvals/:id', async (ctx) => {
    await answerApproval(services, ctx, String(ctx.params['id']), decisionOf(ctx));
    ctx.body = await approvalOf(services, ctx);
  });
};

/** Pending approvals are listed oldest first, in the order to answer them; all others newest first. */
async function listApprovals({ deps: { store }, users }: Services, ctx: RouteContext): Promise<Page<ApprovalView>> {
  const status = queryWord(ctx, 'status', STATUSES);
  const runId = queryText(ctx, 'runId');
  const isQueue = status === 'pending';
  const list = isQueue ? 'approvals.pending' : 'approvals';
  const page = readPage(ctx, list);
  const where: Condition<'approval'>[] = [...queryIdPrefix(ctx)];
  if (status === 'ended') where.push(['status', 'in', ENDED]);
  else if (status !== undefined) where.push(['status', '=', status]);
  if (runId !== undefined) where.push(['run', '=', runId]);
  const load = (after: string | undefined, limit: number) =>
    store.list('approval', {
      where: after === undefined ? where : [...where, ['id', isQueue ? '>' : '<', after]],
      order: [['id', isQueue ? 'asc' : 'desc']],
      limit,
    });
  const { items, nextCursor } = await pageOfRows(list, { ...page, load });
  const records = items.map((row) => bodyOf<ApprovalRecord>('approval', row));
  const views = await viewApprovals(store, records);
  return { items: await Promise.all(views.map((view) => withDecider(users, view))), nextCursor };
}

async function recordOf({ deps: { store } }: Services, ctx: RouteContext): Promise<ApprovalRecord> {
  const id = String(ctx.params['id']);
  const record = await readApproval(store, id);
  if (record === undefined) throw new EngineError('NOT_FOUND', `no approval "${id}"`);
  return record;
}

async function approvalOf(services: Services, ctx: RouteContext): Promise<ApprovalView> {
  const record = await recordOf(services, ctx);
  const [view] = await viewApprovals(services.deps.store, [record]);
  if (view === undefined) throw new EngineError('INTERNAL', `the approval "${record.id}" has no view`);
  return withDecider(services.users, view);
}

/** An approval with the name of the person who answered it. */
async function withDecider(users: Services['users'], view: ApprovalView): Promise<ApprovalView> {
  const name = view.decidedBy === undefined ? undefined : await users.nameOf(view.decidedBy);
  return name === undefined ? view : { ...view, decidedByName: name };
}

function decisionOf(ctx: RouteContext): Answer {
  return readBody(ctx, { decision: oneOf('allow', 'deny'), ...ANSWER });
}
