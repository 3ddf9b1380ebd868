import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Calendar, TodoList } from '../../../engine/src/agenda/agenda.ts';
import { createGraphCalendar } from '../../../engine/src/agenda/microsoft/graph-calendar.ts';
import { createGraphTodos } from '../../../engine/src/agenda/microsoft/graph-todos.ts';
import { corpora } from '../../available.ts';
import { samples } from '../../account/microsoft/graph-samples.ts';
import { type GraphPeer, startGraphPeer } from './graph-peer.ts';

import { waysTo } from '../stages.ts';

const SPAN = { from: Date.UTC(2026, 10, 25), to: Date.UTC(2026, 10, 26) };
const HOW = { timeZone: 'Europe/Berlin', calendarId: 'primary' };

let peer: GraphPeer;
let ways: ReturnType<typeof waysTo>;
let calendar: Calendar;
let list: TodoList;

beforeEach(async () => {
  peer = await startGraphPeer();
  ways = waysTo(peer.url);
  calendar = createGraphCalendar(ways);
  list = createGraphTodos(ways);
});
afterEach(() => peer.close());

const utc = (time: string) => ({ dateTime: `2026-11-25T${time}:00.0000000`, timeZone: 'UTC' });
const event = (id: string, more: object = {}) => ({
  ...{ id, subject: id, showAs: 'busy', start: utc('10:00'), end: utc('11:00') },
  ...more,
});

describe('Microsoft', () => {
  test('is asked with the least scope, for times in UTC and plain text', async () => {
    await calendar.read(SPAN, HOW);
    await list.list({ limit: 1 });
    expect(ways.tokens.asked).toEqual([['Calendars.Read'], ['Tasks.Read'], ['Tasks.Read']]);
    expect(peer.seen[0]?.prefer).toContain('outlook.timezone="UTC"');
    expect(peer.seen[0]?.prefer).toContain('outlook.body-content-type="text"');
  });

  test('is asked to write with the scope that this needs, and nobody is invited', async () => {
    await calendar.add({ title: 'Call', time: SPAN }, { ...HOW, key: 'k' });
    await list.add({ title: 'Proofs' }, { key: 'k' });
    expect(new Set(ways.tokens.asked.flat())).toEqual(new Set(['Calendars.ReadWrite', 'Tasks.ReadWrite']));
    expect(peer.events[0]).not.toHaveProperty('attendees');
    expect(peer.events[0]).toMatchObject({ transactionId: expect.stringMatching(/^[0-9a-f]{32}$/) as string });
  });

  test('gets whole days in the zone of the user, and in UTC where it does not know that one', async () => {
    const days = { start: '2026-11-25', end: '2026-11-26' };
    await calendar.add({ title: 'Fair', time: { days } }, { ...HOW, key: 'a' });
    peer.unknownZones.push('Europe/Berlin');
    const { event: second } = await calendar.add({ title: 'Fair', time: { days } }, { ...HOW, key: 'b' });
    expect(second.days).toEqual(days);
    const zones = peer.events.map(({ start }) => (start as { timeZone: string }).timeZone);
    expect(zones).toEqual(['Europe/Berlin', 'UTC']);
  });
});

