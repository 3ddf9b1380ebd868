import { describe, expect, test } from 'vitest';
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate';
import type { LifeLimits, ObjectiveContext, ObjectiveEvent, WakeWhy } from '../../engine/machines/objective-events.ts';
import { objectiveMachine } from '../../engine/machines/objective.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const limits = { maxTurns: 3, timeMs: HOUR };
const life: LifeLimits = { maxWakes: 3, maxFollowUps: 1, endsAt: 90 * DAY };
const AT = 1000;

const start: ObjectiveEvent = { type: 'START', at: AT, limits };
const woken: ObjectiveEvent = { type: 'WOKEN', at: AT, limits, life, followUps: 0, isNew: true, isAnswered: false };
const understood: ObjectiveEvent = { type: 'UNDERSTOOD', at: AT, isAsked: false, isMore: false };
const partRead: ObjectiveEvent = { ...understood, isMore: true };
const written: ObjectiveEvent = { type: 'WRITTEN', at: AT };
const wake = (why: WakeWhy, at = AT): ObjectiveEvent => ({ type: 'WAKE', at, why, note: { why } });
const decided = (
  action: Extract<ObjectiveEvent, { type: 'DECIDED' }>['action'],
  more: { until?: number; isFollowUp?: boolean } = {},
): ObjectiveEvent => ({ type: 'DECIDED', at: AT, action, ...more });
const called = (...calls: string[]): ObjectiveEvent => ({
  type: 'CALLED',
  at: AT,
  calls: Object.fromEntries(calls.map((call) => [call, 'running' as const])),
});
const settled: ObjectiveEvent = { type: 'CALL_SETTLED', at: AT, call: '1/a' };
const asks: ObjectiveEvent = { type: 'CALL_PARKED', at: AT, call: '1/a', why: 'asking' };
const acted = (result: 'draft' | 'send' | 'sent' | 'done', until?: number): ObjectiveEvent => ({
  type: 'ACTED',
  at: AT,
  result,
  ...(until !== undefined && { until }),
});
const order = (type: 'PAUSE' | 'RESUME' | 'FINISH', at = AT): ObjectiveEvent => ({ type, at, by: 'user' });

const deciding = [start, woken, understood];
const writing = [...deciding, decided('draft')];
const drafting = [...writing, written, called('1/a')];
const drafted = [...drafting, settled, acted('draft')];
const sending = [...drafting, settled, acted('send'), called('1/a'), asks];
const awaiting = [...deciding, decided('waitForReply', { until: 3 * DAY })];

