import { describe, expect, test } from 'vitest';
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate';
import { type RoundContext, type RoundEvent, roundMachine, type SpeakerState } from '../../engine/machines/round.ts';

type Snapshot = AnyMachineSnapshot & { readonly context: RoundContext };
interface Asked {
  readonly type: string;
  readonly params?: { readonly participants?: readonly string[]; readonly speakers?: Readonly<Record<string, string>> };
}

const begin = (input = { maxRounds: 2, number: 1, participants: ['a', 'b'] }) =>
  initialTransition(roundMachine, input) as unknown as [Snapshot, Asked[]];
const step = (snapshot: Snapshot, event: RoundEvent) =>
  transition(roundMachine, snapshot as never, event as never) as unknown as [Snapshot, Asked[]];

const start: RoundEvent = { type: 'START' };
const cancel: RoundEvent = { type: 'CANCEL' };
const drop: RoundEvent = { type: 'DROP' };
const ended = (participant: string, as: Exclude<SpeakerState, 'running'> = 'done'): RoundEvent => ({
  type: 'ENDED',
  participant,
  as,
});
const appended = (...mentioned: string[]): RoundEvent => ({ type: 'APPENDED', mentioned });

/** Plays events on a fresh machine; returns its last state, and what it asked for, in order. */
function play(input: Parameters<typeof begin>[0], ...events: readonly RoundEvent[]) {
  let [snapshot, actions] = begin(input);
  const asked: string[] = [];
  for (const event of events) {
    [snapshot, actions] = step(snapshot, event);
    for (const { type, params } of actions) {
      if (type === 'startRuns') asked.push(`start ${params?.participants?.join('+') ?? ''}`);
      if (type === 'cancelRuns') asked.push(`cancel ${params?.participants?.join('+') ?? ''}`);
      if (type === 'appendReplies') asked.push(`append ${Object.entries(params?.speakers ?? {}).join(' ')}`);
    }
  }
  return { state: String(snapshot.value), number: snapshot.context.number, asked };
}

describe('a round', () => {
  const both = [start, ended('a'), ended('b')];
  test.each<{ name: string; events: RoundEvent[]; state: string; number: number; asked: string[] }>([
    { name: 'waits for its turn', events: [], state: 'queued', number: 1, asked: [] },
    { name: 'has all speak at once', events: [start], state: 'speaking', number: 1, asked: ['start a+b'] },
    {
      name: 'waits for the last to end',
      events: [start, ended('b')],
      state: 'speaking',
      number: 1,
      asked: ['start a+b'],
    },
    {
      name: 'appends the messages of all together',
      events: [start, ended('b', 'failed'), ended('a')],
      state: 'appending',
      number: 1,
      asked: ['start a+b', 'append a,done b,failed'],
    },
    {
      name: 'is followed by one with those who are mentioned, each once',
      events: [...both, appended('c', 'a', 'c')],
      state: 'speaking',
      number: 2,
      asked: ['start a+b', 'append a,done b,done', 'start c+a'],
    },
    {
      name: 'is the last where nobody is mentioned',
      events: [...both, appended()],
      state: 'done',
      number: 1,
      asked: ['start a+b', 'append a,done b,done'],
    },
    {
      name: 'is the last at the limit, whoever is mentioned',
      events: [...both, appended('a'), ended('a'), appended('b')],
      state: 'done',
      number: 2,
      asked: ['start a+b', 'append a,done b,done', 'start a', 'append a,done'],
    },
    {
      name: 'counts one whose run was cancelled as done',
      events: [start, ended('a', 'cancelled'), ended('b'), appended('a')],
      state: 'speaking',
      number: 2,
      asked: ['start a+b', 'append a,cancelled b,done', 'start a'],
    },
    { name: 'ends before its turn', events: [cancel], state: 'cancelled', number: 1, asked: [] },
    {
      name: 'that is cancelled cancels those who speak, and keeps what others have said',
      events: [start, ended('a'), cancel, ended('b', 'cancelled')],
      state: 'closing',
      number: 1,
      asked: ['start a+b', 'cancel b', 'append a,done b,cancelled'],
    },
    {
      name: 'that was cancelled is the last, whoever is mentioned',
      events: [start, cancel, ended('a'), ended('b', 'cancelled'), appended('b')],
      state: 'cancelled',
      number: 1,
      asked: ['start a+b', 'cancel a+b', 'append a,done b,cancelled'],
    },
    {
      name: 'is not cancelled twice',
      events: [start, cancel, cancel, ended('a', 'cancelled')],
      state: 'stopping',
      number: 1,
      asked: ['start a+b', 'cancel a+b'],
    },
    {
      name: 'takes the first end of a participant, and none of a stranger',
      events: [start, ended('a', 'failed'), ended('a'), ended('x'), ended('b')],
      state: 'appending',
      number: 1,
      asked: ['start a+b', 'append a,failed b,done'],
    },
    {
      name: 'ends with its chat, and appends nothing more',
      events: [start, ended('a'), drop, ended('b'), appended('a')],
      state: 'cancelled',
      number: 1,
      asked: ['start a+b'],
    },
  ])('$name', ({ events, state, number, asked }) => {
    expect(play(undefined, ...events)).toEqual({ state, number, asked });
  });

  test('of a turn that a person asked for is followed by as many rounds as any other', () => {
    const turn = { maxRounds: 2, number: 0, participants: ['a'] };
    const loop = [ended('a'), appended('b'), ended('b'), appended('a')];
    expect(play(turn, start, ...loop)).toMatchObject({ state: 'speaking', number: 2 });
    expect(play(turn, start, ...loop, ...loop).state).toBe('done');
  });

  test.each([0, 1])('is never more than the limit where the limit is %s', (maxRounds) => {
    const events = [start, ended('a'), appended('a'), ended('a'), appended('a'), ended('a'), appended('a')];
    expect(play({ maxRounds, number: 0, participants: ['a'] }, ...events)).toMatchObject({
      state: 'done',
      number: maxRounds,
    });
  });
});

