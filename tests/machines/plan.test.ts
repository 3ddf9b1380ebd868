import { describe, expect, test } from 'vitest';
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate';
import { type PlanContext, type PlanEvent, planMachine } from '../../engine/machines/plan.ts';

interface Asked {
  readonly type: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

interface Seen {
  readonly snapshot: AnyMachineSnapshot;
  readonly asked: readonly Asked[];
}

const context = ({ snapshot }: Seen) => snapshot.context as PlanContext;
const begin = (): Seen => {
  const [snapshot, asked] = initialTransition(planMachine) as unknown as [AnyMachineSnapshot, Asked[]];
  return { snapshot, asked };
};
const advance = (seen: Seen, event: PlanEvent): Seen => {
  const [snapshot, asked] = transition(planMachine, seen.snapshot as never, event) as unknown as [
    AnyMachineSnapshot,
    Asked[],
  ];
  return { snapshot, asked };
};
const play = (...events: PlanEvent[]) => events.reduce(advance, begin());

/** The state of the work, with `+parked` while the time does not count. */
function stateOf({ snapshot }: Seen): string {
  const value = snapshot.value as string | { active: { work: string; time: string } };
  if (typeof value === 'string') return value;
  return value.active.time === 'parked' ? `${value.active.work}+parked` : value.active.work;
}

/** What the last event asked for, without the actions of XState; a role as `executor 2: step 1, retry 0`. */
function askedOf({ asked }: Seen): string[] {
  return asked.flatMap(({ type, params }) => {
    if (type.startsWith('xstate.')) return [];
    if (type === 'startRole')
      return [
        `${String(params?.['role'])} ${String(params?.['number'])}: step ${String(params?.['step'])}, retry ${String(params?.['retry'])}`,
      ];
    if (type === 'dropRole') return params?.['role'] === null ? [] : [`drop ${String(params?.['role'])}`];
    return [type];
  });
}

function timersOf({ asked }: Seen): Record<string, number> {
  const raised = asked.filter(({ type }) => type === 'xstate.raise').map(({ params }) => params);
  return Object.fromEntries(
    raised.flatMap((params) =>
      typeof params?.['delay'] === 'number' ? [[String(params['id']), params['delay']] as const] : [],
    ),
  );
}

const begun: PlanEvent = { type: 'START', at: 1000, limits: { timeMs: 60_000 } };
const summarised: PlanEvent = { type: 'SUMMARISED', at: 1500 };
const tooLong: PlanEvent = { type: 'TOO_LONG', at: 1600 };
/** The planner works. */
const start = [begun, summarised];
const planned = (steps: number, maxRetries = 2): PlanEvent => ({ type: 'PLANNED', at: 2000, steps, maxRetries });
const done = (verdict: 'passed' | 'failed' | 'hopeless' | 'unclear'): PlanEvent => ({
  type: 'STEP_DONE',
  at: 3000,
  verdict,
});
const evaluated = (verdict: 'passed' | 'failed'): PlanEvent => ({ type: 'EVALUATED', at: 4000, verdict });
const synthesised: PlanEvent = { type: 'SYNTHESISED', at: 5000 };
const checked: PlanEvent = { type: 'MODEL_ANSWERED', at: 6000 };
const parked = (call: string, why: 'asking' | 'limited' | 'answer' = 'asking'): PlanEvent => ({
  type: 'CALL_PARKED',
  at: 11_000,
  call,
  why,
});
const resumed = (call: string): PlanEvent => ({ type: 'CALL_RESUMED', at: 500_000, call });
const failure = { code: 'MODEL_UNAVAILABLE', message: 'down' };

describe('a plan', () => {
  test.each<{ name: string; events: PlanEvent[]; state: string; asked: string[] }>([
    { name: 'is queued until it is started', events: [], state: 'queued', asked: [] },
    {
      name: 'summarises the conversation when it starts',
      events: [begun],
      state: 'summarising',
      asked: ['summary 0: step 0, retry 0'],
    },
    {
      name: 'waits with its summary',
      events: [begun, parked('role/summary/0', 'limited')],
      state: 'summarising+parked',
      asked: [],
    },
    {
      name: 'drops its summary when it is cancelled',
      events: [begun, { type: 'CANCEL', at: 9 }],
      state: 'cancelled',
      asked: ['drop summary', 'finish'],
    },
    {
      name: 'summarises again where the planner cannot read the whole conversation',
      events: [...start, tooLong],
      state: 'summarising',
      asked: ['summary 1: step 0, retry 0'],
    },
    {
      name: 'asks the planner again after that summary',
      events: [...start, tooLong, summarised],
      state: 'planning',
      asked: ['planner 2: step 0, retry 0'],
    },
    {
      name: 'asks the planner once that is done',
      events: start,
      state: 'planning',
      asked: ['planner 1: step 0, retry 0'],
    },
    {
      name: 'fails at once when no model can be reached',
      events: [{ type: 'START_FAILED', at: 1, failure }],
      state: 'failed',
      asked: ['finish'],
    },
    {
      name: 'works on the first step once it is planned',
      events: [...start, planned(2)],
      state: 'executing',
      asked: ['executor 2: step 1, retry 0'],
    },
    {
      name: 'goes on with the next step when one has passed',
      events: [...start, planned(2), done('passed')],
      state: 'executing',
      asked: ['executor 3: step 2, retry 0'],
    },
    {
      name: 'asks a model where the outcome is unclear',
      events: [...start, planned(2), done('unclear')],
      state: 'evaluating',
      asked: ['evaluator 3: step 1, retry 0'],
    },
    {
      name: 'goes on when the evaluator says that the step has passed',
      events: [...start, planned(2), done('unclear'), evaluated('passed')],
      state: 'executing',
      asked: ['executor 4: step 2, retry 0'],
    },
    {
      name: 'tries again a step that failed',
      events: [...start, planned(2), done('failed')],
      state: 'executing',
      asked: ['executor 3: step 1, retry 1'],
    },
    {
      name: 'tries again when the evaluator says that the step failed',
      events: [...start, planned(2), done('unclear'), evaluated('failed')],
      state: 'executing',
      asked: ['executor 4: step 1, retry 1'],
    },
    {
      name: 'goes on without a step after its last retry',
      events: [...start, planned(2), done('failed'), done('failed'), done('failed')],
      state: 'executing',
      asked: ['executor 5: step 2, retry 0'],
    },
    {
      name: 'goes on without a step that the evaluator refused after its last retry',
      events: [...start, planned(2, 0), done('unclear'), evaluated('failed')],
      state: 'executing',
      asked: ['executor 4: step 2, retry 0'],
    },
    {
      name: 'does not try again what is hopeless',
      events: [...start, planned(2), done('hopeless')],
      state: 'executing',
      asked: ['executor 3: step 2, retry 0'],
    },
    {
      name: 'makes the answer after the last step',
      events: [...start, planned(1), done('passed')],
      state: 'synthesising',
      asked: ['synthesis 3: step 0, retry 0'],
    },
    {
      name: 'makes the answer also where the last step failed for good',
      events: [...start, planned(1, 0), done('failed')],
      state: 'synthesising',
      asked: ['synthesis 3: step 0, retry 0'],
    },
    {
      name: 'makes the answer after the last step that was evaluated',
      events: [...start, planned(1), done('unclear'), evaluated('passed')],
      state: 'synthesising',
      asked: ['synthesis 4: step 0, retry 0'],
    },
    {
      name: 'checks the answer before it ends',
      events: [...start, planned(1), done('passed'), synthesised],
      state: 'checking',
      asked: ['checkAnswer'],
    },
    {
      name: 'is completed by the checked answer',
      events: [...start, planned(1), done('passed'), synthesised, checked],
      state: 'completed',
      asked: ['dropCheck', 'finish'],
    },
    {
      name: 'parks while its role waits for a person',
      events: [...start, planned(1), parked('role/executor/2')],
      state: 'executing+parked',
      asked: [],
    },
    {
      name: 'goes on when the person has answered',
      events: [...start, planned(1), parked('role/executor/2'), resumed('role/executor/2')],
      state: 'executing',
      asked: [],
    },
    {
      name: 'takes no notice of the wait of another role',
      events: [...start, planned(1), parked('role/planner/1')],
      state: 'executing',
      asked: [],
    },
    {
      name: 'goes on where a role ends before the news that it no longer waits',
      events: [...start, planned(2), parked('role/executor/2'), done('passed'), resumed('role/executor/2')],
      state: 'executing',
      asked: [],
    },
    {
      name: 'ends its role when it is cancelled',
      events: [...start, planned(1), { type: 'CANCEL', at: 9 }],
      state: 'cancelled',
      asked: ['drop executor', 'finish'],
    },
    {
      name: 'ends a role that waits when it is cancelled',
      events: [...start, planned(1), parked('role/executor/2'), { type: 'CANCEL', at: 9 }],
      state: 'cancelled',
      asked: ['drop executor', 'finish'],
    },
    {
      name: 'aborts the check when it is cancelled',
      events: [...start, planned(1), done('passed'), synthesised, { type: 'CANCEL', at: 9 }],
      state: 'cancelled',
      asked: ['dropCheck', 'finish'],
    },
    {
      name: 'ends its role when its time is up',
      events: [...start, { type: 'DEADLINE' }],
      state: 'failed',
      asked: ['drop planner', 'finish'],
    },
    {
      name: 'fails with its role',
      events: [...start, planned(1), { type: 'FAIL', at: 9, failure }],
      state: 'failed',
      asked: ['drop executor', 'finish'],
    },
  ])('$name', ({ events, state, asked }) => {
    const seen = play(...events);
    expect({ state: stateOf(seen), asked: askedOf(seen) }).toEqual({ state, asked });
  });

  test('counts the steps that failed for good', () => {
    const verdicts = [done('passed'), done('hopeless'), done('unclear'), evaluated('failed')];
    const seen = play(...start, planned(4, 0), ...verdicts, done('passed'));
    expect(context(seen).failedSteps).toBe(2);
  });

  test('says which error ended it', () => {
    expect(context(play(...start, { type: 'FAIL', at: 9, failure })).failure).toEqual(failure);
    expect(context(play(...start, { type: 'DEADLINE' })).failure?.code).toBe('LIMIT_TIME');
  });

  test('does not count the time in which its role waits', () => {
    expect(timersOf(play(begun))).toEqual({ deadline: 60_000 });
    const waiting = [...start, planned(1), parked('role/executor/2')];
    expect(context(play(...waiting))).toMatchObject({ leftMs: 50_000, since: 0, wait: 'asking' });
    const later = play(...waiting, resumed('role/executor/2'));
    expect(timersOf(later)).toEqual({ deadline: 50_000 });
    expect(context(later)).toMatchObject({ leftMs: 50_000, since: 500_000, wait: null });
  });

  test('follows a role that waits for something else now', () => {
    const call = 'role/executor/2';
    expect(context(play(...start, planned(1), parked(call, 'limited'), parked(call, 'answer'))).wait).toBe('answer');
  });

  test('keeps the time that was left when the clock is set', () => {
    const seen = play(...start, { type: 'TIME_SHIFTED', at: 1_000_000, byMs: 990_000 });
    expect(context(seen)).toMatchObject({ leftMs: 51_000, since: 1_000_000 });
  });
});

describe('every state that a plan can reach', () => {
  const MAX_STEPS = 3;
  const MAX_RETRIES = 2;
  const FINAL = ['completed', 'failed', 'cancelled'];

  /** What the outside may say in a state: the outcome of the role that works, its waits, and orders. */
  function eventsIn(seen: Seen): PlanEvent[] {
    const { role, number } = context(seen);
    const call = `role/${role}/${number}`;
    return [
      begun,
      { type: 'START_FAILED', at: 7000, failure },
      ...(role === 'summary' ? [summarised] : []),
      ...(role === 'planner' ? [tooLong, ...[1, MAX_STEPS].map((steps) => planned(steps, MAX_RETRIES))] : []),
      ...(role === 'executor' ? (['passed', 'failed', 'hopeless', 'unclear'] as const).map(done) : []),
      ...(role === 'evaluator' ? (['passed', 'failed'] as const).map(evaluated) : []),
      ...(role === 'synthesis' ? [synthesised] : []),
      ...(stateOf(seen) === 'checking' ? [checked] : []),
      parked(call),
      parked(call, 'answer'),
      resumed(call),
      resumed('role/planner/99'),
      { type: 'TIME_SHIFTED', at: 7000, byMs: -100 },
      { type: 'FAIL', at: 7000, failure },
      { type: 'DEADLINE' },
      { type: 'CANCEL', at: 7000 },
    ];
  }

  /** A state without what only counts time or roles. */
  const keyOf = (seen: Seen) => {
    const { steps, step, retries, failedSteps, role, wait } = context(seen);
    return JSON.stringify([stateOf(seen), steps, step, retries, failedSteps, role, wait]);
  };

  const states = new Map<string, Seen>();
  const ways = new Map<string, Set<string>>();
  const queue = [begin()];
  for (let seen = queue.shift(); seen !== undefined; seen = queue.shift()) {
    const from = seen;
    const key = keyOf(from);
    if (states.has(key)) continue;
    states.set(key, seen);
    const reached = seen.snapshot.status === 'active' ? eventsIn(seen).map((event) => advance(from, event)) : [];
    ways.set(key, new Set(reached.map(keyOf)));
    queue.push(...reached);
  }

  test('are many, and all states of the machine are among them', () => {
    const names = new Set([...states.values()].map(stateOf));
    const working = ['summarising', 'planning', 'executing', 'evaluating', 'synthesising'];
    const all = ['queued', ...working, ...working.map((name) => `${name}+parked`), 'checking', ...FINAL];
    expect([...names].toSorted()).toEqual(all.toSorted());
    expect(states.size).toBeGreaterThan(200);
  });

  test('are none of them a dead end: each leads to a completed plan, or is an end', () => {
    const good = new Set([...states].filter(([, seen]) => stateOf(seen) === 'completed').map(([key]) => key));
    for (let size = -1; size !== good.size;) {
      size = good.size;
      for (const [key, next] of ways) if ([...next].some((one) => good.has(one))) good.add(key);
    }
    const stuck = [...states].filter(([key, seen]) => !good.has(key) && !FINAL.includes(stateOf(seen)));
    expect(stuck.map(([key]) => key)).toEqual([]);
  });

  test('can be cancelled, and then the role that worked is ended', () => {
    for (const [key, seen] of states) {
      if (seen.snapshot.status !== 'active') continue;
      const cancelled = advance(seen, { type: 'CANCEL', at: 8000 });
      const { role } = context(seen);
      expect([key, stateOf(cancelled), askedOf(cancelled)]).toEqual([
        key,
        'cancelled',
        [...(stateOf(seen) === 'checking' ? ['dropCheck'] : []), ...(role === null ? [] : [`drop ${role}`]), 'finish'],
      ]);
      expect(timersOf(cancelled)).toSatisfy((timers: object) => 'deadline' in timers === key.includes('+parked'));
    }
  });

  test('keep within the bounds of steps, retries and roles', () => {
    const mostRoles = 2 + MAX_STEPS * (MAX_RETRIES + 1) * 2;
    for (const seen of states.values()) {
      const { steps, step, retries, failedSteps, number } = context(seen);
      expect(steps).toBeLessThanOrEqual(MAX_STEPS);
      expect(step).toBeLessThanOrEqual(steps + 1);
      expect(retries).toBeLessThanOrEqual(MAX_RETRIES);
      expect(failedSteps).toBeLessThanOrEqual(steps);
      expect(number).toBeLessThanOrEqual(mostRoles);
    }
  });

  test('have a role at work exactly where a role is waited for', () => {
    for (const [key, seen] of states) {
      const isWorking = /^(summarising|planning|executing|evaluating|synthesising)/.test(stateOf(seen));
      expect([key, context(seen).role !== null]).toEqual([key, isWorking]);
    }
  });
});
