import { errorBody } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import { permissionTable, type PermissionRow } from '../../run/step/permission-table.ts';
import type { Compared, Difference, ReplayReport, Tier, TierCount } from '../difference.ts';
import { LiveSpend } from '../play/live-spend.ts';
import type { PlayOptions, Recording, Route, RoutedMail, Scratch } from '../replay.ts';
import { compareRuns } from './compare-runs.ts';
import { type ConfigWithTools, compareRules } from './compare-rules.ts';
import { type LiveLimits, type LivePlan, type PlannedRun, plannedRun, planLive } from './live-plan.ts';
import { summarise } from './summarise.ts';

/** Mails that are in memory at a time. */
const SLICE = 50;

/** A mail whose way is tried again. */
export interface ReplayedMail {
  readonly name: string;
  readonly subject: string;
  readonly load: () => Promise<RoutedMail>;
  /** Where it went: by the filters of a config, or as it is stored. */
  readonly before: Snapshot | Route;
}

/** A run that is played again. */
export interface ReplayedRun {
  readonly name: string;
  readonly subject: string;
  /** Rejects with `CONFLICT` for a run that cannot be played. */
  readonly load: () => Promise<Recording>;
  /** The config of the run, where it is known. */
  readonly before?: ConfigWithTools | undefined;
}

/** What is replayed. */
export interface ReplayInput {
  /** The other config as people read it. */
  readonly against: string;
  /** The config to which permissions are compared as a whole. */
  readonly base?: ConfigWithTools | undefined;
  readonly mails: readonly ReplayedMail[];
  readonly runs: readonly ReplayedRun[];
}

/** How it is replayed. */
export interface ReplayOptions {
  /** Stops after the routing tier. Default false. */
  readonly isRoutingOnly?: boolean | undefined;
  /** Asks models, `repeat` times a run, until they have cost `maxCost` US dollars. */
  readonly live?: LiveLimits | undefined;
  /** Called before the first model is asked. */
  readonly onLive?: ((plan: LivePlan) => void) | undefined;
  readonly hasLiveReads?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each slice of mails and each play. */
  readonly onProgress?: ((tier: Tier, done: number, total: number) => void) | undefined;
}

/** What a replay has found so far. */
interface Found {
  readonly changed: Compared[];
  readonly leftOut: { name: string; why: string }[];
}

/**
 * Tries mails and runs under another config, tier by tier, and compares what would happen with what happened. A mail or run that
 * cannot be read is left out, and so is a mail on which filters take too long. Abort ends it with the report so far. `USAGE` where `live` may ask a model whose price is unknown;
 * nothing was played then.
 */
export async function replayAll(
  scratch: Scratch,
  input: ReplayInput,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  const found: Found = { changed: [], leftOut: [] };
  const tiers: TierCount[] = [await routeAll(scratch, input, options, found)];
  const checked = await checkRules(scratch, input, options, found);
  if (options.isRoutingOnly !== true && !isAborted(options)) {
    const planned = checked.map(({ plan }) => plan);
    const plan = options.live && planLive(scratch.config, planned, options.live);
    tiers.push(await playAll(scratch, checked, options, found));
    if (plan !== undefined && !isAborted(options)) {
      options.onLive?.(plan);
      tiers.push(await playLive(scratch, checked, { ...options, live: plan }, found));
    }
  }
  const isInterrupted = isAborted(options);
  return {
    ...{ against: input.against, tiers, ...found, ...(isInterrupted && { isInterrupted }) },
    ...summarise({ tiers, changed: found.changed, isInterrupted }, looser(input.base, scratch)),
  };
}

function isAborted({ signal }: ReplayOptions): boolean {
  return signal?.aborted === true;
}

