import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { readObjective } from '../../../engine/src/run/objective/objective-rows.ts';
import { wakeChanges } from '../../../engine/src/run/objective/wake.ts';
import type { Run } from '../../../engine/src/run/run.ts';
import type { Change, Store } from '../../../engine/src/store/store.ts';
import { call, playModels, setStage, type Stage } from '../harness.ts';
import { waitingMode } from '../objective/waiting-machine.ts';
import { PATIENCE_MS } from '../../next-try.ts';

let stage: Stage;
afterEach(async () => {
  vi.restoreAllMocks();
  await stage.close();
});

const FILES = {
  'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\ntools: [mail, todo]\npermissions: { allow: [mail_send(to=*), todo_*] }\n',
};

const MAIL = { accountId: 'inbox', to: ['ann@example.org'], subject: 'Hello', text: 'Hello.' };
const TODO = { task: { title: 'Check it' } };

const away = () => new EngineError('STORE_FAILED', 'the store is away', { retryable: true });

/** A run that makes one call. */
async function openStage(tool: string, args: unknown, clock: SimulatedClock): Promise<void> {
  const models = playModels(({ turn }) =>
    turn === 1 ? { tool_calls: [call('a', tool, args)] } : { content: 'Done.' },
  );
  stage = await setStage({ clock, models, files: FILES });
  mkdirSync(join(stage.root, 'inbox'), { recursive: true });
}

interface Outage {
  readonly refusals: () => number;
  /** The store is back. */
  end(): void;
}

/** Refuses reads of a table, or the lists that `isRefused` names. */
function outage(
  target: { read: string } | { apply: (changes: readonly Change[]) => boolean },
  { store }: { store: Store } = stage.app.deps,
): Outage {
  let refusals = 0;
  let isAway = true;
  const refuse = () => (refusals++, Promise.reject(away()));
  const apply = store.apply.bind(store);
  const get = store.get.bind(store);
  if ('read' in target)
    vi.spyOn(store, 'get').mockImplementation((table, key) =>
      isAway && table === target.read ? refuse() : get(table, key),
    );
  else
    vi.spyOn(store, 'apply').mockImplementation((changes) =>
      isAway && target.apply(changes) ? refuse() : apply(changes),
    );
  return { refusals: () => refusals, end: () => void (isAway = false) };
}

const touches =
  (table: string, state?: string) =>
  (changes: readonly Change[]): boolean =>
    changes.some((change) => {
      if (change.op === 'wake' || change.table !== table) return false;
      const row: object = 'row' in change ? change.row : 'set' in change ? change.set : {};
      return state === undefined || ('state' in row && row.state === state);
    });

