import { EngineError } from '../../../base/error.ts';
import { dropShadow } from '../../../replay/shadow/shadow-rows.ts';
import { readShadowView } from '../../../replay/shadow/shadow-report.ts';
import type { AddRoutes } from '../../api.ts';
import { amount, readBody, text } from '../../http/body.ts';
import { reading } from '../../http/reading.ts';

/**
 * `GET /api/shadow`: the shadow and its comparison so far; `shadow` is null where there is none. `POST /api/shadow { ref, percent,
 * maxCostPerDay }` starts one (errors as of `startShadow`); `DELETE /api/shadow` ends it and deletes its results (`NOT_FOUND`).
 */
export const shadowRoutes: AddRoutes = (router, services) => {
  router.get(
    '/shadow',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await readShadowView(deps.store, deps.clock.now());
    }),
  );
  router.post('/shadow', async (ctx) => {
    await services.startShadow(readBody(ctx, { ref: text, percent: amount, maxCostPerDay: amount }));
    ctx.status = 201;
    ctx.body = await readShadowView(services.deps.store, services.deps.clock.now());
  });
  router.delete('/shadow', async (ctx) => {
    readBody(ctx, {});
    if (!(await dropShadow(services.deps.store)))
      throw new EngineError('NOT_FOUND', 'there is no shadow', { hint: 'callsheet shadow start begins one' });
    ctx.status = 204;
  });
};
