import { EngineError } from '../base/error.ts';
import type { OfferedTool } from '../tool/offered-tool.ts';
import { actualArguments } from './actual-arguments.ts';
import type { AskReason, DecidingRule, Guard, GuardContext, GuardedCall, GuardOutcome, Verdict } from './guard.ts';
import { localityGuard } from './locality.ts';
import { needsTimeGuard } from './needs-time.ts';
import { permissionsGuard } from './permissions.ts';
import { recipientsGuard } from './recipients.ts';
import { scopeGuard } from './scope.ts';
import { repeatsGuard, sendDraftsGuard, unknownGuard } from './run-guards.ts';
import { targetOf } from './target.ts';
import { taintGuard } from './untrusted.ts';

/** All guards, in the order in which they check a call. */
export const GUARDS: readonly Guard[] = [
  scopeGuard,
  permissionsGuard,
  recipientsGuard,
  taintGuard,
  localityGuard,
  needsTimeGuard,
  repeatsGuard,
  unknownGuard,
  sendDraftsGuard,
];

/** The guards that follow from the config alone: they check a call once more right before it begins. */
export const CONFIG_GUARDS: readonly Guard[] = [scopeGuard, permissionsGuard];

/**
 * Checks a call by all guards. The first refusal ends the check; otherwise the call asks where at least one guard asks. The
 * outcome has everything that an audit line says about the decision.
 */
export async function runGuards(
  call: GuardedCall,
  context: GuardContext,
  guards: readonly Guard[] = GUARDS,
): Promise<GuardOutcome> {
  const target = await whom(call, context);
  const passed: DecidingRule[] = [];
  const asks: AskReason[] = [];
  for (const { name, check } of guards) {
    const verdict = await check(call, context);
    const { rules = [] } = verdict;
    if (verdict.decision === 'refuse') {
      const { reason } = verdict;
      return { decision: 'refuse', guard: name, reason, rules, target, error: refusal(call, verdict) };
    }
    if (verdict.decision === 'ask') asks.push({ guard: name, reason: verdict.reason, rules });
    else passed.push(...rules);
  }
  const [first] = asks;
  if (first === undefined) return { decision: 'allow', reason: '', rules: passed, target };
  const reason = asks.map((ask) => ask.reason).join('; ');
  return { decision: 'ask', reason, rules: asks.flatMap(({ rules }) => rules), asks, target };
}

/** What the call acts on; of a mail all who get it, also where the call answers somebody and names nobody. */
async function whom(call: GuardedCall, { caller }: GuardContext): Promise<string | undefined> {
  const hasRecipients = 'recipients' in call.tool && call.tool.recipients !== undefined;
  return targetOf(hasRecipients ? { ...call, ...(await actualArguments(call, caller)) } : call);
}

function refusal({ tool }: GuardedCall, { code, reason, hint }: Extract<Verdict, { decision: 'refuse' }>): EngineError {
  if (code === 'TOOL_DENIED') return deniedTool(tool, reason, hint);
  return new EngineError(code, reason, { hint });
}

/** The error of a call whose tool is not allowed. */
export function deniedTool({ name }: OfferedTool, reason: string, hint = 'go on without this tool'): EngineError {
  return new EngineError('TOOL_DENIED', `"${name}" is not allowed: ${reason}`, { hint });
}
