import { describe, expect, test } from 'vitest';
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate';
import type { NextApi, RunContext, RunEvent } from '../../engine/machines/run-events.ts';
import { runMachine } from '../../engine/machines/run.ts';

const limits = { maxTurns: 3, timeMs: 60_000, maxAttempts: 3, backoffMs: 1000 };
const start: RunEvent = { type: 'START', at: 1000, limits };
const answered = (at: number, outcome: 'final' | 'calls' | 'nudge', calls: RunContext['calls'] = {}): RunEvent => ({
  type: 'MODEL_ANSWERED',
  at,
  outcome,
  calls,
  inputTokens: 10,
  outputTokens: 2,
  ...(outcome === 'nudge' && { failure: { code: 'MODEL_REFUSED', message: 'no' } }),
});
const failed = (kind: 'transient' | 'rateLimit' | 'fatal', retryAfterMs?: number, next?: NextApi): RunEvent => ({
  type: 'MODEL_FAILED',
  at: 2000,
  kind,
  failure: { code: 'MODEL_UNAVAILABLE', message: 'down' },
  ...(retryAfterMs !== undefined && { retryAfterMs }),
  ...(next !== undefined && { next }),
});

/** An api that takes over, and is asked once. */
const next = { apiId: 'spare', maxAttempts: 1, backoffMs: 1 };

interface Seen {
  state: unknown;
  context: RunContext;
  asked: string[];
  timers: Record<string, number>;
}

/** Plays events on a fresh machine; tells the last state and what the last event asked for. */
function play(...events: RunEvent[]): Seen {
  let [snapshot, actions] = initialTransition(runMachine) as unknown as [
    AnyMachineSnapshot,
    { type: string; params?: never }[],
  ];
  for (const event of events)
    [snapshot, actions] = transition(runMachine, snapshot as never, event as never) as unknown as [
      typeof snapshot,
      typeof actions,
    ];
  const asked = actions
    .filter(({ type }) => !type.startsWith('xstate.'))
    .map(({ type, params }) => describeAction(type, params));
  const raised = actions
    .filter(({ type }) => type === 'xstate.raise')
    .map(({ params }) => params as unknown as { id: string; delay?: number });
  const timers = Object.fromEntries(
    raised.flatMap(({ id, delay }) => (delay === undefined ? [] : [[id.split('.').at(-1), delay]])),
  );
  return { state: snapshot.value, context: snapshot.context as RunContext, asked, timers };
}

function describeAction(type: string, params: Record<string, unknown> | undefined): string {
  return [type, ...Object.values(params ?? {}).map((value) => (Array.isArray(value) ? value.join('+') : String(value)))]
    .join(' ')
    .trim();
}

