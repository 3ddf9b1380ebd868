import { Cron } from 'croner';

/** When something recurs: a cron expression of five fields in an IANA time zone. */
export interface Recurrence {
  readonly cron: string;
  readonly timeZone: string;
}

/** A date from which every expression that ever matches has a next time: before a leap day. */
const ANY_DATE = Date.UTC(2026, 0, 1);

/**
 * The first time after `afterMs`, in epoch milliseconds; undefined if there is none. A local time that occurs twice, when clocks are
 * set back, counts once, the first time. One that is skipped, when clocks are set forward, counts at the moment of the change.
 */
export function nextTime({ cron, timeZone }: Recurrence, afterMs: number): number | undefined {
  return patternOf(cron, timeZone).nextRun(new Date(afterMs))?.getTime();
}

/** Why a text is no usable cron expression; undefined where it is one. */
export function cronFault(cron: string): string | undefined {
  try {
    return nextTime({ cron, timeZone: 'UTC' }, ANY_DATE) === undefined ? 'no date matches it' : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return reason.replace(/^CronPattern: /, '').replace(/\.$/, '');
  }
}

/** `paused`: nothing is scheduled in this process; the engine stores due times instead. */
function patternOf(cron: string, timezone: string): Cron {
  return new Cron(cron, { timezone, mode: '5-part', paused: true });
}
