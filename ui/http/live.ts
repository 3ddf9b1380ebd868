import { signal } from '@preact/signals';
import type { AnswerPiece } from '../../engine/src/trace/live-answers.ts';
import type { LiveEvent } from '../../engine/src/trace/live-bus.ts';
import { withKey } from './page-key.ts';

/** State of the event stream. `paused`: the tab is hidden, and there is no stream. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'paused';

/** State of the event stream, for the top bar. */
export const liveState = signal<LiveState>('connecting');

/** Whether the server stores its data unencrypted. */
export const isPlaintext = signal(false);

/** The events of `/api/stream`, by name. But for `answer` they carry ids and states, never content. */
export interface LiveEvents extends Readonly<Record<LiveEvent['name'], object>> {
  readonly hello: { readonly version: string; readonly storage?: string };
  /** Events were lost: everything has to be fetched again. */
  readonly reset: object;
  /** A piece of an answer that arrives. */
  readonly answer: AnswerPiece;
  readonly mail: { readonly id: string; readonly deleted?: boolean };
  readonly run: { readonly id: string; readonly status?: string; readonly emailId?: string | null };
  readonly item: { readonly workspaceId: string; readonly id: string };
  readonly approval: { readonly id: string; readonly status?: string };
  readonly chat: { readonly id: string; readonly change?: string; readonly messageId?: string };
  readonly objective: { readonly id: string; readonly status?: string; readonly paused?: boolean };
  readonly task: { readonly id: string; readonly status?: string };
  readonly todo: { readonly id: string; readonly status?: string; readonly deleted?: boolean };
  readonly reminder: { readonly id?: string; readonly status?: string };
  readonly notification: { readonly id?: string; readonly kind?: string; readonly status?: string };
  readonly config: { readonly revision: string; readonly problems?: number };
  readonly fetcher: { readonly state: string };
}

/** Name of an event of the stream. */
export type LiveEventName = keyof LiveEvents;

/** Handlers of events; those without a handler only reach `any`. */
export type LiveHandlers = { readonly [N in LiveEventName]?: (event: LiveEvents[N]) => void } & {
  /** Called after every event. */
  readonly any: (name: LiveEventName) => void;
  /** Called at the start and after each gap: everything shown has to be fetched (again). */
  readonly missed: () => void;
};

const NAMES = [
  'hello',
  'reset',
  'answer',
  'mail',
  'run',
  'item',
  'approval',
  'chat',
  'objective',
  'task',
  'todo',
  'reminder',
  'notification',
  'memory',
  'config',
  'fetcher',
] as const satisfies readonly LiveEventName[];
/** `never` where a name is missing above: its event would reach no page. */
type AllNames = [Exclude<LiveEventName, (typeof NAMES)[number]>] extends [never] ? typeof NAMES : never;
const RETRY_MS = 3000;
/** After this time without an open stream the data are fetched anyway. */
const PATIENCE_MS = 150;

/**
 * Opens the event stream and keeps it open. The browser resumes a broken stream by `Last-Event-ID`; a refused one opens
 * again after three seconds. A hidden tab has no stream, to spare the server, unless `isWatching` says that it needs one. The returned function closes it.
 */
export function startLive(handlers: LiveHandlers, isWatching: () => boolean = () => false): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  const catchUp = () => {
    clearTimeout(patience);
    handlers.missed();
  };
  const open = () => {
    source = new EventSource(withKey('/api/stream'));
    patience = setTimeout(catchUp, PATIENCE_MS);
    source.onopen = () => {
      liveState.value = 'live';
      catchUp();
    };
    source.onerror = () => {
      // The requests that follow show whether the session or the server is gone.
      if (liveState.value !== 'reconnecting') catchUp();
      liveState.value = 'reconnecting';
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    };
    for (const name of NAMES satisfies AllNames)
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
    if (document.hidden && isWatching()) return;
    if (!document.hidden && source?.readyState === EventSource.OPEN) return;
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
