import { html } from 'htm/preact';
import { keyed } from '../shell/keys.ts';

interface Props<T extends string> {
  /** Name of the group for screen readers. */
  readonly label: string;
  /** Value and text of each button. */
  readonly options: readonly (readonly [value: T, text: string])[];
  /** The value whose button is pressed; with any other value none is. */
  readonly value: string;
  readonly onChoose: (value: T) => void;
  /** The key that presses the button after the pressed one, and after the last one the first. */
  readonly nextKey: string;
  /** Class of the group: joined buttons (`tabs`), or pills apart. */
  readonly className?: string;
  readonly buttonClass?: string;
}

/** A row of buttons, one of which is pressed. */
export function Choice<T extends string>(props: Props<T>) {
  const { label, options, value, onChoose, nextKey, className, buttonClass } = props;
  const next = (options.findIndex(([option]) => option === value) + 1) % options.length;
  return html`<div class=${className ?? 'tabs'} role="group" data-choice aria-label=${label}>
    ${options.map(
      ([option, text], n) =>
        html`<button
          ...${keyed(n === next && option !== value ? nextKey : undefined, text)}
          title=${`${label}: the next one (${nextKey})`}
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
