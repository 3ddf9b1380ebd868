import type { RenderedMessage } from '../../config/prompt/transcript.ts';
import type { Message } from '../../model/model.ts';
import type { Reader } from '../../store/store.ts';
import { runsOfConversation } from '../conversation.ts';
import { recordOf, type Run } from '../run.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { taintThread } from '../step/taint.ts';
import { knownTaint, readMessages, readThread, type ThreadRecord, updateThread } from '../thread.ts';

/** Most messages that a run takes over. A mode that sends the whole thread to a model summarises them long before. */
const MOST_MESSAGES = 200;
/** How the taint of a thread is named in the threads that go on with it. */
const EARLIER = 'earlier in the conversation: ';

/** The thread that a run goes on with, and the messages of it that it takes over. */
interface EarlierThread {
  readonly thread: ThreadRecord;
  /** Number of the first message, from 0. */
  readonly from: number;
  readonly messages: readonly Message[];
}

/**
 * Opens the thread of a director: its prompt, what the last run of the conversation leaves to this one, and the question.
 * That is the last run's messages after its own prompt, without those that its summary covers, the summary, and the taint.
 * A copy, so that each thread stays whole when the run before it is deleted.
 */
export async function openInConversation(
  step: Step,
  machine: Machine,
  opening: readonly RenderedMessage[],
): Promise<void> {
  const { threadId } = machine.facts;
  const question = opening.findLastIndex(({ role }) => role === 'user');
  const prompt = question < 0 ? opening : opening.slice(0, question);
  const { run } = step.runState.record;
  const earlier = run.conversationId === undefined ? undefined : await lastThread(step.draft, run);
  for (const message of prompt) await step.append(threadId, message);
  if (earlier !== undefined) await takeOver(step, threadId, earlier, prompt.length);
  for (const message of opening.slice(prompt.length)) await step.append(threadId, message);
  const count = earlier?.messages.length ?? 0;
  machine.facts = {
    ...machine.facts,
    from: opening.length + count,
    ...(earlier !== undefined && { earlier: prompt.length }),
  };
  machine.isChanged = true;
  if (run.conversationId === undefined) return;
  const thread = await readThread(step.draft, threadId);
  if (thread !== undefined) await step.draft.add(updateThread({ ...thread, earlier: { from: prompt.length, count } }));
}

async function takeOver(
  step: Step,
  threadId: string,
  { thread: before, from, messages }: EarlierThread,
  prompt: number,
): Promise<void> {
  for (const message of messages) await step.append(threadId, message);
  const privacy = await step.runState.privacy();
  await privacy?.takeOver(step.draft, { from: before.id, after: from, count: messages.length, to: threadId }, prompt);
  const { summary } = before;
  const thread = await readThread(step.draft, threadId);
  if (summary !== undefined && thread !== undefined) {
    const upTo = prompt + Math.max(0, summary.upTo - from);
    const next = { text: summary.text, upTo, textUpTo: prompt };
    await step.draft.add(updateThread({ ...thread, summary: next }));
  }
  const taint = knownTaint(before);
  if (taint === undefined) return;
  const cause = taint.cause.startsWith(EARLIER) ? taint.cause : EARLIER + taint.cause;
  await taintThread(step, threadId, cause);
}

/**
 * The newest thread of the conversation that is still there: of the last run before this one, but for those that it repeats,
 * whose question is asked again.
 */
async function lastThread(reader: Reader, run: Run): Promise<EarlierThread | undefined> {
  const repeated = await repeatedBy(reader, run);
  for (const id of await runsOfConversation(reader, run.conversationId ?? '')) {
    if (id === run.id || repeated.has(id)) continue;
    const row = await reader.get('run', { id });
    const thread = row && (await readThread(reader, recordOf(row).run.dirThreadId));
    const earlier = thread && (await messagesOf(reader, thread));
    if (earlier !== undefined) return earlier;
  }
  return undefined;
}

async function messagesOf(reader: Reader, thread: ThreadRecord): Promise<EarlierThread | undefined> {
  const all = await readMessages(reader, thread.id);
  const from = Math.max(thread.earlier?.from ?? 0, thread.summary?.textUpTo ?? 0);
  const start = all.findIndex(
    ({ role }, n) => n >= from && n >= all.length - MOST_MESSAGES && (n === from || role === 'user'),
  );
  const messages = start < 0 ? [] : withoutOpenCalls(all.slice(start));
  return messages.length === 0 && thread.summary === undefined
    ? undefined
    : { thread, from: Math.max(from, start), messages };
}

/** A run that ended within a turn leaves calls without an answer, which models refuse. */
function withoutOpenCalls(messages: readonly Message[]): readonly Message[] {
  const answered = new Set(messages.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : [])));
  const open = messages.findIndex(
    (one) => one.role === 'assistant' && (one.tool_calls ?? []).some(({ id }) => !answered.has(id)),
  );
  return open < 0 ? messages : messages.slice(0, open);
}

async function repeatedBy(reader: Reader, run: Run): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let next = run.retryOf; next !== undefined && !ids.has(next);) {
    ids.add(next);
    const row = await reader.get('run', { id: next });
    next = row && recordOf(row).run.retryOf;
  }
  return ids;
}
