import { matchRule } from '../config/rule/match-rule.ts';
import { parseRule } from '../config/rule/parse-rule.ts';
import type { Reader } from '../store/store.ts';
import type { Caller } from '../tool/tool.ts';
import { EngineError } from '../base/error.ts';
import { actualArguments } from './actual-arguments.ts';
import { bindingOf } from './binding.ts';
import type { AskReason, GuardContext, GuardedCall } from './guard.ts';

/** What a person has allowed for the rest of a run. Times are ISO 8601. */
export interface RunRule {
  readonly tool: string;
  /** As in `permissions`; absent where only the same call is allowed. */
  readonly pattern?: string;
  /** Hash of the same call (`bindingOf`). */
  readonly call?: string;
  /** The agent whose calls it is about; absent for those of the director. */
  readonly agentId?: string;
  /** Names of the guards whose questions it answers: those that asked when the person answered. */
  readonly guards: readonly string[];
  readonly approvalId: string;
  readonly by: string;
  readonly at: string;
}

/** A call that asks, with what is needed to compare it with rules. */
export interface ComparedCall extends GuardedCall {
  readonly caller: Caller;
  readonly participants: GuardContext['participants'];
  readonly reader: Reader;
}

/** The rule that answers all reasons to ask about a call; undefined where a person has to. */
export async function answeringRule(
  rules: readonly RunRule[],
  call: ComparedCall,
  asks: readonly Pick<AskReason, 'guard'>[],
): Promise<RunRule | undefined> {
  const agentId = call.caller.origin.agent?.id;
  for (const rule of rules) {
    if (rule.tool !== call.tool.name || rule.agentId !== agentId) continue;
    if (!asks.every(({ guard }) => rule.guards.includes(guard))) continue;
    if (await isMeant(rule, call)) return rule;
  }
  return undefined;
}

async function isMeant({ pattern, call: hash }: RunRule, call: ComparedCall): Promise<boolean> {
  if (pattern !== undefined) return matchesPattern(pattern, call);
  return hash !== undefined && hash === (await bindingOf(call, call.caller, call.reader));
}

/** Throws `BAD_REQUEST` for a pattern that cannot be read, or does not match the call that it comes from. */
export async function expectMatches(pattern: string, call: ComparedCall): Promise<void> {
  const rule = parseRule(pattern);
  if ('fault' in rule)
    throw new EngineError('BAD_REQUEST', `the pattern "${pattern}" cannot be read: ${rule.fault}`, {
      hint: 'write it as in permissions: mail_send(to=*@company.com)',
    });
  if (await matchesPattern(pattern, call)) return;
  throw new EngineError('BAD_REQUEST', `the pattern "${pattern}" does not match the call`, {
    hint: 'a pattern that is allowed must match the call that asks',
  });
}

async function matchesPattern(pattern: string, call: ComparedCall): Promise<boolean> {
  const { tool } = call;
  const { arguments: args } = await actualArguments(call, call.caller);
  const addresses = 'recipients' in tool ? tool.recipients : undefined;
  return matchRule(pattern, tool.name, args, { mode: 'every', addresses, participants: await call.participants() });
}
