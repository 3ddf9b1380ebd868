import { afterEach, describe, expect, test } from 'vitest';
import { createOnce } from '../../engine/src/agenda/create-once.ts';
import type { NewEvent } from '../../engine/src/agenda/agenda.ts';
import { createGoogleCalendar } from '../../engine/src/agenda/google/google-calendar.ts';
import { createGoogleTasks } from '../../engine/src/agenda/google/google-tasks.ts';
import { createGraphCalendar } from '../../engine/src/agenda/microsoft/graph-calendar.ts';
import { createGraphTodos } from '../../engine/src/agenda/microsoft/graph-todos.ts';
import type { Abortable } from '../../engine/src/base/abort.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { type GooglePeer, startGooglePeer } from './google/google-peer.ts';
import { type GraphPeer, startGraphPeer } from './microsoft/graph-peer.ts';
import { hastyClock } from './peer.ts';
import { waysTo } from './stages.ts';

const CALL: NewEvent = {
  title: 'Call',
  time: { from: Date.UTC(2026, 10, 25, 13), to: Date.UTC(2026, 10, 25, 14) },
};
const HOW = { key: 'run/1', timeZone: 'Europe/Berlin' };

let google: GooglePeer | undefined;
let graph: GraphPeer | undefined;

afterEach(async () => {
  await Promise.all([google?.close(), graph?.close()]);
  google = graph = undefined;
});

const openGoogle = async () => (google = await startGooglePeer());
const openGraph = async () => (graph = await startGraphPeer());
const posts = ({ seen }: Pick<GooglePeer, 'seen'>) => seen.filter(({ method }) => method === 'POST');

describe.each(['lose answer', 'lose request'] as const)('%s once:', (trouble) => {
  test('Google has the event once', async () => {
    const peer = await openGoogle();
    peer.meet('POST', trouble);
    const { event } = await createGoogleCalendar(waysTo(peer.url)).add(CALL, HOW);
    expect(peer.events).toHaveLength(1);
    expect(event).toMatchObject({ id: peer.events[0]?.id, title: 'Call', from: Date.UTC(2026, 10, 25, 13) });
  });

  test.each(['same', 400, 409] as const)(
    'Microsoft, who says %s to a known transactionId, has the event once',
    async (repeat) => {
      const peer = await openGraph();
      peer.repeat = repeat;
      peer.meet('POST', trouble);
      const { event } = await createGraphCalendar(waysTo(peer.url)).add(CALL, HOW);
      expect(peer.events).toHaveLength(1);
      expect(event).toMatchObject({ id: peer.events[0]?.id, title: 'Call', from: Date.UTC(2026, 10, 25, 13) });
    },
  );

  test('Google has the to-do once', async () => {
    const peer = await openGoogle();
    peer.meet('POST', trouble);
    const added = await createGoogleTasks(waysTo(peer.url)).add({ title: 'Proofs', notes: 'both' }, { key: 'k' });
    expect(peer.tasks).toHaveLength(1);
    expect(added).toEqual({ id: peer.tasks[0]?.id, title: 'Proofs', notes: 'both', status: 'open' });
  });

  test('Microsoft has the to-do once', async () => {
    const peer = await openGraph();
    peer.meet('POST', trouble);
    const added = await createGraphTodos(waysTo(peer.url)).add({ title: 'Proofs', notes: 'both' }, { key: 'k' });
    expect(peer.tasks).toHaveLength(1);
    expect(added).toMatchObject({ id: peer.tasks[0]?.id, title: 'Proofs', notes: 'both', status: 'open' });
  });
});

