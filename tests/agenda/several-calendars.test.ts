import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Agenda, Calendar } from '../../engine/src/agenda/agenda.ts';
import { addEvent, findSlots, listCalendars, readEvents } from '../../engine/src/agenda/event-actions.ts';
import { createGoogleCalendar } from '../../engine/src/agenda/google/google-calendar.ts';
import { createGraphCalendar } from '../../engine/src/agenda/microsoft/graph-calendar.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { type GooglePeer, startGooglePeer } from './google/google-peer.ts';
import { type GraphPeer, startGraphPeer } from './microsoft/graph-peer.ts';
import { waysTo } from './stages.ts';

const DAY = { dateRange: { start: '2026-11-25', end: '2026-11-25' }, timeZone: 'UTC' };
const CALL = { title: 'Call', start: '2026-11-25T14:00', end: '2026-11-25T14:30' };

const agenda: Agenda = {
  calendar: () => Promise.reject(new Error('not asked')),
  todos: () => Promise.reject(new Error('no list here')),
  target: () => Promise.reject(new Error('not asked')),
  timeZone: () => 'UTC',
  workingHours: () => ({ start: '09:00', end: '17:00', days: ['wed'] }),
  now: () => Date.UTC(2026, 10, 22, 12),
};
const titles = async (calendar: Calendar, more: object = {}) => {
  const { events, skipped } = await readEvents(agenda, calendar, { ...DAY, ...more }, {});
  return { events: events.map((event) => `${event.title} (${event.calendar ?? 'main'})`), skipped };
};
const slots = async (calendar: Calendar, more: object = {}) => {
  const found = await findSlots(agenda, calendar, { ...DAY, durationMinutes: 60, limit: 9, ...more }, {});
  return found.slots.map(({ start, end }) => `${start.slice(11, 16)}-${end.slice(11, 16)}`);
};

