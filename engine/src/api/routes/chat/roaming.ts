import { CHANGE_DECISIONS } from '../../../chat/roaming.ts';
import type { AddRoutes } from '../../api.ts';
import { personOf } from '../../auth/person.ts';
import { oneOf, readBody } from '../../http/body.ts';
import { queryText, queryWord, requiredQuery } from '../../http/query.ts';

/**
 * Work of command-line agents in folders: `GET /api/workspace-folders?path=`, folders to choose from: the workspaces, or what lies in one ·
 * `GET /api/roaming-warning?name=&apiConfigId=&workspaceDir=&mode=`, what a person must confirm · `GET /api/chats/:id/changes/:cid`, what a
 * turn has changed · `POST /api/chats/:id/changes/:cid` `{ decision: apply|branch|drop }`.
 */
export const roamingRoutes: AddRoutes = (router, { roaming }) => {
  router.get('/workspace-folders', async (ctx) => {
    ctx.body = await roaming.choices(queryText(ctx, 'path'));
  });
  router.get('/roaming-warning', async (ctx) => {
    ctx.body = await roaming.warning({
      name: queryText(ctx, 'name') ?? 'The participant',
      apiConfigId: requiredQuery(ctx, 'apiConfigId'),
      workspaceDir: requiredQuery(ctx, 'workspaceDir'),
      mode: queryWord(ctx, 'mode', ['safe', 'yolo']) ?? 'safe',
    });
  });
  router.get('/chats/:id/changes/:cid', async (ctx) => {
    ctx.body = await roaming.changes(String(ctx.params['id']), String(ctx.params['cid']));
  });
  router.post('/chats/:id/changes/:cid', async (ctx) => {
    const { decision } = readBody(ctx, { decision: oneOf(...CHANGE_DECISIONS) });
    const { id: by } = personOf(ctx);
    ctx.body = await roaming.decide(String(ctx.params['id']), String(ctx.params['cid']), { decision, by });
  });
};
