import { isoTime } from '../base/clock.ts';
import { machineZone } from '../base/time-zone.ts';
import type { Director, Snapshot } from '../config/config.ts';
import { nextTime, type Recurrence } from '../config/schedule/cron.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { createRun } from '../run/lifecycle/create.ts';
import type { Run } from '../run/run.ts';
import { bodyOf, isDamage } from '../store/damaged-row.ts';
import type { Change, Reader, Row } from '../store/store.ts';

/** What the store keeps of a schedule besides its next time: the expression that the time is of, and the last start. */
interface StoredSchedule extends Recurrence {
  /** ISO 8601. */
  readonly lastAt?: string;
  readonly lastRunId?: string;
}

/** A director's schedule as the API serves it. Times are ISO 8601. */
export interface Schedule extends StoredSchedule {
  readonly directorId: string;
  readonly message: string;
  readonly nextAt?: string;
}

/** `due` of a schedule that has no next time. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** The schedule of a director, with the zone that counts; undefined where it has none. */
function recurrenceOf({ settings }: Snapshot, { schedule }: Director): Recurrence | undefined {
  if (schedule === undefined) return undefined;
  return { cron: schedule.cron, timeZone: schedule.timeZone ?? settings.calendar.timeZone ?? machineZone() };
}

/** Whether a row has the next time of this expression. */
function isOf(row: StoredSchedule, { cron, timeZone }: Recurrence): boolean {
  return row.cron === cron && row.timeZone === timeZone;
}

/** A row, and what it says; `stored` is undefined where it cannot be read. */
interface ScheduleRow {
  readonly row: Row<'schedule'>;
  readonly stored: StoredSchedule | undefined;
}

/** The stored schedules by director. One that cannot be read does not stop the others. */
async function readSchedules(reader: Reader): Promise<Map<string, ScheduleRow>> {
  const found = new Map<string, ScheduleRow>();
  for (const row of await reader.list('schedule', { bodies: false }))
    found.set(row.director, { row, stored: await readStored(reader, row.director) });
  return found;
}

async function readStored(reader: Reader, director: string): Promise<StoredSchedule | undefined> {
  try {
    const row = await reader.get('schedule', { director });
    return row && bodyOf<StoredSchedule>('schedule', row);
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** The schedules of all directors, those with the next start first. Needs no process that starts them. */
export async function listSchedules(deps: Pick<Dependencies, 'store' | 'clock' | 'config'>): Promise<Schedule[]> {
  const config = deps.config.current();
  const rows = await readSchedules(deps.store);
  const found = [...config.directors.values()].flatMap((director): Schedule[] => {
    const recurrence = recurrenceOf(config, director);
    if (recurrence === undefined) return [];
    const { row, stored } = rows.get(director.id) ?? {};
    const isCurrent = row !== undefined && stored !== undefined && isOf(stored, recurrence);
    const due = isCurrent ? row.due : dueAfter(recurrence, lastOf(stored, deps.clock.now()));
    const next = due === NEVER ? {} : { nextAt: isoTime(due) };
    return [{ directorId: director.id, ...stored, ...recurrence, message: director.schedule?.message ?? '', ...next }];
  });
  return found.sort(
    (a, b) => (a.nextAt ?? '~').localeCompare(b.nextAt ?? '~') || a.directorId.localeCompare(b.directorId),
  );
}

/**
 * The changes that bring the stored schedules in line with the config: the next time of new and changed ones, and no row for those
 * that are gone. A time that was missed stays, so that it is made up for.
 */
export async function followConfig(
  { config, clock }: Pick<Dependencies, 'config' | 'clock'>,
  reader: Reader,
): Promise<Change[]> {
  const current = config.current();
  const rows = await readSchedules(reader);
  const changes: Change[] = [];
  for (const director of current.directors.values()) {
    const recurrence = recurrenceOf(current, director);
    if (recurrence === undefined) continue;
    const { row, stored } = rows.get(director.id) ?? {};
    rows.delete(director.id);
    if (stored !== undefined && isOf(stored, recurrence)) continue;
    const due = dueAfter(recurrence, lastOf(stored, clock.now()));
    const next = { ...stored, ...recurrence };
    if (row !== undefined) changes.push(moveSchedule(row, due, next));
    else
      changes.push({
        op: 'insert',
        table: 'schedule',
        row: { ...{ director: director.id, due, rev: 1 }, body: JSON.stringify(next) },
      });
  }
  const gone = [...rows.keys()].map((director): Change => ({ op: 'delete', table: 'schedule', where: { director } }));
  return [...changes, ...gone];
}

/**
 * The run of a schedule that is due, and the changes that store it and move the schedule to its next time: one commit, so that each
 * time starts one run, also where several processes try. Times that were missed start one run together.
 */
export async function startScheduled(
  deps: Dependencies,
  row: Row<'schedule'>,
): Promise<{ run: Run; changes: Change[] }> {
  const config = deps.config.current();
  const now = deps.clock.now();
  const stored = bodyOf<StoredSchedule>('schedule', row);
  const message = config.directors.get(row.director)?.schedule?.message ?? '';
  const { run, changes } = await createRun(deps, {
    ...{ config, directorId: row.director, startedBy: 'system' },
    trigger: { kind: 'date', message, dueAt: isoTime(row.due) },
  });
  const next = { ...stored, lastAt: isoTime(now), lastRunId: run.id };
  return { run, changes: [moveSchedule(row, dueAfter(stored, now), next), ...changes] };
}

/** `STORE_CONFLICT` where another process has moved the schedule meanwhile. */
function moveSchedule({ director, rev }: Row<'schedule'>, due: number, stored: StoredSchedule): Change {
  const set = { due, rev: rev + 1, body: JSON.stringify(stored) };
  return { op: 'update', table: 'schedule', key: { director }, set, expect: { rev } };
}

/** The moment after which the next time is: now, or the last start where the clock was set back since. */
function lastOf(stored: StoredSchedule | undefined, now: number): number {
  return stored?.lastAt === undefined ? now : Math.max(now, Date.parse(stored.lastAt));
}

function dueAfter(recurrence: Recurrence, after: number): number {
  return nextTime(recurrence, after) ?? NEVER;
}
