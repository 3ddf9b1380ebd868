import type Router from '@koa/router';
import type { Context } from 'koa';
import type { ApprovalView } from '../../../ui/http/api-types.ts';
import { fail, page } from './answers.ts';
import { mailPreview } from './approval-fixtures.ts';
import type { World } from './fixtures.ts';

/** Parameters of the tool of every approval. */
export const PARAMETERS = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    text: { type: 'string', maxLength: 200_000, description: 'What to say, as plain text.' },
    all: { type: 'boolean', description: 'true: answer everybody, not the sender alone.' },
    cc: { type: 'array', items: { type: 'string' }, description: 'More recipients.' },
    subject: { type: 'string', maxLength: 500, description: 'Of a new mail.' },
    limit: { type: 'integer', description: 'A number.' },
    kind: { type: 'string', enum: ['short', 'long'], description: 'One of two.' },
    event: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  },
};

/** Approvals: listed by status, answered once, with a check of edited arguments and the change of "Always allow". */
export function addApprovalRoutes(router: Router, world: World): void {
  const find = (ctx: Context & { params: Record<string, string> }) =>
    world.approvals.find((entry) => entry.id === ctx.params['id']);
  router.get('/api/approvals', (ctx) => {
    const { status } = ctx.query;
    const isPending = (entry: ApprovalView) => entry.status === 'pending';
    ctx.body = page(
      ctx,
      world.approvals.filter((entry) => (status === 'ended' ? !isPending(entry) : isPending(entry))),
    );
  });
  router.get('/api/approvals/:id', (ctx) => {
    const found = find(ctx);
    if (found === undefined) fail(ctx, 404, 'NOT_FOUND', 'no such approval');
    else ctx.body = found;
  });
  router.get('/api/approvals/:id/body.html', (ctx) => {
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = '<p>See <b>you</b></p>';
  });
  router.get('/api/approvals/:id/always', (ctx) => {
    const pattern = String(ctx.query['pattern'] ?? 'mail_send(to=feld@example.net)');
    if (pattern.includes('(') && !pattern.endsWith(')'))
      return fail(ctx, 422, 'BAD_REQUEST', `the pattern "${pattern}" has no ")"`);
    ctx.body = {
      pattern,
      seen: `hash of ${pattern}`,
      changes: ['directors/client-manager.yaml', 'agents/responder.yaml'].map((file) => ({
        ...{ kind: 'director', id: 'client-manager', file },
        diff: `--- ${file}\n+++ ${file}\n@@ -8,3 +8,4 @@\n permissions:\n   allow:\n     - mail_draft\n+    - '${pattern}'\n`,
      })),
    };
  });
  router.post('/api/approvals/:id/preview', (ctx) => {
    const found = find(ctx);
    const { arguments: args = found?.arguments } = ctx.request.body as { arguments?: Record<string, unknown> };
    if (found?.status !== 'pending') return fail(ctx, 409, 'APPROVAL_DECIDED', 'This approval was answered already.');
    if (typeof args?.['text'] !== 'string') return fail(ctx, 422, 'TOOL_ARGUMENTS', 'text must be string');
    const preview = found.tool === 'mail_send' ? mailPreview({ text: args['text'] }) : found.preview;
    ctx.body = { arguments: args, preview, warnings: found.warnings ?? [], parameters: PARAMETERS };
  });
  router.post('/api/approvals/:id', (ctx) => {
    const { decision, arguments: args, reason, remember } = ctx.request.body as Record<string, never>;
    const pending = find(ctx);
    if (pending?.status !== 'pending') return fail(ctx, 409, 'APPROVAL_DECIDED', 'This approval was answered already.');
    if (args !== undefined && typeof (args as Record<string, unknown>)['forbidden'] === 'string')
      return fail(ctx, 403, 'TOOL_DENIED', '"mail_send" is not allowed: the recipient is not in the thread');
    const answered: ApprovalView = {
      ...pending,
      status: decision === 'allow' ? 'allowed' : 'denied',
      decidedBy: 'local',
      decidedAt: new Date().toISOString(),
      ...(reason !== undefined && { decisionReason: reason }),
      ...(args !== undefined && { arguments: args }),
      ...(remember !== undefined && { remembered: remember }),
    };
    world.approvals = world.approvals.map((entry) => (entry === pending ? answered : entry));
    ctx.body = answered;
  });
}
