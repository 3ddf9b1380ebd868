import { type Signal, signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown, request } from './request.ts';
import type { Page } from './api-types.ts';

/** A list that the server sends in pages. */
export interface PagedList<T> {
  /** The entries fetched so far, in the order of the server. */
  readonly items: Signal<readonly T[]>;
  /** Start of the next page; null when there is none. */
  readonly nextCursor: Signal<string | null>;
  /** Why the last fetch failed, if it did. */
  readonly error: Signal<ErrorBody | undefined>;
  /**
   * Fetches the first page, or with `more` the next one. A failure goes to `error`. The answer of
   * an older fetch is dropped: it may be that of another query.
   */
  load(options?: { readonly more?: boolean }): Promise<void>;
}

/** Creates the list of `GET <path>?<query>`, for example `{ limit: '50' }`. Each fetch asks for the query. Fetches nothing yet. */
export function createPagedList<T>(path: string, query: () => Readonly<Record<string, string>>): PagedList<T> {
  const items = signal<readonly T[]>([]);
  const nextCursor = signal<string | null>(null);
  const error = signal<ErrorBody | undefined>(undefined);
  /** Number of the newest fetch, and whether it is under way. */
  let newest = 0;
  let isLoading = false;
  return {
    items,
    nextCursor,
    error,
    async load({ more = false } = {}) {
      // The next page of a list that is about to change would not fit it.
      if (more && isLoading) return;
      const own = ++newest;
      isLoading = true;
      const cursor = more ? nextCursor.value : null;
      try {
        const page = await request<Page<T>>(
          'GET',
          `${path}?${new URLSearchParams({ ...query(), ...(cursor !== null && { cursor }) })}`,
        );
        if (own !== newest) return;
        items.value = more ? [...items.value, ...page.items] : page.items;
        nextCursor.value = page.nextCursor;
        error.value = undefined;
      } catch (thrown) {
        if (own !== newest) return;
        error.value = errorOfThrown(thrown);
      }
      isLoading = false;
    },
  };
}
