import { computed, signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import type { Notification, Page, Reminder } from '../http/api-types.ts';
import { createPagedList } from '../http/list.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import { mayDo } from '../shell/person.ts';
import { attempt } from '../widget/toast.ts';
import { showNew } from './browser-notices.ts';

type NotificationPage = Page<Notification> & { readonly unread: number };

/** The notifications that are loaded, newest first; undefined until the first answer. */
export const notifications = signal<readonly Notification[] | undefined>(undefined);
/** Where the next page begins; null where there is none. */
export const moreNotifications = signal<string | null>(null);
export const notificationsError = signal<ErrorBody | undefined>(undefined);

const unread = signal(0);
/** The number of unread notifications for the tab; `''` for none. */
export const unreadCount = computed(() => (unread.value === 0 ? '' : String(unread.value)));

/** Open reminders, the next one first. */
export const reminders = createPagedList<Reminder>('/api/reminders', () => ({ limit: '50' }));

/** Loads the newest notifications, and shows new ones through the browser where a person has allowed that. */
export function loadNotifications(): Promise<void> {
  return load(null);
}

/** Loads the next page. */
export function loadMoreNotifications(): Promise<void> {
  return load(moreNotifications.value);
}

async function load(cursor: string | null): Promise<void> {
  const query = new URLSearchParams({ limit: '50', ...(cursor !== null && { cursor }) });
  try {
    const page = await request<NotificationPage>('GET', `/api/notifications?${query}`);
    notifications.value = cursor === null ? page.items : [...(notifications.value ?? []), ...page.items];
    moreNotifications.value = page.nextCursor;
    unread.value = page.unread;
    notificationsError.value = undefined;
    if (cursor === null) showNew(page.items);
  } catch (thrown) {
    notificationsError.value = errorOfThrown(thrown);
  }
}

/** Marks a notification as read, if the person may. */
export async function markRead({ id, status }: Notification): Promise<void> {
  if (status === 'read' || !mayDo('approver')) return;
  await attempt(async () => {
    await request('PUT', path`/api/notifications/${id}`, { body: { status: 'read' } });
    await loadNotifications();
  });
}

/** Marks all notifications as read. */
export async function markAllRead(): Promise<void> {
  await attempt(async () => {
    await request('POST', '/api/notifications/read');
    await loadNotifications();
  });
}

/** Cancels an open reminder. */
export async function cancelReminder({ id }: Reminder): Promise<void> {
  await attempt(async () => {
    await request('DELETE', path`/api/reminders/${id}`);
    await reminders.load();
  });
}