/** Every event that the coordinator may send, at whatever moment. */
const EVENTS: readonly RoundEvent[] = [
  ...[start, cancel, drop],
  ...['a', 'b', 'x'].flatMap((id) => (['done', 'failed', 'cancelled'] as const).map((as) => ended(id, as))),
  ...[appended(), appended('a'), appended('a', 'b', 'a')],
];

const keyOf = ({ value, context }: Snapshot) => JSON.stringify([value, context]);

/** All states that some order of events reaches, each with the states that follow it. */
function explore() {
  const found = new Map<string, { snapshot: Snapshot; after: Map<RoundEvent, string> }>();
  const [first] = begin({ maxRounds: 2, number: 0, participants: ['a', 'a', 'b'] });
  const open = [first];
  found.set(keyOf(first), { snapshot: first, after: new Map() });
  for (let snapshot = open.pop(); snapshot !== undefined; snapshot = open.pop()) {
    const state = found.get(keyOf(snapshot));
    if (snapshot.status !== 'active') continue;
    for (const event of EVENTS) {
      const [next] = step(snapshot, event);
      const key = keyOf(next);
      state?.after.set(event, key);
      if (found.has(key)) continue;
      found.set(key, { snapshot: next, after: new Map() });
      open.push(next);
    }
  }
  return found;
}

describe('every state that a round can reach', () => {
  const states = explore();
  const all = [...states.values()].map(({ snapshot }) => snapshot);

  test('is one of the states of the chart, and all of these are reached', () => {
    const chart = ['queued', 'speaking', 'appending', 'stopping', 'closing', 'done', 'cancelled'];
    expect(new Set(all.map(({ value }) => String(value)))).toEqual(new Set(chart));
  });

  test('can be cancelled: without a person, what remains of the round leads to the state cancelled', () => {
    for (const snapshot of all.filter(({ status }) => status === 'active')) {
      let [next] = step(snapshot, cancel);
      for (const id of Object.keys(next.context.speakers)) [next] = step(next, ended(id, 'cancelled'));
      [next] = step(next, appended('a', 'b'));
      expect(next.value, keyOf(snapshot)).toBe('cancelled');
    }
  });

  test('is no dead end: the end can be reached without an order of a person', () => {
    const orders = new Set(['CANCEL', 'DROP']);
    const before = new Map<string, string[]>();
    for (const [key, { after }] of states)
      for (const [{ type }, next] of after) if (!orders.has(type)) before.set(next, [...(before.get(next) ?? []), key]);
    const reaches = new Set([...states].filter(([, { snapshot }]) => snapshot.status === 'done').map(([key]) => key));
    for (const key of reaches) for (const earlier of before.get(key) ?? []) reaches.add(earlier);
    expect([...states.keys()].filter((key) => !reaches.has(key))).toEqual([]);
  });

  test('keeps within its limits, and has no speaker where nobody speaks', () => {
    for (const { value, context, status } of all) {
      expect(context.number).toBeLessThanOrEqual(context.maxRounds);
      expect(new Set(context.next).size).toBe(context.next.length);
      if (status === 'done' || value === 'queued') expect(context.speakers).toEqual({});
      else expect(Object.keys(context.speakers).length).toBeGreaterThan(0);
    }
  });

  test('starts a round and appends its messages once', () => {
    for (const { snapshot, after } of states.values())
      for (const event of after.keys()) {
        const [next, asked] = step(snapshot, event);
        const effects = asked
          .filter(({ type }) => ['startRuns', 'appendReplies'].includes(type))
          .map(({ type }) => type);
        if (next.value === snapshot.value && next.context.number === snapshot.context.number)
          expect(effects, `${keyOf(snapshot)} ${event.type}`).toEqual([]);
        else expect(effects.length).toBeLessThanOrEqual(1);
      }
  });
});
