import { EngineError } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import { readObjective } from '../objective/objective-rows.ts';
import { documentsOf } from '../lifecycle/create.ts';
import { factsOf } from '../step/machine.ts';
import { type LoadedRun, pinnedChanges, tableOf } from './check-run.ts';
import type { InFlightSources } from './in-flight.ts';
import { permissionChanges } from './permission-changes.ts';

/**
 * What the newest config changes in an objective, which takes it whole at its next wake. `NOT_FOUND`.
 */
export async function objectiveChanges(
  sources: InFlightSources,
  loaded: LoadedRun,
  live: Snapshot,
): Promise<readonly string[]> {
  const { run, pinned, registry } = loaded;
  if ((await readObjective(sources.store, run.id)) === undefined)
    throw new EngineError('NOT_FOUND', 'its objective is not stored');
  const director = live.directors.get(run.directorId);
  if (director === undefined)
    return ['its director was deleted or disabled: it goes on as it was', ...pinnedChanges(loaded, live)];
  const { maxCost } = director.objective;
  const root = await sources.store.get('machine', { id: run.id });
  const cost = (root && factsOf(root).spent?.cost) ?? 0;
  const isSpent = maxCost !== undefined && cost >= maxCost;
  const spent = isSpent
    ? [`the next wake ends it: it has spent $${cost.toFixed(2)} of $${maxCost.toFixed(2)} (objective.maxCost)`]
    : [];
  const mode = director.mode === 'objective' ? [] : [`its director has mode ${director.mode} now`];
  const names = changedDocuments(run.documents, documentsOf(live, director, {}));
  const taken = names.length === 0 ? [] : [`the next wake takes the new version of ${names.join(', ')}`];
  const newTools = sources.tools.of(live, run.toolLists ?? {});
  return [
    ...spent,
    ...mode,
    ...taken,
    ...permissionChanges(tableOf(run, pinned, registry), tableOf(run, live, newTools)),
  ];
}

/** Names of the documents whose hash differs, or that only one of both has. `settings` change too often to be told. */
export function changedDocuments(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const isOwn = (name: string) => !/^(?:settings$|filters\/|accounts\/)/.test(name);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => isOwn(name) && before[name] !== after[name]).sort();
}
