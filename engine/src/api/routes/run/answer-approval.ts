import { EngineError } from '../../../base/error.ts';
import type { RouteContext, Services } from '../../api.ts';
import { expectRole, personOf } from '../../auth/person.ts';
import { object, oneOf, optional, text } from '../../http/body.ts';
import { applyAlways } from './always.ts';

/** The fields of an answer that `POST /api/approvals/:id` and `confirm` of a session share. */
export const ANSWER = {
  arguments: optional(object),
  reason: optional(text),
  remember: optional(oneOf('run', 'always')),
  pattern: optional(text),
  seen: optional(text),
};

/** A person's answer as a body has it. */
export type Answer = { readonly decision: 'allow' | 'deny' } & {
  readonly [K in keyof typeof ANSWER]: ReturnType<(typeof ANSWER)[K]>;
};

/**
 * Answers an approval. To allow a call always changes the config, which only an admin may do. Errors of `decide` of the engine and of
 * `applyAlways`; `BAD_REQUEST`, `FORBIDDEN`.
 */
export async function answerApproval(
  services: Pick<Services, 'engine' | 'config'>,
  ctx: RouteContext,
  id: string,
  { decision, arguments: args, reason, remember, pattern, seen }: Answer,
): Promise<void> {
  if (decision === 'deny' && (remember ?? pattern ?? seen) !== undefined)
    throw new EngineError('BAD_REQUEST', '"remember" and "pattern" go with "allow"');
  if (remember === undefined && (pattern ?? seen) !== undefined)
    throw new EngineError('BAD_REQUEST', '"pattern" and "seen" go with "remember"');
  if (remember === 'always') expectRole(ctx, 'admin');
  const chosen = remember === 'always' ? await applyAlways(services, id, { pattern, seen }) : pattern;
  await services.engine.decide(id, {
    decision,
    by: personOf(ctx).id,
    ...(args !== undefined && { arguments: args }),
    ...(reason !== undefined && { reason }),
    ...(remember !== undefined && { remember: { for: remember, pattern: chosen } }),
  });
}
