import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { Notification, Reminder } from '../http/api-types.ts';
import { nearKeyed, useKeys } from '../shell/keys.ts';
import { hrefOf } from '../shell/route.ts';
import { confirm } from '../widget/confirm.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Age, fullTime } from '../widget/time.ts';
import { Shown, visible } from '../widget/visible.ts';
import { askPermission, permission } from './browser-notices.ts';
import {
  cancelReminder,
  loadMoreNotifications,
  loadNotifications,
  markAllRead,
  markRead,
  moreNotifications,
  notifications,
  notificationsError,
  reminders,
  unreadCount,
} from './notifications.ts';

const load = () => {
  void loadNotifications();
  void reminders.load();
};

/** Notifications, newest first, and the reminders that are still to come. */
export function NotificationsScreen() {
  useEffect(load, []);
  useKeys({ r: load });
  const error = notificationsError.value ?? reminders.error.value;
  const items = notifications.value;
  return html`<div class="page">
    <div class="notifications-head">
      <h1>Notifications</h1>
      <${BrowserSwitch} />
      ${unreadCount.value !== '' && html`<button class="for-approver" aria-keyshortcuts="M" title="Mark all as read (M)" onClick=${() => void markAllRead()}>Mark all as read</button>`}
    </div>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${
      items?.length === 0 &&
      html`<${Empty} icon="info" title="No notifications.">
        <p>
          Failed runs, calls that wait for you, reminders, and calls of <code>notify</code> appear here. The settings
          choose the kinds with <code>notifications</code>.
        </p>
      <//>`
    }
    ${
      items !== undefined &&
      items.length > 0 &&
      html`<ul class="todos notifications">
        ${items.map((one) => html`<${Row} key=${one.id} notification=${one} />`)}
      </ul>`
    }
    ${moreNotifications.value !== null && html`<div class="more"><button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void loadMoreNotifications()}>Load more</button></div>`}
    <${Reminders} />
  </div>`;
}

/** Asks for the browser's permission by a click, and shows what it is. */
function BrowserSwitch() {
  if (permission.value === 'default')
    return html`<button aria-keyshortcuts="S" title="Show on this computer (S)" onClick=${() => void askPermission()}>
      Show on this computer
    </button>`;
  if (permission.value === 'granted') return html`<span class="muted">shown on this computer</span>`;
  if (permission.value === 'denied') return html`<span class="muted">blocked by the browser</span>`;
  return null;
}

function Row({ notification }: { notification: Notification }) {
  const { title, text, status, at, lateSince } = notification;
  const link = linkOf(notification);
  const isUnread = status === 'unread';
  return html`<li class=${isUnread ? 'unread' : ''}>
    <span class="what">
      <span
        >${isUnread && html`<span class="dot" role="img" aria-label="unread"></span>`}<b><${Shown} text=${title} /></b
      ></span>
      ${text !== '' && html`<span class="muted"><${Shown} text=${text} /></span>`}
    </span>
    <span class="row end">
      ${lateSince !== undefined && html`<span class="chip wait">was due ${fullTime(lateSince)}</span>`}
      ${link !== undefined && html`<a href=${link.href} onClick=${() => void markRead(notification)}>${link.label}</a>`}
      <${Age} at=${at} />
      ${
        isUnread &&
        html`<button
          ...${nearKeyed('e', 'Mark as read')}
          class="bare for-approver"
          aria-label=${`Mark as read: ${visible(title)}`}
          onClick=${() => void markRead(notification)}
        >
          <${Icon} name="check" />
        </button>`
      }
    </span>
  </li>`;
}

/** What a notification is about, nearest first. */
function linkOf({
  approvalId,
  emailId,
  runId,
}: Notification): { readonly href: string; readonly label: string } | undefined {
  if (approvalId !== undefined) return { href: hrefOf('approvals'), label: 'Answer' };
  if (emailId !== undefined)
    return { href: hrefOf('inbox', emailId, ...(runId === undefined ? [] : [runId])), label: 'Open e-mail' };
  return runId === undefined ? undefined : { href: hrefOf('runs', runId), label: 'Open run' };
}

function Reminders() {
  const open = reminders.items.value;
  if (open.length === 0) return null;
  return html`<h2>Reminders</h2>
    <ul class="todos">
      ${open.map((one) => html`<${ReminderRow} key=${one.id} reminder=${one} />`)}
    </ul>
    ${
      reminders.nextCursor.value !== null &&
      html`<div class="more">
        <button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void reminders.load({ more: true })}>
          Load more
        </button>
      </div>`
    }`;
}

function ReminderRow({ reminder }: { reminder: Reminder }) {
  const { text, dueAt, startsRunOf, emailId } = reminder;
  const onCancel = async () => {
    const what = 'It will not be due, and starts no run.';
    if (await confirm({ title: 'Cancel this reminder?', text: what, action: 'Cancel it' }))
      await cancelReminder(reminder);
  };
  return html`<li>
    <span class="what"
      ><b><${Shown} text=${text} /></b
    ></span>
    <span class="row end">
      ${startsRunOf !== undefined && html`<span class="chip quiet">starts a run of ${startsRunOf}</span>`}
      ${emailId !== undefined && html`<a href=${hrefOf('inbox', emailId)}>Open e-mail</a>`}
      <span class="chip quiet">due ${fullTime(dueAt)}</span>
      <button
        ...${nearKeyed('X', 'Cancel')}
        class="bare danger for-admin"
        aria-label=${`Cancel the reminder ${visible(text)}`}
        onClick=${() => void onCancel()}
      >
        <${Icon} name="trash" />
      </button>
    </span>
  </li>`;
}
