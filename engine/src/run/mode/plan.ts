import type { SnapshotFrom } from 'xstate';
import { planMachine } from '../../../machines/plan.ts';
import { finishRun } from '../lifecycle/finish.ts';
import type { AwaitedWork, RunProgress } from '../machine-mode.ts';
import { ANSWER_TURN, answerUser } from '../plan/final-answer.ts';
import { planRoleDone } from '../plan/plan-outcome.ts';
import { startPlanRole } from '../plan/plan-work.ts';
import { dropRole } from '../role/role.ts';
import { dropHeld } from '../turn/check-answer.ts';
import { defineMode } from './mode.ts';

/** A director that plans: planner, executor and evaluator of each step, synthesis, and the check of its answer (seed 003). */
export const planMode = defineMode({
  machine: planMachine,
  upgrades: {},
  runs: ['plan'],
  status: progressOf,
  awaits: awaitedWork,
  timeLeftMs: ({ context: { leftMs, since } }, nowMs) => (since === 0 ? leftMs : leftMs - (nowMs - since)),
  roleDone: planRoleDone,
  handlers: {
    startRole: (step, root, start) => startPlanRole(step, root, start),
    dropRole: async (step, root, { role, number }) => {
      if (role !== null) await dropRole(step, root, { name: role, number });
    },
    checkAnswer: (step, root) => answerUser(step, root, (root.snapshot as PlanSnapshot).context.number),
    dropCheck: (step, root) => dropHeld(step, root, ANSWER_TURN),
    finish: finishRun,
  },
});

type PlanSnapshot = SnapshotFrom<typeof planMachine>;

/** What a run waits for, by what its role waits for. */
const WAITS = { asking: 'approval', answer: 'answer', limited: 'limit' } as const;

function progressOf(snapshot: PlanSnapshot): RunProgress {
  const { wait, failure } = snapshot.context;
  if (snapshot.matches('queued')) return { status: 'queued' };
  if (snapshot.matches('completed')) return { status: 'completed' };
  if (snapshot.matches('failed')) return { status: 'failed', ...(failure !== null && { failure }) };
  if (snapshot.matches('cancelled')) return { status: 'cancelled' };
  return wait === null ? { status: 'running' } : { status: 'waiting', waitingFor: WAITS[wait] };
}

function awaitedWork(snapshot: PlanSnapshot): AwaitedWork | undefined {
  return snapshot.matches({ active: { work: 'checking' } }) ? { kind: 'check', turn: ANSWER_TURN } : undefined;
}
