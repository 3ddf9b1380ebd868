import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { bodyOf } from '../store/damaged-row.ts';
import { listAfter, type RowsAfter } from '../store/list-after.ts';
import type { Change, Reader, Row, Store } from '../store/store.ts';
import type { Channel, NewNotification, Notification } from './notification.ts';

/** The changes that store a notification, with a ledger row for each channel that has to deliver it. */
export function notificationChanges(
  notification: NewNotification,
  { id, now, channels }: { readonly id: string; readonly now: number; readonly channels: readonly Channel[] },
): Change[] {
  const delivery = channels.length > 0 ? 'pending' : 'done';
  const body = JSON.stringify(notification);
  const row = { id, status: 'unread', delivery, run: notification.runId ?? '', at: now, body };
  return [{ op: 'insert', table: 'notification', row }, ...channels.map((channel) => intendDelivery(id, channel))];
}

/** Delivery of a notification by one channel, as the ledger has it. */
export interface DeliveryBody {
  readonly callId: '';
  readonly tool: 'notify';
  readonly arguments: Readonly<Record<string, never>>;
  /** Failed attempts. */
  readonly attempts: number;
  /** When to try, epoch milliseconds. */
  readonly nextAt: number;
  /** Of the last attempt. */
  readonly error?: { readonly code: string; readonly message: string };
}

function intendDelivery(id: string, channel: Channel): Change {
  const body: DeliveryBody = { callId: '', tool: 'notify', arguments: {}, attempts: 0, nextAt: 0 };
  return {
    op: 'insert',
    table: 'ledger',
    row: { machine: id, call: channel, state: 'intended', body: JSON.stringify(body) },
  };
}

/** Notifications, newest first, after a cursor. */
export async function listNotifications(
  reader: Reader,
  { status, where = [], ...page }: RowsAfter<'notification'> & { readonly status?: Notification['status'] | undefined },
): Promise<Notification[]> {
  const wanted = status === undefined ? where : [...where, ['status', '=', status] as const];
  const rows = await listAfter(reader, 'notification', { ...page, where: wanted, by: ['at', 'desc'], ids: 'desc' });
  return rows.map(notificationOf);
}

/** Marks a notification as read or unread. `NOT_FOUND`. */
export async function setNotificationStatus(
  store: Store,
  id: string,
  status: Notification['status'],
): Promise<Notification> {
  const row = await store.get('notification', { id });
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no notification "${id.slice(0, 100)}"`);
  if (row.status !== status) await store.apply([{ op: 'update', table: 'notification', key: { id }, set: { status } }]);
  return notificationOf({ ...row, status });
}

/** Marks all unread notifications as read. Returns how many. */
export async function markAllRead(store: Store): Promise<number> {
  let count = 0;
  for (;;) {
    const rows = await store.list('notification', { where: [['status', '=', 'unread']], limit: BATCH, bodies: false });
    if (rows.length === 0) return count;
    await store.apply(
      rows.map(({ id }) => ({ op: 'update', table: 'notification', key: { id }, set: { status: 'read' } })),
    );
    count += rows.length;
  }
}

/** Rows changed in one commit. */
const BATCH = 500;

/** Deletes notifications from before `beforeMs`, with their ledger rows. */
export async function deleteOldNotifications(store: Store, beforeMs: number): Promise<void> {
  for (;;) {
    const rows = await store.list('notification', { where: [['at', '<', beforeMs]], limit: BATCH, bodies: false });
    if (rows.length === 0) return;
    await store.apply(rows.flatMap(({ id }) => deleteNotification(id)));
  }
}

/** The changes that delete all notifications about a run. */
export async function deleteNotificationsOf(reader: Reader, run: string): Promise<Change[]> {
  const rows = await reader.list('notification', { where: [['run', '=', run]], bodies: false });
  return rows.flatMap(({ id }) => deleteNotification(id));
}

function deleteNotification(id: string): Change[] {
  return [
    { op: 'delete', table: 'notification', where: { id } },
    { op: 'delete', table: 'ledger', where: { machine: id } },
  ];
}

/** The notification of a row. `STORE_DAMAGED`. */
export function notificationOf(row: Row<'notification'>): Notification {
  const { id, at } = row;
  const status = row.status === 'read' ? 'read' : 'unread';
  return { id, status, at: isoTime(at), ...bodyOf<NewNotification>('notification', row) };
}
