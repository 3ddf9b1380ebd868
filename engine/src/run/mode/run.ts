import type { SnapshotFrom } from 'xstate';
import type { ParkReason, RunContext } from '../../../machines/run-events.ts';
import { runMachine } from '../../../machines/run.ts';
import { isRecord } from '../../base/json.ts';
import { lapsePermissions } from '../cli/permission.ts';
import { changeApi } from '../fallback/change-api.ts';
import { finishRun } from '../lifecycle/finish.ts';
import type { AwaitedWork, RunProgress } from '../machine-mode.ts';
import { finishMessage } from '../session/message-run.ts';
import { finishRole } from '../role/role.ts';
import { effectId } from '../step/effect.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { release } from '../turn/admission.ts';
import { askNumber, finishAsk } from '../turn/agent-ask.ts';
import { dropHeld } from '../turn/check-answer.ts';
import { dropCalls } from '../turn/drop-calls.ts';
import { askModel } from '../turn/turn.ts';
import { defineMode } from './mode.ts';

/** The tool loop: a director's run, an agent's work on one ask, or an agent's work on a person's message. */
export const runMode = defineMode({
  machine: runMachine,
  // An early version 1 had another name for the state in which all calls wait.
  upgrades: {
    '1': { to: '2', value: (value) => (isAwaitingPerson(value) ? { calling: 'parked' } : value) },
    // Version 2 had no calls that wait for an answer, and asked one api alone.
    '2': { to: '3', context: (context) => ({ ...context, firstAttempt: 0 }) },
  },
  runs: ['orchestrate', 'session'],
  status: progressOf,
  awaits: awaitedWork,
  timeLeftMs: ({ context: { leftMs, since } }, nowMs) => (since === 0 ? leftMs : leftMs - (nowMs - since)),
  handlers: {
    askModel: (step, machine, { turn, attempt }) => askModel(step, machine, turn, attempt),
    async dropModel(step, machine) {
      release(step, machine);
      await lapsePermissions(step, machine, 'the tool that asked was stopped');
      step.abort(effectId({ machine: machine.id }));
      return dropHeld(step, machine, (machine.snapshot as RunSnapshot).context.turn + 1);
    },
    changeApi: (step, machine, { apiId }) => changeApi(step, machine, apiId),
    dropCalls: (step, machine, { calls }) => dropCalls(step, machine, calls),
    tellCaller,
    finish,
  },
});

const isAwaitingPerson = (value: unknown) => isRecord(value) && value['calling'] === 'awaitingPerson';

type RunSnapshot = SnapshotFrom<typeof runMachine>;

function progressOf(snapshot: RunSnapshot): RunProgress {
  const { value } = snapshot;
  const { calls, waitMs, failure } = snapshot.context;
  // Read at each step, and `matches` makes an object for each name.
  if (typeof value === 'object')
    return value.calling === 'parked' ? { status: 'waiting', waitingFor: parkedFor(calls) } : { status: 'running' };
  switch (value) {
    case 'failed':
      return { status: 'failed', ...(failure !== null && { failure }) };
    case 'queued':
    case 'completed':
    case 'cancelled':
      return { status: value };
    case 'rateLimited':
      return { status: 'waiting', waitingFor: 'limit', waitMs };
    default:
      return { status: 'running' };
  }
}

/** Calls that wait for an approval go before a question, and both before calls that wait for a limit. */
function parkedFor(calls: RunContext['calls']): 'approval' | 'answer' | 'limit' {
  const waits = new Set(Object.values(calls));
  return waits.has('asking') ? 'approval' : waits.has('answer') ? 'answer' : 'limit';
}

function awaitedWork(snapshot: RunSnapshot): AwaitedWork | undefined {
  const { turn, attempt } = snapshot.context;
  if (snapshot.value === 'asking') return { kind: 'model', turn: turn + 1, attempt };
  return typeof snapshot.value === 'object' ? { kind: 'calls' } : undefined;
}

/** A role reports to its root, an ask answers its caller, a message answers the person, and a director's run ends its sessions. */
function finish(step: Step, machine: Machine): Promise<void> {
  const { caller, agentId, role } = machine.facts;
  if (role !== undefined) return finishRole(step, machine);
  if (caller !== undefined) return finishAsk(step, machine);
  return agentId === '' ? finishRun(step, machine) : finishMessage(step, machine);
}

/**
 * Parks or resumes the caller's call together with an agent that waits for a person or a limit, so that no time limit counts
 * meanwhile; also informs the session, which does the same for the asks behind this one.
 */
function tellCaller(
  step: Step,
  machine: Machine,
  { type, why }: { type: 'CALL_PARKED' | 'CALL_RESUMED'; why?: ParkReason },
): void {
  const { caller, threadId, role } = machine.facts;
  if (caller === undefined) return;
  step.later(caller.machine, { type, at: step.now, call: caller.call, ...(why !== undefined && { why }) });
  if (role !== undefined) return;
  const number = askNumber(machine);
  step.later(threadId, type === 'CALL_PARKED' ? { type: 'ASK_PARKED', number, why } : { type: 'ASK_RESUMED', number });
}
