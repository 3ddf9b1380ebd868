import { assign, setup } from 'xstate';
import { closeRun } from '../../../engine/src/run/lifecycle/finish.ts';
import { defineMode } from '../../../engine/src/run/mode/mode.ts';
import { objectiveRows } from '../../../engine/src/run/objective/new-objective.ts';
import { changeObjective } from '../../../engine/src/run/objective/objective-rows.ts';
import type { ObjectiveOrder, WakeEvent, WakeNote } from '../../../engine/src/run/objective/objective.ts';
import { noteWake } from '../../../engine/src/run/objective/wake.ts';

interface Failure {
  readonly code: string;
  readonly message: string;
}

/** An objective that only waits and counts what wakes it: no model, no tool. */
const waitingMachine = setup({
  types: {} as {
    context: { failure: Failure | null; wakes: number };
    events:
      { type: 'START' | 'CANCEL' } | { type: 'START_FAILED' | 'FAIL'; failure: Failure } | WakeEvent | ObjectiveOrder;
    tags: 'parked';
  },
  actions: {
    noteWake: (_, _params: { note: WakeNote }) => {},
    show: (_, _params: { paused: boolean }) => {},
    finish: () => {},
    count: assign({ wakes: ({ context }) => context.wakes + 1 }),
  },
}).createMachine({
  id: 'run',
  version: '1',
  context: { failure: null, wakes: 0 },
  initial: 'queued',
  on: {
    CANCEL: '.cancelled',
    FAIL: '.failed',
    FINISH: '.completed',
    PAUSE: { actions: { type: 'show', params: { paused: true } } },
    RESUME: { actions: { type: 'show', params: { paused: false } } },
    WAKE: { actions: ['count', { type: 'noteWake', params: ({ event }) => ({ note: event.note }) }] },
  },
  states: {
    queued: { tags: 'parked', on: { START: 'waiting', START_FAILED: 'failed' } },
    waiting: { tags: 'parked' },
    completed: { type: 'final', entry: 'finish' },
    failed: { type: 'final', entry: 'finish' },
    cancelled: { type: 'final', entry: 'finish' },
  },
});

/** Makes every run of an app an objective that only waits: given to an app as a mode, it replaces the tool loop. */
export const waitingMode = defineMode({
  machine: waitingMachine,
  upgrades: {},
  runs: ['orchestrate'],
  takesMessageOnMail: true,
  newRows: objectiveRows,
  status: ({ value }) => (value === 'waiting' ? { status: 'waiting', waitingFor: 'reply' } : { status: value }),
  handlers: {
    noteWake,
    async show(step, _machine, { paused }) {
      await changeObjective(step, (objective) => ({ ...objective, paused, status: 'waiting' }));
    },
    async finish(step, machine) {
      await changeObjective(step, (objective) => ({ ...objective, status: 'done', outcome: 'reached' }));
      await closeRun(step, machine, []);
    },
  },
});
