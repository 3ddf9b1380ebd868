import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import type { Agenda, Calendar, WorkingHours } from '../../engine/src/agenda/agenda.ts';
import { readEvents } from '../../engine/src/agenda/event-actions.ts';
import { createFolderCalendar } from '../../engine/src/agenda/local/folder-calendar.ts';
import { createCalendarWorkers } from '../../engine/src/agenda/ical/ical-workers.ts';
import { SimulatedClock } from '../../engine/src/base/clock.ts';

const made: string[] = [];

/** Reads calendar files for all tests of a file. */
export const workers = createCalendarWorkers({ workers: 1 });

afterAll(() => workers.close());

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** A folder of calendar files, deleted after the test; `a.ics` is given by the lines of its events. */
export function calendarFolder(files: Readonly<Record<string, string>> = {}): string {
  const path = join(mkdtempSync(join(tmpdir(), 'callsheet-calendar-')), 'calendar');
  made.push(dirname(path));
  for (const [name, lines] of Object.entries(files)) {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, name), lines);
  }
  return path;
}

/** The text of an .ics file with one event a list of lines; each has a DTSTAMP already. */
export function ics(...events: readonly (readonly string[])[]): string {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', ...event, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

/** 2026-11-22T12:00:00Z, a Sunday. */
export const NOW = Date.UTC(2026, 10, 22, 12);

/** A calendar over such a folder, and an agenda of somebody in Berlin who works from nine to five. */
export function setDesk(
  files: Readonly<Record<string, string>> = {},
  options: { now?: number; hours?: WorkingHours } = {},
): { path: string; calendar: Calendar; agenda: Agenda } {
  const clock = new SimulatedClock(options.now ?? NOW);
  const path = calendarFolder(files);
  const calendar = createFolderCalendar({ path, clock, workers });
  const agenda: Agenda = {
    calendar: () => Promise.resolve(calendar),
    todos: () => Promise.reject(new Error('no list here')),
    target: () => Promise.reject(new Error('not asked')),
    timeZone: () => 'Europe/Berlin',
    workingHours: () => options.hours ?? { start: '09:00', end: '17:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
    now: () => clock.now(),
  };
  return { path, calendar, agenda };
}

/** What a range of days in a folder of calendar files holds: `start title`. */
export async function readDays(
  files: Readonly<Record<string, string>>,
  start: string,
  end = start,
  timeZone?: string,
): Promise<{ events: string[]; skipped: readonly { file: string; reason: string }[] }> {
  const { agenda, calendar } = setDesk(files);
  const asked = { dateRange: { start, end }, ...(timeZone !== undefined && { timeZone }) };
  const { events, skipped = [] } = await readEvents(agenda, calendar, asked, {});
  return { events: events.map((event) => `${event.start} ${event.title}`), skipped };
}