describe('the calendars of a Google account', () => {
  let peer: GooglePeer;
  let calendar: Calendar;
  beforeEach(async () => {
    peer = await startGooglePeer();
    calendar = createGoogleCalendar(waysTo(peer.url));
    peer.calendars.push(
      { id: 'project', summary: 'Project', accessRole: 'owner' },
      { id: 'anna', summary: 'anna@example.org', summaryOverride: 'Anna', accessRole: 'reader' },
      { id: 'room', summary: 'Room 5', accessRole: 'freeBusyReader' },
    );
    const event = (title: string, hour: string) => ({
      ...{ id: title, summary: title, status: 'confirmed' },
      ...{ start: { dateTime: `2026-11-25T${hour}:00:00Z` }, end: { dateTime: `2026-11-25T${hour}:59:00Z` } },
    });
    peer.events.push(event('mine', '09'));
    peer.eventsOf('project').push(event('ours', '10'));
    peer.eventsOf('anna').push(event('hers', '11'));
  });
  afterEach(() => peer.close());

  test('are listed with what can be done with each, without those that show only busy times', async () => {
    expect(await listCalendars(calendar, {})).toEqual({
      calendars: [
        { id: 'jane@example.org', name: 'jane@example.org', primary: true },
        { id: 'project', name: 'Project' },
        { id: 'anna', name: 'Anna', shared: true, readOnly: true },
      ],
    });
  });

  test('are all read, but only the own ones take time', async () => {
    expect(await titles(calendar)).toEqual({
      events: ['mine (main)', 'ours (Project)', 'hers (Anna)'],
      skipped: undefined,
    });
    expect(await slots(calendar)).toEqual(['10:59-17:00']);
    expect(await slots(calendar, { calendarId: 'Anna' })).toEqual(['09:00-11:00', '11:59-17:00']);
  });

  test('are not written to where that is not allowed', async () => {
    await expect(addEvent(agenda, calendar, CALL, { key: 'k', calendarId: 'Anna' })).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS',
      message: 'the calendar "Anna" is read-only',
    });
    await expect(titles(calendar, { calendarId: 'Room 5' })).rejects.toMatchObject({ code: 'TOOL_ARGUMENTS' });
    expect(peer.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test('are written to by name', async () => {
    const { event } = await addEvent(agenda, calendar, CALL, { key: 'k', calendarId: 'project' });
    expect(event).toMatchObject({ title: 'Call', calendar: 'Project' });
    expect(peer.eventsOf('project').map(({ summary }) => summary)).toEqual(['ours', 'Call']);
    expect(peer.events).toHaveLength(1);
  });

  test('are read without one that is gone since it was listed, which is named', async () => {
    peer.calendars.splice(1, 1, { id: 'no/where', summary: 'Gone', accessRole: 'owner' });
    const { events, skipped } = await titles(calendar);
    expect(events).toEqual(['mine (main)', 'hers (Anna)']);
    expect(skipped).toEqual([{ file: 'Gone', reason: expect.stringContaining('Google does not have it') }]);
  });

  test('are the main one alone where the sign-in does not allow listing them', async () => {
    const ways = waysTo(peer.url);
    const missing = new EngineError('ACCOUNT_SCOPE_MISSING', 'not allowed', { hint: 'sign in again' });
    const accessToken: typeof ways.tokens.accessToken = (request) =>
      request.scopes.some((scope) => scope.includes('calendarlist'))
        ? Promise.reject(missing)
        : ways.tokens.accessToken(request);
    const old = createGoogleCalendar({ ...ways, tokens: { accessToken } });
    expect(await titles(old)).toEqual({
      events: ['mine (main)'],
      skipped: [{ file: 'other calendars', reason: 'not allowed. sign in again' }],
    });
    expect((await titles(old, { calendarId: 'anna' })).events).toEqual(['hers (anna)']);
    expect((await addEvent(agenda, old, CALL, { key: 'k' })).event).not.toHaveProperty('calendar');
    await expect(listCalendars(old, {})).rejects.toBe(missing);
  });
});

describe('the calendars of a Microsoft account', () => {
  let peer: GraphPeer;
  let calendar: Calendar;
  beforeEach(async () => {
    peer = await startGraphPeer();
    calendar = createGraphCalendar(waysTo(peer.url));
    const of = (address: string) => ({ owner: { name: '', address }, isDefaultCalendar: false });
    peer.calendars.push(
      { id: 'project=', name: 'Project', canEdit: true, ...of('jane@example.org') },
      { id: 'anna=', name: 'Anna', canEdit: false, ...of('anna@example.org') },
    );
    const at = (hour: string) => ({ dateTime: `2026-11-25T${hour}:00.0000000`, timeZone: 'UTC' });
    const event = (subject: string, hour: string) => ({
      ...{ id: subject, subject, showAs: 'busy' },
      ...{ start: at(`${hour}:00`), end: at(`${hour}:59`) },
    });
    peer.events.push(event('mine', '09'));
    peer.eventsOf('project=').push(event('ours', '10'));
    peer.eventsOf('anna=').push(event('hers', '11'));
  });
  afterEach(() => peer.close());

  test('are listed with what can be done with each', async () => {
    expect(await listCalendars(calendar, {})).toEqual({
      calendars: [
        { id: 'AAMkDefault=', name: 'Calendar', primary: true },
        { id: 'project=', name: 'Project' },
        { id: 'anna=', name: 'Anna', shared: true, readOnly: true },
      ],
    });
  });

  test('are all read, but only the own ones take time', async () => {
    expect((await titles(calendar)).events).toEqual(['mine (main)', 'ours (Project)', 'hers (Anna)']);
    expect(await slots(calendar)).toEqual(['10:59-17:00']);
  });

  test('are written to by name, and not where that is not allowed', async () => {
    await addEvent(agenda, calendar, CALL, { key: 'k', calendarId: 'project' });
    expect(peer.eventsOf('project=').map(({ subject }) => subject)).toEqual(['ours', 'Call']);
    await expect(addEvent(agenda, calendar, CALL, { key: 'k', calendarId: 'anna=' })).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS',
    });
  });

  test('find an event again in the calendar that it was added to', async () => {
    peer.meet('POST', 'lose answer');
    const { event } = await addEvent(agenda, calendar, CALL, { key: 'k', calendarId: 'Project' });
    expect(event.calendar).toBe('Project');
    expect(peer.eventsOf('project=')).toHaveLength(2);
  });
});
