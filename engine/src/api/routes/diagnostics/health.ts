import { errorBody } from '../../../base/error.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Store } from '../../../store/store.ts';
import type { AddRoutes } from '../../api.ts';

/** An answer is reused for this time, in milliseconds: the route is public. */
const REUSE_MS = 1000;

/**
 * `GET /api/health`: whether the server runs and can read its store. 503 with status `failing` and the code of the error
 * where lists cannot be served. Needs no session, so the answer contains nothing else.
 */
export const healthRoutes: AddRoutes = (router, { version, deps: { store, clock } }) => {
  const check = storeCheck(store, clock);
  router.get('/health', async (ctx) => {
    const code = await check();
    ctx.status = code === undefined ? 200 : 503;
    const state = code === undefined ? { status: 'ok' } : { status: 'failing', code };
    ctx.body = { ...state, name: 'callsheet', version };
  });
};

/** Returns a function that reads one row of each list; its result is the code of an error. */
function storeCheck(store: Store, clock: Clock): () => Promise<string | undefined> {
  let last: { readonly at: number; readonly code: Promise<string | undefined> } | undefined;
  const read = async () => {
    try {
      for (const table of ['mail', 'run', 'thread', 'item', 'todo', 'approval'] as const)
        await store.list(table, { limit: 1, bodies: false, onDamaged: () => {} });
      return undefined;
    } catch (error) {
      return errorBody(error).code;
    }
  };
  return () => {
    if (last === undefined || Math.abs(clock.now() - last.at) > REUSE_MS) last = { at: clock.now(), code: read() };
    return last.code;
  };
}
