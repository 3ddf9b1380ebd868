import { EngineError } from '../base/error.ts';
import { whyNever } from '../config/permissions.ts';
import type { Guard, GuardContext, GuardedCall, Verdict } from './guard.ts';

/** Refuses calls that the `scope` of the caller does not permit. */
export const scopeGuard: Guard = {
  name: 'scope',
  async check(call, context) {
    return neverInScope(call, context) ?? (await checkArguments(call, context));
  },
};

/** A refusal where the scope can never permit the operation of the tool. */
function neverInScope({ tool }: GuardedCall, { layers }: GuardContext): Verdict | undefined {
  if ('kind' in tool || tool.operation === undefined) return undefined;
  for (const { who, files } of layers) {
    const never = files === undefined ? undefined : whyNever(files.scope, tool.operation, files.roots);
    if (never !== undefined) return { decision: 'refuse', code: 'TOOL_DENIED', reason: `${who}: ${never}` };
  }
  return undefined;
}

/** What the tool itself says about these arguments. */
async function checkArguments({ tool, arguments: args }: GuardedCall, { caller }: GuardContext): Promise<Verdict> {
  if (!('checkScope' in tool)) return { decision: 'pass' };
  try {
    await tool.checkScope?.(args, caller);
    return { decision: 'pass' };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { decision: 'refuse', code: error.code, reason: error.message, hint: error.hint };
  }
}
