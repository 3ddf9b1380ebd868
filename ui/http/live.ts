import { signal } from '@preact/signals';

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'paused';

/** How the stream of changes is doing, for the chip in the top bar. */
export const liveState = signal<LiveState>('connecting');

/** The events of `/api/stream`, named by resource; each says what changed, never how it looks now. */
export interface LiveEvents {
  readonly hello: { readonly version: string };
  readonly mail: { readonly id: string };
  readonly run: { readonly id: string; readonly status?: string; readonly emailId?: string };
  readonly item: { readonly workspaceId: string; readonly id: string };
  readonly approval: { readonly id: string; readonly status?: string };
  readonly config: { readonly revision: string; readonly problems?: number };
  readonly fetcher: { readonly state: string };
}

export type LiveHandlers = { readonly [N in keyof LiveEvents]: (event: LiveEvents[N]) => void } & {
  /** Events may have been missed: everything shown is to be fetched again. */
  readonly missed: () => void;
};

const NAMES = ['hello', 'mail', 'run', 'item', 'approval', 'config', 'fetcher'] as const;
const RETRY_MS = 3000;

/**
 * Opens the one stream and keeps it open: the browser resumes a broken one by Last-Event-ID, a refused one is tried again
 * every three seconds, and a hidden tab has none, so that it costs the server nothing. Returns what closes it for good.
 */
export function startLive(handlers: LiveHandlers): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let opened = false;

  const open = () => {
    clearTimeout(retry);
    source = new EventSource('/api/stream');
    source.onopen = () => {
      liveState.value = 'live';
      if (opened) handlers.missed();
      opened = true;
    };
    source.onerror = () => {
      liveState.value = 'reconnecting';
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    };
    for (const name of NAMES)
      source.addEventListener(name, (event) => handlers[name](JSON.parse(String(event.data)) as never));
  };
  const close = () => {
    clearTimeout(retry);
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
