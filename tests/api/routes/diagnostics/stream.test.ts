import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../engine/src/base/clock.ts';
import { joinedSignals } from '../../../cluster/memory-signals.ts';
import { type Desk, openDesk, TOKEN } from '../../harness.ts';

interface Event {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

/** Reads the stream until `enough` events came, or it ends. */
function listen(
  enough: number,
  lastId = '',
  token = TOKEN,
): { events: Promise<Event[]>; opened: Promise<void>; status: Promise<number> } {
  const opened = Promise.withResolvers<void>();
  const status = Promise.withResolvers<number>();
  const events = new Promise<Event[]>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(lastId !== '' && { 'last-event-id': lastId }) };
    const asked = request(
      { host: '127.0.0.1', port: desk.port, path: '/api/stream', headers, agent: false },
      (response) => {
        status.resolve(response.statusCode ?? 0);
        let text = '';
        const parsed = () => text.split('\n\n').slice(0, -1).flatMap(parse);
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          opened.resolve();
          if (parsed().length < enough) return;
          resolve(parsed());
          asked.destroy();
        });
        response.on('end', () => resolve(parsed()));
        response.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end();
  });
  return { events, opened: opened.promise, status: status.promise };
}

function parse(block: string): Event[] {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  if (fields['event'] === undefined) return [];
  return [
    {
      id: fields['id'] ?? '',
      event: fields['event'],
      data: JSON.parse(fields['data'] ?? '{}') as Record<string, unknown>,
    },
  ];
}

const publish = (n: number) => desk.services.deps.live.publish('mail', { id: `mail_${n}` });

test('says hello with the version, then what happens, with ids that grow', async () => {
  const { events, opened } = listen(3);
  await opened;
  publish(1);
  publish(2);
  const [hello, first, second] = await events;
  expect(hello).toMatchObject({ event: 'hello', data: { version: desk.services.version, storage: 'plaintext' } });
  expect([first?.event, first?.data]).toEqual(['mail', { id: 'mail_1' }]);
  expect(Number(second?.id)).toBeGreaterThan(Number(first?.id));
});

test('tells of a run from its start to its end', async () => {
  const { events, opened } = listen(4);
  await opened;
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  const runs = (await events).filter(({ event }) => event === 'run');
  expect(runs.map(({ data }) => data['status'])).toEqual(['queued', 'running', 'completed']);
  expect(new Set(runs.map(({ data }) => data['id']))).toEqual(new Set([json.id]));
});

test('resumes after the last event that was seen', async () => {
  publish(1);
  const before = listen(2);
  await before.opened;
  publish(2);
  const [, seen] = await before.events;
  publish(3);
  publish(4);
  const [hello, ...missed] = await listen(3, seen?.id).events;
  expect(hello?.event).toBe('hello');
  expect(missed.map(({ data }) => data['id'])).toEqual(['mail_3', 'mail_4']);
});

test('resumes from hello itself', async () => {
  publish(1);
  const [hello] = await listen(1).events;
  publish(2);
  const [, missed] = await listen(2, hello?.id).events;
  expect(missed?.data).toEqual({ id: 'mail_2' });
});

test.each([
  ['an id that never was', '99999999999999'],
  ['an id of an earlier process', '5'],
  ['no number', 'x'],
])('with %s it says that everything is to be read anew', async (_name, lastId) => {
  publish(1);
  const events = await listen(2, lastId).events;
  expect(events.map(({ event }) => event)).toEqual(['hello', 'reset']);
});

test('with an id that is no longer kept it says so, too', async () => {
  publish(0);
  const first = listen(2);
  await first.opened;
  publish(1);
  const [, seen] = await first.events;
  for (let n = 0; n < 3000; n++) publish(n);
  const events = await listen(2, seen?.id).events;
  expect(events.map(({ event }) => event)).toEqual(['hello', 'reset']);
});

