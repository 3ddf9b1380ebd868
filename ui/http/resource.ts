import { type ReadonlySignal, signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown } from './request.ts';

/** State of one resource. `data` stays while it is fetched again, so that the page does not flicker. */
export interface Loaded<T> {
  readonly key: string;
  readonly data?: T;
  readonly error?: ErrorBody;
}

/** A resource that shows one thing at a time, by key. */
export interface Resource<T> {
  readonly state: ReadonlySignal<Loaded<T>>;
  /** Fetches the thing of this key, unless it is shown already. */
  show(key: string): void;
  /** Fetches the thing of this key, even if it is shown already. */
  reload(key: string): void;
  /** Fetches the shown thing again. */
  refresh(): void;
  /** Sets the data from the answer of another request. */
  set(data: T): void;
}

/** Creates a resource. A newer `show`, `reload` or `refresh` aborts the older fetch. */
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
