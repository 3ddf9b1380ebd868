import { type Ask, type FrontState, sessionMachine } from '../../../machines/session.ts';
import type { Step } from '../step/step.ts';
import { askId, finishSession, refuseAsks, startAsk } from '../turn/agent-ask.ts';
import { defineMode } from './mode.ts';

/** The session of an agent with a director: queues the asks, and starts a run machine for each. */
export const sessionMode = defineMode({
  machine: sessionMachine,
  // Version 1 did not tell queued callers that they wait: as far as they know, the ask before them is running.
  upgrades: { '1': { to: '2', context: (context) => ({ ...context, front: 'running' }) } },
  runs: [],
  status: ({ status }) => ({ status: status === 'active' ? 'running' : 'completed' }),
  handlers: {
    startAsk: (step, session, { ask, number }) => startAsk(step, session, ask, number),
    dropAsk: (step, session, { number }) => step.send(askId(session, number), { type: 'CANCEL', at: step.now }),
    tellQueue: (step, _session, { asks, front }) => tellQueue(step, asks, front),
    refuseAsks: (step, _session, { asks }) => refuseAsks(step, asks),
    finish: (step, session, { status }) => finishSession(step, session, status),
  },
});

/** Parks the calls of queued asks while the current ask waits, and resumes them when it goes on. */
function tellQueue(step: Step, asks: readonly Ask[], front: FrontState): void {
  for (const { caller, call } of asks)
    step.later(
      caller,
      front === 'running'
        ? { type: 'CALL_RESUMED', at: step.now, call }
        : { type: 'CALL_PARKED', at: step.now, call, why: front },
    );
}
