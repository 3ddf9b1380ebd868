import type { AddRoutes } from '../../api.ts';

/** `GET /api/tools/catalog`: every family and tool with parameters, effects and default permission. */
export const toolCatalogRoutes: AddRoutes = (router, { toolCatalog }) => {
  router.get('/tools/catalog', (ctx) => {
    ctx.body = { families: toolCatalog() };
  });
};
