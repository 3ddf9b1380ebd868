import type { SnapshotFrom } from 'xstate';
import { objectiveMachine } from '../../../machines/objective.ts';
import type { AwaitedWork, RunProgress } from '../machine-mode.ts';
import { objectiveRows } from '../objective/new-objective.ts';
import type { WakeNote } from '../objective/objective.ts';
import { noteWake } from '../objective/wake.ts';
import { askGoOn } from '../pursuit/ask.ts';
import { readOutcome, makeCall } from '../pursuit/calls.ts';
import { finishObjective, notePause, noteSent, show } from '../pursuit/ending.ts';
import { objectiveRoleDone } from '../pursuit/role-end.ts';
import { startObjectiveRole } from '../pursuit/role-work.ts';
import { hearMessage } from '../pursuit/hear-message.ts';
import { dropWake, openWake, settleWake, wakeWork } from '../pursuit/wake-effect.ts';
import { dropRole } from '../role/role.ts';
import type { CallResult } from '../step/tool-result.ts';
import { dropCalls } from '../turn/drop-calls.ts';
import { defineMode } from './mode.ts';

/** A director that pursues one wish for weeks: intake, planner and writer, drafts, waits and follow-ups (seed 001). */
export const objectiveMode = defineMode({
  machine: objectiveMachine,
  upgrades: {},
  runs: ['objective'],
  takesMessageOnMail: true,
  newRows: objectiveRows,
  status: progressOf,
  awaits: awaitedWork,
  timeLeftMs: ({ context: { leftMs, since } }, nowMs) => (since === 0 ? leftMs : leftMs - (nowMs - since)),
  roleDone: objectiveRoleDone,
  takeMessage: hearMessage,
  handlers: {
    openWake,
    dropWake,
    settleWake: (step, root, { call, result }) => settleWake(step, root, call, result as CallResult),
    startRole: startObjectiveRole,
    dropRole: (step, root, { role, number }) => dropRole(step, root, { name: role, number }),
    makeCall,
    readOutcome,
    dropCalls: (step, root, { calls }) => dropCalls(step, root, calls),
    noteSent,
    askGoOn,
    show,
    notePause,
    noteWake: (step, root, { note }) => noteWake(step, root, { note: note as WakeNote }),
    finish: finishObjective,
  },
});

type ObjectiveSnapshot = SnapshotFrom<typeof objectiveMachine>;

function progressOf(snapshot: ObjectiveSnapshot): RunProgress {
  const { failure, role, calls } = snapshot.context;
  if (snapshot.matches('queued')) return { status: 'queued' };
  if (snapshot.matches('completed')) return { status: 'completed' };
  if (snapshot.matches('failed')) return { status: 'failed', ...(failure !== null && { failure }) };
  if (snapshot.matches('cancelled')) return { status: 'cancelled' };
  for (const waitingFor of ['answer', 'reply', 'date', 'draft'] as const)
    if (snapshot.matches({ waiting: waitingFor })) return { status: 'waiting', waitingFor };
  if (snapshot.matches('waiting')) return { status: 'waiting' };
  if (snapshot.matches({ working: { acting: 'parked' } }))
    return { status: 'waiting', ...parkedFor(Object.values(calls)) };
  const isRoleWork = (['intake', 'deciding', 'writing'] as const).some((state) => snapshot.matches({ working: state }));
  if (isRoleWork && role !== 'running') return { status: 'waiting', ...parkedFor([role]) };
  return { status: 'running' };
}

/** What waits for a person goes before what waits for a limit. */
function parkedFor(states: readonly string[]): Pick<RunProgress, 'waitingFor'> {
  if (states.includes('asking')) return { waitingFor: 'approval' };
  return { waitingFor: states.includes('answer') ? 'answer' : 'limit' };
}

function awaitedWork(snapshot: ObjectiveSnapshot): AwaitedWork | undefined {
  if (snapshot.matches({ working: 'opening' })) return { kind: 'own', ...wakeWork(snapshot.context.wakes) };
  return snapshot.matches({ working: 'acting' }) ? { kind: 'calls' } : undefined;
}