async function routeAll(
  scratch: Scratch,
  input: ReplayInput,
  options: ReplayOptions,
  { changed, leftOut }: Found,
): Promise<TierCount> {
  const began = performance.now();
  let [total, count, done] = [0, 0, 0];
  // Filters are compiled once a config, so all mails of one config go together; few at a time are in memory.
  for (const [before, all] of Map.groupBy(input.mails, (mail) => mail.before))
    for (let at = 0; at < all.length && !isAborted(options); at += SLICE) {
      const mails = all.slice(at, at + SLICE);
      for (const { name, subject, was, is } of await routeSlice(scratch, mails, before, leftOut)) {
        total++;
        const differences = compareRoutes(was, is);
        if (differences.length === 0) continue;
        count++;
        changed.push({ tier: 'routing', name, subject, differences });
      }
      options.onProgress?.('routing', (done += mails.length), input.mails.length);
    }
  return { tier: 'routing', total, changed: count, missed: 0, tookMs: performance.now() - began };
}

/** The ways of some mails before and now, without those that cannot be read. */
async function routeSlice(
  scratch: Scratch,
  mails: readonly ReplayedMail[],
  before: Snapshot | Route,
  leftOut: Found['leftOut'],
) {
  const routed = await Promise.all(
    mails.map(async (mail) => {
      const read = await load(mail, leftOut);
      if (read === undefined) return [];
      // The filters of either config may take too long on a mail.
      const route = async () => {
        const is = await scratch.route(read);
        return { ...mail, is, was: isRoute(before) ? before : await scratch.route(read, before) };
      };
      return (await load({ name: mail.name, load: route }, leftOut)) ?? [];
    }),
  );
  return routed.flat();
}

/** What `load` gives, such as a mail or a recording; undefined where it rejects, which is noted. */
async function load<T>(
  { name, load }: { readonly name: string; readonly load: () => Promise<T> },
  leftOut: Found['leftOut'],
): Promise<T | undefined> {
  return load().catch((error: unknown) => void leftOut.push({ name, why: errorBody(error).message }));
}

function isRoute(value: Snapshot | Route): value is Route {
  return !('revision' in value);
}

/** The difference between two ways of a mail. */
export function compareRoutes(before: Route, after: Route): Difference[] {
  const idsOf = ({ directors }: Route) => directors.map(({ directorId }) => directorId);
  const [was, is] = [idsOf(before), idsOf(after)];
  if (was.length === is.length && was.every((id) => is.includes(id))) return [];
  const name = (ids: readonly string[]) => ids.join(', ') || 'nobody';
  return [{ kind: 'routing', text: `went to ${name(was)}, now to ${name(is)}`, before: was, after: is }];
}

interface Checked {
  readonly run: ReplayedRun;
  readonly directorId: string;
  readonly plan: PlannedRun;
  /** What the rules alone say, so that a play does not say it again. */
  readonly texts: ReadonlySet<string>;
}

async function checkRules(
  scratch: Scratch,
  { runs }: ReplayInput,
  options: ReplayOptions,
  { changed, leftOut }: Found,
): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const run of runs) {
    if (isAborted(options)) break;
    const recording = await load(run, leftOut);
    const [expected] = recording?.expected?.runs ?? [];
    if (recording === undefined || expected === undefined) continue;
    const differences = run.before === undefined ? [] : await compareRules(expected, run.before, scratch);
    const { directorId } = expected;
    if (differences.length > 0) changed.push({ tier: 'routing', ...about({ run, directorId }), differences });
    checked.push({ run, directorId, plan: plannedRun(recording), texts: new Set(differences.map(({ text }) => text)) });
  }
  return checked;
}

async function playAll(
  scratch: Scratch,
  checked: readonly Checked[],
  options: ReplayOptions,
  { changed, leftOut }: Found,
): Promise<TierCount> {
  const began = performance.now();
  let [total, count, missed] = [0, 0, 0];
  for (const [n, one] of checked.entries()) {
    const played = await playOne(scratch, one, playOptions(options), leftOut);
    if (isAborted(options)) break;
    options.onProgress?.('recorded', n + 1, checked.length);
    if (played === undefined) continue;
    total++;
    if (played.hasMissed) missed++;
    if (played.differences.length === 0) continue;
    count++;
    changed.push({ tier: 'recorded', ...about(one), differences: played.differences });
  }
  return { tier: 'recorded', total, changed: count, missed, tookMs: performance.now() - began };
}

