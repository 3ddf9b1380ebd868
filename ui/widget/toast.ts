import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { errorOfThrown } from '../http/request.ts';
import { Icon } from './icon.ts';
import { offerUndo } from './undo.ts';
import { Shown } from './visible.ts';
import { keyed } from '../shell/keys.ts';

type Tone = 'info' | 'warn' | 'bad';

/** What a toast offers, such as Undo. `z` does it too, while nothing newer can be taken back. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
  /** Takes `z` away from the step, where it was offered before the toast. */
  readonly endUndo?: () => void;
}

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: Tone;
  readonly action: ToastAction | undefined;
  /** Takes the key `z` away from the action. */
  readonly endUndo: (() => void) | undefined;
}

const toasts = signal<readonly Toast[]>([]);
let count = 0;
const SHOWN_MS = 6000;
/** A toast that offers something stays longer. */
const OFFERED_MS = 10_000;

/** Shows a message at the bottom of the page for six seconds, with an action for ten. Screen readers read it aloud. Returns a function that takes it away. */
export function showToast(text: string, tone: Tone = 'info', action?: ToastAction): () => void {
  const id = ++count;
  const endUndo = action && (action.endUndo ?? offerUndo(() => act({ id, action })));
  for (const old of toasts.value.slice(0, -2)) dismiss(old.id);
  toasts.value = [...toasts.value, { id, text, tone, action, endUndo }];
  setTimeout(() => dismiss(id), action === undefined ? SHOWN_MS : OFFERED_MS);
  return () => dismiss(id);
}

/** Does what a toast offers, once. */
function act({ id, action }: Pick<Toast, 'id' | 'action'>): void {
  dismiss(id);
  action?.run();
}

function dismiss(id: number): void {
  toasts.value.find((toast) => toast.id === id)?.endUndo?.();
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
      (toast) =>
        html`<p key=${toast.id} class=${`toast ${toast.tone}`}>
          <span><${Shown} text=${toast.text} /></span>
          ${
            toast.action !== undefined &&
            html`<button class="bare" title=${`${toast.action.label} (z)`} onClick=${() => act(toast)}>
              ${toast.action.label}
            </button>`
          }
          <button ...${keyed('.', 'Dismiss')} class="bare" aria-label="Dismiss" onClick=${() => dismiss(toast.id)}>
            <${Icon} name="cross" />
          </button>
        </p>`,
    )}
  </div>`;
}
