import type { ApprovalRecord } from '../../guard/approval.ts';
import type { Arguments } from '../../tool/arguments.ts';
import { ASK_USER } from '../../tool/person.ts';
import { type Allowed, intend, isOpen, type LedgerRow, mark, readCall } from '../ledger.ts';
import { isPerson } from '../run.ts';
import type { Actor } from '../step/actor.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { settleCall } from '../step/tool-result.ts';
import { positionOf } from './call-position.ts';
import { askQuestion, endQuestion, type RunMessage } from './question.ts';

/** A call of `ask_user`. */
export interface UserCall {
  readonly call: string;
  readonly callId: string;
  readonly arguments: Arguments;
  readonly allowed: Allowed;
}

/**
 * Asks the user by a tool call, which waits in the ledger for the answer. `row`: of a call that a person has allowed. `TOOL_LIMIT` where
 * the run asks already.
 */
export async function askUser(
  step: Step,
  machine: Machine,
  actor: Actor,
  asked: UserCall,
  row?: LedgerRow,
): Promise<void> {
  const { call, callId, arguments: args, allowed: decided } = asked;
  const approvalId = await askQuestion(step, machine, actor, await questionOf(step, machine, call, callId, args));
  const body = { callId, tool: ASK_USER, arguments: args, approvalId, decided };
  if (row === undefined) await intend(step.draft, machine.id, call, body);
  else await mark(step.draft, row, 'intended', body);
}

async function questionOf(step: Step, { facts }: Machine, call: string, callId: string, args: Arguments) {
  const { question, choices } = args;
  const place = await positionOf(step, facts.threadId, callId);
  return {
    isCall: true as const,
    question: String(question),
    ...(Array.isArray(choices) && { choices: choices.map(String) }),
    call,
    place,
  };
}

/** The call that waits for the answer to a question; undefined where the question is not one of a call, or its call has ended. */
export async function callOfQuestion(step: Step, question: ApprovalRecord): Promise<LedgerRow | undefined> {
  const row = await readCall(step.draft, question.machine, question.call);
  return row !== undefined && isOpen(row) ? row : undefined;
}

/** Answers the call that waits for it. The words of a program are marked as those of a stranger, so they taint the thread. */
export async function answerCall(
  step: Step,
  question: ApprovalRecord,
  row: LedgerRow,
  message: RunMessage,
): Promise<void> {
  await endQuestion(step, question, message);
  const value = isPerson(message.by)
    ? { answer: message.text }
    : { answer: message.text, by: 'a program, no person', trust: 'untrusted' };
  await settleCall(step, row.machine, row.call, { value }, 'done');
}
