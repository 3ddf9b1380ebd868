import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import {
  addApproval,
  type ApprovalRecord,
  endApproval,
  listApprovals,
  type MessagePosition,
} from '../../guard/approval.ts';
import type { Reader } from '../../store/store.ts';
import { ASK_USER } from '../../tool/person.ts';
import type { Actor } from '../step/actor.ts';
import { announceQuestion } from '../step/announce.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { agentOf } from '../step/tool-result.ts';
import { isPerson } from '../run.ts';
import { deadlinesOf } from './deadlines.ts';

/** A question to the person whom a run works for. */
export interface Question {
  readonly question: string;
  /** Answers to choose from; the person may write another one. */
  readonly choices?: readonly string[];
  /** The call that waits for the answer, such as `3/call_a`, or a name of its own where no call does. */
  readonly call: string;
  /** True where a call in the ledger waits for the answer: it ends with the question, which may then expire. */
  readonly isCall?: true;
  /** The message that asks. */
  readonly place?: MessagePosition;
}

/** What somebody says to a run. `by`: the id of the person, or `mcp` for a program, whose words are not trusted. */
export interface RunMessage {
  readonly text: string;
  readonly by: string;
  /** The question that it answers. Default: the open one. */
  readonly questionId?: string | undefined;
}

/** The question of a run that nobody has answered yet; undefined where there is none. */
export async function openQuestion(reader: Reader, runId: string): Promise<ApprovalRecord | undefined> {
  return (await listApprovals(reader, runId, 'pending')).find(({ kind }) => kind === 'question');
}

/**
 * Asks the person whom a run works for, and notifies them as of an approval. Returns the id of the question. `TOOL_LIMIT` where the run
 * waits for an answer already.
 */
export async function askQuestion(step: Step, machine: Machine, actor: Actor, asked: Question): Promise<string> {
  const { facts } = machine;
  if ((await openQuestion(step.draft, facts.runId)) !== undefined)
    throw new EngineError('TOOL_LIMIT', 'this run already waits for the answer to a question', {
      hint: 'ask everything that you need to know in one question, or ask again after the answer',
    });
  const { question, choices, call, place, isCall = false } = asked;
  const id = step.deps.ids.next('appr');
  await addApproval(step.draft, {
    id,
    kind: 'question',
    runId: facts.runId,
    threadId: facts.threadId,
    tool: ASK_USER,
    arguments: { question, ...(choices !== undefined && { choices }) },
    preview: { mimeType: 'text/plain', data: question },
    requestedBy: { directorId: facts.directorId, ...(facts.agentId !== '' && { agentId: facts.agentId }) },
    reason: 'it needs your answer',
    status: 'pending',
    createdAt: isoTime(step.now),
    ...(isCall && deadlinesOf(step, facts.directorId)),
    ...(place !== undefined && { place }),
    machine: machine.id,
    call,
  });
  step.entry({
    ...agentOf(actor),
    phase: 'tool',
    detail: { action: 'question_asked', tool: ASK_USER, request: { question, choices }, questionId: id },
  });
  step.notice('approval', { id, status: 'pending', runId: facts.runId });
  await announceQuestion(step, machine, id, question);
  return id;
}

/** Ends a question with its answer. What a person answers counts as words of the user from now on. */
export async function endQuestion(step: Step, question: ApprovalRecord, { text, by }: RunMessage): Promise<void> {
  const gated = (await step.machine(question.runId))?.facts.gated;
  await endApproval(step.draft, question, {
    ...{ status: 'answered', now: step.now, by, answer: step.deps.redactor.text(text) },
    ...(gated !== undefined && { gated }),
  });
  const request = { questionId: question.id, by, isPerson: isPerson(by) };
  step.entry({ phase: 'tool', detail: { action: 'question_answered', tool: ASK_USER, request } });
  step.notice('approval', { id: question.id, status: 'answered', runId: question.runId });
}
