import type { IncomingMessage } from 'node:http';
import { EngineError } from '../../../base/error.ts';
import type { LinkedApproval } from '../../../guard/answer-link.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { answeredPage, approvalPage } from './approval-page.ts';

/** Longest form, in bytes. */
const MAX_FORM = 8192;

/**
 * `GET|POST /api/approvals/link/:token`: a page that answers one approval without a sign-in. The token in the link is enough, once.
 * Programs that follow links in mails send GET or HEAD, which change nothing: only the form of the page answers.
 */
export const approvalLinkRoutes: AddRoutes = (router, services) => {
  router.get('/approvals/link/:token', (ctx) =>
    onPage(ctx, async () => {
      const { approval } = await linkedApproval(services, ctx);
      approvalPage(ctx, approval);
    }),
  );
  router.post('/approvals/link/:token', (ctx) =>
    onPage(ctx, async () => {
      // The token first: nothing is received from anybody without one.
      const { approval, to } = await linkedApproval(services, ctx);
      const form = new URLSearchParams(await receiveForm(ctx.req));
      if (approval.kind === 'question') return answerQuestion(services, ctx, { approval, to, form });
      const decision = form.get('decision');
      if (decision !== 'allow' && decision !== 'deny')
        throw new EngineError('BAD_REQUEST', 'the form has no answer', { hint: 'choose Allow or Deny' });
      const reason = (form.get('reason') ?? '').trim();
      await services.engine.decide(approval.id, { decision, by: to, ...(reason !== '' && { reason }) });
      answeredPage(ctx, decision === 'allow' ? 'Allowed' : 'Denied', ['You can close this page.']);
    }),
  );
};

/** Answers a question with the text of the form, or with the choice whose button was pressed. */
async function answerQuestion(
  { engine }: Pick<Services, 'engine'>,
  ctx: RouteContext,
  { approval: { id, runId }, to, form }: LinkedApproval & { readonly form: URLSearchParams },
): Promise<void> {
  const text = (form.get('choice') ?? form.get('answer') ?? '').trim();
  if (form.get('decision') === 'deny') await engine.decide(id, { decision: 'deny', by: to });
  else if (text === '')
    throw new EngineError('BAD_REQUEST', 'the form has no answer', { hint: 'write one, or choose one' });
  else await engine.message(runId, { text, by: to, questionId: id });
  answeredPage(ctx, 'Answered', ['You can close this page.']);
}

/** The approval of a link that still waits. `FORBIDDEN` for a wrong or expired token, `APPROVAL_DECIDED`. */
async function linkedApproval({ answerLinks }: Services, ctx: RouteContext): Promise<LinkedApproval> {
  const linked = await answerLinks.read(String(ctx.params['token']));
  if (linked === undefined)
    throw new EngineError('FORBIDDEN', 'this link does not hold, or holds no longer', {
      hint: 'answer the call on the screen Approvals',
    });
  if (linked.approval.status !== 'pending')
    throw new EngineError('APPROVAL_DECIDED', `this call is ${linked.approval.status} already`);
  return linked;
}

/** Shows errors as a page, since nobody else reads the answer. */
async function onPage(ctx: RouteContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof EngineError) || !error.expose) throw error;
    ctx.status = error.status;
    answeredPage(ctx, 'Not answered', [error.message, ...(error.hint === undefined ? [] : [error.hint])]);
  }
}

async function receiveForm(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) throw new EngineError('INTERNAL', 'a form is received as bytes');
    bytes += chunk.length;
    if (bytes > MAX_FORM) {
      request.resume();
      throw new EngineError('TOO_LARGE', `the form is larger than ${MAX_FORM} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
