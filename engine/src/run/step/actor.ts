import { withCredentials } from '../../config/secret-uses.ts';
import { EngineError } from '../../base/error.ts';
import type { Agent, Api, Director, Snapshot } from '../../config/config.ts';
import { compareRank } from '../../config/order.ts';
import { declaresName } from '../../config/tool-name.ts';
import { openNotebooks } from '../../config/permissions.ts';
import type { Layer } from '../../guard/layer.ts';
import { checkPermission, type PermissionCheck } from '../../guard/permissions.ts';
import { privacyOf } from '../../guard/placeholder/policy.ts';
import type { JsonSchema } from '../../model/model.ts';
import { modelName } from '../../model/models.ts';
import type { OfferedTool, RosterEntry } from '../../tool/offered-tool.ts';
import { buildToolset, toolsetFacts as factsOf, type Toolset } from '../../tool/toolset.ts';
import { ASK_USER } from '../../tool/person.ts';
import type { Caller, CallerFiles, Tool } from '../../tool/tool.ts';
import type { MachineFacts } from './machine.ts';
import type { Dependencies } from '../dependencies.ts';
import { memoryRights, personMessage } from './recalled-memories.ts';
import type { RunState } from './run-state.ts';

/** The director or agent that a machine works as, with its tools and permissions. */
export interface Actor {
  readonly document: Director | Agent;
  readonly role: 'director' | 'agent';
  readonly id: string;
  /** True for a director in one role of its run: it works in a thread of its own. */
  readonly isInRole: boolean;
  readonly toolset: Toolset;
  readonly caller: Caller;
  /** The documents whose permissions apply to its calls. */
  readonly layers: readonly Layer[];
  /** Why nobody may call a tool any more; undefined otherwise. */
  readonly whyGone: (toolName: string) => string | undefined;
  /** The loosest permission that any call of a tool can get. */
  readonly check: (tool: OfferedTool) => PermissionCheck;
}

interface Shown extends Pick<Actor, 'layers' | 'whyGone' | 'check'> {
  /** The tools of the revision that it was built from. */
  readonly registry: ReadonlyMap<string, Tool>;
  readonly toolset: Toolset;
  /** Undefined where the actor has no scope. */
  readonly files: CallerFiles | undefined;
}

/** Toolsets in the cache at most. The cache exists because building a toolset costs more than a turn. */
const MAX_CACHED = 500;

/** Resolves actors: their documents, toolsets and permissions. Caches toolsets. */
export class Actors {
  readonly #deps: Dependencies;
  readonly #shown = new Map<string, Shown>();
  /** By origin: a machine keeps that object from turn to turn, while its facts change with each use. */
  readonly #actors = new WeakMap<
    MachineFacts['origin'],
    { live: Snapshot; config: Snapshot; registry: Shown['registry']; facts: MachineFacts; actor: Actor }
  >();
  /** Hashes of the toolsets that are on disk. */
  readonly storedToolsets = new Set<string>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The actor of a machine with these facts, under the config revision of its run. */
  resolve(runState: RunState, facts: MachineFacts): Actor {
    const live = this.#deps.config.current();
    const { config } = runState;
    const known = this.#actors.get(facts.origin);
    const registry = this.#deps.tools.of(config, runState.toolLists);
    if (
      known?.live === live &&
      known.config === config &&
      known.registry === registry &&
      isSameActor(known.facts, facts)
    )
      return known.actor;
    const actor = this.#findActor(runState, facts);
    this.#actors.set(facts.origin, { live, config, registry, facts, actor });
    return actor;
  }

