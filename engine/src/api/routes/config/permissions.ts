import { permissionTable } from '../../../run/step/permission-table.ts';
import type { AddRoutes } from '../../api.ts';

/** `GET /api/directors/:id/permissions`: what happens when the director or one of its agents calls a tool, and which rule decides. */
export const permissionRoutes: AddRoutes = (router, { config, deps }) => {
  router.get('/directors/:id/permissions', (ctx) => {
    const current = config.current();
    ctx.body = { items: permissionTable(current, deps.tools.of(current), String(ctx.params['id'])) };
  });
};
