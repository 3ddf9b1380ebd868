import { isoTime } from '../../base/clock.ts';
import type { ErrorBody } from '../../base/error.ts';
import { redactValue } from '../../base/redact.ts';
import { type RunLog, runLogChange } from '../../memory/run-log.ts';
import type { Message } from '../../model/model.ts';
import { knownIn } from '../../guard/placeholder/redact-text.ts';
import { keepOutput } from '../output/keep-output.ts';
import { closeSessions } from '../turn/agent-ask.ts';
import { dropRoles } from '../role/role.ts';
import { announceEnd } from '../step/announce.ts';
import type { Machine } from '../step/machine.ts';
import { statusOf } from '../step/run-status.ts';
import { type RunStatus, type RunUsage, summarise } from '../run.ts';
import { spendChange, NO_MODEL_USE } from '../../budget/spend.ts';
import type { Step } from '../step/step.ts';
import { taintOf } from '../step/taint.ts';
import { filesModifiedBy } from '../session-metrics.ts';
import { leaveThread, readThread } from '../thread.ts';

/** Ends a director's run: its roles, its sessions and its thread; stores the result in the run. Items stay. */
export async function finishRun(step: Step, machine: Machine): Promise<void> {
  await dropRoles(step, machine);
  await closeSessions(step);
  const { threadId, from } = machine.facts;
  const messages = (await step.runState.transcript(threadId)).slice(from);
  const { status, last, error } = await closeRun(step, machine, messages);
  if (status === 'completed') await leaveLog(step, machine, summarise(last));
  const action = status === 'completed' ? 'director_complete' : `director_${status}`;
  step.entry({ phase: 'director', detail: { action }, result: last, ...(error !== undefined && { error }) });
  await announceEnd(step, machine, status, error);
}

const DAY_MS = 86_400_000;

/** The summary of the run becomes a memory of the director, for as long as the run is kept. */
async function leaveLog(step: Step, { facts }: Machine, summary: string): Promise<void> {
  const { config, record } = step.runState;
  const { run, origin } = record;
  const { memory, runs } = config.settings;
  if (!memory.runs || summary === '' || facts.directorId === '') return;
  const { email } = origin;
  const about = email === undefined ? (run.trigger.message ?? '') : `Mail "${email.subject}" from ${email.from}`;
  const text = `${summarise(about)}\n${summary}`.trim();
  const privacy = await step.runState.privacy();
  const log: RunLog = {
    ...{ runId: facts.runId, directorId: facts.directorId, emailId: run.emailId, now: step.now },
    text,
    mentions: privacy && knownIn(privacy.map, text),
    trust: (await taintOf(step, facts.threadId)) === undefined ? 'trusted' : 'untrusted',
    isLocal: config.directors.get(facts.directorId)?.locality === 'local',
    expires: step.now + runs.retainDays * DAY_MS,
  };
  step.draft.append(runLogChange(log, (text) => step.deps.store.lookupKey(text)));
}

/** Result of a run. */
interface Outcome {
  readonly status: RunStatus;
  /** Text of the model's last answer. */
  readonly last: string;
  readonly error?: ErrorBody;
}

/** Stores the result and the usage of a run that ends, and closes its thread. `messages` are those of this run. */
export async function closeRun(step: Step, machine: Machine, messages: readonly Message[]): Promise<Outcome> {
  const { facts } = machine;
  const { status, failure } = statusOf(machine);
  const last = messages.findLast((message) => message.role === 'assistant')?.content ?? '';
  if (status === 'completed') await keepOutput(step, machine, last);
  const thread = await readThread(step.draft, facts.threadId);
  if (thread !== undefined) {
    const files = thread.opened === undefined ? [] : await filesModifiedBy(step.draft, facts.runId);
    const metrics = { usage: usageOf(machine), files };
    step.draft.append(leaveThread(thread, status === 'completed' ? 'completed' : 'failed', step.now, metrics));
  }
  const { spentBy, runId, directorId, agentId } = facts;
  const { agentName, trigger } = step.runState.record.run;
  // The config names its own agents; a participant of a chat that is an api has only the name in its chat.
  const name = trigger.apiConfigId === undefined ? undefined : agentName;
  const worker =
    directorId !== '' || agentId === undefined ? {} : { agentId, ...(name !== undefined && { agentName: name }) };
  if (spentBy !== undefined) step.draft.append(spendChange(step.now, runId, directorId, spentBy, worker));
  const cause = failure ?? (status === 'cancelled' ? { code: 'RUN_CANCELLED', message: 'cancelled' } : undefined);
  const error = cause && redactValue(step.deps.redactor, cause);
  step.patchRun({
    summary: summarise(error?.message ?? last),
    usage: usageOf(machine),
    endedAt: isoTime(step.now),
    ...(error !== undefined && { error }),
  });
  return { status, last, ...(error !== undefined && { error }) };
}

/** Usage of a run so far, its agents included. */
export function usageOf(machine: Machine): RunUsage {
  return machine.facts.spent ?? NO_MODEL_USE;
}
