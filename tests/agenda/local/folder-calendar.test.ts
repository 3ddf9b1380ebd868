import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../../../engine/src/agenda/event-actions.ts';
import { ics, readDays as read, setDesk } from '../folder.ts';

describe('a calendar folder', () => {
  test('that does not exist yet is empty', async () => {
    expect(await read({}, '2026-11-25')).toEqual({ events: [], skipped: [] });
  });

  test('gives events of all files in their order, whatever else lies there', async () => {
    const files = {
      'b.ics': ics(['UID:b', 'SUMMARY:Later', 'DTSTART:20261125T150000Z', 'DTEND:20261125T160000Z']),
      'a.ICS': ics(
        ['UID:a', 'SUMMARY:Sooner', 'DTSTART:20261125T090000Z', 'DURATION:PT30M'],
        ['UID:c', 'SUMMARY:Another day', 'DTSTART:20261126T090000Z', 'DTEND:20261126T100000Z'],
      ),
      'notes.txt': 'not a calendar',
      '.callsheet-x.ics.tmp': 'BEGIN:VCAL',
    };
    expect(await read(files, '2026-11-25')).toEqual({
      events: ['2026-11-25T10:00:00+01:00 Sooner', '2026-11-25T16:00:00+01:00 Later'],
      skipped: [],
    });
  });

  test('names a broken file and a broken event, and gives the rest', async () => {
    const { events, skipped } = await read(
      {
        'broken.ics': 'BEGIN:VCALENDAR\r\nthis is no line of a calendar\r\n',
        'half.ics': ics(
          ['UID:a', 'SUMMARY:Good', 'DTSTART:20261125T090000Z', 'DTEND:20261125T100000Z'],
          ['UID:b', 'SUMMARY:Timeless'],
          [
            ...['UID:p', 'SUMMARY:Periods', 'DTSTART:20261125T120000Z', 'DURATION:PT1H'],
            'RDATE;VALUE=PERIOD:20261125T140000Z/PT2H',
          ],
          ['UID:c', 'SUMMARY:Nowhere', 'DTSTART;TZID=Middle Earth:20261125T090000', 'DURATION:PT1H'],
        ),
        'endless.ics': ics(
          ['UID:d', 'SUMMARY:Tick', 'DTSTART:20000101T000000Z', 'RRULE:FREQ=SECONDLY'],
          ['UID:e', 'SUMMARY:Beside', 'DTSTART:20261125T110000Z', 'DURATION:PT1H'],
        ),
        'empty.ics': '',
      },
      '2026-11-25',
    );
    expect(events).toEqual(['2026-11-25T10:00:00+01:00 Good', '2026-11-25T12:00:00+01:00 Beside']);
    expect(skipped).toEqual([
      { file: 'broken.ics', reason: expect.stringMatching(/^it is not a calendar file: /) as string },
      { file: 'empty.ics', reason: expect.stringMatching(/^it is not a calendar file: /) as string },
      { file: 'endless.ics', reason: 'the event "Tick": it repeats more than 10000 times' },
      { file: 'half.ics', reason: 'the event "Timeless" has no DTSTART' },
      { file: 'half.ics', reason: expect.stringContaining('names the time zone "Middle Earth"') as string },
      {
        file: 'half.ics',
        reason: expect.stringContaining('"Periods": it has RDATE values of type PERIOD') as string,
      },
    ]);
  });

  test.each(['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31', 'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30'])(
    'does not look for ever for a day that never comes: %s',
    async (rule) => {
      const never = ['UID:a', 'SUMMARY:Never', 'DTSTART:20260101T090000Z', `RRULE:${rule}`];
      const { skipped } = await read({ 'a.ics': ics(never) }, '2026-11-25');
      const reason = expect.stringMatching(
        /^the event "Never": a rule was not evaluated beyond .*BYMONTHDAY=3/,
      ) as string;
      expect(skipped).toEqual([{ file: 'a.ics', reason }]);
    },
  );

  test('shows what was changed and deleted since the last look', async () => {
    const one = (title: string) => ics([`SUMMARY:${title}`, 'UID:a', 'DTSTART:20261125T090000Z', 'DURATION:PT1H']);
    const { agenda, calendar, path } = setDesk({ 'a.ics': one('First'), 'b.ics': one('Other') });
    const titles = async () => {
      const dateRange = { start: '2026-11-25', end: '2026-11-25' };
      return (await readEvents(agenda, calendar, { dateRange }, {})).events.map(({ title }) => title);
    };
    expect(await titles()).toEqual(['First', 'Other']);
    writeFileSync(join(path, 'a.ics'), one('Changed since'));
    rmSync(join(path, 'b.ics'));
    expect(await titles()).toEqual(['Changed since']);
  });

  test('leaves out what is cancelled, and says what takes no time', async () => {
    const { agenda, calendar } = setDesk({
      'a.ics': ics(
        ['UID:a', 'SUMMARY:Off', 'STATUS:CANCELLED', 'DTSTART:20261125T090000Z', 'DURATION:PT1H'],
        ['UID:b', 'SUMMARY:Birthday', 'TRANSP:TRANSPARENT', 'DTSTART;VALUE=DATE:20261125'],
      ),
    });
    const dateRange = { start: '2026-11-25', end: '2026-11-25' };
    const { events } = await readEvents(agenda, calendar, { dateRange }, {});
    expect(events).toEqual([
      { id: 'b', title: 'Birthday', start: '2026-11-25', end: '2026-11-25', allDay: true, busy: false },
    ]);
  });
});
