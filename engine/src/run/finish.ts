import { isoTime } from '../base/clock.ts';
import { closeSessions } from './ask.ts';
import type { Machine } from './machine.ts';
import { contextOf, statusOf } from './outcome.ts';
import { type RunUsage, summarise } from './run.ts';
import { spendChange, UNSPENT } from './spend.ts';
import type { Step } from './step.ts';
import { endThread, readThread } from './thread.ts';

/** A director's run is over: sessions end with it, the thread closes, and the run says what came of it. Items stay. */
export async function finishRun(step: Step, machine: Machine): Promise<void> {
  const { facts } = machine;
  await closeSessions(step);
  const { status } = statusOf(machine);
  const context = contextOf(machine);
  const messages = await step.tree.transcript(facts.threadId);
  const last = messages.findLast((message) => message.role === 'assistant')?.content ?? '';
  const thread = await readThread(step.draft, facts.threadId);
  if (thread !== undefined)
    step.draft.append(endThread(thread, status === 'completed' ? 'completed' : 'failed', step.now));
  const { spentBy } = facts;
  if (spentBy !== undefined) step.draft.append(spendChange(step.now, facts.runId, facts.directorId, spentBy));
  const error =
    context.failure ?? (status === 'cancelled' ? { code: 'RUN_CANCELLED', message: 'cancelled' } : undefined);
  step.patchRun({
    summary: summarise(error?.message ?? last),
    usage: usageOf(machine),
    endedAt: isoTime(step.now),
    ...(error !== undefined && { error }),
  });
  const action = status === 'completed' ? 'director_complete' : `director_${status}`;
  step.entry({ phase: 'director', detail: { action }, result: last, ...(error !== undefined && { error }) });
}

/** What a run has used so far, its agents included. */
export function usageOf(machine: Machine): RunUsage {
  return machine.facts.spent ?? UNSPENT;
}
