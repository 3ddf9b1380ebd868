import { isRecord } from '../../base/json.ts';
import type { Logger } from '../../base/log.ts';
import { type DamagedRow, isDamage } from '../../store/damaged-row.ts';
import { readableStore } from '../../store/readable-rows.ts';
import type { Store } from '../../store/store.ts';
import type { RouteContext, Services } from '../api.ts';

type Handler = (services: Services, ctx: RouteContext) => Promise<void>;

/** A route that only reads, such as a list. Its answer names rows that cannot be read in `damaged`: see `readAround`. */
export function reading(services: Services, handler: Handler): (ctx: RouteContext) => Promise<void> {
  return async (ctx) => {
    const { deps } = services;
    const { damaged } = await readAround({ store: deps.store, log: deps.log, path: ctx.path }, (store) =>
      handler(store === deps.store ? services : { ...services, deps: { ...deps, store } }, ctx),
    );
    if (damaged.length > 0 && isRecord(ctx.body)) ctx.body = { ...ctx.body, damaged };
  };
}

/**
 * Reads from a store so that a row that cannot be read does not hide the others: `read` then runs again on a store without such
 * rows, which are returned and logged. `path`: what was asked for, for the log.
 */
export async function readAround<T>(
  { store, log, path }: { readonly store: Store; readonly log: Logger; readonly path: string },
  read: (store: Store) => Promise<T>,
): Promise<{ readonly answer: T; readonly damaged: readonly DamagedRow[] }> {
  try {
    return { answer: await read(store), damaged: [] };
  } catch (error) {
    if (!mayBeDamage(error)) throw error;
    const damaged = new Map<string, DamagedRow>();
    const readable = readableStore(store, (row) => void damaged.set(`${row.table} ${row.key}`, row));
    // Without the damaged row there may be no answer, such as for the damaged run itself.
    const answer = await read(readable).catch(() => Promise.reject(error));
    if (damaged.size === 0) throw error;
    log.warn('rows that cannot be read were left out of an answer', { path, rows: [...damaged.keys()].slice(0, 10) });
    return { answer, damaged: [...damaged.values()] };
  }
}

/** A body that is JSON but lacks what it should have fails with a TypeError. */
function mayBeDamage(error: unknown): boolean {
  return isDamage(error) || error instanceof TypeError || error instanceof SyntaxError;
}
