import { signal } from '@preact/signals';
import type { LiveEvent } from '../../engine/src/trace/live-bus.ts';

/** paused: the tab is hidden, and there is no stream. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'paused';

/** How the stream of changes is doing, for the chip in the top bar. */
export const liveState = signal<LiveState>('connecting');

/** Whether the server says that it stores everything in plain text. */
export const isPlaintext = signal(false);

/** The events of `/api/stream`, named by resource; each says what changed, never how it looks now. */
export interface LiveEvents extends Readonly<Record<LiveEvent['name'], object>> {
  readonly hello: { readonly version: string; readonly storage?: string };
  /** Events were missed for good. */
  readonly reset: object;
  readonly mail: { readonly id: string; readonly deleted?: boolean };
  readonly run: { readonly id: string; readonly status?: string; readonly emailId?: string | null };
  readonly item: { readonly workspaceId: string; readonly id: string };
  readonly approval: { readonly id: string; readonly status?: string };
  readonly todo: { readonly id: string; readonly status?: string; readonly deleted?: boolean };
  readonly config: { readonly revision: string; readonly problems?: number };
  readonly fetcher: { readonly state: string };
}

/** Name of an event of the stream. */
export type LiveEventName = keyof LiveEvents;

/** Called on each event that has a handler of its own. */
export type LiveHandlers = { readonly [N in LiveEventName]?: (event: LiveEvents[N]) => void } & {
  /** Called after every event, with its name. */
  readonly any: (name: LiveEventName) => void;
  /** Called at the start and after each gap, once the stream is open: everything shown has to be fetched (again). */
  readonly missed: () => void;
};

const NAMES = [
  'hello',
  'reset',
  'mail',
  'run',
  'item',
  'approval',
  'todo',
  'config',
  'fetcher',
] as const satisfies readonly LiveEventName[];
const RETRY_MS = 3000;
/** A stream that is slow to open does not hold up the first look. */
const PATIENCE_MS = 300;

/**
 * Opens the one stream and keeps it open: the browser resumes a broken one by Last-Event-ID, a refused one is tried again
 * every three seconds, and a hidden tab has none, so that it costs the server nothing. Returns what closes it for good.
 */
export function startLive(handlers: LiveHandlers): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  const catchUp = () => {
    clearTimeout(patience);
    handlers.missed();
  };
  const open = () => {
    source = new EventSource('/api/stream');
    patience = setTimeout(catchUp, PATIENCE_MS);
    source.onopen = () => {
      liveState.value = 'live';
      catchUp();
    };
    source.onerror = () => {
      // The requests that follow tell whether it is the session or the server.
      if (liveState.value !== 'reconnecting') catchUp();
      liveState.value = 'reconnecting';
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    };
    for (const name of NAMES)
      source.addEventListener(name, (event) => {
        handlers[name]?.(JSON.parse(String(event.data)) as never);
        handlers.any(name);
      });
  };
  const close = () => {
    clearTimeout(retry);
    clearTimeout(patience);
    source?.close();
  };
  const onVisibility = () => {
    close();
    if (document.hidden) liveState.value = 'paused';
    else open();
  };

  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
