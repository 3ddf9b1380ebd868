import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { MailEntry } from '../../http/api-types.ts';
import { useKeys } from '../../shell/keys.ts';
import { Icon } from '../../widget/icon.ts';
import { fullTime } from '../../widget/time.ts';
import { marked } from '../tree-state.ts';
import { markRead, setState, STATES, type StateChange } from './mail-state.ts';
import { askSnooze } from './snooze-dialog.ts';

/** The state of a mail and what can be done with it. The keys act on the marked mails, where there are some. */
export function StateBar({ mail }: { mail: MailEntry }) {
  const { id, state } = mail;
  useEffect(() => void markRead(mail), [id]);
  const act = (change: StateChange, done: string) => {
    const marks = [...marked.value];
    marked.value = new Set();
    void setState(marks.length > 0 ? marks : [id], change, done);
  };
  const setValue = (value: MailEntry['state']['value'], label: string) =>
    act({ value }, value === null ? 'Callsheet sets the state again.' : `${label}.`);
  const toggleArchive = () => act({ archived: !state.archived }, state.archived ? 'Back in the Inbox.' : 'Archived.');
  const toggleUnread = () => act({ unread: !state.unread }, state.unread ? 'Read.' : 'Unread.');
  const snooze = () => {
    if (marked.value.size > 0) askSnooze([...marked.value]);
    else if (state.snoozedUntil !== undefined) act({ snoozedUntil: null }, 'Back in the Inbox.');
    else askSnooze([id]);
  };
  useKeys({
    ...Object.fromEntries(STATES.map(([value, label, key]) => [key, () => setValue(value, label)])),
    '0': () => setValue(null, ''),
    'e': toggleArchive,
    'b': snooze,
    'U': toggleUnread,
  });
  return html`<div class="state-bar for-admin">
    <div class="tabs" role="group" aria-label="State of this e-mail">
      ${STATES.map(([value, label, key]) => {
        const isOn = state.value === value;
        const isOwn = isOn && state.setBy === 'user';
        return html`<button
          key=${value}
          aria-pressed=${isOn ? 'true' : 'false'}
          title=${isOwn ? `${label}: you set it. Again, or 0, gives it back to Callsheet` : `${label} (${key})`}
          onClick=${() => (isOwn ? setValue(null, '') : setValue(value, label))}
        >
          ${label}
        </button>`;
      })}
    </div>
    <div class="row">
      <button
        class="bare"
        aria-pressed=${state.archived ? 'true' : 'false'}
        title=${state.archived ? 'Move back to the Inbox (e)' : 'Archive (e)'}
        onClick=${toggleArchive}
      >
        <${Icon} name="archive" />${state.archived ? 'Archived' : 'Archive'}
      </button>
      <button
        class="bare"
        aria-pressed=${state.snoozedUntil === undefined ? 'false' : 'true'}
        title=${state.snoozedUntil === undefined ? 'Snooze (b)' : 'End the snooze (b)'}
        onClick=${snooze}
      >
        <${Icon} name="clock" />${state.snoozedUntil === undefined ? 'Snooze' : `Until ${fullTime(state.snoozedUntil)}`}
      </button>
      <button class="bare" title="${state.unread ? 'Mark as read' : 'Mark as unread'} (U)" onClick=${toggleUnread}>
        <${Icon} name="mail" />${state.unread ? 'Read' : 'Unread'}
      </button>
    </div>
  </div>`;
}
