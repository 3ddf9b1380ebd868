import { EngineError, errorBody } from '../../base/error.ts';
import type { Agent, Api, Director, Snapshot } from '../../config/config.ts';
import { withCredentials } from '../../config/secret-uses.ts';
import { chooseApi } from '../../model/choose-api.ts';
import { modelName } from '../../model/models.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Run } from '../run.ts';

/** The apis of a run: that of its director, and those of the agents that name their own. */
export interface ChosenApis {
  readonly api: Api;
  /** Id of the api of each agent that names its own; `''` where none was available. */
  readonly agents: Readonly<Record<string, string>>;
  /** All of them, each once. */
  readonly apis: readonly Api[];
}

/** Chooses the apis of a director and its agents that are available now. `MODEL_NONE_AVAILABLE` where the director has none. */
export async function chooseApis(
  deps: Dependencies,
  config: Snapshot,
  director: Director,
  runId: string,
): Promise<ChosenApis> {
  const { locality } = director;
  const api = await chooseApiOf(deps, config, director.apiConfigId, locality);
  const agents: Record<string, string> = {};
  const apis = new Map([[api.id, api]]);
  for (const id of director.agents) {
    const agent = config.agents.get(id);
    if (agent?.apiConfigId === undefined) continue;
    const chosen = await chooseApiOf(deps, config, agent.apiConfigId, locality, agent).catch((error: unknown) => {
      deps.log.warn('no api of an agent is available', { run: runId, agent: id, ...errorBody(error) });
      return undefined;
    });
    agents[id] = chosen?.id ?? '';
    if (chosen !== undefined) apis.set(chosen.id, chosen);
  }
  return { api, agents, apis: [...apis.values()] };
}

/** The api that is available: the named one, where the agent's own key counts, or a fallback. */
export async function chooseApiOf(
  deps: Dependencies,
  config: Snapshot,
  id: string,
  locality: Api['locality'],
  agent?: Agent,
): Promise<Api> {
  const named = config.apis.get(id);
  if (named === undefined) throw new EngineError('MODEL_NONE_AVAILABLE', `api "${id}" is disabled`);
  const api = withCredentials(named, config, agent);
  const chosen = await chooseApi({ api, apis: config.apis, models: deps.models, locality });
  return config.apis.get(chosen.api.id) ?? chosen.api;
}

/** The fields of a run that name its apis. */
export function shownApis(apis: readonly Api[]): Pick<Run, 'apis' | 'scripted'> {
  return {
    apis: apis.map((one) => ({ id: one.id, provider: one.provider, model: modelName(one) })),
    scripted: apis.some((one) => one.provider === 'scripted'),
  };
}
