import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { errorOfThrown } from '../http/request.ts';
import { Icon } from './icon.ts';
import { Shown } from './visible.ts';

type Tone = 'info' | 'warn' | 'bad';

const toasts = signal<readonly { readonly id: number; readonly text: string; readonly tone: Tone }[]>([]);
let count = 0;
const SHOWN_MS = 6000;

/** Shows a message at the bottom of the page for six seconds. Screen readers read it aloud. */
export function showToast(text: string, tone: Tone = 'info'): void {
  const id = ++count;
  toasts.value = [...toasts.value.slice(-2), { id, text, tone }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Runs an action and shows its error as a toast. Resolves to whether it succeeded. */
export async function attempt(action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (thrown) {
    const { message, hint } = errorOfThrown(thrown);
    showToast(hint === undefined ? message : `${message}. ${hint}`, 'bad');
    return false;
  }
}

/** The list of toasts; it is on the page once. */
export function Toasts() {
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.value.map(
      ({ id, text, tone }) =>
        html`<p key=${id} class=${`toast ${tone}`}>
          <span><${Shown} text=${text} /></span>
          <button class="bare" aria-label="Dismiss" onClick=${() => dismiss(id)}><${Icon} name="cross" /></button>
        </p>`,
    )}
  </div>`;
}
