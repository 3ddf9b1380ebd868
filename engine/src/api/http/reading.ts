import { isRecord } from '../../base/json.ts';
import { type DamagedRow, isDamage } from '../../store/damaged-row.ts';
import { readableStore } from '../../store/readable-rows.ts';
import type { RouteContext, Services } from '../api.ts';

type Handler = (services: Services, ctx: RouteContext) => Promise<void>;

/**
 * A route that only reads, such as a list. A row that cannot be read does not hide the others: the route then runs again
 * without such rows, and the answer names them in `damaged`.
 */
export function reading(services: Services, handler: Handler): (ctx: RouteContext) => Promise<void> {
  return async (ctx) => {
    try {
      await handler(services, ctx);
    } catch (error) {
      if (!mayBeDamage(error)) throw error;
      const damaged = new Map<string, DamagedRow>();
      const note = (row: DamagedRow) => void damaged.set(`${row.table} ${row.key}`, row);
      const store = readableStore(services.deps.store, note);
      try {
        await handler({ ...services, deps: { ...services.deps, store } }, ctx);
      } catch {
        // Without the damaged row there is no answer, such as for the damaged run itself.
        throw error;
      }
      if (damaged.size === 0) throw error;
      if (isRecord(ctx.body)) ctx.body = { ...ctx.body, damaged: [...damaged.values()] };
      services.deps.log.warn('rows that cannot be read were left out of an answer', {
        path: ctx.path,
        rows: [...damaged.keys()].slice(0, 10),
      });
    }
  };
}

/** A body that is JSON but lacks what it should have fails with a TypeError. */
function mayBeDamage(error: unknown): boolean {
  return isDamage(error) || error instanceof TypeError || error instanceof SyntaxError;
}
