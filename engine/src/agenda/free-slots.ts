import type { Span, WorkingHours } from './agenda.ts';
import { WEEKDAYS } from './agenda.ts';
import { addDays, dayOf, wallTime, weekdayOf } from './date-time.ts';

/** A search for free time. */
export interface SlotQuery extends Span {
  readonly durationMs: number;
  readonly hours: WorkingHours;
  readonly timeZone: string;
  readonly limit: number;
}

/**
 * Finds working time within the span that is free of `busy` and long enough, in order, at most `limit`. Adjacent
 * working hours, such as nights that are worked through, count as one range.
 */
export function freeSlots(busy: readonly Span[], query: SlotQuery): Span[] {
  const taken = merge([...busy]);
  const slots: Span[] = [];
  let next = 0;
  for (const { from, to } of merge(workingTime(query))) {
    let at = from;
    while (next < taken.length && (taken[next]?.to ?? 0) <= at) next++;
    for (let i = next; i < taken.length; i++) {
      const event = taken[i];
      if (event === undefined || event.from >= to) break;
      slots.push({ from: at, to: event.from });
      at = event.to;
    }
    slots.push({ from: at, to });
  }
  return slots.filter((slot) => slot.to - slot.from >= query.durationMs).slice(0, query.limit);
}

/** Working hours of each day in the span, cut to the span. The night before counts where hours go past midnight. */
function workingTime({ from, to, hours, timeZone }: SlotQuery): Span[] {
  const spans: Span[] = [];
  const start = readClock(hours.start);
  const end = readClock(hours.end);
  const isOverMidnight = end.minutes <= start.minutes;
  const last = dayOf(to, timeZone);
  for (let day = addDays(dayOf(from, timeZone), -1); day <= last; day = addDays(day, 1)) {
    if (!hours.days.includes(WEEKDAYS[weekdayOf(day)] ?? 'mon')) continue;
    const begin = Math.max(from, clockMoment(day, start, timeZone));
    const until = Math.min(to, clockMoment(isOverMidnight ? addDays(day, 1) : day, end, timeZone));
    if (until > begin) spans.push({ from: begin, to: until });
  }
  return spans;
}

/** Sorts spans, and merges those that overlap or touch. */
function merge(spans: Span[]): Span[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly minutes: number;
}

/** `24:00` is the end of the day. */
function readClock(text: string): Clock {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return { hour, minute, minutes: hour * 60 + minute };
}

function clockMoment(day: string, { hour, minute }: Clock, zone: string): number {
  const [year = 0, month = 1, date = 1] = (hour === 24 ? addDays(day, 1) : day).split('-').map(Number);
  return wallTime({ year, month, day: date, hour: hour % 24, minute }, zone);
}
