import { DateTime } from 'luxon';
import type { Abortable } from '../../base/abort.ts';
import type { Agenda, Calendar, NewEvent } from '../../agenda/agenda.ts';
import { addDays } from '../../agenda/date-time.ts';
import { type EventRequest, readEvent } from '../../agenda/event-actions.ts';
import { PRIMARY } from '../../agenda/joined-calendars.ts';
import type { EventPreview } from '../preview.ts';

type Zone = EventPreview['times'][number]['of'][number];

/** The event of a call, read by the code that adds it. `TOOL_ARGUMENTS` as of `calendar_add`. */
export async function previewEvent(
  agenda: Agenda,
  calendar: Calendar,
  request: EventRequest,
  { calendarId, signal }: Abortable & { readonly calendarId?: string | undefined },
): Promise<EventPreview> {
  const { timeZone, title, location, description, time } = readEvent(agenda, request);
  const target = await calendar.target(calendarId, { signal });
  const zones: readonly (readonly [Zone, string | undefined])[] = [
    ['user', agenda.timeZone()],
    ['event', timeZone],
    ['calendar', target.timeZone],
  ];
  return {
    ...{ kind: 'event', title, attendees: [] },
    times: timesOf(time, zones),
    isAllDay: 'days' in time,
    calendar: target.name === PRIMARY ? 'main calendar' : target.name,
    ...(calendar.accountId !== undefined && { accountId: calendar.accountId }),
    ...(location !== undefined && { location }),
    ...(description !== undefined && { description }),
  };
}

/** The time in each zone, each zone once. Whole days are the same everywhere. */
function timesOf(
  time: NewEvent['time'],
  zones: readonly (readonly [Zone, string | undefined])[],
): EventPreview['times'] {
  const names = [...new Set(zones.flatMap(([, zone]) => zone ?? []))];
  if ('days' in time) {
    const day = (text: string) => DateTime.fromISO(text, { zone: 'utc', locale: 'en-GB' }).toFormat('ccc d LLL yyyy');
    const { start, end } = time.days;
    return [{ of: ['user'], timeZone: names[0] ?? '', start: day(start), end: day(addDays(end, -1)) }];
  }
  return names.map((timeZone) => {
    const at = (ms: number) => DateTime.fromMillis(ms, { zone: timeZone, locale: 'en-GB' });
    const [start, end] = [at(time.from), at(time.to)];
    const endFormat = start.hasSame(end, 'day') ? 'HH:mm' : 'ccc d LLL yyyy, HH:mm';
    return {
      of: zones.flatMap(([of, zone]) => (zone === timeZone ? [of] : [])),
      ...{ timeZone, start: start.toFormat('ccc d LLL yyyy, HH:mm'), end: end.toFormat(endFormat) },
    };
  });
}
