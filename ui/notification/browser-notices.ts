import { signal } from '@preact/signals';
import type { Notification as Notice } from '../http/api-types.ts';
import { visible } from '../widget/visible.ts';

/** At most one notification of the browser in this time. */
const GAP_MS = 2000;

/** Whether the browser may show notifications: `unsupported` in one that has none. */
export const permission = signal<NotificationPermission | 'unsupported'>(
  typeof Notification === 'undefined' ? 'unsupported' : Notification.permission,
);

/** Asks the person for permission. To be called by a click only: browsers ignore any other call. */
export async function askPermission(): Promise<void> {
  permission.value = await Notification.requestPermission();
}

/** Whether notifications have to reach this tab while it is hidden. */
export function isWatching(): boolean {
  return permission.value === 'granted';
}

/** The newest notification that was there or shown before; undefined before the first answer. */
let known: string | undefined;
let waiting: readonly Notice[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the unread ones among these notifications, newest first, that came after the last call. Nothing at the first call. */
export function showNew(notices: readonly Notice[]): void {
  const newest = notices[0]?.at ?? known ?? '';
  const since = known;
  known = newest;
  if (since === undefined || permission.value !== 'granted') return;
  waiting = [...notices.filter(({ at, status }) => at > since && status === 'unread'), ...waiting];
  if (waiting.length > 0 && timer === undefined) show();
}

function show(): void {
  const [first, ...more] = waiting;
  waiting = [];
  timer = undefined;
  if (first === undefined) return;
  timer = setTimeout(show, GAP_MS);
  // A person who looks at the page sees the list.
  if (document.hasFocus()) return;
  const title = more.length === 0 ? first.title : `${more.length + 1} notifications`;
  const body = more.length === 0 ? first.text : [first, ...more].map((notice) => notice.title).join('\n');
  // Of several tabs that show the same notification, the browser keeps one.
  const shown = new Notification(visible(title), {
    body: body.split('\n').map(visible).join('\n'),
    tag: first.id,
    icon: '/ui/mark.svg',
  });
  shown.onclick = () => {
    window.focus();
    location.hash = '#/notifications';
    shown.close();
  };
}