describe('events of Microsoft', () => {
  const shown = async () => (await calendar.read(SPAN, HOW)).events;

  test.each([
    ['free', false],
    ['workingElsewhere', false],
    ['tentative', true],
    ['busy', true],
    ['oof', true],
    ['unknown', true],
  ])('that are shown as %s are busy: %s', async (showAs, isBusy) => {
    peer.events.push(event('a', { showAs }));
    expect(await shown()).toMatchObject([{ id: 'a', isBusy }]);
  });

  test('that were declined are left out', async () => {
    peer.events.push(event('a', { responseStatus: { response: 'declined' } }));
    peer.events.push(event('b', { responseStatus: { response: 'tentativelyAccepted' } }));
    expect(await shown()).toMatchObject([{ id: 'b', isBusy: true }]);
  });

  test('have their words as text', async () => {
    const words = { location: { displayName: 'Room 5' }, body: { contentType: 'text', content: 'Bring it.\r\n' } };
    peer.events.push(event('a', words));
    expect(await shown()).toMatchObject([{ location: 'Room 5', description: 'Bring it.' }]);
  });

  test('whose whole days begin at midnight elsewhere are on the day that is meant', async () => {
    const at = (text: string) => ({ dateTime: text, timeZone: 'UTC' });
    const midnights = { Berlin: '24T23', Auckland: '24T11', York: '25T05', Honolulu: '25T10' };
    for (const [id, from] of Object.entries(midnights)) {
      const to = from.replace(/^(\d\d)/, (day) => String(Number(day) + 1));
      const times = { start: at(`2026-11-${from}:00:00`), end: at(`2026-11-${to}:00:00`) };
      peer.events.push(event(id, { ...times, isAllDay: true }));
    }
    const days = { start: '2026-11-25', end: '2026-11-26' };
    expect((await shown()).map((one) => one.days)).toEqual([days, days, days, days]);
  });

  test('are more than anybody has: a shorter time has to be asked for', async () => {
    const value = Array.from({ length: 10_001 }, (_, n) => event(`e${n}`));
    peer.meet('GET', { status: 200, body: { value } });
    await expect(shown()).rejects.toMatchObject({ code: 'TOOL_FAILED', hint: 'ask for a shorter time' });
  });

  test('whose time is in a zone of Windows are named, since it is not known when they are', async () => {
    const strange = { dateTime: '2026-11-25T10:00:00', timeZone: 'W. Europe Standard Time' };
    peer.meet('GET', { status: 200, body: { value: [event('Odd', { start: strange, end: strange }), event('b')] } });
    expect(await calendar.read(SPAN, HOW)).toMatchObject({
      events: [{ id: 'b' }],
      skipped: [{ file: 'Odd', reason: 'its time is in "W. Europe Standard Time", which is no zone of IANA' }],
    });
  });
});

test('there is a word where Microsoft To Do has no default list yet', async () => {
  peer.meet('GET', { status: 200, body: { value: [] } });
  await expect(list.list({ limit: 1 })).rejects.toMatchObject({ code: 'TOOL_FAILED' });
});

describe.skipIf(corpora === undefined)('the samples of Microsoft Graph (left out without the corpora)', () => {
  test.each([
    { id: 'event-list-instances-1', shown: 4, named: 0 },
    { id: 'delta-query-events-1', shown: 2, named: 0 },
    { id: 'delta-query-events-3', shown: 1, named: 0 },
    // Its mailbox was asked for times of a zone of Windows.
    { id: 'user-list-events-1', shown: 0, named: 1 },
  ])('$id gives $shown events, and names $named', async ({ id, shown, named }) => {
    const { '@odata.nextLink': _next, ...page } = sampleOf(id);
    peer.meet('GET', { status: 200, body: page });
    const always = { from: Date.UTC(2000, 0, 1), to: Date.UTC(2100, 0, 1) };
    const { events, skipped } = await calendar.read(always, HOW);
    expect([events.length, skipped.length]).toEqual([shown, named]);
  });

  test('give a repeated meeting at each of its times, with the exception where it was moved to', async () => {
    peer.meet('GET', { status: 200, body: sampleOf('event-list-instances-1') });
    const april = { from: Date.UTC(2019, 3, 1), to: Date.UTC(2019, 4, 1) };
    const { events } = await calendar.read(april, { ...HOW, timeZone: 'America/Los_Angeles' });
    expect(events.map(({ from }) => new Date(from).toISOString())).toEqual([
      '2019-04-08T20:30:00.000Z',
      '2019-04-16T20:30:00.000Z',
      '2019-04-22T20:30:00.000Z',
      '2019-04-29T20:30:00.000Z',
    ]);
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set(['AAMkAGUzYRgWAAA=']));
    expect(events.every(({ isRepeated }) => isRepeated)).toBe(true);
  });
});

function sampleOf(id: string): Record<string, unknown> {
  const body = samples.find((sample) => sample.id === id)?.response.body;
  if (typeof body !== 'object' || body === null) throw new Error(`there is no sample "${id}"`);
  return { ...body };
}
