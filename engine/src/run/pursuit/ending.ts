import { isoTime } from '../../base/clock.ts';
import { finishRun } from '../lifecycle/finish.ts';
import { changeObjective } from '../objective/objective-rows.ts';
import { type Objective, withLine } from '../objective/objective.ts';
import { openQuestion } from '../ask/question.ts';
import { statusOf } from '../step/run-status.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { lapse } from '../turn/drop-calls.ts';
import { followUpDue, spokenTime } from './follow-up-time.ts';
import { contextOf, directorOf } from './objective-of.ts';

/** Writes the state that the machine has reached into the record. */
export async function show(step: Step, root: Machine): Promise<void> {
  const { status, waitingFor } = statusOf(root);
  const { wakes } = contextOf(root);
  const isWaiting = status === 'waiting';
  const shown = {
    status: isWaiting ? ('waiting' as const) : status === 'queued' ? ('pending' as const) : ('in_progress' as const),
    waitingFor: isWaiting ? (waitingFor ?? null) : null,
    wakes,
  };
  await changeObjective(step, (objective) =>
    objective.status === shown.status && objective.waitingFor === shown.waitingFor && objective.wakes === wakes
      ? objective
      : { ...objective, ...shown },
  );
}

/** Notes a pause, or its end, and who ordered it. */
export async function notePause(
  step: Step,
  root: Machine,
  { isPaused, by }: { readonly isPaused: boolean; readonly by: string },
): Promise<void> {
  const who = by === 'label' ? 'the label of the thread' : by === '' ? 'a person' : by;
  await changeObjective(step, (objective) =>
    objective.paused === isPaused
      ? objective
      : {
          ...withLine(objective, step.now, { kind: 'order', text: `${isPaused ? 'Paused' : 'Resumed'} by ${who}` }),
          paused: isPaused,
        },
  );
  await show(step, root);
}

/** The user has sent the draft: the time until the follow-up counts from here. */
export async function noteSent(step: Step, root: Machine): Promise<void> {
  const { settings } = step.runState.config;
  const until = followUpDue(step.now, directorOf(step, root), settings);
  await changeObjective(step, (objective) => ({
    ...withLine(objective, step.now, {
      kind: 'action',
      text: `Waits for a reply, until ${spokenTime(until, settings)}`,
    }),
    draft: null,
    lastActionTime: isoTime(step.now),
    followUp: { ...objective.followUp, nextAt: isoTime(until) },
  }));
  step.later(root.id, { type: 'NOTED', at: step.now, until });
}

/** Ends the objective and its run. */
export async function finishObjective(step: Step, root: Machine): Promise<void> {
  const { outcome } = contextOf(root);
  const { status, failure } = statusOf(root);
  const question = await openQuestion(step.draft, root.id);
  if (question !== undefined) await lapse(step, question.id);
  const said = (await step.runState.transcript(root.facts.threadId)).at(-1);
  const last = said?.role === 'assistant' ? (said.content ?? '') : '';
  const isFailed = status === 'failed';
  await changeObjective(step, (objective) => ({
    ...withLine(objective, step.now, { kind: 'end', text: endOf(objective, outcome, failure?.message ?? last) }),
    ...{ status: isFailed ? ('error' as const) : ('done' as const), waitingFor: null, outcome, question: null },
    followUp: { ...objective.followUp, nextAt: null },
    ...(failure !== undefined && { error: failure }),
  }));
  await finishRun(step, root);
}

function endOf({ action }: Objective, outcome: Objective['outcome'], message = ''): string {
  switch (outcome) {
    case 'reached':
      // The planner has said why; a person who ends it has not.
      if (action?.action !== 'finish') return 'The user ended the objective as reached';
      return message === '' ? 'The objective is reached' : `The objective is reached: ${message}`;
    case 'gaveUp':
      return `The planner gave up: ${message}`;
    case 'cancelled':
      return 'The objective was cancelled';
    case null:
      return `The objective ended with an error: ${message}`;
    default:
      return outcome satisfies never;
  }
}
