import type { Reader } from '../../store/store.ts';
import { summarise } from '../compare/summarise.ts';
import type { Compared, ReplayReport, TierCount } from '../difference.ts';
import { MAX_SHADOW_MAILS, type Shadow, type ShadowProgress, type ShadowResult, type ShadowView } from './shadow.ts';
import { listResults, readProgress, readShadow, spentToday } from './shadow-rows.ts';

/** Most changed mails and runs that are listed. The counts are of all. */
const MAX_LISTED = 200;

/** The shadow with what it has found so far. */
export async function readShadowView(reader: Reader, now: number): Promise<ShadowView> {
  const shadow = await readShadow(reader);
  const progress = shadow && (await readProgress(reader, shadow));
  if (shadow === undefined || progress === undefined) return { shadow: null };
  const results = await listResults(reader, shadow);
  const mails = results.length;
  const facts = { spentToday: spentToday(progress, now), mails, isFull: mails >= MAX_SHADOW_MAILS };
  const { problem } = progress;
  return {
    shadow: { ...shadow, ...facts, ...(problem !== undefined && { problem }) },
    report: reportOf(shadow, progress, results),
  };
}

function reportOf(shadow: Shadow, progress: ShadowProgress, results: readonly ShadowResult[]): ReplayReport {
  const tried = results.filter(({ leftOut }) => leftOut === undefined);
  const changed = tried.toReversed().flatMap((result) => result.changed);
  const sum = (key: 'played' | 'missed' | 'tookMs') => tried.reduce((total, result) => total + result[key], 0);
  const tiers: TierCount[] = [
    { ...count('routing', changed), total: tried.length, missed: 0, tookMs: 0 },
    {
      ...count('live', changed),
      total: sum('played'),
      missed: sum('missed'),
      tookMs: sum('tookMs'),
      cost: progress.cost,
    },
  ];
  const { summary, warnings } = summarise({ tiers, changed }, shadow.warnings);
  return {
    against: `${shadow.ref} (${shadow.commit.slice(0, 8)})`,
    ...{ tiers, summary, warnings, changed: changed.slice(0, MAX_LISTED) },
    leftOut: results.flatMap(({ mailId: name, leftOut: why }) => (why === undefined ? [] : [{ name, why }])),
  };
}

/** Mails whose way changed, or runs that changed. */
function count(tier: 'routing' | 'live', changed: readonly Compared[]): Pick<TierCount, 'tier' | 'changed'> {
  const own = changed.filter((one) => one.tier === tier && (tier === 'live' || one.directorId === undefined));
  return { tier, changed: own.length };
}
