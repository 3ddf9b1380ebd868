import { EngineError } from '../../../base/error.ts';
import type { Agent } from '../../../config/config.ts';
import { openNotebooks, type Scope } from '../../../config/permissions.ts';
import { checkPath } from '../../../file/path-text.ts';
import { mayShowFolder } from '../../../file/notebook/walk.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { queryText, requiredQuery } from '../../http/query.ts';

/** Most files of one folder in an answer. */
const MAX_FILES = 500;

/**
 * The notebooks as an agent may read them, for a person who starts it on a file: `GET /api/agents/:id/notebooks` · `GET
 * /api/agents/:id/files?notebook=&path=` (one folder). `NOT_FOUND`; `OUT_OF_SCOPE` for what its scope does not open.
 */
export const agentFileRoutes: AddRoutes = (router, services) => {
  router.get('/agents/:id/notebooks', (ctx) => {
    const { scope } = agentOf(services, ctx);
    const { roots } = services.config.current().settings;
    ctx.body = { items: mayRead(scope) ? openNotebooks(scope, roots).map((name) => ({ name })) : [] };
  });
  router.get('/agents/:id/files', async (ctx) => {
    ctx.body = await listFiles(services, ctx);
  });
};

async function listFiles(services: Services, ctx: RouteContext) {
  const { id, scope } = agentOf(services, ctx);
  const notebook = requiredQuery(ctx, 'notebook');
  const { roots } = services.config.current().settings;
  if (!mayRead(scope) || !openNotebooks(scope, roots).includes(notebook))
    throw outOfScope(`agent ${id} may not read the notebook "${notebook}"`);
  const root = services.notebooks.root(notebook);
  const path = checkPath(queryText(ctx, 'path') ?? '/', root, { absolute: 'root' });
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  const options = { root, caller: { who: `agent ${id}`, scopes: [scope] }, signal: gone.signal };
  if (path !== '' && !(await mayShowFolder(path, options).catch(isMissing)))
    throw outOfScope(`agent ${id} may see nothing in "/${path}" of ${notebook}`);
  const { listNotebook } = await import('../../../file/notebook/read-notebook.ts');
  return { notebook, ...(await listNotebook(path, { ...options, limit: MAX_FILES, isRecursive: false })) };
}

/** A folder that is not there has the answer of one that is out of scope. */
function isMissing(error: unknown): false {
  if (error instanceof EngineError) return false;
  throw error;
}

function mayRead(scope: Scope | undefined): scope is Scope {
  return scope?.operations.includes('read') ?? false;
}

function outOfScope(message: string): EngineError {
  return new EngineError('OUT_OF_SCOPE', message, { hint: 'choose a folder that scope in its document opens' });
}

function agentOf({ config }: Services, ctx: RouteContext): Agent {
  const id = String(ctx.params['id']);
  const agent = config.current().agents.get(id);
  if (agent !== undefined) return agent;
  throw new EngineError('NOT_FOUND', `there is no agent "${id}"`, { hint: 'GET /api/agents lists them' });
}
