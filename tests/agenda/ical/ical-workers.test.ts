import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFolderCalendar } from '../../../engine/src/agenda/local/folder-calendar.ts';
import { createCalendarWorkers } from '../../../engine/src/agenda/ical/ical-workers.ts';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { calendarFolder, ics, NOW } from '../folder.ts';

const BERLIN = 'Europe/Berlin';
const DAY = { from: Date.UTC(2026, 10, 25), to: Date.UTC(2026, 10, 26) };
const GOOD = ['UID:good', 'SUMMARY:Good', 'DTSTART:20261125T090000Z', 'DURATION:PT1H'];

/** Followed to its end it takes longer than anybody lives. */
const ENDLESS = ['UID:a', 'SUMMARY:Call', 'DTSTART:20261125T130000Z', 'DURATION:P999999999999W'];

const workers = createCalendarWorkers({ workers: 1, timeoutMs: 500, previewMs: 500 });
afterAll(() => workers.close());

function zoned(rule: string): string {
  const change = ['DTSTART:16010101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', `RRULE:${rule}`];
  const zone = ['BEGIN:VTIMEZONE', 'TZID:Nowhere', 'BEGIN:STANDARD', ...change, 'END:STANDARD', 'END:VTIMEZONE'];
  const text = ics(['UID:a', 'SUMMARY:Call', 'DTSTART;TZID=Nowhere:20261125T130000', 'DURATION:PT1H']);
  return text.replace('BEGIN:VEVENT', [...zone, 'BEGIN:VEVENT'].join('\r\n'));
}

test.each([
  ['a length of ages', ics(ENDLESS)],
  ['a zone whose rule leaps over ages by days', zoned('FREQ=DAILY;INTERVAL=999999999999')],
  ['a zone whose rule leaps over ages by weeks', zoned('FREQ=WEEKLY;INTERVAL=999999999999')],
])('an invitation with %s is given up, and the loop goes on meanwhile', async (_name, text) => {
  let turns = 0;
  const turning = setInterval(() => turns++, 10);
  await expect(workers.preview(text, BERLIN)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  clearInterval(turning);
  expect(turns).toBeGreaterThan(10);
  expect(await workers.preview(ics(GOOD), BERLIN)).toMatchObject({ events: [{ title: 'Good' }] });
});

test('a file of a folder that takes too long is named, holds up no other, and is not tried again until it changes', async () => {
  const path = calendarFolder({ 'a.ics': ics(ENDLESS), 'b.ics': ics(GOOD) });
  const asked: string[] = [];
  const counted: Pick<typeof workers, 'events' | 'holds'> = {
    events: (file, options) => (asked.push(file.path), workers.events(file, options)),
    holds: (file, uid, options) => workers.holds(file, uid, options),
  };
  const calendar = createFolderCalendar({ path, clock: new SimulatedClock(NOW), workers: counted });
  const read = async () => {
    asked.length = 0;
    const { events, skipped } = await calendar.read(DAY, { timeZone: BERLIN });
    return { titles: events.map(({ title }) => title), skipped, count: asked.length };
  };
  const skipped = [{ file: 'a.ics', reason: expect.stringContaining('too long') as string }];
  expect(await read()).toEqual({ titles: ['Good'], skipped, count: 2 });
  expect(await read()).toEqual({ titles: ['Good'], skipped, count: 1 });
  await calendar.add({ title: 'New', time: DAY }, { key: 'run/1', timeZone: BERLIN });
  writeFileSync(join(path, 'a.ics'), ics(['UID:a', 'SUMMARY:Mended', 'DTSTART:20261125T130000Z', 'DURATION:PT1H']));
  expect(await read()).toEqual({ titles: ['New', 'Good', 'Mended'], skipped: [], count: 3 });
});

test('abort ends a look at once', async () => {
  const path = calendarFolder({ 'a.ics': ics(ENDLESS) });
  const calendar = createFolderCalendar({ path, clock: new SimulatedClock(NOW), workers });
  const signal = AbortSignal.timeout(50);
  await expect(calendar.read(DAY, { timeZone: BERLIN, signal })).rejects.toMatchObject({ name: 'TimeoutError' });
});
