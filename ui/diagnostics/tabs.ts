import { html } from 'htm/preact';
import { useRef } from 'preact/hooks';

interface Props<T extends string> {
  readonly tabs: readonly T[];
  readonly current: T;
  readonly onChoose: (tab: T) => void;
}

/** The id of the panel that belongs to the tabs. */
export const PANEL_ID = 'trace-panel';

/** Tabs with the keys of the WAI-ARIA pattern: the arrows, Home and End choose, and one tab can be reached by Tab. */
export function Tabs<T extends string>({ tabs, current, onChoose }: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.indexOf(current);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length];
    if (tab === undefined) return;
    event.preventDefault();
    onChoose(tab);
    list.current?.querySelector<HTMLElement>(`#tab-${tab}`)?.focus();
  };
  return html`<div ref=${list} class="tabs trace-tabs" role="tablist" aria-label="Details" onKeyDown=${onKeyDown}>
    ${tabs.map(
      (name, i) =>
        html`<button
          key=${name}
          role="tab"
          id=${`tab-${name}`}
          aria-controls=${PANEL_ID}
          aria-selected=${current === name ? 'true' : 'false'}
          tabindex=${current === name ? 0 : -1}
          title=${`${name} (${i + 1})`}
          onClick=${() => onChoose(name)}
        >
          ${name}
        </button>`,
    )}
  </div>`;
}
