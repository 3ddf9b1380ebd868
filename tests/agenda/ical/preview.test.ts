import { expect, test } from 'vitest';
import { previewCalendar } from '../../../engine/src/agenda/ical/preview.ts';
import { ics } from '../folder.ts';

const preview = (text: string) => previewCalendar(text, 'Europe/Berlin');

test.each(['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31', 'FREQ=SECONDLY'])(
  'a zone whose clocks change without end is refused: %s',
  (rule) => {
    const change = [
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      `RRULE:${rule}`,
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
    ];
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Nowhere', ...change, 'END:STANDARD', 'END:VTIMEZONE'];
    const text = ics(['UID:a', 'SUMMARY:Call', 'DTSTART;TZID=Nowhere:20261125T130000']);
    expect(() => preview(text.replace('BEGIN:VEVENT', [...zone, 'BEGIN:VEVENT'].join('\r\n')))).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        message: expect.stringContaining('beyond 20000') as string,
      }),
    );
  },
);

test('a calendar file is read in words, whatever is in it', () => {
  const text = ics(
    ['UID:a', 'SUMMARY:Call', 'LOCATION:Room 5', 'DTSTART:20261125T130000Z', 'DURATION:PT30M'],
    ['UID:b', 'SUMMARY:Fair', 'DTSTART;VALUE=DATE:20261125', 'DTEND;VALUE=DATE:20261127', 'STATUS:CANCELLED'],
    ['UID:c', 'SUMMARY:Nowhere', 'DTSTART;TZID=Middle Earth:20261125T090000', 'DURATION:PT1H'],
  );
  expect(preview(text)).toEqual({
    timeZone: 'Europe/Berlin',
    events: [
      {
        ...{ id: 'a', title: 'Call', location: 'Room 5' },
        ...{ start: '2026-11-25T14:00:00+01:00', end: '2026-11-25T14:30:00+01:00' },
      },
      { id: 'b', title: 'Fair', start: '2026-11-25', end: '2026-11-26', allDay: true, cancelled: true },
    ],
    skipped: [expect.stringContaining('"Middle Earth"')],
  });
});

test('a repeated event is shown by its first time, and no rule is followed', () => {
  const text = ics(['UID:a', 'SUMMARY:Tick', 'DTSTART:20000101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY']);
  expect(preview(text).events).toMatchObject([{ title: 'Tick', start: '2000-01-01T01:00:00+01:00', repeats: true }]);
});

test('an invitation that is taken back is cancelled', () => {
  const text = ics(['UID:a', 'SUMMARY:Call', 'DTSTART:20261125T130000Z', 'DURATION:PT30M']);
  expect(preview(text.replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:CANCEL')).events).toMatchObject([
    { cancelled: true },
  ]);
});

test('of many events the first fifty are shown', () => {
  const many = Array.from({ length: 51 }, (_, n) => [`UID:${n}`, 'DTSTART:20261125T130000Z', 'DURATION:PT30M']);
  expect(preview(ics(...many))).toMatchObject({
    truncated: true,
    events: expect.objectContaining({ length: 50 }) as unknown,
  });
});

test.each([
  ['no calendar', 'hello', 'BAD_REQUEST'],
  ['nothing', '', 'BAD_REQUEST'],
  ['a file above half a megabyte', `BEGIN:VCALENDAR\r\n${'X'.repeat(600_000)}`, 'TOO_LARGE'],
])('%s is refused', (_name, text, code) => {
  expect(() => preview(text)).toThrow(expect.objectContaining({ code }));
});