test('an id of before a restart is not mistaken for one of after it', async () => {
  const before = listen(2);
  await before.opened;
  publish(1);
  const [, seen] = await before.events;
  await desk.restart(TOKEN);
  publish(1);
  publish(2);
  const events = await listen(2, seen?.id).events;
  expect(events.map(({ event }) => event)).toEqual(['hello', 'reset']);
});

test('an id of another process that began in the same moment is not mistaken for one of this one', async () => {
  const shared = desk;
  const startMs = Date.parse('2026-11-22T10:00:00Z');
  const openOwn = () => openDesk({ app: { clock: new SimulatedClock(startMs) } });
  const [one, two] = [await openOwn(), await openOwn()];
  desk = one;
  const there = listen(4);
  await there.opened;
  for (let n = 1; n <= 3; n++) publish(n);
  const ids = (await there.events).map(({ id }) => id);
  desk = two;
  for (let n = 1; n <= 10; n++) publish(n);
  for (const id of ids) expect((await listen(2, id).events).map(({ event }) => event)).toEqual(['hello', 'reset']);
  for (const own of [one, two]) await own.close();
  desk = shared;
});

test('after a gap between processes it says that everything is to be read anew', async () => {
  const { events, opened } = listen(3);
  await opened;
  const [signals] = joinedSignals(1);
  desk.services.deps.live.join(signals!);
  publish(1);
  signals!.setAway(true);
  signals!.setAway(false);
  expect((await events).map(({ event }) => event)).toEqual(['hello', 'mail', 'reset']);
});

test('ends when the server stops', async () => {
  const own = await openDesk();
  const shared = desk;
  desk = own;
  const { events, opened } = listen(100);
  await opened;
  await own.close();
  // A stream that is cut off gives an error.
  expect((await events).map(({ event }) => event)).toEqual(['hello']);
  desk = shared;
});

test('a listener that does not read is dropped, and the others hear on', async () => {
  const read = async (onChunk: (bytes: number) => void) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const asked = request({ host: '127.0.0.1', port: desk.port, path: '/api/stream', headers, agent: false }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.on('data', (chunk: Buffer) => onChunk(chunk.length));
    // Cut off in the middle, as the test expects of one of them.
    response.on('error', () => {});
    return response;
  };
  let heard = 0;
  let stuckHeard = 0;
  const awake = await read((bytes) => (heard += bytes));
  const stuck = await read((bytes) => (stuckHeard += bytes));
  stuck.pause();
  const isClosed = new Promise((resolve) => stuck.on('close', resolve));
  const size = 512 * 1024;
  const filler = 'x'.repeat(size);
  const count = 60;
  for (let n = 1; n <= count; n++) {
    desk.services.deps.live.publish('mail', { id: `mail_${n}`, filler });
    while (heard < n * size) await once(awake, 'data');
  }
  stuck.resume();
  await isClosed;
  expect(stuckHeard).toBeLessThan(count * size);
  awake.destroy();
});

test('sends an answer while it arrives, and what is there so far to whoever comes late', async () => {
  const { answers } = desk.services.deps.live;
  const piece = (at: number, text: string) => ({ runId: 'run_1', threadId: 'th_1', turn: 1, at, text });
  expect(answers.isWatched).toBe(false);
  const first = listen(3);
  await first.opened;
  answers.publish(piece(0, 'Tea '));
  answers.publish(piece(4, 'is "hot"\n'));
  const events = await first.events;
  expect(events.slice(1)).toEqual([
    { id: '', event: 'answer', data: piece(0, 'Tea ') },
    { id: '', event: 'answer', data: piece(4, 'is "hot"\n') },
  ]);
  const [, late] = await listen(2).events;
  expect(late).toEqual({ id: '', event: 'answer', data: piece(0, 'Tea is "hot"\n') });
});

test('listens to answers only while somebody reads the stream', async () => {
  const { answers } = desk.services.deps.live;
  await listen(1).events;
  while (answers.isWatched) await new Promise((resolve) => setImmediate(resolve));
  expect(answers.isWatched).toBe(false);
});
