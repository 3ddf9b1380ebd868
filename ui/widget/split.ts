import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const NAME = 'callsheet.split';
const MIN_PX = 220;
const MAX_PX = 640;
const START_PX = 356;
const STEP_PX = 16;

const clamp = (px: number) => Math.min(MAX_PX, Math.max(MIN_PX, Math.round(px)));

interface Props {
  readonly left: ComponentChildren;
  /** Undefined: the left pane has the whole width. */
  readonly right: ComponentChildren | undefined;
  /** On a narrow screen: whether the right pane is shown instead of the left one. */
  readonly detail: boolean;
  /** Name of the left pane for screen readers. */
  readonly label: string;
}

/**
 * Two panes with a divider. The divider moves by dragging and by the arrow keys; Home and End move it to its limits,
 * Enter to its start. A narrow screen shows one pane at a time.
 */
export function Split({ left, right, detail, label }: Props) {
  const [width, setWidth] = useState(() => clamp(Number(localStorage.getItem(NAME)) || START_PX));
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.style.setProperty('--split', `${width}px`);
    localStorage.setItem(NAME, String(width));
  }, [width]);

  const onPointerDown = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof HTMLElement) || !event.currentTarget.hasPointerCapture(event.pointerId))
      return;
    setWidth(clamp(event.clientX - (box.current?.getBoundingClientRect().left ?? 0)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: width - STEP_PX,
      ArrowRight: width + STEP_PX,
      Home: MIN_PX,
      End: MAX_PX,
      Enter: START_PX,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setWidth(clamp(next));
  };

  return html`<div class=${`split${detail ? ' detail' : ''}${right === undefined ? ' whole' : ''}`} ref=${box}>
    <section class="pane left" aria-label=${label}>${left}</section>
    <div
      class="divider"
      role="separator"
      tabindex="0"
      aria-orientation="vertical"
      aria-label="Width of the list"
      aria-valuenow=${width}
      aria-valuemin=${MIN_PX}
      aria-valuemax=${MAX_PX}
      onPointerDown=${onPointerDown}
      onPointerMove=${onPointerMove}
      onKeyDown=${onKeyDown}
    ></div>
    <section class="pane right" aria-label="Details">${right}</section>
  </div>`;
}
