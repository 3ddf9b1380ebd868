import type { SnapshotFrom } from 'xstate';
import { type RunContext, runMachine } from '../../../machines/run.ts';
import { isRecord } from '../../base/json.ts';
import { finishRun } from '../lifecycle/finish.ts';
import type { AwaitedWork, RunProgress } from '../machine-mode.ts';
import { finishMessage } from '../session/message-run.ts';
import { effectId } from '../step/effect.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { release } from '../turn/admission.ts';
import { askNumber, finishAsk } from '../turn/agent-ask.ts';
import { dropCalls } from '../turn/drop-calls.ts';
import { askModel } from '../turn/turn.ts';
import { defineMode } from './mode.ts';

/** The tool loop: a director's run, an agent's work on one ask, or an agent's work on a person's message. */
export const runMode = defineMode({
  machine: runMachine,
  // An early version 1 had another name for the state in which all calls wait.
  upgrades: { '1': { to: '2', value: (value) => (isAwaitingPerson(value) ? { calling: 'parked' } : value) } },
  runs: ['orchestrate', 'session'],
  status: progressOf,
  awaits: awaitedWork,
  timeLeftMs: ({ context: { leftMs, since } }, nowMs) => (since === 0 ? leftMs : leftMs - (nowMs - since)),
  handlers: {
    askModel: (step, machine, { turn, attempt }) => askModel(step, machine, turn, attempt),
    dropModel(step, machine) {
      release(step, machine);
      step.abort(effectId({ machine: machine.id }));
    },
    dropCalls: (step, machine, { calls }) => dropCalls(step, machine, calls),
    tellCaller,
    finish,
  },
});

const isAwaitingPerson = (value: unknown) => isRecord(value) && value['calling'] === 'awaitingPerson';

type RunSnapshot = SnapshotFrom<typeof runMachine>;

function progressOf(snapshot: RunSnapshot): RunProgress {
  const { calls, waitMs, failure } = snapshot.context;
  if (snapshot.matches('queued')) return { status: 'queued' };
  if (snapshot.matches('completed')) return { status: 'completed' };
  if (snapshot.matches('failed')) return { status: 'failed', ...(failure !== null && { failure }) };
  if (snapshot.matches('cancelled')) return { status: 'cancelled' };
  if (snapshot.matches('rateLimited')) return { status: 'waiting', waitingFor: 'limit', waitMs };
  if (snapshot.matches({ calling: 'parked' })) return { status: 'waiting', waitingFor: parkedFor(calls) };
  return { status: 'running' };
}

/** Calls that wait for a person go before calls that wait for a limit. */
function parkedFor(calls: RunContext['calls']): 'approval' | 'limit' {
  return Object.values(calls).includes('asking') ? 'approval' : 'limit';
}

function awaitedWork(snapshot: RunSnapshot): AwaitedWork | undefined {
  const { turn, attempt } = snapshot.context;
  if (snapshot.matches('asking')) return { kind: 'model', turn: turn + 1, attempt };
  return snapshot.matches('calling') ? { kind: 'calls' } : undefined;
}

/** An ask answers its caller, a message answers the person, and a director's run ends its sessions. */
function finish(step: Step, machine: Machine): Promise<void> {
  const { caller, agentId } = machine.facts;
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
  { type, why }: { type: 'CALL_PARKED' | 'CALL_RESUMED'; why?: 'asking' | 'limited' },
): void {
  const { caller, threadId } = machine.facts;
  if (caller === undefined) return;
  step.later(caller.machine, { type, at: step.now, call: caller.call, ...(why !== undefined && { why }) });
  const number = askNumber(machine);
  step.later(threadId, type === 'CALL_PARKED' ? { type: 'ASK_PARKED', number, why } : { type: 'ASK_RESUMED', number });
}
