import { EngineError } from '../../base/error.ts';
import type { Api, Snapshot } from '../../config/config.ts';
import { fallbackOf } from '../../config/parse/fallback.ts';
import { modelName, priceOf } from '../../model/models.ts';
import { isFree } from '../play/live-spend.ts';
import { refuseRecognizers } from '../play/refuse-recognizers.ts';
import type { Recording } from '../replay.ts';

/** How models are asked: each run `repeat` times, until they have cost `maxCost` US dollars. */
export interface LiveLimits {
  readonly maxCost: number;
  readonly repeat: number;
}

/** What the plan needs of a recording, so that the recording itself need not stay in memory. */
export interface PlannedRun {
  readonly agentId?: string | undefined;
  readonly directorId?: string | undefined;
  /** US dollars that it cost when it was recorded; null where unknown. */
  readonly cost: number | null;
}

/** What is known before models are asked. */
export interface LivePlan extends LiveLimits {
  /** Plays, repetitions included. */
  readonly plays: number;
  /** US dollars of the recorded runs, times `repeat`; null where one of them has no known cost. */
  readonly recordedCost: number | null;
}

/**
 * Plans the live tier. `USAGE` where a model may be asked whose price is unknown: its cost could not be limited. `CONFLICT` where a
 * service finds private data, which no play asks.
 */
export function planLive(
  config: Pick<Snapshot, 'apis' | 'agents' | 'directors' | 'settings'>,
  runs: readonly PlannedRun[],
  { maxCost, repeat }: LiveLimits,
): LivePlan {
  const apis = apisOf(config, runs);
  if (apis.some(({ provider }) => provider !== 'scripted')) refuseRecognizers(config, 'a replay');
  const unpriced = apis.filter((api) => !isFree(api) && priceOf(api) === null);
  if (unpriced.length > 0) {
    const named = unpriced.map((api) => `api ${api.id} (${api.provider} ${modelName(api)})`).join(', ');
    throw new EngineError('USAGE', `--max-cost cannot limit what models cost whose price is unknown: ${named}`, {
      hint: `add "price: { inputPerMillion: 1, outputPerMillion: 4 }" with its prices in US dollars to apis/${unpriced[0]?.id}.yaml, or "locality: local" where it is your own machine`,
    });
  }
  const costs = runs.map(({ cost }) => cost);
  const known = costs.filter((cost) => cost !== null);
  return {
    ...{ maxCost, repeat, plays: runs.length * repeat },
    recordedCost: known.length === costs.length ? known.reduce((sum, cost) => sum + cost, 0) * repeat : null,
  };
}

/** What the plan needs of a recording. */
export function plannedRun({ stimulus, expected }: Recording): PlannedRun {
  const cost = expected?.runs[0]?.cost ?? null;
  return stimulus.kind === 'agent' ? { agentId: stimulus.agentId, cost } : { directorId: stimulus.directorId, cost };
}

/** The apis that plays of these runs may ask, those that stand in for others included. */
function apisOf(
  { apis, agents, directors }: Pick<Snapshot, 'apis' | 'agents' | 'directors'>,
  runs: readonly PlannedRun[],
): Api[] {
  const ids = new Set<string>();
  const addAgent = (id: string) => {
    const own = agents.get(id)?.apiConfigId;
    if (own !== undefined) return void ids.add(own);
    // It asks the api of a director that may ask it.
    for (const director of directors.values()) if (director.agents.includes(id)) ids.add(director.apiConfigId);
  };
  const addDirector = (id: string) => {
    const director = directors.get(id);
    if (director === undefined) return;
    ids.add(director.apiConfigId);
    director.agents.forEach(addAgent);
  };
  for (const { agentId, directorId } of runs) {
    if (agentId !== undefined) addAgent(agentId);
    else if (directorId !== undefined) addDirector(directorId);
    // The filters decide who works on it.
    else [...directors.keys()].forEach(addDirector);
  }
  const named = [...ids].flatMap((id) => apis.get(id) ?? []);
  const standIns = named.flatMap((api) => fallbackOf(api).to.flatMap((id) => apis.get(id) ?? []));
  return [...new Set([...named, ...standIns])];
}
