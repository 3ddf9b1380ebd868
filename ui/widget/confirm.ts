import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { Shown } from './visible.ts';

interface Question {
  readonly title: string;
  readonly text: string;
  /** Text of the button that confirms. */
  readonly action: string;
  /** Whether the action can be undone or only adds something; its button is then not red. */
  readonly isSafe?: boolean;
  readonly answer: (yes: boolean) => void;
}

const question = signal<Question | undefined>(undefined);

/** Opens a dialog before an action of weight. Resolves to whether the person confirmed. */
export function confirm(asked: Omit<Question, 'answer'>): Promise<boolean> {
  return new Promise((answer) => {
    question.value = { ...asked, answer };
  });
}

/** The dialog of `confirm`; it is on the page once. */
export function Confirm() {
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = question.value;
  useEffect(() => {
    if (asked !== undefined) dialog.current?.showModal();
  }, [asked]);
  if (asked === undefined) return null;
  const close = (yes: boolean) => {
    question.value = undefined;
    asked.answer(yes);
  };
  return html`<dialog ref=${dialog} aria-labelledby="confirm-title" onClose=${() => close(false)}>
    <h2 id="confirm-title"><${Shown} text=${asked.title} /></h2>
    <p><${Shown} text=${asked.text} /></p>
    <div class="row end">
      <button title="Cancel (Esc)" onClick=${() => close(false)}>Cancel</button>
      <button
        class=${asked.isSafe === true ? 'primary' : 'danger'}
        autofocus
        title=${`${asked.action} (Enter)`}
        onClick=${() => close(true)}
      >
        ${asked.action}
      </button>
    </div>
  </dialog>`;
}
