import { EngineError } from '../../base/error.ts';
import type { Agent, Api, Director, Snapshot } from '../../config/config.ts';
import { compareRank } from '../../config/order.ts';
import { declaresName } from '../../config/tool-name.ts';
import { openNotebooks } from '../../config/permissions.ts';
import { checkPermission, type PermissionCheck, type Layer } from '../../guard/permissions.ts';
import { modelName } from '../../model/models.ts';
import type { OfferedTool, RosterEntry } from '../../tool/offered-tool.ts';
import { buildToolset, toolsetFacts as factsOf, type Toolset } from '../../tool/toolset.ts';
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
  readonly toolset: Toolset;
  readonly caller: Caller;
  readonly check: (tool: OfferedTool) => PermissionCheck;
}

interface Shown {
  /** The tools of the revision that it was built from. */
  readonly registry: ReadonlyMap<string, Tool>;
  readonly toolset: Toolset;
  /** Undefined where the actor has no scope. */
  readonly files: CallerFiles | undefined;
  readonly check: (tool: OfferedTool) => PermissionCheck;
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
    const { toolset, check, files } = this.#show(runState, director, agent, facts);
    const { runId, workspaceId, threadId, origin } = facts;
    const api = runState.config.apis.get(facts.apiId);
    return {
      document,
      role: agent === undefined ? 'director' : 'agent',
      id: document.id,
      toolset,
      caller: {
        ...{ runId, workspaceId, threadId, origin },
        ...(api !== undefined && { apiId: api.id, model: modelName(api) }),
        ...memoryRights(runState.config, director, agent),
        ...personMessage(runState.config, runState.record.run),
        ...(files !== undefined && { files }),
      },
      check,
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
      const check = permissionCheckOf(layers, disabledTools(config, live, registry));
      const files = filesOf(layers);
      const toolset = this.#build(config, director, agent, facts, { registry, check, notebooks: openTo(files, live) });
      shown = { registry, check, files, toolset };
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
      names: allowTools ? ((agent ?? director)?.tools ?? []) : [],
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
function disabledTools(config: Snapshot, live: Snapshot, registry: Shown['registry']): ReadonlySet<string> {
  const isGone = ({ name, family }: Tool) => {
    const newest = live.tools.get(family);
    return config.tools.has(family) && (newest === undefined || !declaresName(newest, name));
  };
  return new Set(live === config ? [] : [...registry.values()].filter(isGone).map(({ name }) => name));
}

/** Checks permissions under these layers. Caches each result, since it does not depend on the arguments. */
function permissionCheckOf(layers: readonly Layer[], disabled: ReadonlySet<string>): Shown['check'] {
  const checks = new WeakMap<OfferedTool, PermissionCheck>();
  return (tool) => {
    let check = checks.get(tool);
    if (check === undefined) {
      check = disabled.has(tool.name)
        ? { permission: 'deny', reason: 'its file in tools/ was disabled or deleted, or no longer allows it' }
        : checkPermission(factsOf(tool), layers);
      checks.set(tool, check);
    }
    return check;
  };
}

/** The api document that a machine uses. */
export function apiOf(runState: RunState, facts: MachineFacts): Api {
  return must(runState.config.apis.get(facts.apiId), 'api', facts.apiId);
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
  const isNewest = live === config;
  const { roots } = live.settings;
  const layer = (who: string, document: Director | Agent | undefined, isActor: boolean): Layer[] => {
    if (document === undefined) return [];
    const { permissions, scope } = document;
    return [{ who, permissions, ...(isActor && { files: { scope, roots } }) }];
  };
  const both = (
    kind: string,
    id: string,
    pinned: Director | Agent,
    newest: Director | Agent | undefined,
    acts: boolean,
  ) => [
    ...layer(`${kind} ${id}`, pinned, acts),
    ...layer(`${kind} ${id} (newest)`, isNewest ? undefined : newest, acts),
  ];
  return [
    ...(director === undefined
      ? []
      : both('director', director.id, director, live.directors.get(director.id), agent === undefined)),
    ...(agent === undefined ? [] : both('agent', agent.id, agent, live.agents.get(agent.id), true)),
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
