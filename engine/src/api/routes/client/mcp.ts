import { EngineError, errorBody } from '../../../base/error.ts';
import { redactValue } from '../../../base/redact.ts';
import { limitResult } from '../../../tool/result-limit.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { object, optional, readBody } from '../../http/body.ts';
import { allowedTool, allowedTools } from './client-tools.ts';

/** Largest result, in characters of JSON: clients refuse larger ones. */
const MAX_RESULT = 80_000;

/**
 * `GET /api/mcp/tools`: the tools that `clients.mcp` of the settings allows · `POST /api/mcp/tools/:name` with
 * `{ arguments? }` calls one and answers `{ result }`. `callsheet mcp` passes both on to MCP clients.
 */
export const mcpRoutes: AddRoutes = (router, services) => {
  router.get('/mcp/tools', (ctx) => {
    const { settings } = services.config.current();
    ctx.body = {
      tools: allowedTools(settings).map(({ name, description, effects, parameters }) => ({
        ...{ name, description, effects, parameters },
      })),
    };
  });
  router.post('/mcp/tools/:name', async (ctx) => {
    ctx.body = { result: await callTool(services, ctx) };
  });
};

async function callTool(services: Services, ctx: RouteContext): Promise<unknown> {
  const { log, redactor, checker } = services.deps;
  const name = String(ctx.params['name']);
  const { arguments: given = {} } = readBody(ctx, { arguments: optional(object) });
  const began = performance.now();
  const note = (outcome: object) =>
    log.info('an MCP client called a tool', { tool: name, ms: Math.round(performance.now() - began), ...outcome });
  try {
    const tool = allowedTool(name, services.config.current().settings);
    const args = await checker.check(given, tool.parameters);
    const value = await tool.run(args, { services, signal: clientSignal(ctx) });
    const result = limitResult(redactValue(redactor, value), redactor, MAX_RESULT);
    note({ outcome: 'ok', characters: JSON.stringify(result).length });
    return result;
  } catch (error) {
    note({ outcome: errorBody(error).code });
    throw error;
  }
}

/** Aborts when the client closes the connection before it has the answer. */
function clientSignal({ res }: RouteContext): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort(new EngineError('TOOL_CANCELLED', 'the client needs the result no more')));
  return gone.signal;
}
