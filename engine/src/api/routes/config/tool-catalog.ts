import type { AddRoutes } from '../../api.ts';

/** `GET /api/tools/catalog`: every family and tool with parameters, effects and default permission, and the MCP servers. */
export const toolCatalogRoutes: AddRoutes = (router, { toolCatalog, mcpServers }) => {
  router.get('/tools/catalog', (ctx) => {
    ctx.body = { families: toolCatalog(), servers: mcpServers() };
  });
};
