import type { AddRoutes } from '../../api.ts';

/** `GET /api/health`: whether somebody is there. Needs no session, so it says nothing else. */
export const healthRoutes: AddRoutes = (router, { version }) => {
  router.get('/health', (ctx) => {
    ctx.body = { status: 'ok', name: 'callsheet', version };
  });
};
