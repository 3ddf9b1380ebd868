import type { Abortable } from '../base/abort.ts';
import { type Clock, isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { sha256 } from '../base/json.ts';
import { bodyOf } from '../store/damaged-row.ts';
import { readableRows } from '../store/readable-rows.ts';
import { listAfter, type RowsAfter } from '../store/list-after.ts';
import type { ChangeOf, Reader, Row, Store } from '../store/store.ts';

/** What a reminder says, and who asked for it. */
export interface NewReminder {
  readonly text: string;
  /** IANA name of the zone in which the time was given. */
  readonly timeZone: string;
  /** The director that starts a run when the reminder is due; absent where nobody asked for a run. */
  readonly startsRunOf?: string;
  /** The mail that it is about. */
  readonly emailId?: string;
  /** The thread that created it had read text of strangers. */
  readonly isTainted?: true;
  /** The run and the director that created it. */
  readonly runId?: string;
  readonly directorId?: string;
}

/** `fired`: it became a notification. */
export type ReminderStatus = 'open' | 'fired' | 'cancelled';

/** A reminder. Times are ISO 8601 in UTC. */
export interface Reminder extends NewReminder {
  readonly id: string;
  readonly status: ReminderStatus;
  readonly dueAt: string;
  readonly createdAt: string;
  readonly firedAt?: string;
  /** The run that it started. */
  readonly startedRunId?: string;
}

type StoredReminder = Omit<Reminder, 'id' | 'status' | 'dueAt'>;

/** The reminders of the user, in our own store. */
export interface Reminders {
  /** Adds a reminder that is due at `due` (epoch milliseconds); the same reminder again for the same key. */
  add(reminder: NewReminder, options: Abortable & { readonly key: string; readonly due: number }): Promise<Reminder>;
  list(options: Abortable & { readonly status: ReminderStatus; readonly limit: number }): Promise<Reminder[]>;
  /** Cancels an open reminder; no effect on a cancelled one. `NOT_FOUND`; `CONFLICT` where it has fired. */
  cancel(id: string, options?: Abortable): Promise<Reminder>;
}

/** Opens the reminders of a store. `onChange` is called after each change, such as to wake the clock that fires them. */
export function createReminders({
  store,
  clock,
  onChange,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly onChange: (reminder: Reminder) => void;
}): Reminders {
  return {
    async add(reminder, { key, due, signal }) {
      signal?.throwIfAborted();
      const id = `rem_${sha256(`reminder ${key}`).slice(0, 26)}`;
      const stored: StoredReminder = { ...reminder, createdAt: isoTime(clock.now()) };
      const row = { id, status: 'open', due, body: JSON.stringify(stored) };
      try {
        await store.apply([{ op: 'insert', table: 'reminder', row }]);
      } catch (error) {
        const known = isConflict(error) ? await store.get('reminder', { id }) : undefined;
        if (known === undefined) throw error;
        return reminderOf(known);
      }
      onChange(reminderOf(row));
      return reminderOf(row);
    },
    async list({ signal, ...query }) {
      signal?.throwIfAborted();
      return listReminders(
        readableRows(store, () => {}),
        query,
      );
    },
    async cancel(id, { signal } = {}) {
      signal?.throwIfAborted();
      const row = await store.get('reminder', { id });
      if (row === undefined) throw new EngineError('NOT_FOUND', `there is no reminder "${id.slice(0, 100)}"`);
      const { status } = row;
      if (status === 'open')
        await store.apply([
          { op: 'update', table: 'reminder', key: { id }, set: { status: 'cancelled' }, expect: { status } },
        ]);
      if (status === 'fired')
        throw new EngineError('CONFLICT', `the reminder "${id}" was due already`, { hint: 'list the open reminders' });
      const cancelled = reminderOf({ ...row, status: 'cancelled' });
      if (status === 'open') onChange(cancelled);
      return cancelled;
    },
  };
}

/** Reminders of one status: open ones by their time, others the last due first. `after` continues behind a reminder. */
export async function listReminders(
  reader: Reader,
  { status, where = [], ...page }: RowsAfter<'reminder'> & { readonly status: ReminderStatus },
): Promise<Reminder[]> {
  const rows = await listAfter(reader, 'reminder', {
    ...page,
    where: [...where, ['status', '=', status]],
    by: ['due', status === 'open' ? 'asc' : 'desc'],
    ids: 'asc',
  });
  return rows.map(reminderOf);
}

/** The change that fires a reminder; `STORE_CONFLICT` where it fired or was cancelled meanwhile. */
export function fireReminder(reminder: Reminder, now: number, startedRunId: string | undefined): ChangeOf<'reminder'> {
  const { id, status: _open, dueAt: _due, ...stored } = reminder;
  const fired: StoredReminder = {
    ...stored,
    firedAt: isoTime(now),
    ...(startedRunId !== undefined && { startedRunId }),
  };
  const set = { status: 'fired', body: JSON.stringify(fired) };
  return { op: 'update', table: 'reminder', key: { id }, set, expect: { status: 'open' } };
}

/** Rows deleted in one commit. */
const BATCH = 500;

/** Deletes reminders that fired or were cancelled, and were due before `beforeMs`. */
export async function deleteOldReminders(store: Store, beforeMs: number): Promise<void> {
  for (;;) {
    const rows = await store.list('reminder', {
      where: [
        ['status', 'in', ['fired', 'cancelled']],
        ['due', '<', beforeMs],
      ],
      limit: BATCH,
      bodies: false,
    });
    if (rows.length === 0) return;
    await store.apply(rows.map(({ id }) => ({ op: 'delete', table: 'reminder', where: { id } })));
  }
}

/** Whether the text of a reminder may be of strangers. */
export function isTaintedReminder({ isTainted, emailId }: NewReminder): boolean {
  return isTainted === true || emailId !== undefined;
}

/** The reminder of a row. `STORE_DAMAGED`. */
export function reminderOf(row: Row<'reminder'>): Reminder {
  const stored = bodyOf<StoredReminder>('reminder', row);
  return { id: row.id, status: row.status as ReminderStatus, dueAt: isoTime(row.due), ...stored };
}

function isConflict(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_CONFLICT';
}
