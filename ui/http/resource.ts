import { type ReadonlySignal, signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown } from './request.ts';

/** What is known of one thing on the server. `data` stays while it is fetched again, so that nothing flickers. */
export interface Loaded<T> {
  readonly key: string;
  readonly data?: T;
  readonly error?: ErrorBody;
}

/** One place on the page that shows one thing at a time. */
export interface Resource<T> {
  readonly state: ReadonlySignal<Loaded<T>>;
  /** Shows the thing of this key; the same key again does nothing. */
  show(key: string): void;
  /** Shows the thing of this key, fetched anew in any case. */
  reload(key: string): void;
  /** Fetches again what is shown. */
  refresh(): void;
  /** Puts in what another request has brought. */
  set(data: T): void;
}

/** Holds the thing that a pane shows, one at a time. A newer `show` or `refresh` aborts the older fetch. */
export function createResource<T>(load: (key: string, signal: AbortSignal) => Promise<T>): Resource<T> {
  const state = signal<Loaded<T>>({ key: '' });
  let running: AbortController | undefined;
  const start = (key: string) => {
    running?.abort();
    if (key === '') return;
    const own = (running = new AbortController());
    load(key, own.signal).then(
      (data) => {
        if (!own.signal.aborted) state.value = { key, data };
      },
      (thrown: unknown) => {
        if (!own.signal.aborted) state.value = { ...state.value, key, error: errorOfThrown(thrown) };
      },
    );
  };
  return {
    state,
    show(key) {
      if (state.value.key === key) return;
      state.value = { key };
      start(key);
    },
    reload(key) {
      if (state.value.key !== key) state.value = { key };
      start(key);
    },
    refresh: () => start(state.value.key),
    set(data) {
      state.value = { key: state.value.key, data };
    },
  };
}
