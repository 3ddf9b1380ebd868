import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inspectModels } from '../../../app/inspect.ts';
import { configAtRef } from '../../../app/scratch/config-of-ref.ts';
import { openRecordings, type OpenRecordings } from '../../../app/scratch/open-recordings.ts';
import { openScratch } from '../../../app/scratch/open-scratch.ts';
import { EngineError } from '../../../base/error.ts';
import { writeNamed } from '../../../file/write-named.ts';
import { listCases, readCase } from '../../../replay/case/case-file.ts';
import type { ConfigWithTools } from '../../../replay/compare/compare-rules.ts';
import type { LiveLimits, LivePlan } from '../../../replay/compare/live-plan.ts';
import {
  replayAll,
  type ReplayedMail,
  type ReplayedRun,
  type ReplayInput,
} from '../../../replay/compare/replay-all.ts';
import { DIFFERENCE_KINDS, type DifferenceKind, type ReplayReport } from '../../../replay/difference.ts';
import { githubAnnotations, githubSummary } from '../../../replay/report/github-report.ts';
import { htmlReport } from '../../../replay/report/html-report.ts';
import { PLAIN, textReport } from '../../../replay/report/text-report.ts';
import type { PlayedMail, Recording, Scratch } from '../../../replay/replay.ts';
import type { CommandContext, GlobalOptions } from '../../context.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { formatCost } from '../../terminal/trace-tree.ts';
import { readSince } from '../run/export.ts';
import { untilInterrupted } from '../run/follow.ts';
import { reportMarks } from './marks.ts';

/** Options of `replay`. */
interface ReplayCommandOptions extends Pick<GlobalOptions, 'config' | 'data'> {
  readonly since?: string;
  readonly mails?: string;
  readonly against?: string;
  readonly director?: string;
  readonly limit: string;
  readonly routing?: boolean;
  readonly live?: boolean;
  readonly maxCost?: string;
  readonly repeat: string;
  readonly tools?: string;
  readonly format: 'pretty' | 'json' | 'github';
  readonly html?: string;
  readonly failOn?: string;
}

/**
 * `replay`: plays stored mail and runs, or those of a folder, under another config, and reports what would change. Sends nothing. Exit 0
 * if nothing changed, 1 if something did (with `--fail-on`: something of these kinds), 2 if it could not run, 130 on Ctrl-C, with the
 * report so far.
 */
export async function replay(
  context: CommandContext,
  options: ReplayCommandOptions,
  ids: readonly string[],
): Promise<number> {
  const kinds = kindsOf(options.failOn);
  const live = liveOf(options);
  expectInput(options, ids);
  return untilInterrupted(context, async (signal) => {
    const report = await reportOf(context, options, ids, { live, signal });
    await print(context, options, report);
    if (report.isInterrupted === true) return EXIT.interrupted;
    const changed = report.changed.flatMap(({ differences }) => differences.map(({ kind }) => kind));
    return changed.some((kind) => kinds.includes(kind)) ? EXIT.warning : EXIT.fine;
  });
}

function expectInput({ since, mails }: ReplayCommandOptions, ids: readonly string[]): void {
  if (ids.length === 0 && since === undefined && mails === undefined)
    throw new EngineError('USAGE', 'name runs, or pass --since or --mails', {
      hint: 'callsheet replay last; callsheet replay --since 30d --against main',
    });
  if (mails !== undefined && (ids.length > 0 || since !== undefined))
    throw new EngineError(
      'USAGE',
      '--mails takes the mails and cases of a folder, so it takes no runs and no --since',
      {
        hint: 'callsheet replay --mails cases',
      },
    );
}

/** Opens what a replay needs, replays, and closes it again. */
async function reportOf(
  context: CommandContext,
  options: ReplayCommandOptions,
  ids: readonly string[],
  { live, signal }: { readonly live: LiveLimits | undefined; readonly signal: AbortSignal },
): Promise<ReplayReport> {
  const { source, candidate } = foldersOf(context, options);
  const open: { close(): Promise<void> }[] = [];
  const closedLater = <T extends { close(): Promise<void> }>(one: T): T => {
    open.unshift(one);
    return one;
  };
  try {
    const copy = options.against === undefined ? undefined : closedLater(await configAtRef(candidate, options.against));
    const hasStore = options.mails === undefined || existsSync(join(source.dataDir, 'callsheet.db'));
    const store = hasStore ? closedLater(await openRecordings(source)) : undefined;
    const models = live && closedLater(await inspectModels(source, store?.source.store));
    const configDir = copy?.configDir ?? candidate;
    const scratch = closedLater(await openScratch({ configDir, env: context.env, ...(models && { models }) }));
    const against = options.against ?? (candidate === source.configDir ? 'the config folder' : candidate);
    const base = store?.current ?? (copy === undefined ? scratch : await readBase(context, candidate));
    const input = { against, base, ...(await inputOf(context, options, ids, { store, scratch, base })) };
    const isShown = context.terminal.isStderrTty && !context.isQuiet && !context.isJson;
    return await replayAll(scratch, input, {
      ...{ isRoutingOnly: options.routing === true, live, hasLiveReads: hasLiveReads(options.tools), signal },
      onLive: (plan: LivePlan) => context.say(announcement(plan)),
      onProgress: (tier: string, done: number, total: number) =>
        isShown ? context.terminal.err(`\r${tier} ${done}/${total}\u001b[K${done === total ? '\n' : ''}`) : undefined,
    });
  } finally {
    for (const one of open) await one.close();
  }
}

