import { errorBody } from '../../../base/error.ts';
import type { AddRoutes } from '../../api.ts';

/** `GET /api/fetcher/status` · `POST /api/fetcher/start|stop|fetch|run` (seed 000, 3.3) */
export const fetcherRoutes: AddRoutes = (router, { fetcher, deps: { log } }) => {
  router.get('/fetcher/status', (ctx) => {
    ctx.body = fetcher.status();
  });
  router.post('/fetcher/start', (ctx) => {
    fetcher.start();
    ctx.body = fetcher.status();
  });
  router.post('/fetcher/stop', async (ctx) => {
    await fetcher.stop();
    ctx.body = fetcher.status();
  });
  // Fetches every account once and answers with the result; names the accounts that other processes were asked to fetch.
  router.post('/fetcher/fetch', async (ctx) => {
    ctx.body = await fetcher.fetch();
  });
  // Starts the same fetch and answers at once.
  router.post('/fetcher/run', (ctx) => {
    fetcher.fetch().catch((error: unknown) => log.error('fetching failed', { ...errorBody(error) }));
    ctx.status = 202;
    ctx.body = fetcher.status();
  });
};
