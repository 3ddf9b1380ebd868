import ICAL from 'ical.js';
import { isTimeZone } from '../../base/time-zone.ts';
import { limitRules } from './recurrence.ts';
import { wallTime } from '../date-time.ts';

/** Limit of times to try for all zones of a file; a zone has two clock changes a year. */
const MAX_TRIES = 20_000;

/** A zone of ical.js with the offsets of the IANA zone of this name, whatever a file says. */
class IanaZone extends ICAL.Timezone {
  constructor(name: string) {
    super({ tzid: name });
  }

  /** Seconds east of UTC at a local time. */
  override utcOffset({ year, month, day, hour, minute, second }: ICAL.Time): number {
    const at = wallTime({ year, month, day, hour, minute, second }, this.tzid);
    return (Date.UTC(year, month - 1, day, hour, minute, second) - at) / 1000;
  }
}

/**
 * Sets the zones of a calendar: IANA rules for IANA names, since many files describe their zones for a year or two
 * only, or not at all; otherwise the rules of the file, within limits.
 */
export function useIanaZones(calendar: ICAL.Component): void {
  for (const name of namedZones(calendar)) {
    if (!isTimeZone(name)) continue;
    if (!(ICAL.TimezoneService.get(name) instanceof IanaZone)) ICAL.TimezoneService.register(new IanaZone(name), name);
    for (const zone of calendar.getAllSubcomponents('vtimezone'))
      if (zone.getFirstPropertyValue('tzid') === name) calendar.removeSubcomponent(zone);
  }
  const changes = calendar.getAllSubcomponents('vtimezone').flatMap((zone) => zone.getAllSubcomponents());
  limitRules(changes, MAX_TRIES);
}

/** The first unknown zone of a component, or undefined. */
export function unknownZone(event: ICAL.Component): string | undefined {
  const known = (name: string) => ICAL.TimezoneService.has(name) || event.getTimeZoneByID(name) !== null;
  return [...zonesOf(event)].find((name) => !known(name));
}

/** Epoch milliseconds of a time; `zone` (IANA) applies to days and to times without a zone. */
export function timeOf(time: ICAL.Time, zone: string): number {
  const { year, month, day, hour, minute, second } = time;
  if (time.isDate) return wallTime({ year, month, day }, zone);
  if (time.zone === ICAL.Timezone.localTimezone) return wallTime({ year, month, day, hour, minute, second }, zone);
  return time.toUnixTime() * 1000;
}

function namedZones(calendar: ICAL.Component): ReadonlySet<string> {
  return new Set(calendar.getAllSubcomponents('vevent').flatMap((event) => [...zonesOf(event)]));
}

function zonesOf(event: ICAL.Component): ReadonlySet<string> {
  const names = event.getAllProperties().map((property) => property.getFirstParameter('tzid'));
  return new Set(names.filter((name) => typeof name === 'string' && name !== ''));
}
