import { EngineError } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import type { Permission } from '../../config/permissions.ts';
import { permissionOf } from '../../config/rule/permission-of.ts';
import type { ApprovalRecord } from '../../guard/approval.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Tool } from '../../tool/tool.ts';
import { toolsetFacts } from '../../tool/toolset.ts';
import { withParticipant } from '../participant.ts';
import type { Run } from '../run.ts';
import { disabledTools, layersOf } from '../step/actor.ts';
import { restoreMachine } from '../step/machine.ts';
import { agentPermissions, permissionTable } from '../step/permission-table.ts';
import type { InFlightSources } from './in-flight.ts';
import { permissionChanges } from './permission-changes.ts';

/** A run with the config that it is pinned to, which can be read by this version. */
export interface LoadedRun {
  readonly run: Run;
  readonly pinned: Snapshot;
  readonly registry: ReadonlyMap<string, Tool>;
}

/**
 * Loads a run as the engine does before its next step: its machines, its revision and its actors. Rejects with the error that the
 * engine would meet: `MACHINE_VERSION`, `STORE_DAMAGED`, `CONFIG_INVALID`, `CONFIG_TOO_NEW`, `NOT_FOUND`. `reasons` gets what changes.
 */
export async function loadRun(
  { store, config, tools, modes }: InFlightSources,
  run: Run,
  reasons: string[],
): Promise<LoadedRun> {
  const rows = await store.list('machine', { where: [['root', '=', run.id]], order: [['id', 'asc']] });
  for (const row of rows.filter(({ status }) => status !== 'done')) {
    const version = restoreMachine(row, modes).mode.machine.version ?? '';
    if (version !== row.version)
      reasons.push(`machine ${row.kind} of version ${row.version} goes on as version ${version}`);
  }
  const pinned = withParticipant(await config.revision(run.revision), run);
  const { agentId } = run;
  const isThere = agentId === undefined ? pinned.directors.has(run.directorId) : pinned.agents.has(agentId);
  if (!isThere) throw new EngineError('CONFIG_INVALID', `its config has no ${actorOf(run)}`);
  await tools.load(run.toolLists ?? {});
  return { run, pinned, registry: tools.of(pinned, run.toolLists ?? {}) };
}

/** The director of a run, or the agent that works for a person. */
export function actorOf({ agentId, directorId }: Pick<Run, 'agentId' | 'directorId'>): string {
  return agentId === undefined ? `director ${directorId}` : `agent ${agentId}`;
}

/** What the newest config changes in a run that keeps its revision: stricter permissions, and tools that are gone. */
export function pinnedChanges({ run, pinned, registry }: LoadedRun, live: Snapshot): string[] {
  const gone = [...disabledTools(pinned, live, registry)].map((tool) => `${tool} is gone from the config`);
  return [...gone, ...permissionChanges(tableOf(run, pinned, registry), tableOf(run, pinned, registry, live))];
}

/** The permissions of the actors of a run. */
export function tableOf(run: Run, config: Snapshot, registry: ReadonlyMap<string, Tool>, live = config) {
  const agent = run.agentId === undefined ? undefined : config.agents.get(run.agentId);
  if (agent !== undefined) return agentPermissions(config, registry, agent, live);
  return permissionTable(config, registry, run.directorId, live);
}

/** The calls of a run that wait for a person, and that `live` no longer permits. */
export async function deniedCalls(
  { store }: Pick<InFlightSources, 'store'>,
  { run, pinned, registry }: LoadedRun,
  live: Snapshot,
): Promise<string[]> {
  const rows = await store.list('approval', { where: [['run', '=', run.id]], order: [['id', 'asc']] });
  const pending = rows.filter(({ status }) => status === 'pending');
  return pending.flatMap((row) => {
    const { tool: name, arguments: args, requestedBy, kind } = bodyOf<ApprovalRecord>('approval', row);
    const tool = registry.get(name);
    if (kind !== undefined || tool === undefined) return [];
    const director = pinned.directors.get(requestedBy.directorId);
    const agent = requestedBy.agentId === undefined ? undefined : pinned.agents.get(requestedBy.agentId);
    const denied = layersOf(pinned, live, director, agent).find(
      ({ permissions }) => permissionOf(permissions, toolsetFacts(tool), args).permission === DENY,
    );
    if (denied === undefined) return [];
    return [`the call of ${name} that waits for a person (${row.id}) is denied by ${denied.who}`];
  });
}

const DENY: Permission = 'deny';