async function until(holds: () => boolean | Promise<boolean>, meanwhile = () => {}): Promise<void> {
  for (const began = Date.now(); !(await holds()); meanwhile()) {
    if (Date.now() - began > PATIENCE_MS) throw new Error('it never came to that');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Lets time pass until the run is over. */
async function ended(clock: SimulatedClock, id: string): Promise<Run> {
  const isOver = async () => ['completed', 'failed', 'cancelled'].includes((await stage.run(id)).status);
  // At most 20 seconds of the run a second: what a real worker does meanwhile must not look like minutes of work.
  let paced = performance.now();
  await until(isOver, () => {
    if (performance.now() - paced < 5) return;
    paced = performance.now();
    clock.advance(100);
  });
  return stage.run(id);
}

async function answerOf(id: string): Promise<string> {
  const messages = await stage.messages((await stage.run(id)).dirThreadId);
  return String(messages.find(({ role }) => role === 'tool')?.content);
}

const outbox = () => {
  try {
    return readdirSync(join(stage.root, 'outbox')).filter((name) => name.endsWith('.eml'));
  } catch {
    return [];
  }
};
const todos = () => stage.app.deps.store.count('todo');

describe('a call whose tool needs a store that is away for a second', () => {
  test('todo_add waits, and the to-do is there once', async () => {
    const clock = new SimulatedClock();
    await openStage('todo_add', TODO, clock);
    const down = outage({ apply: touches('todo') });
    const id = await stage.begin();
    await until(() => down.refusals() > 0);
    clock.advance(1000);
    await until(() => down.refusals() > 1);
    expect(await stage.run(id)).toMatchObject({ status: 'running' });
    down.end();
    expect(await ended(clock, id)).toMatchObject({ status: 'completed' });
    expect(await answerOf(id)).not.toContain('error');
    expect(await todos()).toBe(1);
  });

  test.each<[string, Parameters<typeof outage>[0]]>([
    ['when it looks for an earlier attempt', { read: 'outgoing' }],
    ['when it records the mail', { apply: touches('outgoing', 'ready') }],
    ['when it marks the mail as being sent', { apply: touches('outgoing', 'sending') }],
    ['when it records that the mail is out', { apply: touches('outgoing', 'out') }],
  ])('mail_send sends once, also %s', async (_when, target) => {
    const clock = new SimulatedClock();
    await openStage('mail_send', MAIL, clock);
    const down = outage(target);
    const id = await stage.begin();
    await until(() => down.refusals() > 0);
    clock.advance(1000);
    down.end();
    expect(await ended(clock, id)).toMatchObject({ status: 'completed' });
    expect(JSON.parse(await answerOf(id))).toMatchObject({ sent: true });
    expect(outbox()).toHaveLength(1);
  });

  test('mail_send reports a refusal of the provider as such, and the mail is not on record any more', async () => {
    const clock = new SimulatedClock();
    await openStage('mail_send', MAIL, clock);
    const { mailService } = stage.app;
    const { open } = mailService;
    const refused = new EngineError('MAIL_REFUSED', 'no such recipient');
    const refuses = async (...args: Parameters<typeof open>) => ({
      ...(await open(...args)),
      send: () => Promise.reject(refused),
      // As SMTP: nobody can be asked.
      findSent: () => Promise.reject(new EngineError('TOOL_OUTCOME_UNKNOWN', 'nobody knows')),
    });
    Object.assign(mailService, { open: refuses });
    const isDeletion = (changes: readonly Change[]) =>
      changes.some((change) => change.op === 'delete' && change.table === 'outgoing');
    const down = outage({ apply: isDeletion });
    const id = await stage.begin();
    await until(() => down.refusals() > 0);
    clock.advance(1000);
    down.end();
    expect(await ended(clock, id)).toMatchObject({ status: 'completed' });
    expect(await answerOf(id)).toContain('MAIL_REFUSED');
    expect(await stage.app.deps.store.count('outgoing')).toBe(0);
  });

  test('is given up at once where the run is cancelled, and nothing happens later', async () => {
    const clock = new SimulatedClock();
    await openStage('todo_add', TODO, clock);
    const down = outage({ apply: touches('todo') });
    const id = await stage.begin();
    await until(() => down.refusals() > 0);
    await stage.app.engine.cancel(id);
    expect(await stage.ended(id)).toMatchObject({ status: 'cancelled' });
    await until(() => stage.app.engine.load().effects === 0);
    down.end();
    clock.advance(60_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await todos()).toBe(0);
  });

  test('does not hold up a stop, and is made by the next start', async () => {
    const clock = new SimulatedClock();
    await openStage('todo_add', TODO, clock);
    const down = outage({ apply: touches('todo') });
    const id = await stage.begin();
    await until(() => down.refusals() > 0);
    await stage.app.engine.stop({ graceMs: 60_000 });
    down.end();
    await stage.restart();
    expect(await ended(clock, id)).toMatchObject({ status: 'completed' });
    expect(await todos()).toBe(1);
  });
});

test('a run ends as failed where no store could ever take what it has to write', async () => {
  const clock = new SimulatedClock();
  await openStage('todo_add', TODO, clock);
  const { store } = stage.app.deps;
  const apply = store.apply.bind(store);
  const row = { machine: 'm', name: 'never', root: 'm', due: Number.NaN, body: '{}' };
  const unfit: Change = { op: 'insert', table: 'timer', row };
  vi.spyOn(store, 'apply').mockImplementation((changes) =>
    apply(touches('event')(changes) ? [...changes, unfit] : changes),
  );
  const run = await ended(clock, await stage.begin());
  expect(run).toMatchObject({ status: 'failed', error: { code: 'STORE_INVALID' } });
  expect(await todos()).toBe(0);
});

test('a run and a wake that come while the store cannot be listed for a moment wait no longer than that', async () => {
  const clock = new SimulatedClock();
  stage = await setStage({ clock, models: playModels(() => ({ content: 'Done.' })), modes: [waitingMode] });
  const waiting = await stage.begin();
  await until(async () => (await stage.run(waiting)).status === 'waiting');
  const { store } = stage.app.deps;
  const list = store.list.bind(store);
  let refusals = 0;
  let isAway = true;
  vi.spyOn(store, 'list').mockImplementation((table, query) =>
    isAway && (table === 'run' || table === 'timer') ? (refusals++, Promise.reject(away())) : list(table, query),
  );
  const note = { why: 'reply', at: new Date().toISOString(), text: 'yes' } as const;
  await store.apply(wakeChanges(waiting, 'yes', note, clock.now()));
  const id = await stage.begin();
  await until(() => refusals > 1);
  isAway = false;
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1000);
  await until(async () => (await stage.run(id)).status === 'waiting');
  await until(async () => (await readObjective(store, waiting))?.unread.length === 1);
});