type Snapshot = AnyMachineSnapshot & { readonly context: ObjectiveContext };
interface Asked {
  readonly type: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const begin = () => initialTransition(objectiveMachine) as unknown as [Snapshot, Asked[]];
const step = (snapshot: Snapshot, event: ObjectiveEvent) =>
  transition(objectiveMachine, snapshot as never, event as never) as unknown as [Snapshot, Asked[]];

/** Plays events on a fresh machine; tells the last state and what the last event asked for. */
function play(...events: readonly ObjectiveEvent[]) {
  let [snapshot, actions] = begin();
  for (const event of events) [snapshot, actions] = step(snapshot, event);
  const asked = actions
    .filter(({ type }) => !type.startsWith('xstate.') && type !== 'show')
    .map(({ type, params }) => [type, ...Object.values(params ?? {}).flatMap(wordsOf)].join(' ').trim());
  const timers = actions.flatMap(({ type, params }) =>
    type === 'xstate.raise' && typeof params?.['delay'] === 'number' ? [[String(params['id']), params['delay']]] : [],
  );
  const cleared = actions.flatMap(({ type, params }) => (type === 'xstate.cancel' ? [params?.['sendId']] : []));
  return { state: stateOf(snapshot), context: snapshot.context, asked, timers: Object.fromEntries(timers), cleared };
}

const wordsOf = (value: unknown): string[] =>
  Array.isArray(value) ? [value.join('+')] : typeof value === 'object' ? [] : [String(value)];

function stateOf({ value }: Snapshot): string {
  const path: string[] = [];
  for (let at: unknown = value; at !== undefined;) {
    if (typeof at === 'string') return [...path, at].join('.');
    const [name, rest] = Object.entries(at as object)[0] ?? ['', undefined];
    path.push(name);
    at = rest;
  }
  return path.join('.');
}

describe('an objective', () => {
  test.each<{ name: string; events: ObjectiveEvent[]; state: string; asked: string[] }>([
    { name: 'is queued until it starts', events: [], state: 'queued', asked: [] },
    { name: 'wakes first', events: [start], state: 'working.opening', asked: ['openWake 1'] },
    {
      name: 'fails where no model can be reached at its start',
      events: [{ type: 'START_FAILED', at: 1, failure: { code: 'MODEL_NONE_AVAILABLE', message: '' } }],
      state: 'failed',
      asked: ['finish'],
    },
    {
      name: 'has intake read the thread',
      events: [start, woken],
      state: 'working.intake',
      asked: ['dropWake 1', 'startRole intake 1'],
    },
    {
      name: 'asks the user where intake only proposes what the user may want',
      events: [start, woken, { ...understood, isAsked: true }],
      state: 'waiting.answer',
      asked: ['dropRole intake 1'],
    },
    {
      name: 'has intake read the next part of a long thread',
      events: [start, woken, partRead],
      state: 'working.intake',
      asked: ['dropRole intake 1', 'startRole intake 2'],
    },
    {
      name: 'wakes again where something comes between two parts of a long thread',
      events: [start, woken, wake('reply'), partRead],
      state: 'working.opening',
      asked: ['dropRole intake 1', 'openWake 2'],
    },
    {
      name: 'asks the planner after intake',
      events: deciding,
      state: 'working.deciding',
      asked: ['dropRole intake 1', 'startRole planner 2'],
    },
    {
      name: 'has the writer write what the planner wants to say',
      events: writing,
      state: 'working.writing',
      asked: ['dropRole planner 2', 'startRole writer 3'],
    },
    {
      name: 'makes a draft of what the writer wrote',
      events: [...writing, written],
      state: 'working.acting.calling',
      asked: ['dropRole writer 3', 'makeCall draft 1'],
    },
    {
      name: 'reads the outcome of a call that was answered at once',
      events: [...writing, written, called()],
      state: 'working.acting.judging',
      asked: ['readOutcome draft 1'],
    },
    { name: 'waits while a call runs', events: drafting, state: 'working.acting.running', asked: [] },
    {
      name: 'reads the outcome of a call once it is settled',
      events: [...drafting, settled],
      state: 'working.acting.judging',
      asked: ['readOutcome draft 1'],
    },
    { name: 'leaves the draft to the user', events: drafted, state: 'waiting.draft', asked: ['dropCalls'] },
    {
      name: 'sends the draft where the config says so',
      events: [...drafting, settled, acted('send')],
      state: 'working.acting.calling',
      asked: ['dropCalls', 'makeCall send 2'],
    },
    {
      name: 'parks while a person decides about the sending',
      events: sending,
      state: 'working.acting.parked',
      asked: [],
    },
    {
      name: 'withdraws the question whether to send when the user sends the draft',
      events: [...sending, wake('sent')],
      state: 'noting',
      asked: ['dropCalls 1/a', 'noteWake', 'noteSent'],
    },
    {
      name: 'withdraws the question whether to send when a reply arrives',
      events: [...sending, wake('reply')],
      state: 'working.opening',
      asked: ['dropCalls 1/a', 'noteWake', 'openWake 2'],
    },
    {
      name: 'asks the planner again after a tool call',
      events: [...deciding, decided('callTool'), called(), acted('done')],
      state: 'working.deciding',
      asked: ['dropCalls', 'startRole planner 3'],
    },
    { name: 'waits for a reply', events: awaiting, state: 'waiting.reply', asked: ['dropRole planner 2'] },
    {
      name: 'wakes on a reply',
      events: [...awaiting, wake('reply')],
      state: 'working.opening',
      asked: ['noteWake', 'openWake 2'],
    },
    {
      name: 'counts the time of the follow-up anew when the user writes on the thread',
      events: [...awaiting, wake('sent')],
      state: 'noting',
      asked: ['noteWake', 'noteSent'],
    },
    {
      name: 'wakes when the time of the follow-up has come',
      events: [...awaiting, { type: 'DUE', at: 3 * DAY }],
      state: 'working.opening',
      asked: ['openWake 2'],
    },
    {
      name: 'asks the planner without intake where nothing has come meanwhile',
      events: [...awaiting, { type: 'DUE', at: 3 * DAY }, { ...woken, isNew: false }],
      state: 'working.deciding',
      asked: ['dropWake 2', 'startRole planner 3'],
    },
    {
      name: 'has intake read an answer that is found when the follow-up is due',
      events: [...awaiting, { type: 'DUE', at: 3 * DAY }, { ...woken, isAnswered: true }],
      state: 'working.intake',
      asked: ['dropWake 2', 'startRole intake 3'],
    },
    {
      name: 'waits until a date',
      events: [...deciding, decided('waitUntil', { until: DAY })],
      state: 'waiting.date',
      asked: ['dropRole planner 2'],
    },
    {
      name: 'waits for an answer of the user',
      events: [...deciding, decided('askUser')],
      state: 'waiting.answer',
      asked: ['dropRole planner 2'],
    },
    {
      name: 'ends when it is reached',
      events: [...deciding, decided('finish')],
      state: 'completed',
      asked: ['dropRole planner 2', 'finish'],
    },
    {
      name: 'fails when the planner gives up',
      events: [...deciding, { type: 'DECIDED', at: AT, action: 'giveUp', failure: { code: 'X', message: 'no' } }],
      state: 'failed',
      asked: ['dropRole planner 2', 'finish'],
    },
    {
      name: 'looks at a word of the user before the decision that came meanwhile',
      events: [...deciding, wake('words'), decided('finish')],
      state: 'working.opening',
      asked: ['dropRole planner 2', 'openWake 2'],
    },
    {
      name: 'looks at a reply before it makes a draft that was written meanwhile',
      events: [...writing, wake('reply'), written],
      state: 'working.opening',
      asked: ['dropRole writer 3', 'openWake 2'],
    },
    {
      name: 'looks at a reply that arrived while a call ran, after the call',
      events: [...drafting, wake('reply'), settled, acted('draft')],
      state: 'working.opening',
      asked: ['dropCalls', 'openWake 2'],
    },
    {
      name: 'does not send what was drafted before a reply arrived',
      events: [...drafting, wake('reply'), settled, acted('send')],
      state: 'working.opening',
      asked: ['dropCalls', 'openWake 2'],
    },
    {
      name: 'asks the planner again after a decision that the rules do not permit',
      events: [...deciding, decided('refused')],
      state: 'working.deciding',
      asked: ['dropRole planner 2', 'startRole planner 3'],
    },
    {
      name: 'asks the user after three such decisions in a row',
      events: [...deciding, decided('refused'), decided('refused'), decided('refused')],
      state: 'waiting.answer',
      asked: ['dropRole planner 4', 'askGoOn the planner decided several times what the rules do not permit'],
    },
    {
      name: 'asks the user where a wake has too many decisions',
      events: [...deciding, ...[1, 2, 3].flatMap(() => [decided('callTool'), called(), acted('done')])],
      state: 'waiting.answer',
      asked: ['dropCalls', 'askGoOn the planner has decided 3 times in this wake (budget.maxIterations)'],
    },
    {
      name: 'asks the user where a wake takes too long',
      events: [...deciding, { type: 'DEADLINE', at: HOUR }],
      state: 'waiting.answer',
      asked: ['dropRole planner 2', 'askGoOn this wake has worked for 60 minutes (budget.maxMinutes)'],
    },
    {
      name: 'asks the user where a role reaches the budget of the wake',
      events: [...deciding, { type: 'ROLE_LIMITED', at: AT, failure: { code: 'LIMIT_BUDGET', message: 'too dear' } }],
      state: 'waiting.answer',
      asked: ['dropRole planner 2', 'askGoOn too dear'],
    },
    {
      name: 'fails at the wake after the last one',
      events: [...awaiting, wake('reply'), woken, wake('reply'), understood, wake('reply'), woken, understood],
      state: 'failed',
      asked: ['dropRole intake 4', 'finish'],
    },
    {
      name: 'fails at the end of its life',
      events: [...awaiting, { type: 'EXPIRE', at: 90 * DAY }],
      state: 'failed',
      asked: ['finish'],
    },
    {
      name: 'ends when a person finishes it',
      events: [...drafted, order('FINISH')],
      state: 'completed',
      asked: ['finish'],
    },
    {
      name: 'is paused at work: the role ends',
      events: [...deciding, order('PAUSE')],
      state: 'waiting.paused',
      asked: ['dropRole planner 2', 'notePause true user'],
    },
    {
      name: 'is paused after the call that runs',
      events: [...drafting, order('PAUSE'), settled, acted('send')],
      state: 'waiting.draft',
      asked: ['dropCalls'],
    },
    {
      name: 'withdraws the question whether to send when it is paused',
      events: [...sending, order('PAUSE')],
      state: 'waiting.draft',
      asked: ['dropCalls 1/a', 'notePause true user'],
    },
    {
      name: 'stays paused when a reply arrives',
      events: [...awaiting, order('PAUSE'), wake('reply')],
      state: 'waiting.reply',
      asked: ['noteWake'],
    },
    {
      name: 'stays paused when the follow-up falls due',
      events: [...awaiting, order('PAUSE'), { type: 'DUE', at: 3 * DAY }],
      state: 'waiting.reply',
      asked: [],
    },
    {
      name: 'looks at what came while it was paused when it goes on',
      events: [...awaiting, order('PAUSE'), wake('reply'), order('RESUME')],
      state: 'working.opening',
      asked: ['notePause false user', 'openWake 2'],
    },
    {
      name: 'waits on when it goes on and nothing has come',
      events: [...awaiting, order('PAUSE'), order('RESUME')],
      state: 'waiting.reply',
      asked: ['notePause false user'],
    },
    {
      name: 'wakes when it goes on after a pause at work',
      events: [...deciding, order('PAUSE'), order('RESUME')],
      state: 'working.opening',
      asked: ['notePause false user', 'openWake 2'],
    },
  ])('$name', ({ events, state, asked }) => {
    expect(play(...events)).toMatchObject({ state, asked });
  });

  test('sets one timer while it waits for a reply, and one for the end of its life', () => {
    expect(play(start, woken).timers).toEqual({ deadline: HOUR, life: 90 * DAY - AT });
    expect(play(...awaiting)).toMatchObject({ timers: { due: 3 * DAY - AT }, cleared: ['deadline'] });
    expect(play(...awaiting, wake('reply')).cleared).toContain('due');
    expect(play(...drafted).timers).toEqual({});
  });

  test('stops the timer of the follow-up while it is paused, and sets it again for the same time', () => {
    expect(play(...awaiting, order('PAUSE')).cleared).toContain('due');
    expect(play(...awaiting, order('PAUSE'), order('RESUME', DAY)).timers).toEqual({ due: 2 * DAY });
    expect(play(...awaiting, order('PAUSE'), order('RESUME', 5 * DAY)).timers).toEqual({ due: 0 });
  });

  test('does not count the time in which a role waits for a person', () => {
    const parked = { type: 'CALL_PARKED', at: AT + 60_000, call: 'role/planner/2', why: 'asking' } as const;
    const resumed = { type: 'CALL_RESUMED', at: 7 * DAY, call: 'role/planner/2' } as const;
    expect(play(...deciding, parked).cleared).toEqual(['deadline']);
    expect(play(...deciding, parked, resumed).timers).toEqual({ deadline: HOUR - 60_000 });
  });

  test('begins each wake with a new time limit and new decisions', () => {
    const late = { ...wake('reply'), at: 20 * DAY } as ObjectiveEvent;
    const { context, timers } = play(...awaiting, late);
    expect(context).toMatchObject({ wakes: 2, rounds: 0, why: 'reply', leftMs: HOUR });
    expect(timers).toEqual({ deadline: HOUR });
  });

  test('takes the strongest of several reasons', () => {
    const { context } = play(...deciding, wake('label'), wake('words'), wake('reply'), decided('finish'));
    expect(context).toMatchObject({ why: 'words', unread: 0 });
  });

  test('counts a follow-up when it leaves, and permits no more than the limit', () => {
    const followUp = [...deciding, decided('draft', { isFollowUp: true }), written, called(), acted('sent', 9 * DAY)];
    expect(play(...followUp).context).toMatchObject({ followUps: 1, until: 9 * DAY });
    const second = [...followUp, { type: 'DUE', at: 9 * DAY } as const, { ...woken, isNew: false }];
    expect(play(...second, decided('draft', { isFollowUp: true })).state).toBe('working.deciding');
    expect(play(...second, decided('draft')).state).toBe('working.writing');
  });

  test('counts on from the follow-ups of the objective that it repeats, and never back', () => {
    const repeats = [start, { ...woken, followUps: 1 }, understood];
    expect(play(...repeats, decided('draft', { isFollowUp: true })).state).toBe('working.deciding');
    expect(play(...repeats, wake('reply'), decided('finish'), woken).context.followUps).toBe(1);
  });

  test('counts a follow-up that the user sends from Drafts', () => {
    const draft = [...deciding, decided('draft', { isFollowUp: true }), written, called(), acted('draft')];
    expect(play(...draft).context.followUps).toBe(0);
    const noted = { type: 'NOTED', at: AT, until: 5 * DAY } as const;
    expect(play(...draft, wake('sent'), noted)).toMatchObject({
      state: 'waiting.reply',
      context: { followUps: 1, until: 5 * DAY, isFollowUp: false },
    });
  });

  test('has an outcome for each end that somebody chose', () => {
    expect(play(...deciding, decided('finish')).context.outcome).toBe('reached');
    expect(play(...deciding, decided('giveUp')).context.outcome).toBe('gaveUp');
    expect(play(...deciding, { type: 'CANCEL', at: AT }).context.outcome).toBe('cancelled');
    expect(play(...awaiting, { type: 'EXPIRE', at: AT }).context.outcome).toBeNull();
  });
});

/** Small limits, so that every state can be looked at. */
const SMALL = { maxTurns: 1, timeMs: HOUR };
const small: ObjectiveEvent = { ...woken, limits: SMALL, life: { ...life, maxWakes: 1 } } as ObjectiveEvent;

/** Every event that the engine may send, at whatever moment. */
const EVENTS: readonly ObjectiveEvent[] = [
  ...[{ ...start, limits: SMALL } as ObjectiveEvent, small, { ...small, isNew: false } as ObjectiveEvent, understood],
  { ...understood, isAsked: true },
  ...(['draft', 'askUser', 'callTool', 'finish', 'refused'] as const).map((action) => decided(action)),
  ...[decided('waitForReply', { until: DAY }), decided('waitUntil', { until: DAY })],
  decided('draft', { isFollowUp: true }),
  { type: 'DECIDED', at: AT, action: 'giveUp', failure: { code: 'X', message: '' } },
  ...[written, called(), called('1/a'), settled, asks, { type: 'CALL_RESUMED', at: AT, call: '1/a' } as const],
  { type: 'CALL_PARKED', at: AT, call: 'role/planner/1', why: 'limited' },
  { type: 'CALL_RESUMED', at: AT, call: 'role/planner/1' },
  ...[acted('draft'), acted('send'), acted('sent', DAY), acted('done')],
  { type: 'NOTED', at: AT, until: DAY },
  ...(['reply', 'sent'] as const).map((why) => wake(why)),
  ...[order('PAUSE'), order('RESUME'), order('FINISH')],
  { type: 'CANCEL', at: AT },
  { type: 'FAIL', at: AT, failure: { code: 'INTERNAL', message: '' } },
  { type: 'ROLE_LIMITED', at: AT, failure: { code: 'LIMIT_BUDGET', message: '' } },
  ...(['DEADLINE', 'DUE', 'EXPIRE'] as const).map((type) => ({ type, at: AT })),
];

/** What matters of a state: numbers of roles and calls only name them. */
function keyOf(snapshot: Snapshot): string {
  const { paused, unread, followUps, isFollowUp, wakes, rounds, refusals, calls, act, life: bounds } = snapshot.context;
  const counts = [followUps, wakes, rounds, refusals, Math.min(1, unread)];
  const own = stateOf(snapshot).startsWith('working.acting') ? [calls, act] : [];
  return JSON.stringify([snapshot.value, paused, isFollowUp, counts, own, bounds === null, isDateOnly(snapshot)]);
}

/** Whether the planner is asked without intake where nothing is new. */
const isDateOnly = ({ context: { why, next, unread } }: Snapshot) => (unread > 0 ? next : why) === 'date';

/** All states that some order of events reaches, each with the states that follow it. */
function explore(): Map<string, { snapshot: Snapshot; after: Map<ObjectiveEvent, string> }> {
  const found = new Map<string, { snapshot: Snapshot; after: Map<ObjectiveEvent, string> }>();
  const [first] = begin();
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

describe('every state that an objective can reach', () => {
  const states = explore();
  const all = [...states.values()].map(({ snapshot }) => snapshot);
  const active = all.filter(({ status }) => status === 'active');

  test('is one of the states of the chart, and all of these are reached', () => {
    expect(new Set(all.map(stateOf))).toEqual(
      new Set([
        ...['queued', 'noting', 'completed', 'failed', 'cancelled'],
        ...['opening', 'intake', 'deciding', 'writing'].map((name) => `working.${name}`),
        ...['calling', 'running', 'parked', 'judging'].map((name) => `working.acting.${name}`),
        ...['answer', 'reply', 'date', 'draft', 'paused'].map((name) => `waiting.${name}`),
      ]),
    );
  });

  test('can be cancelled, and a cancelled one has no open call', () => {
    for (const snapshot of active) {
      const [next] = step(snapshot, { type: 'CANCEL', at: AT });
      expect(stateOf(next)).toBe('cancelled');
      expect(next.context.calls).toEqual({});
    }
  });

  test('is no dead end: the end can be reached without an order of a person or an error', () => {
    const orders = new Set(['CANCEL', 'FINISH', 'FAIL']);
    const isEnd = (key: string) => states.get(key)?.snapshot.status === 'done';
    const before = new Map<string, string[]>();
    for (const [key, { after }] of states)
      for (const [{ type }, next] of after) if (!orders.has(type)) before.set(next, [...(before.get(next) ?? []), key]);
    const reaches = new Set([...states.keys()].filter(isEnd));
    for (const key of reaches) for (const earlier of before.get(key) ?? []) reaches.add(earlier);
    expect([...states.keys()].filter((key) => !reaches.has(key))).toEqual([]);
  });

  test('keeps within its limits', () => {
    for (const { context, value } of all) {
      const { wakes, followUps, rounds, refusals } = context;
      expect(wakes, JSON.stringify(value)).toBeLessThanOrEqual(6);
      expect(followUps).toBeLessThanOrEqual(life.maxFollowUps);
      expect(refusals).toBeLessThanOrEqual(3);
      expect(rounds).toBeLessThanOrEqual(SMALL.maxTurns + 3);
    }
  });

  test('does not act while it is paused: nothing leaves, and no role works', () => {
    const working = all.filter(({ context, status }) => context.paused && status === 'active').map(stateOf);
    expect(new Set(working)).toEqual(new Set(PAUSED));
  });

  test('has nothing unread while it waits, unless it is paused', () => {
    for (const snapshot of active)
      if (stateOf(snapshot).startsWith('waiting') && !snapshot.context.paused)
        expect(snapshot.context.unread, stateOf(snapshot)).toBe(0);
  });
});

/** Where a pause may find the objective: queued, in a call that began before, or waiting. */
const PAUSED = [
  ...['queued', 'noting'],
  ...['calling', 'running', 'parked', 'judging'].map((name) => `working.acting.${name}`),
  ...['answer', 'reply', 'date', 'draft', 'paused'].map((name) => `waiting.${name}`),
];
