import { DateTime } from 'luxon';
import { machineZone } from '../../base/time-zone.ts';
import type { Director, Settings } from '../../config/config.ts';

type Hours = Settings['calendar']['workingHours'];
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const HOUR_MS = 3_600_000;

/** When a follow-up falls due whose wait begins at `from`, in epoch milliseconds: within working hours, else at the next opening. */
export function followUpDue(from: number, director: Director, settings: Pick<Settings, 'calendar'>): number {
  return followUpOpening(from + director.objective.followUp.afterHours * HOUR_MS, director, settings);
}

/** When a follow-up may leave that is due at `at`, in epoch milliseconds: then where it is within working hours, else at the next opening. */
export function followUpOpening(at: number, { objective }: Director, { calendar }: Pick<Settings, 'calendar'>): number {
  return nextOpening(at, objective.followUp.workingHours ?? calendar.workingHours, calendar.timeZone ?? machineZone());
}

/** The time itself where it is within working hours, else the next opening after it. Days and hours are those of the zone. */
export function nextOpening(at: number, hours: Hours, zone: string): number {
  const time = DateTime.fromMillis(at, { zone });
  // An end before the start is on the next day, so the day before may still be open.
  for (let n = -1; n <= 8; n++) {
    const day = time.startOf('day').plus({ days: n });
    if (!hours.days.some((name) => DAYS.indexOf(name) + 1 === day.weekday)) continue;
    const opens = atTime(day, hours.start);
    const end = atTime(day, hours.end);
    const closes = end > opens ? end : atTime(day.plus({ days: 1 }), hours.end);
    if (at < opens.toMillis()) return opens.toMillis();
    if (at < closes.toMillis()) return at;
  }
  return at;
}

/** A time of day; 24:00 is the midnight after it. A time that the clocks skip counts from before the change. */
function atTime(day: DateTime, time: string): DateTime {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour === 24 ? day.plus({ days: 1 }) : day.set({ hour, minute });
}

/** A time as the story names it, in the time zone of the settings: `Mon 19 Oct 2026, 09:00`. */
export function spokenTime(at: number, { calendar }: Pick<Settings, 'calendar'>): string {
  const time = DateTime.fromMillis(at, { zone: calendar.timeZone ?? machineZone(), locale: 'en' });
  return time.toFormat('ccc d LLL yyyy, HH:mm');
}
