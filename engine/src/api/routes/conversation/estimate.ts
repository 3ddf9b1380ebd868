import { EngineError } from '../../../base/error.ts';
import type { Agent, Api, Director, Snapshot } from '../../../config/config.ts';
import { checkPermission } from '../../../guard/permissions.ts';
import { bodyOf } from '../../../store/damaged-row.ts';
import type { Message } from '../../../model/model.ts';
import { modelName } from '../../../model/models.ts';
import { layersOf } from '../../../run/step/actor.ts';
import { charsOf } from '../../../run/step/run-state.ts';
import { findSessionAgent } from '../../../run/session/session-agent.ts';
import { usageOfChars } from '../../../run/turn/admission.ts';
import type { Store } from '../../../store/store.ts';
import type { Tool } from '../../../tool/tool.ts';
import { buildToolset, toolsetFacts, type Toolset } from '../../../tool/toolset.ts';
import type { AddRoutes, Services } from '../../api.ts';
import { optional, readBody, text } from '../../http/body.ts';
import { previewMessages } from '../config/prompt-preview.ts';

/** Messages of an earlier thread that count, the newest ones. */
const MAX_EARLIER = 500;

/** What the first model request of a question may use, before it is asked. */
export interface Estimate {
  readonly apiId: string;
  readonly model: string;
  /** Prompt, tools, earlier messages and the question, at four characters per token. */
  readonly inputTokens: number;
  /** The longest answer that is allowed, or 1,000 where nothing limits it. */
  readonly outputTokens: number;
  /** US dollars; null where the price is unknown. */
  readonly cost: number | null;
}

/**
 * `POST /api/estimate { directorId | agentId, message, threadId? }`: tokens and cost of the first model request, as the budget counts
 * them before it admits a request. Later requests, of tool calls and agents, come on top. Asks no model. `NOT_FOUND`; `CONFIG_INVALID`.
 */
export const estimateRoutes: AddRoutes = (router, services) => {
  router.post('/estimate', async (ctx) => {
    ctx.body = await estimate(
      services,
      readBody(ctx, {
        directorId: optional(text),
        agentId: optional(text),
        message: optional(text),
        threadId: optional(text),
      }),
    );
  });
};

interface Request {
  readonly directorId: string | undefined;
  readonly agentId: string | undefined;
  readonly message: string | undefined;
  /** Transcript that the question goes on with. */
  readonly threadId: string | undefined;
}

async function estimate(services: Services, { threadId, ...request }: Request): Promise<Estimate> {
  const { deps } = services;
  const config = deps.config.current();
  const opening = await previewMessages(services, { ...request, emailId: undefined });
  const agent = request.agentId === undefined ? undefined : config.agents.get(request.agentId);
  const director = request.directorId === undefined ? undefined : config.directors.get(request.directorId);
  const api = apiOf(config, director, agent);
  const { specs } = toolsetOf(config, deps.tools.of(config), director, agent);
  const chars =
    opening.reduce((sum, message) => sum + charsOf(message), 0) +
    (specs.length === 0 ? 0 : JSON.stringify(specs).length) +
    (threadId === undefined ? 0 : await earlierChars(deps.store, threadId));
  return { apiId: api.id, model: modelName(api), ...usageOfChars(chars, agent ?? director, api) };
}

function apiOf(config: Snapshot, director: Director | undefined, agent: Agent | undefined): Api {
  const id = agent === undefined ? director?.apiConfigId : findSessionAgent(config, agent.id).apiConfigId;
  const api = config.apis.get(id ?? '');
  if (api === undefined) throw new EngineError('CONFIG_INVALID', `there is no usable api "${id ?? ''}"`);
  return api;
}

function toolsetOf(
  config: Snapshot,
  registry: ReadonlyMap<string, Tool>,
  director: Director | undefined,
  agent: Agent | undefined,
): Toolset {
  const actor = agent ?? director;
  const layers = layersOf(config, config, agent === undefined ? director : undefined, agent);
  const roster = agent === undefined ? (director?.agents ?? []).flatMap((id) => config.agents.get(id) ?? []) : [];
  return buildToolset({
    registry,
    names: actor?.tools ?? [],
    roster: roster.map(({ id, name, description }) => ({ id, name, summary: description, apiConfigId: '' })),
    hasDiscovery: agent === undefined,
    permissionOf: (tool) => checkPermission(toolsetFacts(tool), layers).permission,
  });
}

/** Characters of the newest messages of a thread, without its prompt. */
async function earlierChars(store: Store, threadId: string): Promise<number> {
  const rows = await store.list('message', {
    where: [['thread', '=', threadId]],
    order: [['seq', 'desc']],
    limit: MAX_EARLIER,
  });
  return rows
    .map((row) => bodyOf<Message>('message', row))
    .reduce((sum, message) => sum + (message.role === 'system' ? 0 : charsOf(message)), 0);
}