  #findActor(runState: RunState, facts: MachineFacts): Actor {
    const { directors, agents } = runState.config;
    const director =
      facts.directorId === '' ? undefined : must(directors.get(facts.directorId), 'director', facts.directorId);
    const agent = facts.agentId === '' ? undefined : must(agents.get(facts.agentId), 'agent', facts.agentId);
    const document = must<Director | Agent>(agent ?? director, 'actor', '');
    const { toolset, layers, whyGone, check, files } = this.#show(runState, director, agent, facts);
    const { runId, workspaceId, threadId, origin } = facts;
    const isObjective = director?.mode === 'objective' && agent === undefined && facts.role === undefined;
    const { conversationId } = runState.record.run;
    const api = runState.config.apis.get(facts.apiId);
    return {
      document,
      role: agent === undefined ? 'director' : 'agent',
      id: document.id,
      isInRole: facts.role !== undefined,
      toolset,
      caller: {
        ...{ runId, workspaceId, threadId, origin },
        ...(api !== undefined && { apiId: api.id, model: modelName(api) }),
        ...memoryRights(runState.config, director, agent),
        ...personMessage(runState.config, runState.record.run),
        ...(conversationId !== undefined && { conversationId }),
        ...(isObjective && { followsUp: true }),
        ...(files !== undefined && { files }),
        ...(privacyOf(runState.config, runState.record.run) && { hide: (text: string) => runState.hide(text) }),
      },
      ...{ layers, whyGone, check },
    };
  }

  #show(
    { config, toolLists }: RunState,
    director: Director | undefined,
    agent: Agent | undefined,
    facts: MachineFacts,
  ): Shown {
    const live = this.#deps.config.current();
    const options = JSON.stringify([facts.apiId, facts.options ?? null, toolLists]);
    const key = [config.revision, live.revision, facts.directorId, facts.agentId, options].join('\0');
    let shown = this.#shown.get(key);
    const registry = this.#deps.tools.of(config, toolLists);
    if (shown?.registry !== registry) {
      const layers = layersOf(config, live, director, agent);
      const disabled = disabledTools(config, live, registry);
      const whyGone = (name: string) => (disabled.has(name) ? GONE : undefined);
      const check = permissionCheckOf(layers, whyGone);
      const files = filesOf(layers);
      const toolset = this.#build(config, director, agent, facts, { registry, check, notebooks: openTo(files, live) });
      shown = { registry, layers, whyGone, check, files, toolset };
      if (this.#shown.size >= MAX_CACHED) this.#shown.clear();
      this.#shown.set(key, shown);
    }
    return shown;
  }

  #build(
    config: Snapshot,
    director: Director | undefined,
    agent: Agent | undefined,
    facts: MachineFacts,
    { registry, check, notebooks }: Pick<Shown, 'registry' | 'check'> & { readonly notebooks: readonly string[] },
  ): Toolset {
    const { allowTools = true, toolFilter } = facts.options ?? {};
    return buildToolset({
      registry,
      names: allowTools ? toolNamesOf(director, agent) : [],
      roster:
        agent === undefined && director !== undefined
          ? agentsOf(config, director).map((one) => rosterEntry(one, facts.apiId))
          : [],
      hasDiscovery: agent === undefined,
      only: toolFilter,
      permissionOf: (tool) => check(tool).permission,
      notebooks,
    });
  }
}

/**
 * The tools and families of an actor. A director that plans can always ask the user: a plan may need a day or a time. One of objectives
 * drafts and sends by itself.
 */
function toolNamesOf(director: Director | undefined, agent: Agent | undefined): readonly string[] {
  if (agent !== undefined || director === undefined) return agent?.tools ?? [];
  if (director.mode === 'objective') return [...director.tools, 'mail_draft', 'mail_send'];
  return director.mode === 'plan' ? [...director.tools, ASK_USER] : director.tools;
}

/** Whether two machines have the same actor. `origin` needs no comparison: it is the key of the cache. */
function isSameActor(a: MachineFacts, b: MachineFacts): boolean {
  return (
    a.runId === b.runId &&
    a.workspaceId === b.workspaceId &&
    a.threadId === b.threadId &&
    a.directorId === b.directorId &&
    a.agentId === b.agentId &&
    a.apiId === b.apiId &&
    a.options === b.options
  );
}

/**
 * The declared tools of a run whose documents were disabled or deleted since: a run keeps the tools that it started with, but
 * never a tool that somebody took away.
 */
export function disabledTools(
  config: Snapshot,
  live: Snapshot,
  registry: ReadonlyMap<string, Tool>,
): ReadonlySet<string> {
  const isGone = ({ name, family }: Tool) => {
    const newest = live.tools.get(family);
    return config.tools.has(family) && (newest === undefined || !declaresName(newest, name));
  };
  return new Set(live === config ? [] : [...registry.values()].filter(isGone).map(({ name }) => name));
}

const GONE = 'its file in tools/ was disabled or deleted, or no longer allows it';

