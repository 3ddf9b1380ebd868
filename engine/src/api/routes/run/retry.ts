import { EngineError, type ErrorBody } from '../../../base/error.ts';
import { isoTime } from '../../../base/clock.ts';
import { isAskingAfterOutage, runsLeftByOutage } from '../../../run/lifecycle/outage.ts';
import { retryRun } from '../../../run/lifecycle/retry.ts';
import { recordOf, type Run } from '../../../run/run.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { personOf } from '../../auth/person.ts';
import { flag, optional, readBody, text } from '../../http/body.ts';
import { MAX_IDS, queryIds } from '../../http/query.ts';
import { expectValidDirector } from './start-run.ts';

/** Answer of `POST /api/runs/retry`. */
export interface RetryResult {
  /**
   * `id` is the run that repeats the run `retryOf`; `started` is false where it did so before this request. Both are the same for an
   * objective that goes on after an outage.
   */
  readonly retried: readonly { readonly id: string; readonly retryOf: string; readonly started: boolean }[];
  readonly refused: readonly { readonly id: string; readonly error: ErrorBody }[];
  /** With `outage`: runs that this request left for the next one. */
  readonly left?: number;
}

/**
 * `POST /api/runs/:id/retry` repeats a failed run and answers with the new run (201), or with the run that already
 * repeats it (200). An objective that asks since no model answered goes on where it was (200). `POST /api/runs/retry?ids=` repeats several, and answers with a `RetryResult`; so does a body
 * `{ outage: true, since? }` with all that an outage of their models ended or stopped since then (default: a day ago), at most 200 at once.
 */
export const retryRoutes: AddRoutes = (router, services) => {
  router.post('/runs/:id/retry', async (ctx) => {
    readBody(ctx, {});
    const { run, isNew } = await retry(services, String(ctx.params['id']), personOf(ctx).id);
    ctx.status = isNew && run.retryOf === ctx.params['id'] ? 201 : 200;
    ctx.body = run;
  });
  router.post('/runs/retry', async (ctx) => {
    const { outage = false, since } = readBody(ctx, { outage: optional(flag), since: optional(text) });
    const ids = queryIds(ctx);
    if (outage === (ids !== undefined) || (since !== undefined && !outage))
      throw new EngineError(
        'BAD_REQUEST',
        'expected "ids" in the query, ?ids=a,b, or { "outage": true, "since"? } as the body',
      );
    ctx.body = await (ids === undefined
      ? retryOutage(services, since, ctx)
      : retryAll(services, ids, personOf(ctx).id));
  });
};

const DAY_MS = 86_400_000;

async function retryOutage(services: Services, since: string | undefined, ctx: RouteContext): Promise<RetryResult> {
  const { store, clock } = services.deps;
  const at = since === undefined ? clock.now() - DAY_MS : Date.parse(since);
  if (!Number.isFinite(at))
    throw new EngineError('BAD_REQUEST', `"since" must be a time such as 2026-11-21T08:00:00Z, not "${since}"`);
  const ids = await runsLeftByOutage(store, isoTime(at));
  return retryAll(services, ids, personOf(ctx).id, MAX_IDS);
}

/** Repeats runs until `most` were repeated. What is refused does not count, so that it holds up no other run. */
async function retryAll(services: Services, ids: readonly string[], by: string, most = Infinity): Promise<RetryResult> {
  const retried: RetryResult['retried'][number][] = [];
  const refused: RetryResult['refused'][number][] = [];
  for (const [n, id] of ids.entries()) {
    if (retried.length >= most) return { retried, refused, left: ids.length - n };
    try {
      const { run, isNew } = await retry(services, id, by);
      retried.push({ id: run.id, retryOf: id, started: isNew });
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === 'STORE_FAILED') throw error;
      refused.push({ id, error: error.toJSON() });
    }
  }
  return { retried, refused, ...(most < Infinity && { left: 0 }) };
}

async function retry(services: Services, id: string, by: string): Promise<{ run: Run; isNew: boolean }> {
  const { deps, engine } = services;
  const row = await deps.store.get('run', { id });
  if (row !== undefined && isAskingAfterOutage(recordOf(row).run)) {
    await engine.goOn(id, by);
    return { run: recordOf((await deps.store.get('run', { id })) ?? row).run, isNew: true };
  }
  if (row !== undefined) expectValidDirector(services, row.director);
  const result = await retryRun(deps, id, by);
  if (result.isNew) engine.queued();
  return result;
}
