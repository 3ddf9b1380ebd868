import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Empty } from '../widget/notice.ts';

/** By then the first page is there. */
const WAIT_MS = 2000;

/** The modules of the pages that are not loaded yet. */
const waiting = new Set<() => Promise<void>>();

/** A page whose modules are loaded when it is opened, or when the browser has nothing else to do (`startLoading`). */
export function later(load: () => Promise<ComponentType>): ComponentType {
  const page = signal<ComponentType | undefined>(undefined);
  const hasFailed = signal(false);
  const fetchPage = async () => {
    try {
      page.value = await load();
      hasFailed.value = false;
      waiting.delete(fetchPage);
    } catch {
      hasFailed.value = true;
    }
  };
  waiting.add(fetchPage);
  return function LaterPage() {
    useEffect(() => {
      if (page.value === undefined) void fetchPage();
    }, []);
    if (page.value !== undefined) return html`<${page.value} />`;
    if (!hasFailed.value) return null;
    // A browser tries a module that it did not get only once.
    return html`<${Empty} icon="alert" title="This page could not be loaded.">
      <p>Callsheet does not answer. Start it, then reload the page.</p>
      <button title="Reload (F5)" onClick=${() => location.reload()}>Reload</button>
    <//>`;
  };
}

/** Loads the other pages, one after the other, while the browser is idle. Returns a function that stops it. */
export function startLoading(): () => void {
  let isStopped = false;
  const begin = setTimeout(() => idle(next), WAIT_MS);
  const rest = [...waiting];
  const next = () => {
    const load = rest.shift();
    if (load === undefined || isStopped) return;
    void load().then(() => idle(next));
  };
  return () => {
    clearTimeout(begin);
    isStopped = true;
  };
}

/** Safari has no `requestIdleCallback`. */
const idle = (work: () => void): void =>
  void ('requestIdleCallback' in globalThis ? requestIdleCallback(work, { timeout: 5000 }) : setTimeout(work, 500));
