import type { App } from '../../engine/src/app/app.ts';
import { createCalendarWorkers } from '../../engine/src/agenda/ical/ical-workers.ts';
import { createFilterPool } from '../../engine/src/filter/filter-pool.ts';
import { createRecogniser } from '../../engine/src/guard/privacy/recogniser.ts';
import { createMailWorkers } from '../../engine/src/mail/parse/mail-workers.ts';
import { ArgumentChecker } from '../../engine/src/tool/arguments.ts';

const stayOpen = { close: async () => {} };

/**
 * The threads of all apps that tests of one process open: starting them costs five times as much as the rest of an app. They end
 * when idle.
 */
export const sharedThreads: Pick<App, 'mailWorkers' | 'calendarWorkers' | 'filterPool'> = {
  mailWorkers: { ...createMailWorkers(), ...stayOpen },
  calendarWorkers: { ...createCalendarWorkers(), ...stayOpen },
  filterPool: { ...createFilterPool(), ...stayOpen },
};

/** The same for the recogniser. */
export const sharedRecogniser = { ...createRecogniser(), ...stayOpen };

/** The compiled schemas of all apps: each takes some milliseconds. */
export const sharedChecker = new ArgumentChecker();
