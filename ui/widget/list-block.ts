import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A block is drawn while it is this near to what is visible. */
const MARGIN = '1200px';

/** The height that a block had when it was left, as long as its estimate is the same; undefined before that. */
export interface BlockMemory {
  left?: { readonly height: number; readonly estimate: number };
}

interface Props {
  /** Its height in pixels until it is drawn for the first time. */
  readonly estimate: number;
  /** Drawn at once, before it is known what is visible. */
  readonly isFirst: boolean;
  /** Drawn wherever it is: it holds the selected row. */
  readonly isKept: boolean;
  /** Keeps its height for when it is on the page again, where that can happen. */
  readonly memory?: BlockMemory;
  readonly draw: () => ComponentChildren;
}

/**
 * A part of a long list in an element `.scroll`. Far from what is visible it is an empty box of the same height, so that a list
 * of 100,000 rows is some hundred elements.
 */
export function ListBlock({ estimate, isFirst, isKept, memory, draw }: Props) {
  const box = useRef<HTMLDivElement>(null);
  // The height that it had when it was left, as long as the estimate is the same; undefined while it is near.
  const [left, setLeft] = useState(isFirst ? undefined : (memory?.left ?? { height: estimate, estimate }));
  const newest = useRef(estimate);
  newest.current = estimate;
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    return watchBlock(element, ({ isIntersecting, boundingClientRect: { height } }) => {
      const next = { height, estimate: newest.current };
      if (!isIntersecting && memory !== undefined) memory.left = next;
      setLeft(isIntersecting ? undefined : next);
    });
  }, []);
  if (left === undefined || isKept) return html`<div ref=${box} role="none">${draw()}</div>`;
  const height = left.estimate === estimate ? left.height : estimate;
  return html`<div ref=${box} role="none" style=${{ height: `${height}px` }}></div>`;
}

type Listener = (entry: IntersectionObserverEntry) => void;

interface Watch {
  readonly observer: IntersectionObserver;
  readonly listeners: Map<Element, Listener>;
}

/** One observer for all blocks of a list: a thousand of them would each look at every frame. */
const watches = new WeakMap<Element, Watch>();

function watchBlock(element: Element, onChange: Listener): () => void {
  const root = element.closest('.scroll') ?? document.documentElement;
  let watch = watches.get(root);
  if (watch === undefined) {
    const listeners = new Map<Element, Listener>();
    const tell = (entries: readonly IntersectionObserverEntry[]) => {
      for (const entry of entries) listeners.get(entry.target)?.(entry);
    };
    watch = { observer: new IntersectionObserver(tell, { root, rootMargin: MARGIN }), listeners };
    watches.set(root, watch);
  }
  const { observer, listeners } = watch;
  listeners.set(element, onChange);
  observer.observe(element);
  return () => {
    observer.unobserve(element);
    listeners.delete(element);
  };
}
