import { describe, expect, test } from 'vitest';
import { ics, readDays as read } from './folder.ts';

const NEW_YORK = 'TZID=America/New_York';

describe('times', () => {
  const once = (...lines: string[]) => ({ 'a.ics': ics(['UID:a', 'SUMMARY:Call', ...lines]) });

  test.each([
    { name: 'in UTC', lines: ['DTSTART:20261125T090000Z'], start: '2026-11-25T10:00:00+01:00' },
    { name: 'with an IANA zone', lines: [`DTSTART;${NEW_YORK}:20261125T090000`], start: '2026-11-25T15:00:00+01:00' },
    {
      name: 'without a zone, in that of the user',
      lines: ['DTSTART:20261125T090000'],
      start: '2026-11-25T09:00:00+01:00',
    },
  ])('are read $name', async ({ lines, start }) => {
    expect((await read(once(...lines, 'DURATION:PT1H'), '2026-11-25')).events).toEqual([`${start} Call`]);
  });

  test('are read by the file’s own description of a zone that is not IANA’s', async () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Our Time', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'];
    const offset = ['TZOFFSETFROM:+0530', 'TZOFFSETTO:+0530', 'END:STANDARD', 'END:VTIMEZONE', 'BEGIN:VEVENT'];
    const text = ics(['UID:a', 'SUMMARY:Call', 'DTSTART;TZID=Our Time:20261125T090000', 'DURATION:PT1H']);
    const files = { 'a.ics': text.replace('BEGIN:VEVENT', [...zone, ...offset].join('\r\n')) };
    expect((await read(files, '2026-11-25')).events).toEqual(['2026-11-25T04:30:00+01:00 Call']);
  });

  test('that a file describes wrongly are read by the rules of IANA', async () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:America/New_York', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'];
    const offset = ['TZOFFSETFROM:+0000', 'TZOFFSETTO:+0000', 'END:STANDARD', 'END:VTIMEZONE', 'BEGIN:VEVENT'];
    const text = ics(['UID:a', 'SUMMARY:Call', `DTSTART;${NEW_YORK}:20261125T090000`, 'DURATION:PT1H']);
    const files = { 'a.ics': text.replace('BEGIN:VEVENT', [...zone, ...offset].join('\r\n')) };
    expect((await read(files, '2026-11-25')).events).toEqual(['2026-11-25T15:00:00+01:00 Call']);
  });

  test.each([
    ['on the day', '2026-11-25', ['2026-11-25 Call']],
    ['on its second day', '2026-11-26', ['2026-11-25 Call']],
    ['not on the day after', '2026-11-27', []],
    ['not on the day before', '2026-11-24', []],
  ])('of whole days are found %s', async (_name, day, events) => {
    const files = once('DTSTART;VALUE=DATE:20261125', 'DTEND;VALUE=DATE:20261127');
    expect((await read(files, day)).events).toEqual(events);
    expect((await read(files, day, day, 'Pacific/Auckland')).events).toEqual(events);
  });

  test('past midnight are found on both days', async () => {
    const files = once('DTSTART:20261125T220000Z', 'DTEND:20261126T020000Z');
    for (const day of ['2026-11-25', '2026-11-26'])
      expect((await read(files, day)).events).toEqual(['2026-11-25T23:00:00+01:00 Call']);
  });

  test.each([
    { zone: 'Europe/Berln', near: 'Europe/Berlin' },
    { zone: '+01:00', near: '' },
    { zone: 'Mars/Olympus', near: '' },
  ])('in the zone $zone are refused by name', async ({ zone, near }) => {
    await expect(read({}, '2026-11-25', '2026-11-25', zone)).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS',
      message: expect.stringMatching(
        `"${zone.replace('+', '\\+')}" is not a time zone; did you mean "${near}`,
      ) as string,
    });
  });

  test.each([
    { start: '2026-02-30', end: '2026-03-02', message: 'dateRange.start: 2026-02-30 is not a valid date' },
    { start: 'tomorrow', end: '2026-03-02', message: 'dateRange.start: "tomorrow" is not a date or time' },
    {
      ...{ start: '2026-03-01T14:00+99:00', end: '2026-03-02' },
      message: 'dateRange.start: "2026-03-01T14:00+99:00" is not a date or time',
    },
    { start: '2026-03-02', end: '2026-03-01', message: 'dateRange: it ends at 2026-03-01, before' },
    { start: '2026-01-01', end: '2028-01-01', message: 'dateRange: it has more than 366 days' },
  ])('from $start to $end are refused', async ({ start, end, message }) => {
    await expect(read({}, start, end)).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('a repeated event', () => {
  test('keeps its time of day when the clocks change', async () => {
    const rule = ['UID:a', 'SUMMARY:Daily', 'DTSTART;TZID=Europe/Berlin:20261023T090000', 'DURATION:PT1H'];
    const files = { 'a.ics': ics([...rule, 'RRULE:FREQ=DAILY']) };
    expect((await read(files, '2026-10-24', '2026-10-26')).events).toEqual([
      '2026-10-24T09:00:00+02:00 Daily',
      '2026-10-25T09:00:00+01:00 Daily',
      '2026-10-26T09:00:00+01:00 Daily',
    ]);
  });

  test('falls on what the clocks show when they are put forward over its time', async () => {
    const rule = ['UID:a', 'SUMMARY:Night', 'DTSTART;TZID=Europe/Berlin:20260327T023000', 'DURATION:PT15M'];
    const files = { 'a.ics': ics([...rule, 'RRULE:FREQ=DAILY']) };
    expect((await read(files, '2026-03-28', '2026-03-30')).events).toEqual([
      '2026-03-28T02:30:00+01:00 Night',
      '2026-03-29T03:30:00+02:00 Night',
      '2026-03-30T02:30:00+02:00 Night',
    ]);
  });

  const weekly = ['UID:w', 'SUMMARY:Weekly', 'DTSTART;TZID=Europe/Berlin:20261102T100000', 'DURATION:PT1H'];

  test('is left out where an exception says so, by date or by status', async () => {
    const cancelled = ['UID:w', 'RECURRENCE-ID;TZID=Europe/Berlin:20261116T100000', 'STATUS:CANCELLED'];
    const files = {
      'a.ics': ics(
        [...weekly, 'RRULE:FREQ=WEEKLY;UNTIL=20261130T090000Z', 'EXDATE;TZID=Europe/Berlin:20261109T100000'],
        [...cancelled, 'DTSTART;TZID=Europe/Berlin:20261116T100000', 'DURATION:PT1H'],
      ),
    };
    expect((await read(files, '2026-11-01', '2026-12-31')).events).toEqual([
      '2026-11-02T10:00:00+01:00 Weekly',
      '2026-11-23T10:00:00+01:00 Weekly',
      '2026-11-30T10:00:00+01:00 Weekly',
    ]);
  });

  test('is where an exception has moved it, also out of the range and into it', async () => {
    const moved = ['UID:w', 'SUMMARY:Moved', 'RECURRENCE-ID;TZID=Europe/Berlin:20261214T100000'];
    const files = {
      'a.ics': ics(
        [...weekly, 'RRULE:FREQ=WEEKLY'],
        [...moved, 'DTSTART;TZID=Europe/Berlin:20261125T140000', 'DURATION:PT1H'],
      ),
    };
    expect((await read(files, '2026-11-23', '2026-11-29')).events).toEqual([
      '2026-11-23T10:00:00+01:00 Weekly',
      '2026-11-25T14:00:00+01:00 Moved',
    ]);
    expect((await read(files, '2026-12-14', '2026-12-14')).events).toEqual([]);
  });

  test('is moved with all that follow where an exception says so', async () => {
    const moved = ['UID:w', 'SUMMARY:Later', 'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261109T100000'];
    const files = {
      'a.ics': ics(
        [...weekly, 'RRULE:FREQ=WEEKLY;COUNT=4'],
        [...moved, 'DTSTART;TZID=Europe/Berlin:20261109T150000', 'DURATION:PT1H'],
      ),
    };
    expect((await read(files, '2026-11-01', '2026-12-31')).events).toEqual([
      '2026-11-02T10:00:00+01:00 Weekly',
      '2026-11-09T15:00:00+01:00 Later',
      '2026-11-16T15:00:00+01:00 Later',
      '2026-11-23T15:00:00+01:00 Later',
    ]);
  });

  test('is not mixed up with exceptions of another event in its file', async () => {
    const other = ['UID:other', 'SUMMARY:Single', 'RECURRENCE-ID;TZID=Europe/Berlin:20261109T100000'];
    const files = {
      'a.ics': ics(
        [...weekly, 'RRULE:FREQ=WEEKLY;COUNT=2'],
        [...other, 'DTSTART;TZID=Europe/Berlin:20261110T100000', 'DURATION:PT1H'],
      ),
    };
    expect((await read(files, '2026-11-09', '2026-11-15')).events).toEqual([
      '2026-11-09T10:00:00+01:00 Weekly',
      '2026-11-10T10:00:00+01:00 Single',
    ]);
  });
});