/** The folders of the store, and the config that is tried. `--config` names the latter: the store stays that of this folder. */
function foldersOf(context: CommandContext, { config, data }: ReplayCommandOptions) {
  const { configDir, terminal } = context;
  const own = resolve(terminal.cwd, 'config');
  const dataDir = data === undefined && config !== undefined ? resolve(terminal.cwd, 'data') : context.dataDir;
  const hasOwn = config !== undefined && existsSync(own) && existsSync(dataDir);
  return { source: hasOwn ? { ...context, configDir: own, dataDir } : context, candidate: configDir };
}

async function inputOf(
  context: CommandContext,
  { since, mails: folder, director: directorId, limit }: ReplayCommandOptions,
  ids: readonly string[],
  { store, scratch, base }: Opened,
): Promise<Pick<ReplayInput, 'mails' | 'runs'>> {
  const most = positive('--limit', limit);
  if (folder !== undefined)
    return fromFolder(resolve(context.terminal.cwd, folder), { store, scratch, base }, { directorId, most });
  if (store === undefined) return { mails: [], runs: [] };
  const query = { since: since === undefined ? '' : readSince(since, Date.now()), directorId, limit: most };
  const listed = since === undefined ? { mails: [], runs: [] } : await store.list(query);
  const named = await Promise.all(ids.map(async (id) => store.run(await store.findRun(id))));
  return {
    mails: listed.mails,
    runs: [...named, ...listed.runs.filter(({ name }) => !named.some((one) => one.name === name))],
  };
}

interface Opened {
  readonly store: OpenRecordings | undefined;
  readonly scratch: Scratch;
  /** The config folder as it is, to which another one is compared. */
  readonly base: ConfigWithTools;
}

async function readBase({ env }: CommandContext, configDir: string): Promise<ConfigWithTools> {
  const scratch = await openScratch({ configDir, env });
  await scratch.close();
  return scratch;
}

async function fromFolder(
  folder: string,
  { scratch, base }: Opened,
  { directorId, most }: { readonly directorId: string | undefined; readonly most: number },
): Promise<Pick<ReplayInput, 'mails' | 'runs'>> {
  const { mails, cases } = await listCases(folder);
  const routed: ReplayedMail[] = mails.slice(0, most).map((name) => ({
    ...{ name, subject: '', before: base.config },
    load: async () => scratch.read({ raw: await readFile(join(folder, name)) }),
  }));
  const runs: ReplayedRun[] = [];
  for (const name of cases.slice(0, most)) {
    // Read now, since a broken case is a mistake, and again later: not all of them fit into memory.
    const load = () => readCase(join(folder, name), name);
    const { stimulus, expected } = await load();
    if (directorId !== undefined && expected?.runs.some((run) => run.directorId === directorId) !== true) continue;
    const { kind } = stimulus;
    if (kind === 'mail' && expected?.route !== undefined)
      routed.push({ name, subject: '', before: expected.route, load: async () => scratch.read(mailOf(await load())) });
    runs.push({ name, subject: kind === 'mail' ? '' : stimulus.message.slice(0, 80), load, before: base });
  }
  return { mails: routed, runs };
}

function mailOf({ name, stimulus }: Recording): PlayedMail {
  if (stimulus.kind === 'mail') return stimulus.mail;
  throw new EngineError('CONFLICT', `the case ${name} has no mail any more`);
}

function liveOf({ live, maxCost, repeat }: ReplayCommandOptions): LiveLimits | undefined {
  if (live !== true) return undefined;
  const most = Number(maxCost);
  if (maxCost === undefined || !(most > 0))
    throw new EngineError(
      'USAGE',
      '--live asks models, which costs money: say how much with --max-cost, in US dollars',
      {
        hint: 'callsheet replay last --live --max-cost 0.50',
      },
    );
  return { maxCost: most, repeat: positive('--repeat', repeat) };
}

function announcement({ plays, maxCost, repeat, recordedCost }: LivePlan): string {
  const runs = `${plays / repeat} ${plays === repeat ? 'run' : 'runs'}${repeat === 1 ? '' : `, ${repeat} times each`}`;
  const then = recordedCost === null ? '' : ` (as recorded: ${formatCost(recordedCost)})`;
  return `asks models for ${runs}${then}; costs at most $${maxCost}, and the requests under way when that is reached`;
}

function hasLiveReads(tools: string | undefined): boolean {
  if (tools === undefined || tools === 'live') return tools === 'live';
  throw new EngineError('USAGE', `--tools takes live, not "${tools}"`);
}

/** Prints the report first: it may have cost money. */
async function print(
  context: CommandContext,
  { format, html }: ReplayCommandOptions,
  report: ReplayReport,
): Promise<void> {
  const { terminal } = context;
  if (context.isJson || format === 'json') context.print(report);
  else if (format === 'github') {
    terminal.out(githubAnnotations(report));
    const file = context.env('GITHUB_STEP_SUMMARY') ?? '';
    if (file !== '') await writeNamed(file, appendFile(file, githubSummary(report)));
  } else terminal.out(textReport(report, context.hasColor.out ? reportMarks : PLAIN));
  if (html === undefined) return;
  const path = resolve(terminal.cwd, html);
  await writeNamed(path, writeFile(path, htmlReport(report)));
}

function kindsOf(text: string | undefined): readonly DifferenceKind[] {
  if (text === undefined) return DIFFERENCE_KINDS;
  return text.split(',').map((name) => {
    const kind = DIFFERENCE_KINDS.find((one) => one === name.trim());
    if (kind !== undefined) return kind;
    throw new EngineError('USAGE', `--fail-on takes ${DIFFERENCE_KINDS.join(', ')}, not "${name}"`);
  });
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new EngineError('USAGE', `${name} takes a whole number above 0, not "${text}"`);
}
