import { describe, expect, test } from 'vitest';
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate';
import { type SessionEvent, sessionMachine } from '../../engine/machines/session.ts';

const ask = (call: string): SessionEvent => ({ type: 'ASK', caller: 'run_1', call });
const unask = (call: string): SessionEvent => ({ type: 'UNASK', caller: 'run_1', call });
const parked = (number: number, why: 'asking' | 'limited' = 'asking'): SessionEvent => ({
  type: 'ASK_PARKED',
  number,
  why,
});
const resumed = (number: number): SessionEvent => ({ type: 'ASK_RESUMED', number });
const idle = { type: 'xstate.after.idle.session.idle' } as unknown as SessionEvent;

/** Plays events on a fresh session; tells the last state and every action so far, in order. */
function play(...events: SessionEvent[]) {
  let [snapshot, actions] = initialTransition(sessionMachine, { idleMs: 1000 }) as unknown as [
    AnyMachineSnapshot,
    { type: string; params?: Record<string, unknown> }[],
  ];
  const asked: string[] = [];
  for (const event of events) {
    [snapshot, actions] = transition(sessionMachine, snapshot as never, event as never) as unknown as [
      typeof snapshot,
      typeof actions,
    ];
    for (const { type, params } of actions) {
      if (type === 'startAsk')
        asked.push(`start ${(params?.['ask'] as { call: string }).call} as ${String(params?.['number'])}`);
      if (type === 'dropAsk') asked.push(`drop ${String(params?.['number'])}`);
      if (type === 'tellQueue' && (params?.['asks'] as unknown[]).length > 0)
        asked.push(
          `tell ${(params?.['asks'] as { call: string }[]).map(({ call }) => call).join('+')} ${String(params?.['front'])}`,
        );
      if (type === 'refuseAsks')
        asked.push(`refuse ${(params?.['asks'] as { call: string }[]).map(({ call }) => call).join('+')}`);
      if (type === 'finish') asked.push(String(params?.['status']));
    }
  }
  return { state: snapshot.value, asked };
}

describe('a session', () => {
  test.each<{ name: string; events: SessionEvent[]; state: string; asked: string[] }>([
    { name: 'works an ask', events: [ask('1/a')], state: 'working', asked: ['start 1/a as 1'] },
    {
      name: 'is idle when the ask is done',
      events: [ask('1/a'), { type: 'ASK_DONE' }],
      state: 'idle',
      asked: ['start 1/a as 1'],
    },
    {
      name: 'works parallel asks one after the other',
      events: [ask('1/a'), ask('1/b'), { type: 'ASK_DONE' }],
      state: 'working',
      asked: ['start 1/a as 1', 'start 1/b as 2'],
    },
    {
      name: 'drops the ask that it works on, then takes the next',
      events: [ask('1/a'), ask('1/b'), unask('1/a')],
      state: 'working',
      asked: ['start 1/a as 1', 'drop 1', 'start 1/b as 2'],
    },
    {
      name: 'forgets an ask that was taken back before its turn',
      events: [ask('1/a'), ask('1/b'), unask('1/b'), { type: 'ASK_DONE' }],
      state: 'idle',
      asked: ['start 1/a as 1'],
    },
    {
      name: 'tells who queues when the ask before them waits and when it goes on',
      events: [ask('1/a'), ask('1/b'), ask('1/c'), parked(1), resumed(1)],
      state: 'working',
      asked: ['start 1/a as 1', 'tell 1/b+1/c asking', 'tell 1/b+1/c running'],
    },
    {
      name: 'tells it to one who comes while the ask before waits',
      events: [ask('1/a'), parked(1, 'limited'), ask('1/b')],
      state: 'working',
      asked: ['start 1/a as 1', 'tell 1/b limited'],
    },
    {
      name: 'tells who queues that work goes on when the ask that waits is taken back',
      events: [ask('1/a'), ask('1/b'), parked(1), unask('1/a'), resumed(1), ask('1/c')],
      state: 'working',
      asked: ['start 1/a as 1', 'tell 1/b asking', 'drop 1', 'tell 1/b running', 'start 1/b as 2'],
    },
    {
      name: 'takes news of an ask that was taken back for nothing',
      events: [ask('1/a'), ask('1/b'), ask('1/c'), unask('1/a'), parked(1)],
      state: 'working',
      asked: ['start 1/a as 1', 'drop 1', 'start 1/b as 2'],
    },
    {
      name: 'starts the next ask as one that works',
      events: [ask('1/a'), ask('1/b'), parked(1), resumed(1), { type: 'ASK_DONE' }, ask('1/c')],
      state: 'working',
      asked: ['start 1/a as 1', 'tell 1/b asking', 'tell 1/b running', 'start 1/b as 2'],
    },
    { name: 'expires when nobody asks', events: [idle], state: 'expired', asked: ['expired'] },
    {
      name: 'ends with its run, dropping and refusing what is open',
      events: [ask('1/a'), ask('1/b'), { type: 'CLOSE' }],
      state: 'completed',
      asked: ['start 1/a as 1', 'drop 1', 'refuse 1/b', 'completed'],
    },
    {
      name: 'takes nothing once it is over',
      events: [{ type: 'CLOSE' }, ask('1/a')],
      state: 'completed',
      asked: ['refuse ', 'completed'],
    },
  ])('$name', ({ events, state, asked }) => {
    expect(play(...events)).toEqual({ state, asked });
  });
});
