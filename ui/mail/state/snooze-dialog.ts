import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { fullTime } from '../../widget/time.ts';
import { setState } from './mail-state.ts';
import { digitOf, keyed, MAIN_KEY } from '../../shell/keys.ts';

/** Ids of the mails that the dialog asks about; undefined while it is closed. */
const asked = signal<readonly string[] | undefined>(undefined);

/** Asks until when mails are to be snoozed, and snoozes them. */
export function askSnooze(ids: readonly string[]): void {
  asked.value = ids;
}

/** The moments that are offered at a time: label and time. */
export function snoozeChoices(now: Date): readonly (readonly [label: string, at: Date])[] {
  const day = (days: number, hour: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour, 0, 0);
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return [
    ['In three hours', new Date(now.getTime() + 3 * 3_600_000)],
    ...(now.getHours() < 17 ? ([['This evening', day(0, 18)]] as const) : []),
    ['Tomorrow morning', day(1, 8)],
    ['Next Monday', day(toMonday, 8)],
    ['In a month', day(30, 8)],
  ];
}

/** The dialog of `askSnooze`; the page Inbox has it once. */
export function SnoozeDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const own = useRef<HTMLInputElement>(null);
  const ids = asked.value;
  useEffect(() => {
    if (ids !== undefined) dialog.current?.showModal();
  }, [ids]);
  if (ids === undefined) return null;
  const choose = (at: Date) => {
    if (Number.isNaN(at.getTime())) return;
    asked.value = undefined;
    const until = at.toISOString();
    void setState(ids, { snoozedUntil: until }, `Snoozed until ${fullTime(until)}.`);
  };
  const choices = snoozeChoices(new Date());
  return html`<dialog
    ref=${dialog}
    class="snooze"
    aria-labelledby="snooze-title"
    onClose=${() => (asked.value = undefined)}
  >
    <h2 id="snooze-title">${ids.length === 1 ? 'Snooze until' : `Snooze ${ids.length} e-mails until`}</h2>
    <ul>
      ${choices.map(
        ([label, at], i) =>
          html`<li key=${label}>
            <button ...${keyed(digitOf(i), label)} autofocus=${i === 0} onClick=${() => choose(at)}>
              <kbd>${i + 1}</kbd><span>${label}</span><span class="muted">${fullTime(at.toISOString())}</span>
            </button>
          </li>`,
      )}
    </ul>
    <form
      class="row"
      onSubmit=${(event: Event) => {
        event.preventDefault();
        choose(new Date(own.current?.value ?? ''));
      }}
    >
      <input ref=${own} type="datetime-local" required aria-label="Another time" />
      <button ...${keyed(MAIN_KEY, 'Snooze')}>Snooze</button>
    </form>
    <div class="row end">
      <button ...${keyed('Escape', 'Cancel')} type="button" onClick=${() => dialog.current?.close()}>Cancel</button>
    </div>
  </dialog>`;
}
