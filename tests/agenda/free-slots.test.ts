import { describe, expect, test } from 'vitest';
import type { WorkingHours } from '../../engine/src/agenda/agenda.ts';
import { findSlots } from '../../engine/src/agenda/event-actions.ts';
import { ics, NOW, setDesk } from './folder.ts';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;

/** Free time as `from to`, without offsets where they are those of Berlin in winter. */
async function slots(
  events: readonly (readonly string[])[],
  dateRange: { start: string; end: string },
  options: { minutes?: number; hours?: WorkingHours; now?: number; limit?: number; timeZone?: string } = {},
): Promise<string[]> {
  const { minutes: durationMinutes = 30, limit = 20, timeZone } = options;
  const { agenda, calendar } = setDesk({ 'a.ics': ics(...events.map((lines, i) => [`UID:${i}`, ...lines])) }, options);
  const asked = { dateRange, durationMinutes, limit, ...(timeZone !== undefined && { timeZone }) };
  const found = await findSlots(agenda, calendar, asked, {});
  return found.slots.map(({ start, end }) => `${start} ${end}`.replaceAll(':00+01:00', ''));
}

const wednesday = { start: '2026-11-25', end: '2026-11-25' };

describe('free time', () => {
  test('is working time without what is busy, however events overlap', async () => {
    const events = [
      ['DTSTART:20261125T070000Z', 'DTEND:20261125T083000Z'],
      ['DTSTART:20261125T100000Z', 'DTEND:20261125T120000Z'],
      ['DTSTART:20261125T103000Z', 'DTEND:20261125T110000Z'],
      ['DTSTART:20261125T120000Z', 'DTEND:20261125T130000Z'],
      ['DTSTART:20261125T131000Z', 'DTEND:20261125T200000Z'],
    ];
    expect(await slots(events, wednesday)).toEqual(['2026-11-25T09:30 2026-11-25T11:00']);
    expect(await slots(events, wednesday, { minutes: 10 })).toHaveLength(2);
    expect(await slots(events, wednesday, { minutes: 91 })).toEqual([]);
  });

  test('is none on a whole day that is busy, and all of one that is marked as free', async () => {
    const day = ['DTSTART;VALUE=DATE:20261125', 'DTEND;VALUE=DATE:20261126'];
    expect(await slots([day], wednesday)).toEqual([]);
    expect(await slots([[...day, 'TRANSP:TRANSPARENT']], wednesday)).toEqual(['2026-11-25T09:00 2026-11-25T17:00']);
  });

  test('is only on the days of work', async () => {
    expect(await slots([], { start: '2026-11-27', end: '2026-11-30' })).toEqual([
      '2026-11-27T09:00 2026-11-27T17:00',
      '2026-11-30T09:00 2026-11-30T17:00',
    ]);
  });

  test('goes past midnight with the hours, and is cut where the range ends', async () => {
    const hours = { start: '22:00', end: '06:00', days: DAYS };
    const night = ['DTSTART:20261125T233000Z', 'DTEND:20261126T010000Z'];
    expect(await slots([night], { start: '2026-11-25T12:00', end: '2026-11-26T12:00' }, { hours })).toEqual([
      '2026-11-25T22:00 2026-11-26T00:30',
      '2026-11-26T02:00 2026-11-26T06:00',
    ]);
    expect(await slots([night], wednesday, { hours })).toEqual([
      '2026-11-25T00:00 2026-11-25T06:00',
      '2026-11-25T22:00 2026-11-26T00:00',
    ]);
  });

  test('that touches at midnight is one stretch', async () => {
    const hours = { start: '00:00', end: '24:00', days: DAYS };
    expect(await slots([], { start: '2026-11-25', end: '2026-11-26' }, { hours })).toEqual([
      '2026-11-25T00:00 2026-11-27T00:00',
    ]);
  });

  test('begins and ends with the hours when the clocks change, a day of 25 hours included', async () => {
    const hours = { start: '00:00', end: '24:00', days: ['sun'] as const };
    const now = Date.UTC(2026, 9, 1);
    expect(await slots([], { start: '2026-10-25', end: '2026-10-25' }, { hours, now, minutes: 1500 })).toEqual([
      '2026-10-25T00:00:00+02:00 2026-10-26T00:00',
    ]);
    expect(await slots([], { start: '2026-10-25', end: '2026-10-25' }, { hours, now, minutes: 1501 })).toEqual([]);
  });

  test('is looked for by the clocks of the zone that is asked for', async () => {
    expect(await slots([], wednesday, { timeZone: 'America/New_York' })).toEqual([
      '2026-11-25T09:00:00-05:00 2026-11-25T17:00:00-05:00',
    ]);
  });

  test('is never in the past', async () => {
    const now = Date.UTC(2026, 10, 25, 12, 15, 30);
    expect(await slots([], wednesday, { now })).toEqual(['2026-11-25T13:16 2026-11-25T17:00']);
    await expect(slots([], { start: '2026-11-20', end: '2026-11-21' })).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS',
      hint: 'it is 2026-11-22T13:00:00+01:00 now',
    });
    expect(NOW).toBe(Date.UTC(2026, 10, 22, 12));
  });

  test('is no more than was asked for', async () => {
    expect(await slots([], { start: '2026-11-23', end: '2026-12-31' }, { limit: 3 })).toHaveLength(3);
  });
});
