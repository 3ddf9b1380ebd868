import { fireReminder, isTaintedReminder, type Reminder, reminderOf } from '../../agenda/reminders.ts';
import { isoTime } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import { mailOf, readMailRow } from '../../mail/mail-store.ts';
import type { NewNotification } from '../../notification/notification.ts';
import { notificationChanges } from '../../notification/notification-rows.ts';
import { channelsOf } from '../../notification/targets.ts';
import { createRun, type TriggerMail } from '../../run/lifecycle/create.ts';
import type { Dependencies } from '../../run/dependencies.ts';
import { isDamage } from '../../store/damaged-row.ts';
import type { Change, Row } from '../../store/store.ts';
import { DueLoop } from './loop.ts';

/** Most reminders that are read at once. */
const BATCH = 100;
/** A reminder that fires this long after its time is late. */
const LATE_MS = 60_000;

/**
 * Fires reminders when they are due. In one commit the reminder fires, its notification is stored, and its run is queued: each
 * reminder fires once, also where several processes try. One that was due while no process ran fires at once, marked as late.
 */
export class DueReminders extends DueLoop {
  readonly #deps: Dependencies;
  readonly #onRuns: () => void;
  /** Reminders that cannot be read; they would stay due for ever. */
  readonly #unreadable = new Set<string>();

  /** `onRuns` is called after runs were queued. */
  constructor(deps: Dependencies, onRuns: () => void) {
    super(deps, 'reminders');
    this.#deps = deps;
    this.#onRuns = onRuns;
  }

  /** Fires all reminders that are due. Returns when the next one is due; Infinity if there is none. */
  protected override async doDue(): Promise<number> {
    const { store, clock } = this.#deps;
    while (this.isActive) {
      const rows = await store.list('reminder', {
        where: [['status', '=', 'open']],
        order: [['due', 'asc']],
        limit: BATCH + this.#unreadable.size,
        bodies: false,
      });
      const open = rows.filter(({ id }) => !this.#unreadable.has(id));
      const now = clock.now();
      const due = open.filter((row) => row.due <= now);
      for (const { id } of due) await this.#fire(id);
      if (due.length === 0) return open[0]?.due ?? Infinity;
    }
    return Infinity;
  }

  async #fire(id: string): Promise<void> {
    const { store, log } = this.#deps;
    try {
      const row = await store.get('reminder', { id });
      if (row?.status === 'open') await this.#commit(row);
    } catch (error) {
      if (isDamage(error)) {
        this.#unreadable.add(id);
        log.error('a reminder cannot be read', { reminder: id, ...errorBody(error) });
        // Cancelled, or fired by another process, meanwhile.
      } else if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT') throw error;
    }
  }

  async #commit(row: Row<'reminder'>): Promise<void> {
    const { store, clock, config, ids, live, log } = this.#deps;
    const now = clock.now();
    const reminder = reminderOf(row);
    const current = config.current();
    const started = await this.#start(reminder);
    const changes: Change[] = [fireReminder(reminder, now, started?.runId), ...(started?.changes ?? [])];
    const notificationId = ids.next('ntf');
    const isTold = current.settings.notifications.includes('reminder');
    const told = notificationOf(reminder, started?.runId, now - row.due >= LATE_MS);
    const channels = channelsOf(current, told);
    if (isTold) changes.push(...notificationChanges(told, { id: notificationId, now, channels }));
    await store.apply(changes);
    log.info('a reminder is due', { reminder: row.id, ...(started && { run: started.runId }) });
    live.publish('reminder', { id: row.id, status: 'fired' });
    if (isTold) live.publish('notification', { id: notificationId, kind: 'reminder' });
    if (started === undefined) return;
    live.publish('run', { id: started.runId, status: 'queued' });
    this.#onRuns();
  }

  /** The run that a reminder starts; undefined where nobody asked for one, or its director is gone. */
  async #start(
    reminder: Reminder,
  ): Promise<{ readonly runId: string; readonly changes: readonly Change[] } | undefined> {
    const { startsRunOf, text, timeZone, dueAt, emailId } = reminder;
    const config = this.#deps.config.current();
    if (startsRunOf === undefined) return undefined;
    if (!config.directors.has(startsRunOf)) {
      this.#deps.log.warn('a reminder starts no run: its director is gone', {
        reminder: reminder.id,
        director: startsRunOf,
      });
      return undefined;
    }
    const mail = emailId === undefined ? undefined : await this.#mailOf(emailId);
    const message = `A reminder that you set is due (${dueAt}, ${timeZone}): ${text}`;
    const trigger = { kind: 'message' as const, message, ...(mail !== undefined && { emailId: mail.id }) };
    const taint = isTaintedReminder(reminder)
      ? { taint: 'a reminder that was set after reading text from outside' }
      : {};
    const request = { config, directorId: startsRunOf, trigger, startedBy: 'system', ...taint };
    const { run, changes } = await createRun(this.#deps, { ...request, ...(mail !== undefined && { mail }) });
    return { runId: run.id, changes };
  }

  /** The mail that a reminder is about; undefined where it is gone, or cannot be read. */
  async #mailOf(emailId: string): Promise<TriggerMail | undefined> {
    const { store, log } = this.#deps;
    try {
      const row = await readMailRow(store, emailId);
      if (row === undefined) return undefined;
      const { id, accountId, threadId, subject, from, date } = mailOf(row).summary;
      return { id, accountId, threadId, subject, from: from[0]?.address ?? '', date };
    } catch (error) {
      if (!isDamage(error)) throw error;
      log.warn('the mail of a reminder cannot be read', { mail: emailId, ...errorBody(error) });
      return undefined;
    }
  }
}

function notificationOf(
  { id, text, emailId, dueAt }: Reminder,
  runId: string | undefined,
  isLate: boolean,
): NewNotification {
  return {
    ...{ kind: 'reminder', title: isLate ? 'Late reminder' : 'Reminder', text, reminderId: id },
    ...(runId !== undefined && { runId }),
    ...(emailId !== undefined && { emailId }),
    ...(isLate && { lateSince: isoTime(Date.parse(dueAt)) }),
  };
}
