import { type ApprovalRecord, readApproval } from '../../../guard/approval.ts';
import { EngineError } from '../../../base/error.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { alwaysChanges } from './always.ts';
import { ANSWER, type Answer, answerApproval } from './answer-approval.ts';
import { type ApprovalView, listApprovals, viewApprovals, withDecider } from './approval-view.ts';
import { object, oneOf, optional, readBody } from '../../http/body.ts';
import { queryText } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';
import { sendHtml } from '../../http/send-html.ts';
import { readPreview } from '../../../tool/preview.ts';

/**
 * `GET /api/approvals` · `GET|POST /api/approvals/:id` `{ decision: allow|deny, arguments?, reason?, remember?, pattern?, seen? }` ·
 * `GET …/always?pattern=`: what `remember: always` changes in the config · `POST …/preview`
 * `{ arguments? }`: the call with other arguments · `GET …/body.html`: the HTML of the mail that it writes
 */
export const approvalRoutes: AddRoutes = (router, services) => {
  router.get(
    '/approvals',
    reading(services, async (readable, ctx) => {
      ctx.body = await listApprovals({ store: readable.deps.store, users: readable.users }, ctx);
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

function decisionOf(ctx: RouteContext): Answer {
  return readBody(ctx, { decision: oneOf('allow', 'deny'), ...ANSWER });
}
