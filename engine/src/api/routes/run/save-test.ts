import type { AddRoutes } from '../../api.ts';
import { readBody } from '../../http/body.ts';

/**
 * `POST /api/runs/:id/test`: writes a test of a past run and the case that it plays, as `callsheet test --from` does: `{ name, file,
 * folder }`. `NOT_FOUND`; `CONFLICT` for a run that cannot be played; `USAGE` where the test exists.
 */
export const saveTestRoutes: AddRoutes = (router, services) => {
  router.post('/runs/:id/test', async (ctx) => {
    readBody(ctx, {});
    ctx.body = await services.saveTest(String(ctx.params['id']));
    ctx.status = 201;
  });
};
