import type { Page } from '../../../api/http/paging.ts';
import { sleep } from '../../../base/abort.ts';
import { systemClock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/error.ts';
import type { Run } from '../../../run/run.ts';
import type { UnifiedNode } from '../../../trace/trace-tree.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { formatMs, formatNewSteps, openRequest } from '../../terminal/trace-tree.ts';
import { nextCommand, stateOf, waitsForLong, waitsForPerson } from './facts.ts';

/** The polling interval begins with `first`, falls to `busy` while steps end, and grows to `last` while none does. */
const POLL_MS = { first: 50, busy: 200, last: 1000 } as const;
/** After this time without a new step a line says what the run waits for, and again after twice the time, and so on. */
const SILENT_MS = 10_000;

interface FollowOptions {
  readonly id: string;
  readonly signal: AbortSignal;
  /** Prints lines, line breaks included. */
  readonly print: (text: string) => void;
  readonly color: boolean;
  /** Whether entries that only mark a state are left out. */
  readonly isBrief: boolean;
  /** Whether a wait for a person, a mail or a date ends it. */
  readonly stopsAtWait: boolean;
}

/**
 * Prints the steps of a run as they end, and what it waits for. Resolves to true when the run is over or waits for a person, to
 * false when `signal` is aborted, or when no server runs that could continue it.
 */
export async function followRun(
  context: CommandContext,
  client: ApiClient,
  { id, signal, print, stopsAtWait, ...options }: FollowOptions,
): Promise<boolean> {
  const seen = new Set<string>();
  const silence = createSilence(print);
  let pauseMs: number = POLL_MS.first;
  let state = '';
  for (;;) {
    // The run first: the steps that are read after its end are complete.
    const run = await client.request<Run>('GET', path`/api/runs/${id}`);
    const nodes = await readTree(client, id);
    const lines = formatNewSteps(nodes, seen, options);
    print(lines);
    if (isOver(run) || (stopsAtWait && (waitsForPerson(run) || waitsForLong(run)))) return true;
    if (stateOf(run) !== state && run.status === 'waiting') print(waitLine(run));
    silence(lines !== '' || stateOf(run) !== state, nodes, run);
    state = stateOf(run);
    if (!stopsAtWait && !client.isLive) {
      context.say(`run ${id} is not over, and no server is running: it continues after callsheet start`);
      return true;
    }
    try {
      await sleep(pauseMs, { signal, clock: systemClock });
    } catch (error) {
      if (!signal.aborted) throw error;
      const next = client.isLive ? 'the server continues it' : 'it continues after callsheet start';
      context.say(`stopped waiting for run ${id}: ${next}\n  callsheet runs cancel ${id}`);
      return false;
    }
    pauseMs = lines === '' ? Math.min(pauseMs * 1.5, POLL_MS.last) : Math.min(pauseMs, POLL_MS.busy);
  }
}

/** The diagnostics tree of a run. */
export async function readTree(client: Pick<ApiClient, 'request'>, id: string): Promise<readonly UnifiedNode[]> {
  return (await client.request<Page<UnifiedNode>>('GET', path`/api/diagnostics/unified?runId=${id}`)).items;
}

/** 0 for a completed run, 3 for one that waits for a person, 1 for any other. */
export function exitCodeOfRun(run: Run): number {
  if (run.status === 'completed' || waitsForLong(run)) return EXIT.fine;
  return waitsForPerson(run) ? EXIT.person : EXIT.warning;
}

/** Calls `work` with a signal that the first Ctrl-C aborts; the second one exits at once. */
export async function untilInterrupted(
  { terminal }: CommandContext,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const interrupt = new AbortController();
  const off = terminal.onSignal((signal) => {
    if (interrupt.signal.aborted) terminal.exit(EXIT.interrupted);
    interrupt.abort(new EngineError('RUN_CANCELLED', signal));
  });
  try {
    return await work(interrupt.signal);
  } finally {
    off();
  }
}

function isOver({ status }: Run): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function waitLine(run: Run): string {
  const until = run.until === undefined ? '' : `, until ${run.until}`;
  const command = nextCommand(run);
  const hint = command === '' ? until : `: ${command}`;
  return `  ${stateOf(run)}${hint}\n`;
}

/** Prints what the run waits for when no step has ended for a while. */
function createSilence(print: (text: string) => void) {
  let quietSince = Date.now();
  let next = SILENT_MS;
  return (isNews: boolean, nodes: readonly UnifiedNode[], run: Run) => {
    const now = Date.now();
    if (isNews) [quietSince, next] = [now, SILENT_MS];
    if (now - quietSince < next) return;
    next *= 2;
    const request = openRequest(nodes);
    const what =
      request === undefined
        ? stateOf(run)
        : `waits for the model (${oneLine(request.title)}) since ${formatMs(now - Date.parse(request.startedAt))}`;
    print(`  … ${what}\n`);
  };
}
