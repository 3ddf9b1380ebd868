import { actorHashes, hashesOf } from '../lifecycle/create.ts';
import { recordOf } from '../run.ts';
import type { SessionRecord } from '../session/session.ts';
import { findSessionAgent } from '../session/session-agent.ts';
import { agentPermissions } from '../step/permission-table.ts';
import { changedDocuments } from './check-objective.ts';
import type { InFlightSources } from './in-flight.ts';
import { permissionChanges } from './permission-changes.ts';

/**
 * What the newest config changes in a session that a person opened, which takes it at the next message. Rejects with the error that
 * refuses this message: `NOT_FOUND`, `CONFIG_INVALID`.
 */
export async function sessionChanges(
  { store, config, tools }: InFlightSources,
  { agentId, opened }: SessionRecord,
): Promise<readonly string[]> {
  const live = config.current();
  const { agent, apiConfigId } = findSessionAgent(live, agentId);
  const row = await store.get('run', { id: opened.runs.at(-1) ?? '' });
  if (row === undefined) return [];
  const { run } = recordOf(row);
  const now = { ...actorHashes(live, [agent], [apiConfigId]), ...hashesOf(live, [`agents/${agentId}`]) };
  const names = changedDocuments(run.documents, now);
  if (names.length === 0) return [];
  const taken = `the next message takes the new version of ${names.join(', ')}`;
  const before = await config.revision(run.revision).catch(() => undefined);
  const earlier = before?.agents.get(agentId);
  if (before === undefined || earlier === undefined) return [taken];
  const lists = run.toolLists ?? {};
  await tools.load(lists);
  return [
    taken,
    ...permissionChanges(
      agentPermissions(before, tools.of(before, lists), earlier),
      agentPermissions(live, tools.of(live, lists), agent),
    ),
  ];
}
