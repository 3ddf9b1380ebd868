import type { Routes } from '../../api.ts';

/** `GET /api/health`: whether somebody is there. Needs no session, so it says nothing else. */
export const healthRoutes: Routes = (router, { version }) => {
  router.get('/health', (ctx) => {
    ctx.body = { status: 'ok', name: 'callsheet', version };
  });
};