async function playLive(
  scratch: Scratch,
  checked: readonly Checked[],
  options: ReplayOptions & { readonly live: LiveLimits },
  { changed, leftOut }: Found,
): Promise<TierCount> {
  const began = performance.now();
  const { maxCost, repeat } = options.live;
  const spend = new LiveSpend(maxCost);
  let [total, count] = [0, 0];
  for (const one of checked)
    for (let attempt = 1; attempt <= repeat && !isAborted(options); attempt++) {
      const wasOver = spend.isOver;
      const play = { ...playOptions(options), isLive: true, spend };
      const played = wasOver ? undefined : await playOne(scratch, one, play, leftOut);
      if (isAborted(options)) break;
      if (wasOver || spend.hasRefused) {
        // A run that was stopped says nothing about the config.
        leftOut.push({ name: one.run.name, why: `not asked to the end: --max-cost ${maxCost} is used up` });
        break;
      }
      if (played === undefined) break;
      total++;
      options.onProgress?.('live', total, checked.length * repeat);
      if (played.differences.length === 0) continue;
      count++;
      changed.push({ tier: 'live', ...about(one), ...(repeat > 1 && { attempt }), differences: played.differences });
    }
  return { tier: 'live', total, changed: count, missed: 0, tookMs: performance.now() - began, cost: spend.cost };
}

function playOptions({ hasLiveReads = false, signal }: ReplayOptions): PlayOptions {
  return { hasLiveReads, signal };
}

function about({ run: { name, subject }, directorId }: Pick<Checked, 'run' | 'directorId'>) {
  return { name, subject, directorId };
}

/** The filters have started no run, such as where they took too long. */
const NO_RUN: Difference = { kind: 'status', text: 'no run starts now' };

/** Plays a run; undefined where it cannot be read, or the play was aborted. */
async function playOne(
  scratch: Scratch,
  { run, texts }: Checked,
  options: PlayOptions,
  leftOut: Found['leftOut'],
): Promise<{ readonly hasMissed: boolean; readonly differences: Difference[] } | undefined> {
  const recording = await load(run, leftOut);
  const [expected] = recording?.expected?.runs ?? [];
  if (recording === undefined || expected === undefined) return undefined;
  try {
    const { outcome } = await scratch.play(recording, options);
    const [after] = outcome.runs;
    const misses = options.isLive === true ? [] : outcome.misses;
    const differences = after === undefined ? [NO_RUN] : await compareRuns(expected, after, misses);
    return {
      hasMissed: outcome.misses.length > 0,
      differences: differences.filter(({ text }) => !texts.has(text)),
    };
  } catch (error) {
    return { hasMissed: false, differences: [{ kind: 'status', text: `cannot run: ${errorBody(error).message}` }] };
  }
}

/** What another config permits that the first one did not, one sentence each. */
export function looser(before: ConfigWithTools | undefined, after: ConfigWithTools): string[] {
  if (before === undefined) return [];
  const key = ({ tool, caller }: PermissionRow) => `${caller.kind} ${caller.id}\0${tool}`;
  const rank = { deny: 0, ask: 1, allow: 2 } as const;
  return [...after.config.directors.keys()].flatMap((id) => {
    if (!before.config.directors.has(id)) return [];
    const was = new Map(permissionTable(before.config, before.tools, id).map((row) => [key(row), row.permission]));
    return permissionTable(after.config, after.tools, id).flatMap((row) => {
      const earlier = was.get(key(row)) ?? 'deny';
      if (rank[row.permission] <= rank[earlier]) return [];
      const verb = row.permission === 'allow' ? 'runs without asking' : 'may be asked for';
      return [
        `${row.tool} of ${row.caller.kind} ${row.caller.id} ${verb} now; it was ${was.has(key(row)) ? `"${earlier}"` : 'not offered'}`,
      ];
    });
  });
}
