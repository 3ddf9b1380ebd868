import type { AddRoutes } from '../../api.ts';

/** `GET /api/health`: whether the server runs. Needs no session, so the answer contains nothing else. */
export const healthRoutes: AddRoutes = (router, { version }) => {
  router.get('/health', (ctx) => {
    ctx.body = { status: 'ok', name: 'callsheet', version };
  });
};
