import { DateTime, Duration } from 'luxon';
import { EngineError } from '../base/error.ts';
import type { Agenda } from './agenda.ts';
import { checkZone, parseDayOrTime } from './date-time.ts';

/** When a reminder is to be due. */
export interface ReminderTime {
  readonly at?: string | undefined;
  readonly in?: string | undefined;
  readonly timeZone?: string | undefined;
  /** Whether the reminder starts a run. */
  readonly startRun?: boolean | undefined;
}

/** Longest time until a reminder is due. */
const MAX_YEARS = 10;
/** Shortest time until a reminder starts a run, in minutes: such a run may set the next reminder, and so on without end. */
const MIN_RUN_MINUTES = 10;

/**
 * The time of a reminder in epoch milliseconds, and its zone. `TOOL_ARGUMENTS` for neither or both of `at` and `in`, a text
 * that is no time, a time in the past, one more than ten years ahead, and a run in less than ten minutes.
 */
export function dueOf(
  agenda: Pick<Agenda, 'timeZone' | 'workingHours' | 'now'>,
  { at, in: span, timeZone: zone, startRun = false }: ReminderTime,
): { readonly due: number; readonly timeZone: string } {
  const timeZone = zone === undefined ? agenda.timeZone() : checkZone(zone);
  if ((at === undefined) === (span === undefined))
    throw argumentError('name the time once, as at or as in', 'write at: "2026-11-25T14:00", or in: "PT2H"');
  const now = agenda.now();
  const due = at === undefined ? after(now, span ?? '', timeZone) : momentOf(agenda, at, timeZone);
  const field = at === undefined ? 'in' : 'at';
  if (due <= now)
    throw argumentError(`${field}: ${at ?? span} is in the past`, `now is ${new Date(now).toISOString()}`);
  if (startRun && due - now < MIN_RUN_MINUTES * 60_000)
    throw argumentError(
      `${field}: a reminder starts a run after ${MIN_RUN_MINUTES} minutes at the earliest`,
      'name a later time, or leave startRun out',
    );
  // Not a number: the duration leads beyond all calendars.
  if (!(due <= DateTime.fromMillis(now).plus({ years: MAX_YEARS }).toMillis()))
    throw argumentError(`${field}: ${at ?? span} is more than ${MAX_YEARS} years ahead`, 'name an earlier time');
  return { due, timeZone };
}

/** The director whose run the reminder starts. `TOOL_ARGUMENTS` where an agent works without a director. */
export function starterOf({ startRun }: { readonly startRun?: boolean }, directorId: string): string | undefined {
  if (startRun !== true) return undefined;
  if (directorId !== '') return directorId;
  throw argumentError('startRun: there is no director here', 'leave startRun out');
}

function momentOf(agenda: Pick<Agenda, 'workingHours'>, at: string, zone: string): number {
  const read = parseDayOrTime(at, zone, 'at');
  if ('at' in read) return read.at;
  // A time that the clocks skip on this day counts from before the change.
  return DateTime.fromISO(`${read.day}T${agenda.workingHours().start}`, { zone }).toMillis();
}

function after(now: number, span: string, zone: string): number {
  const duration = Duration.fromISO(span);
  if (!duration.isValid)
    throw argumentError(`in: ${JSON.stringify(span)} is no duration`, 'write PT30M, PT2H, P3D or P1W');
  // Days and months are those of the zone: P1D is the same time tomorrow. Fractions of hours can leave some of a millisecond.
  return Math.round(DateTime.fromMillis(now, { zone }).plus(duration).toMillis());
}

function argumentError(message: string, hint: string): EngineError {
  return new EngineError('TOOL_ARGUMENTS', message, { hint });
}
