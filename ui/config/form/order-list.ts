import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon } from '../../widget/icon.ts';
import { nearKeyed } from '../../shell/keys.ts';

interface Props {
  readonly label: string;
  readonly count: number;
  /** Name of an entry, for its buttons. */
  readonly nameOf: (index: number) => string;
  /** Moves the entry at one place to another one. */
  readonly onMove: (from: number, to: number) => void;
  readonly onRemove?: (index: number) => void;
  /** Whether entries lie beside their buttons (one line), or below them. */
  readonly isCard?: boolean;
  readonly children: (index: number) => ComponentChildren;
}

/** A list whose entries move by drag, by buttons, and by Alt with an arrow key, and can be removed. */
export function OrderList({ label, count, nameOf, onMove, onRemove, isCard = false, children }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number | undefined>(undefined);
  const [said, setSaid] = useState('');
  const move = (from: number, to: number) => {
    if (to < 0 || to >= count || from === to) return;
    const name = nameOf(from);
    onMove(from, to);
    setSaid(`${name} is now ${to + 1} of ${count}`);
  };
  const moveByKey = (event: KeyboardEvent, index: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || step === undefined || event.defaultPrevented) return;
    event.preventDefault();
    // Inner lists have keys of their own.
    event.stopPropagation();
    move(index, index + step);
    const focused = list.current?.children[index + step];
    // The rows keep their places, so the focus follows the entry.
    requestAnimationFrame(() => focused?.querySelector<HTMLElement>('.grip, input, textarea, button')?.focus());
  };
  const onDrop = (event: DragEvent, to: number) => {
    if (dragged === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(dragged, to);
    setDragged(undefined);
  };
  return html`<ol ref=${list} class=${`order-list${isCard ? ' cards-list' : ''}`} aria-label=${label}>
      ${Array.from(
        { length: count },
        (_none, index) =>
          html`<li
            key=${index}
            class=${dragged === index ? 'dragged' : ''}
            onKeyDown=${(event: KeyboardEvent) => moveByKey(event, index)}
            onDragOver=${(event: DragEvent) => dragged !== undefined && event.preventDefault()}
            onDrop=${(event: DragEvent) => onDrop(event, index)}
          >
            <div class="order-buttons">
              <button
                type="button"
                class="bare grip"
                draggable="true"
                aria-label=${`Move ${nameOf(index)}`}
                title="Drag, or Alt+↑ and Alt+↓"
                onDragStart=${(event: DragEvent) => {
                  event.stopPropagation();
                  event.dataTransfer?.setData('text/plain', nameOf(index));
                  setDragged(index);
                }}
                onDragEnd=${() => setDragged(undefined)}
              >
                <${Icon} name="grip" />
              </button>
              <button
                type="button"
                class="bare up"
                disabled=${index === 0}
                aria-label=${`Move ${nameOf(index)} up`}
                title="Move up (Alt+↑)"
                onClick=${() => move(index, index - 1)}
              >
                <${Icon} name="down" />
              </button>
              <button
                type="button"
                class="bare"
                disabled=${index === count - 1}
                aria-label=${`Move ${nameOf(index)} down`}
                title="Move down (Alt+↓)"
                onClick=${() => move(index, index + 1)}
              >
                <${Icon} name="down" />
              </button>
              ${
                onRemove !== undefined &&
                html`<button
                  ...${nearKeyed('X', 'Remove')}
                  type="button"
                  class="bare"
                  aria-label=${`Remove ${nameOf(index)}`}
                  onClick=${() => onRemove(index)}
                >
                  <${Icon} name="cross" />
                </button>`
              }
            </div>
            <div class="order-content">${children(index)}</div>
          </li>`,
      )}
    </ol>
    <p class="sr" role="status">${said}</p>`;
}

/** A copy of a list with the entry at one place moved to another. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const rest = list.filter((_entry, i) => i !== from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
}
