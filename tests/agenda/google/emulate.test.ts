import { calendar as openCalendar } from '@googleapis/calendar';
import { createEmulator, type Emulator } from 'emulate';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Agenda, Calendar } from '../../../engine/src/agenda/agenda.ts';
import { addEvent, findSlots, readEvents } from '../../../engine/src/agenda/event-actions.ts';
import { createGoogleCalendar } from '../../../engine/src/agenda/google/google-calendar.ts';
import { hastyClock } from '../peer.ts';

const EMAIL = 'jane@example.org';
const TOKEN = 'google-test-token';
const CALL = { title: 'Call', start: '2026-11-25T14:00', end: '2026-11-25T14:30', location: 'Room 5' };
const WEDNESDAY = { dateRange: { start: '2026-11-25', end: '2026-11-25' } };

describe('Google Calendar as the emulate package plays it', () => {
  let google: Emulator;
  let calendar: Calendar;
  let agenda: Agenda;
  /** Google's own library, beside ours. */
  const library = () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    return { ...openCalendar({ version: 'v3', rootUrl: google.url }), options: { headers } };
  };

  beforeAll(async () => {
    const seed = { tokens: { [TOKEN]: { login: EMAIL, scopes: [] } }, google: { users: [{ email: EMAIL }] } };
    google = await createEmulator({ service: 'google', port: 0, seed });
  });
  afterAll(() => google?.close());
  beforeEach(() => {
    google.reset();
    const clock = hastyClock();
    const tokens = { accessToken: () => Promise.resolve(TOKEN) };
    calendar = createGoogleCalendar({ accountId: 'jane', tokens, clock, api: google.url });
    agenda = {
      calendar: () => Promise.resolve(calendar),
      todos: () => Promise.reject(new Error('no list here')),
      target: () => Promise.reject(new Error('not asked')),
      timeZone: () => 'Europe/Berlin',
      workingHours: () => ({ start: '09:00', end: '17:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'] }),
      now: () => clock.now(),
    };
  });

  test('takes an event, and lists it to us and to others', async () => {
    const added = await addEvent(agenda, calendar, CALL, { key: 'run/1' });
    expect(added.event).toMatchObject({
      ...CALL,
      start: '2026-11-25T14:00:00+01:00',
      end: '2026-11-25T14:30:00+01:00',
    });
    expect((await readEvents(agenda, calendar, WEDNESDAY, {})).events).toEqual([added.event]);
    const { events, options } = library();
    const { data } = await events.list({ calendarId: 'primary' }, options);
    expect(data.items).toMatchObject([{ summary: 'Call', start: { dateTime: '2026-11-25T13:00:00.000Z' } }]);
  });

  test('shows no more what others delete', async () => {
    const { event } = await addEvent(agenda, calendar, CALL, { key: 'run/1' });
    const { events, options } = library();
    await events.delete({ calendarId: 'primary', eventId: event.id }, options);
    expect((await readEvents(agenda, calendar, WEDNESDAY, {})).events).toEqual([]);
  });

  test('is busy for us where Google says that it is', async () => {
    const { events, freebusy, options } = library();
    const insert = (from: string, to: string, more: object = {}) =>
      events.insert(
        { calendarId: 'primary', requestBody: { start: { dateTime: from }, end: { dateTime: to }, ...more } },
        options,
      );
    await insert('2026-11-25T08:00:00Z', '2026-11-25T09:30:00Z');
    await insert('2026-11-25T10:00:00-05:00', '2026-11-25T10:45:00-05:00');
    await insert('2026-11-25T12:00:00+01:00', '2026-11-25T13:00:00+01:00', { status: 'cancelled' });
    const { data } = await freebusy.query(
      { requestBody: { timeMin: '2026-11-25T08:00:00Z', timeMax: '2026-11-25T16:00:00Z', items: [{ id: 'primary' }] } },
      options,
    );
    const busy = data.calendars?.[EMAIL]?.busy ?? data.calendars?.['primary']?.busy ?? [];
    expect(busy).toHaveLength(2);
    const { slots } = await findSlots(agenda, calendar, { ...WEDNESDAY, durationMinutes: 15, limit: 20 }, {});
    const at = (text: string | null | undefined) => Date.parse(text ?? '');
    // Working hours without what Google calls busy.
    const begins = [at('2026-11-25T09:00+01:00'), ...busy.map(({ end }) => at(end))];
    const ends = [...busy.map(({ start }) => at(start)), at('2026-11-25T17:00+01:00')];
    const free = begins.map((from, i) => [from, ends[i] ?? 0]).filter(([from = 0, to = 0]) => to > from);
    expect(slots.map(({ start, end }) => [at(start), at(end)])).toEqual(free);
  });
});