describe('after a crash, another process that adds for the same key', () => {
  test('gets what Google has', async () => {
    const peer = await openGoogle();
    const first = await createGoogleCalendar(waysTo(peer.url)).add(CALL, HOW);
    const second = await createGoogleCalendar(waysTo(peer.url)).add(CALL, HOW);
    expect(second).toEqual(first);
    expect(peer.events).toHaveLength(1);
  });

  test('gets what Microsoft has', async () => {
    const peer = await openGraph();
    const first = await createGraphCalendar(waysTo(peer.url)).add(CALL, HOW);
    expect(await createGraphCalendar(waysTo(peer.url)).add(CALL, HOW)).toEqual(first);
    expect(peer.events).toHaveLength(1);
  });

  test('is told where somebody has deleted the event at Google meanwhile', async () => {
    const peer = await openGoogle();
    const calendar = createGoogleCalendar(waysTo(peer.url));
    await calendar.add(CALL, HOW);
    for (const event of peer.events) event['status'] = 'cancelled';
    await expect(calendar.add(CALL, HOW)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      message: 'the event was added before, and is no longer in the calendar',
    });
    expect(peer.events).toHaveLength(1);
  });

  test('is told where somebody has deleted the event at Microsoft meanwhile', async () => {
    const peer = await openGraph();
    const calendar = createGraphCalendar(waysTo(peer.url));
    await calendar.add(CALL, HOW);
    for (const event of peer.events) delete event['singleValueExtendedProperties'];
    await expect(calendar.add(CALL, HOW)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      message: 'the event was added before, and is no longer in the calendar',
    });
    expect(peer.events).toHaveLength(1);
  });

  test('finds its to-do among newer ones, on a later page', async () => {
    const [mine, yours] = [await openGoogle(), await openGraph()];
    for (const [list, tasks] of [
      [createGoogleTasks(waysTo(mine.url)), mine.tasks],
      [createGraphTodos(waysTo(yours.url)), yours.tasks],
    ] as const) {
      const first = await list.add({ title: 'First' }, { key: 'k' });
      for (let i = 0; i < 7; i++) await list.add({ title: `other ${i}` }, { key: `other ${i}` });
      expect(await list.add({ title: 'First' }, { key: 'k' })).toEqual(first);
      expect(tasks).toHaveLength(8);
    }
  });
});

test('a to-do whose answer was lost and that nobody can look for any more is said to be unknown', async () => {
  const peer = await openGoogle();
  const list = createGoogleTasks(waysTo(peer.url));
  await list.list({ limit: 1 });
  peer.meet('POST', 'lose answer');
  const down = { status: 503, body: { error: { message: 'Backend Error' } } };
  peer.meet('GET', { status: 200, body: { items: [] } }, down, down, down, down);
  await expect(list.add({ title: 'Proofs' }, { key: 'k' })).rejects.toMatchObject({ code: 'TOOL_OUTCOME_UNKNOWN' });
  expect(posts(peer)).toHaveLength(1);
});

test('a to-do that is not there after several lost requests fails, and may be tried again', async () => {
  const peer = await openGraph();
  peer.meet('POST', 'lose request', 'lose request', 'lose request', 'lose request');
  const added = createGraphTodos(waysTo(peer.url)).add({ title: 'Proofs' }, { key: 'k' });
  await expect(added).rejects.toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
  expect(posts(peer)).toHaveLength(4);
  expect(peer.tasks).toEqual([]);
});

test('whoever aborts while it is looked for the last time is told so, and not that it is unknown', async () => {
  const stop = new AbortController();
  const lost = new EngineError('ACCOUNT_FAILED', 'lost');
  let looks = 0;
  const find = ({ signal }: Abortable) => {
    if (++looks === 2) stop.abort(new Error('stopped'));
    return signal?.aborted === true ? Promise.reject(new Error('broken off')) : Promise.resolve(undefined);
  };
  const ways = { find, create: () => Promise.reject(lost), problemOf: () => ({ status: 0, code: 'ECONNRESET' }) };
  await expect(createOnce(ways, { clock: hastyClock(), signal: stop.signal })).rejects.toThrow('stopped');
});

describe('an event', () => {
  const DOWN = { status: 503, body: { error: { message: 'Backend Error' } } };

  test('whose answers were all lost is said to be unknown, so that a person is asked', async () => {
    const [mine, yours] = [await openGoogle(), await openGraph()];
    for (const peer of [mine, yours]) peer.meet('POST', 'lose answer', DOWN, DOWN, DOWN);
    const calendars = [createGoogleCalendar(waysTo(mine.url)), createGraphCalendar(waysTo(yours.url))];
    for (const calendar of calendars)
      await expect(calendar.add(CALL, HOW)).rejects.toMatchObject({ code: 'TOOL_OUTCOME_UNKNOWN' });
    expect([posts(mine).length, posts(yours).length]).toEqual([4, 4]);
  });

  test('for which nobody could be reached was certainly not added', async () => {
    const peer = await openGoogle();
    await peer.close();
    const [one, other] = [createGoogleCalendar(waysTo(peer.url)), createGraphCalendar(waysTo(peer.url))];
    google = undefined;
    for (const calendar of [one, other])
      await expect(calendar.add(CALL, HOW)).rejects.toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
  });

  test('that Google has but does not give is known by what was asked for', async () => {
    const peer = await openGoogle();
    const calendar = createGoogleCalendar(waysTo(peer.url));
    const first = await calendar.add(CALL, HOW);
    peer.meet('GET', { status: 404 });
    expect(await calendar.add(CALL, HOW)).toEqual(first);
  });
});