describe('a run', () => {
  test.each<{ name: string; events: RunEvent[]; state: unknown; asked: string[] }>([
    { name: 'is queued until it is started', events: [], state: 'queued', asked: [] },
    { name: 'asks the model when it starts', events: [start], state: 'asking', asked: ['askModel 1 0'] },
    {
      name: 'fails at once when no model can be reached',
      events: [{ type: 'START_FAILED', at: 1, failure: { code: 'MODEL_NONE_AVAILABLE', message: '' } }],
      state: 'failed',
      asked: ['finish'],
    },
    {
      name: 'is completed by an answer without calls',
      events: [start, answered(2, 'final')],
      state: 'completed',
      asked: ['dropModel', 'finish'],
    },
    {
      name: 'asks again in the same step when all calls were settled in it',
      events: [start, answered(2, 'calls')],
      state: 'asking',
      asked: ['dropModel', 'askModel 2 0'],
    },
    {
      name: 'waits for calls that are open',
      events: [start, answered(2, 'calls', { '1/a': 'running' })],
      state: { calling: 'running' },
      asked: ['dropModel'],
    },
    {
      name: 'parks when only persons are waited for',
      events: [start, answered(2, 'calls', { '1/a': 'asking', '1/b': 'asking' })],
      state: { calling: 'parked' },
      asked: ['dropModel', 'tellCaller CALL_PARKED asking'],
    },
    {
      name: 'goes on when a person has answered',
      events: [start, answered(2, 'calls', { '1/a': 'asking' }), { type: 'CALL_RESUMED', at: 3, call: '1/a' }],
      state: { calling: 'running' },
      asked: ['tellCaller CALL_RESUMED'],
    },
    {
      name: 'parks while a call waits for the answer to a question, and tells its caller so',
      events: [start, answered(2, 'calls', { '1/a': 'answer', '1/b': 'limited' })],
      state: { calling: 'parked' },
      asked: ['dropModel', 'tellCaller CALL_PARKED answer'],
    },
    {
      name: 'asks again when its question is answered',
      events: [start, answered(2, 'calls', { '1/a': 'answer' }), { type: 'CALL_SETTLED', at: 3, call: '1/a' }],
      state: 'asking',
      asked: ['tellCaller CALL_RESUMED', 'dropCalls', 'askModel 2 0'],
    },
    {
      name: 'asks again when the last call is settled',
      events: [start, answered(2, 'calls', { '1/a': 'running' }), { type: 'CALL_SETTLED', at: 3, call: '1/a' }],
      state: 'asking',
      asked: ['dropCalls', 'askModel 2 0'],
    },
    {
      name: 'takes no notice of a call that it does not know',
      events: [start, answered(2, 'calls', { '2/a': 'running' }), { type: 'CALL_SETTLED', at: 3, call: '1/a' }],
      state: { calling: 'running' },
      asked: [],
    },
    {
      name: 'drops its calls when it is cancelled',
      events: [start, answered(2, 'calls', { '1/a': 'running', '1/b': 'asking' }), { type: 'CANCEL', at: 3 }],
      state: 'cancelled',
      asked: ['dropCalls 1/a+1/b', 'finish'],
    },
    {
      name: 'fails when its time is up, dropping the request',
      events: [start, { type: 'DEADLINE' }],
      state: 'failed',
      asked: ['dropModel', 'finish'],
    },
    {
      name: 'fails after the last turn instead of asking again',
      events: [start, answered(2, 'calls'), answered(3, 'calls'), answered(4, 'calls')],
      state: 'failed',
      asked: ['dropModel', 'finish'],
    },
    {
      name: 'still completes on the last turn',
      events: [start, answered(2, 'calls'), answered(3, 'calls'), answered(4, 'final')],
      state: 'completed',
      asked: ['dropModel', 'finish'],
    },
    {
      name: 'backs off when a failure may pass',
      events: [start, failed('transient')],
      state: 'backingOff',
      asked: ['dropModel'],
    },
    {
      name: 'waits out a rate limit',
      events: [start, failed('rateLimit', 7000)],
      state: 'rateLimited',
      asked: ['dropModel', 'tellCaller CALL_PARKED limited'],
    },
    {
      name: 'waits for a limit of ours without counting an attempt',
      events: [start, { type: 'DEFER', at: 5, waitMs: 9 }],
      state: 'rateLimited',
      asked: ['dropModel', 'tellCaller CALL_PARKED limited'],
    },
    {
      name: 'fails on a failure that will not pass',
      events: [start, failed('fatal')],
      state: 'failed',
      asked: ['dropModel', 'finish'],
    },
    {
      name: 'asks the same turn again after a pause',
      events: [start, failed('transient'), { type: 'xstate.after.retryDelay.run.backingOff' } as unknown as RunEvent],
      state: 'asking',
      asked: ['askModel 1 1'],
    },
    {
      name: 'asks the next api in the same turn where the failure will not pass',
      events: [start, failed('fatal', undefined, next)],
      state: 'asking',
      asked: ['dropModel', 'changeApi spare', 'askModel 1 1'],
    },
    {
      name: 'asks the same api again while it has attempts, whatever comes next',
      events: [start, failed('transient', undefined, next)],
      state: 'backingOff',
      asked: ['dropModel'],
    },
    {
      name: 'fails where the last api has no attempts left either',
      events: [start, failed('fatal', undefined, next), failed('transient')],
      state: 'failed',
      asked: ['dropModel', 'finish'],
    },
    {
      name: 'tells a model that was cut or refused, and goes on',
      events: [start, answered(2, 'nudge')],
      state: 'asking',
      asked: ['dropModel', 'askModel 2 0'],
    },
  ])('$name', ({ events, state, asked }) => {
    const seen = play(...events);
    expect(seen.state).toEqual(state);
    expect(seen.asked).toEqual(asked);
  });

  test('names the limit that ended it', () => {
    expect(play(start, { type: 'DEADLINE' }).context.failure?.code).toBe('LIMIT_TIME');
    expect(play(start, answered(2, 'calls'), answered(3, 'calls'), answered(4, 'calls')).context.failure?.code).toBe(
      'LIMIT_STEPS',
    );
  });

  test('fails after three refusals in a row, and an answer between them starts the count anew', () => {
    const patient: RunEvent = { ...start, limits: { ...limits, maxTurns: 20 } };
    const refused = [answered(2, 'nudge'), answered(3, 'nudge')];
    expect(play(patient, ...refused, answered(4, 'nudge')).context.failure?.code).toBe('MODEL_REFUSED');
    expect(play(patient, ...refused, answered(4, 'calls'), answered(5, 'nudge')).state).toBe('asking');
  });

  test('gives up after its attempts, and an answer starts the count anew', () => {
    const again = { type: 'xstate.after.retryDelay.run.backingOff' } as unknown as RunEvent;
    const twice = [failed('transient'), again, failed('transient'), again];
    expect(play(start, ...twice, failed('transient')).state).toBe('failed');
    expect(play(start, ...twice, answered(9, 'calls'), failed('transient')).state).toBe('backingOff');
  });

  test('doubles its pauses and keeps to what the provider says', () => {
    const again = { type: 'xstate.after.retryDelay.run.backingOff' } as unknown as RunEvent;
    expect(play(start, failed('transient')).timers).toEqual({ backingOff: 1000 });
    expect(play(start, failed('transient'), again, failed('transient')).timers).toEqual({ backingOff: 2000 });
    expect(play(start, failed('rateLimit', 7000)).timers).toEqual({ rateLimited: 7000 });
  });

  test('does not count the time in which only a person is waited for', () => {
    expect(play(start).timers).toEqual({ deadline: 60_000 });
    const asked = [start, answered(11_000, 'calls', { '1/a': 'asking' })];
    expect(play(...asked).context).toMatchObject({ leftMs: 50_000, since: 0 });
    const later = play(...asked, { type: 'CALL_RESUMED', at: 5_000_000, call: '1/a' });
    expect(later.timers).toEqual({ deadline: 50_000 });
    expect(later.context).toMatchObject({ leftMs: 50_000, since: 5_000_000 });
  });

  test('adds up the tokens of its answers', () => {
    expect(play(start, answered(2, 'calls'), answered(3, 'final')).context).toMatchObject({
      turn: 2,
      inputTokens: 20,
      outputTokens: 4,
    });
  });
});