/** Checks permissions under these layers. Caches each result, since it does not depend on the arguments. */
function permissionCheckOf(layers: readonly Layer[], whyGone: Actor['whyGone']): Shown['check'] {
  const checks = new WeakMap<OfferedTool, PermissionCheck>();
  return (tool) => {
    let check = checks.get(tool);
    if (check === undefined) {
      const reason = whyGone(tool.name);
      check = reason === undefined ? checkPermission(factsOf(tool), layers) : { permission: 'deny', reason };
      checks.set(tool, check);
    }
    return check;
  };
}

/** The api document that a machine uses, with the credentials of its agent. */
export function apiOf(runState: RunState, facts: MachineFacts): Api {
  const { config } = runState;
  const api = must(config.apis.get(facts.apiId), 'api', facts.apiId);
  return withCredentials(api, config, config.agents.get(facts.agentId));
}

/** The schema of the final answer of a machine; undefined where the answer is any text. A role has a schema of its own. */
export function outputOf({ config }: Pick<RunState, 'config'>, facts: MachineFacts): JsonSchema | undefined {
  const { output, role, agentId, directorId } = facts;
  if (output !== undefined) return output;
  if (agentId !== '') return config.agents.get(agentId)?.output?.schema;
  return role === undefined ? config.directors.get(directorId)?.output?.schema : undefined;
}

/**
 * The documents whose permissions apply: the pinned ones, and their newest versions, which can only be stricter. The scope of
 * the director does not hold for its agent. Which notebooks there are, the newest settings say.
 */
export function layersOf(
  config: Documents,
  live: Documents,
  director: Director | undefined,
  agent: Agent | undefined,
): Layer[] {
  const isPinnedNewest = live === config;
  const { roots } = live.settings;
  const layer = (
    kind: Layer['kind'],
    document: Director | Agent | undefined,
    isActor: boolean,
    isNewest: boolean,
  ): Layer[] => {
    if (document === undefined) return [];
    const { id, permissions, scope } = document;
    const who = `${kind} ${id}${isNewest ? ' (newest)' : ''}`;
    return [{ who, kind, id, isNewest, permissions, document, ...(isActor && { files: { scope, roots } }) }];
  };
  const both = (
    kind: Layer['kind'],
    pinned: Director | Agent,
    newest: Director | Agent | undefined,
    acts: boolean,
  ): Layer[] => [...layer(kind, pinned, acts, false), ...layer(kind, isPinnedNewest ? undefined : newest, acts, true)];
  return [
    ...(director === undefined ? [] : both('director', director, live.directors.get(director.id), agent === undefined)),
    ...(agent === undefined ? [] : both('agent', agent, live.agents.get(agent.id), true)),
  ];
}

/** The files that the actor of these layers may touch; undefined where it has no scope. */
function filesOf(layers: readonly Layer[]): CallerFiles | undefined {
  const own = layers.filter(({ files }) => files !== undefined);
  const scopes = own.flatMap(({ files }) => files?.scope ?? []);
  return scopes.length === 0 || scopes.length < own.length ? undefined : { who: own[0]?.who ?? '', scopes };
}

/** Names of the notebooks that all scopes of an actor open. */
function openTo(files: CallerFiles | undefined, { settings: { roots } }: Snapshot): string[] {
  const scopes = files?.scopes ?? [];
  return scopes.length === 0
    ? []
    : Object.keys(roots).filter((name) => scopes.every((scope) => openNotebooks(scope, roots).includes(name)));
}

/** The documents that layers are made of. */
type Documents = Pick<Snapshot, 'settings' | 'directors' | 'agents'>;

/** The agents of a director by their `order`; without one, as the director lists them. */
function agentsOf(config: Snapshot, director: Director): Agent[] {
  return director.agents.map((id) => must(config.agents.get(id), 'agent', id)).sort(compareRank);
}

function rosterEntry(agent: Agent, directorApi: string): RosterEntry {
  return { id: agent.id, name: agent.name, summary: agent.description, apiConfigId: agent.apiConfigId ?? directorApi };
}

function must<T>(value: T | undefined, kind: string, id: string): T {
  if (value === undefined) throw new EngineError('INTERNAL', `the run's config has no ${kind} "${id}"`);
  return value;
}
