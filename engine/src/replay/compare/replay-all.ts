import { errorBody } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import { permissionTable, type PermissionRow } from '../../run/step/permission-table.ts';
import type { Compared, Difference, ReplayReport, Tier, TierCount } from '../difference.ts';
import type { Play, PlayOptions, Recording, Route, RoutedMail, Scratch } from '../replay.ts';
import { compareRuns } from './compare-runs.ts';
import { type ConfigWithTools, compareRules } from './compare-rules.ts';
import { type LiveLimits, type LivePlan, planLive } from './live-plan.ts';
import { summarise } from './summarise.ts';

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
  /** Called after each mail and each play. */
  readonly onProgress?: ((tier: Tier, done: number, total: number) => void) | undefined;
}

/**
 * Tries mails and runs under another config, tier by tier, and compares what would happen with what happened. Abort rejects. `USAGE`
 * where `live` may ask a model whose price is unknown; nothing was played then.
 */
export async function replayAll(
  scratch: Scratch,
  input: ReplayInput,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  const changed: Compared[] = [];
  const leftOut: { name: string; why: string }[] = [];
  const tiers: TierCount[] = [await routeAll(scratch, input, options, changed)];
  const checked = await checkRules(scratch, input, options, { changed, leftOut });
  if (options.isRoutingOnly !== true) {
    const recordings = checked.map(({ recording }) => recording);
    const plan = options.live && planLive(scratch.config, recordings, options.live);
    tiers.push(await playAll(scratch, checked, options, changed));
    if (plan !== undefined) {
      options.onLive?.(plan);
      tiers.push(await playLive(scratch, checked, { ...options, live: plan }, { changed, leftOut }));
    }
  }
  return {
    ...{ against: input.against, tiers, changed, leftOut },
    ...summarise(tiers, changed, looser(input.base, scratch)),
  };
}

async function routeAll(
  scratch: Scratch,
  input: ReplayInput,
  options: ReplayOptions,
  changed: Compared[],
): Promise<TierCount> {
  const began = performance.now();
  let count = 0;
  let done = 0;
  // Filters are compiled once a config, so all mails of one config go together.
  for (const [before, mails] of Map.groupBy(input.mails, (mail) => mail.before)) {
    const loaded = await Promise.all(mails.map(({ load }) => load()));
    const now = await Promise.all(loaded.map((mail) => scratch.route(mail)));
    const then = isRoute(before) ? undefined : await Promise.all(loaded.map((mail) => scratch.route(mail, before)));
    options.signal?.throwIfAborted();
    for (const [n, { name, subject }] of mails.entries()) {
      const [was, is] = [then === undefined ? before : then[n], now[n]];
      const differences = was !== undefined && isRoute(was) && is !== undefined ? compareRoutes(was, is) : [];
      if (differences.length === 0) continue;
      count++;
      changed.push({ tier: 'routing', name, subject, differences });
    }
    options.onProgress?.('routing', (done += mails.length), input.mails.length);
  }
  return { tier: 'routing', total: input.mails.length, changed: count, missed: 0, tookMs: performance.now() - began };
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

interface Found {
  readonly changed: Compared[];
  readonly leftOut: { name: string; why: string }[];
}

interface Checked {
  readonly run: ReplayedRun;
  readonly recording: Recording;
  /** What the rules alone say, so that a play does not say it again. */
  readonly texts: ReadonlySet<string>;
}

async function checkRules(
  scratch: Scratch,
  { runs }: ReplayInput,
  { signal }: ReplayOptions,
  found: Found,
): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const run of runs) {
    signal?.throwIfAborted();
    const recording = await run
      .load()
      .catch((error: unknown) => void found.leftOut.push({ name: run.name, why: errorBody(error).message }));
    const expected = recording?.expected?.runs[0];
    if (recording === undefined || expected === undefined) continue;
    const differences = run.before === undefined ? [] : await compareRules(expected, run.before, scratch);
    const { name, subject } = run;
    if (differences.length > 0)
      found.changed.push({ tier: 'routing', name, subject, directorId: expected.directorId, differences });
    checked.push({ run, recording, texts: new Set(differences.map(({ text }) => text)) });
  }
  return checked;
}

async function playAll(
  scratch: Scratch,
  checked: readonly Checked[],
  options: ReplayOptions,
  changed: Compared[],
): Promise<TierCount> {
  const began = performance.now();
  let [count, missed] = [0, 0];
  for (const [n, one] of checked.entries()) {
    options.signal?.throwIfAborted();
    const { outcome, differences } = await playOne(scratch, one, { hasLiveReads: options.hasLiveReads === true });
    if (outcome !== undefined && outcome.misses.length > 0) missed++;
    if (differences.length > 0) {
      count++;
      changed.push({ tier: 'recorded', ...about(one), differences });
    }
    options.onProgress?.('recorded', n + 1, checked.length);
  }
  return { tier: 'recorded', total: checked.length, changed: count, missed, tookMs: performance.now() - began };
}

async function playLive(
  scratch: Scratch,
  checked: readonly Checked[],
  options: ReplayOptions & { readonly live: LiveLimits },
  { changed, leftOut }: Found,
): Promise<TierCount> {
  const began = performance.now();
  const { maxCost, repeat } = options.live;
  let [total, count, cost, isOver] = [0, 0, 0, false];
  for (const one of checked)
    for (let attempt = 1; attempt <= repeat; attempt++) {
      options.signal?.throwIfAborted();
      const { spend, differences } = isOver
        ? { differences: [] }
        : await playOne(scratch, one, {
            isLive: true,
            maxCost: maxCost - cost,
            hasLiveReads: options.hasLiveReads === true,
          });
      cost += spend?.cost ?? 0;
      if (isOver || spend?.hasRefused === true) {
        // A run that was stopped says nothing about the config.
        isOver = true;
        leftOut.push({ name: one.run.name, why: `not asked to the end: --max-cost ${maxCost} is used up` });
        break;
      }
      isOver = spend?.isOver === true;
      total++;
      options.onProgress?.('live', total, checked.length * repeat);
      if (differences.length === 0) continue;
      count++;
      changed.push({ tier: 'live', ...about(one), ...(repeat > 1 && { attempt }), differences });
    }
  return { tier: 'live', total, changed: count, missed: 0, tookMs: performance.now() - began, cost };
}

function about({ run: { name, subject }, recording }: Checked) {
  const directorId = recording.expected?.runs[0]?.directorId;
  return { name, subject, ...(directorId !== undefined && { directorId }) };
}

async function playOne(
  scratch: Scratch,
  { recording, texts }: Checked,
  options: PlayOptions,
): Promise<Partial<Pick<Play, 'outcome' | 'spend'>> & { readonly differences: Difference[] }> {
  const [expected] = recording.expected?.runs ?? [];
  if (expected === undefined) return { differences: [] };
  try {
    const { outcome, spend } = await scratch.play(recording, options);
    const [after] = outcome.runs;
    const differences =
      after === undefined ? [] : compareRuns(expected, after, options.isLive === true ? [] : outcome.misses);
    return { outcome, spend, differences: differences.filter(({ text }) => !texts.has(text)) };
  } catch (error) {
    return { differences: [{ kind: 'status', text: `cannot run: ${errorBody(error).message}` }] };
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
