import { didYouMean } from '../../base/did-you-mean.ts';
import { isTimeZone, timeZones } from '../../base/time-zone.ts';
import type { Director } from '../config.ts';
import type { DocumentPath, Finding } from '../problem.ts';
import { cronFault } from './cron.ts';

/** Reports a name that is not a time zone, with the nearest one. */
export function checkZone(name: string | undefined, path: DocumentPath): Finding[] {
  if (name === undefined || isTimeZone(name)) return [];
  const message = `"${name}" is not a time zone${didYouMean(name, timeZones())}`;
  return [{ code: 'CONFIG_VALUE', path, message, hint: 'write an IANA name such as Europe/Berlin' }];
}

/** Reports a cron expression that cannot be read or never matches, and an unknown time zone. */
export function checkSchedule(schedule: Director['schedule']): Finding[] {
  if (schedule === undefined) return [];
  const fault = cronFault(schedule.cron);
  const zone = checkZone(schedule.timeZone, ['schedule', 'timeZone']);
  if (fault === undefined) return zone;
  return [
    {
      code: 'CONFIG_VALUE',
      path: ['schedule', 'cron'],
      message: `"${schedule.cron}" is not a cron expression that can be used: ${fault}`,
      hint: "write minute, hour, day of month, month, day of week, such as '0 8 * * mon-fri'",
    },
    ...zone,
  ];
}
