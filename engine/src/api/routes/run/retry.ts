import { EngineError, type ErrorBody } from '../../../base/error.ts';
import { retryRun } from '../../../run/lifecycle/retry.ts';
import type { Run } from '../../../run/run.ts';
import type { AddRoutes, Services } from '../../api.ts';
import { readBody } from '../../http/body.ts';
import { queryIds } from '../../http/query.ts';
import { expectValidDirector } from './start-run.ts';

/** Answer of `POST /api/runs/retry`. */
export interface RetryResult {
  /** `id` is the run that repeats the run `retryOf`; `started` is false where it did so before this request. */
  readonly retried: readonly { readonly id: string; readonly retryOf: string; readonly started: boolean }[];
  readonly refused: readonly { readonly id: string; readonly error: ErrorBody }[];
}

/**
 * `POST /api/runs/:id/retry` repeats a failed run and answers with the new run (201), or with the run that already
 * repeats it (200). `POST /api/runs/retry?ids=` repeats several, and answers with a `RetryResult`.
 */
export const retryRoutes: AddRoutes = (router, services) => {
  router.post('/runs/:id/retry', async (ctx) => {
    readBody(ctx, {});
    const { run, isNew } = await retry(services, String(ctx.params['id']));
    ctx.status = isNew ? 201 : 200;
    ctx.body = run;
  });
  router.post('/runs/retry', async (ctx) => {
    readBody(ctx, {});
    const ids = queryIds(ctx);
    if (ids === undefined) throw new EngineError('BAD_REQUEST', '"ids" is missing in the query: ?ids=a,b');
    ctx.body = await retryAll(services, ids);
  });
};

async function retryAll(services: Services, ids: readonly string[]): Promise<RetryResult> {
  const retried: RetryResult['retried'][number][] = [];
  const refused: RetryResult['refused'][number][] = [];
  for (const id of ids) {
    try {
      const { run, isNew } = await retry(services, id);
      retried.push({ id: run.id, retryOf: id, started: isNew });
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === 'STORE_FAILED') throw error;
      refused.push({ id, error: error.toJSON() });
    }
  }
  return { retried, refused };
}

async function retry(services: Services, id: string): Promise<{ run: Run; isNew: boolean }> {
  const { deps, engine } = services;
  const row = await deps.store.get('run', { id });
  if (row !== undefined) expectValidDirector(services, row.director);
  const result = await retryRun(deps, id);
  if (result.isNew) engine.queued();
  return result;
}
