import { html } from 'htm/preact';

interface Props<T extends string> {
  /** Name of the group for screen readers. */
  readonly label: string;
  /** Value and text of each button. */
  readonly options: readonly (readonly [value: T, text: string])[];
  /** The value whose button is pressed; with any other value none is. */
  readonly value: string;
  readonly onChoose: (value: T) => void;
  /** Class of the group: joined buttons (`tabs`), or pills apart. */
  readonly className?: string;
  readonly buttonClass?: string;
}

/** A row of buttons, one of which is pressed. */
export function Choice<T extends string>({ label, options, value, onChoose, className, buttonClass }: Props<T>) {
  return html`<div class=${className ?? 'tabs'} role="group" aria-label=${label}>
    ${options.map(
      ([option, text]) =>
        html`<button
          type="button"
          key=${option}
          class=${buttonClass}
          aria-pressed=${option === value ? 'true' : 'false'}
          onClick=${() => onChoose(option)}
        >
          ${text}
        </button>`,
    )}
  </div>`;
}
