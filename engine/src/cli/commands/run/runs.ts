import type { Approval } from '../../../guard/approval.ts';
import type { Run, ServedRun } from '../../../run/run.ts';
import type { Page } from '../../../api/http/paging.ts';
import type { ListedRun } from '../../../api/routes/run/list-runs.ts';
import type { WorkspaceItem } from '../../../workspace/item.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { stateOf, whoOf } from './facts.ts';
import { exitCodeOfRun, followRun, readTree, untilInterrupted } from './follow.ts';
import { findId } from '../../find-id.ts';
import { formatQuestion } from './format-question.ts';
import { withApi, withRows } from '../../with-api.ts';
import { shortIds } from '../../terminal/short-ids.ts';
import { type Column, formatTable, oneLine, plain } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';
import { formatCost, formatMs, formatTree } from '../../terminal/trace-tree.ts';

interface ListOptions {
  readonly status?: string;
  readonly director?: string;
  readonly limit: string;
}

/** A run with its items and pending approvals. */
export interface RunOutcome extends ServedRun {
  readonly items: readonly WorkspaceItem[];
  /** Pending approvals only. */
  readonly approvals: readonly Approval[];
}

/** `runs list`: prints runs, newest first; with `--json` the page of the API. */
export async function listRuns(context: CommandContext, { status, director, limit }: ListOptions): Promise<number> {
  const query = new URLSearchParams({
    limit,
    ...(status !== undefined && { status }),
    ...(director !== undefined && { directorId: director }),
  });
  const page = await withRows(context, (client) => client.request<Page<ListedRun>>('GET', `/api/runs?${query}`));
  const { terminal } = context;
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no runs');
  else terminal.out(formatRuns(page.items, { width: widthOf(terminal), nowMs: Date.now() }));
  return EXIT.fine;
}

const COLUMNS: readonly Column[] = [
  { head: 'ID' },
  { head: 'STATE', cut: 2, min: 18 },
  { head: 'DIRECTOR', cut: 1 },
  { head: 'TIME' },
  { head: 'COST' },
  { head: 'SUBJECT', cut: 3, min: 20 },
];
/** Terminals of this width also show when a run began. */
const WIDE = 110;

/** Formats a list of runs as a table of at most `width` cells. */
export function formatRuns(
  runs: readonly ListedRun[],
  { width, nowMs }: { readonly width: number; readonly nowMs: number },
): string {
  const ids = shortIds(runs.map(({ id }) => id));
  const isWide = width >= WIDE;
  const rows = runs.map((run) => {
    const cells = cellsOfRun(run, nowMs);
    const started = run.status === undefined ? '' : run.createdAt.slice(0, 16).replace('T', ' ');
    return [ids.get(run.id) ?? run.id, ...(isWide ? [started] : []), ...cells];
  });
  const columns = isWide ? COLUMNS.toSpliced(1, 0, { head: 'STARTED (UTC)' }) : COLUMNS;
  return formatTable(columns, rows, width);
}

function cellsOfRun(run: ListedRun, nowMs: number): string[] {
  if (run.status === undefined) return ['unreadable', run.directorId, '', '', oneLine(run.error?.message ?? '')];
  const { createdAt, endedAt, usage, subject, summary } = run;
  const ms = (endedAt === undefined ? nowMs : Date.parse(endedAt)) - Date.parse(createdAt);
  // The cost of an open run is known when it ends.
  const cost = endedAt === undefined ? '' : formatCost(usage.cost);
  return [stateOf(run), whoOf(run), formatMs(Math.max(0, ms)), cost, oneLine(subject || summary)];
}

/**
 * `runs show <id>`: prints the steps of a run as a tree, its approvals and its items. With `--follow`, prints each step when it
 * has ended until the run is over; the exit code is then that of `run`.
 */
export async function showRun(
  context: CommandContext,
  { follow = false }: { readonly follow?: boolean },
  [given = '']: readonly string[],
): Promise<number> {
  if (follow) return untilInterrupted(context, (signal) => followShown(context, given, signal));
  const { outcome, tree } = await withRows(context, async (client) => {
    const id = await findId(client, 'run', given);
    return { outcome: await readOutcome(client, id), tree: await readTree(client, id) };
  });
  if (context.isJson) context.print({ ...outcome, tree });
  else {
    context.terminal.out(`${formatTree(tree, { color: context.hasColor.out })}\n`);
    printOutcome(context, outcome);
  }
  return EXIT.fine;
}

function followShown(context: CommandContext, given: string, signal: AbortSignal): Promise<number> {
  return withApi(context, { isDriving: false }, async (client) => {
    const id = await findId(client, 'run', given);
    const print = context.isJson ? () => {} : context.terminal.out;
    const color = context.hasColor.out;
    const isOver = await followRun(context, client, {
      id,
      signal,
      print,
      color,
      isBrief: false,
      stopsAtWait: false,
    });
    if (!isOver) return EXIT.interrupted;
    const outcome = await readOutcome(client, id);
    if (!context.isJson) context.terminal.out('\n');
    printOutcome(context, outcome);
    return exitCodeOfRun(outcome);
  });
}

/** `runs cancel <id>`: cancels a run and its agents. */
export async function cancelRun(
  context: CommandContext,
  _options: object,
  [given = '']: readonly string[],
): Promise<number> {
  const run = await withApi(context, { isDriving: false }, async (client) =>
    client.request<Run>('POST', path`/api/runs/${await findId(client, 'run', given)}/cancel`),
  );
  if (context.isJson) context.print(run);
  else context.say(`run ${run.id} is cancelled; its items stay`);
  return EXIT.fine;
}

/** Reads a run with its items and its pending approvals. */
export async function readOutcome(client: Pick<ApiClient, 'request'>, id: string): Promise<RunOutcome> {
  const run = await client.request<ServedRun>('GET', path`/api/runs/${id}`);
  const { items } = await client.request<Page<WorkspaceItem>>(
    'GET',
    path`/api/workspaces/${run.workspaceId}/items?limit=200&runId=${id}`,
  );
  const pending = new URLSearchParams({ status: 'pending', runId: id, limit: '200' });
  const approvals = await client.request<Page<Approval>>('GET', `/api/approvals?${pending}`);
  return { ...run, items, approvals: approvals.items };
}

/** Prints an outcome: with `--json` as one document, else facts on stderr and items on stdout. */
export function printOutcome({ isJson, print, say, terminal }: CommandContext, outcome: RunOutcome): void {
  if (isJson) return print(outcome);
  const { id, usage, error, summary, scripted, items, approvals, until } = outcome;
  say(`run ${id} of ${whoOf(outcome)}: ${stateOf(outcome)}${scripted ? ' (scripted, no AI)' : ''}`);
  say(`  ${usage.turns} turns, ${usage.inputTokens} + ${usage.outputTokens} tokens`);
  if (error !== undefined) say(`  ${error.code}: ${oneLine(error.message)}`);
  else if (summary !== '') say(`  ${oneLine(summary)}`);
  if (until !== undefined) say(`  continues at ${until}`);
  for (const approval of approvals) say(approval.kind === 'question' ? askLine(approval) : approvalLine(approval));
  for (const item of items) terminal.out(formatItem(item));
}

function approvalLine({ id, tool, arguments: args }: Approval): string {
  return `  waits for approval: ${tool} ${oneLine(JSON.stringify(args))}\n    callsheet approvals allow ${id}`;
}

function askLine(question: Approval): string {
  const text = formatQuestion(question).replaceAll('\n', '\n    ');
  return `  asks: ${text}\n    callsheet runs answer ${question.runId} "…"`;
}

function formatItem({ label, mimeType, encoding, data = '', id }: WorkspaceItem): string {
  const head = `--- ${oneLine(label ?? id)} (${oneLine(mimeType)})`;
  const isText = encoding === 'utf8';
  return `${head}\n${isText ? plain(data).trimEnd() : `[${data.length} characters of ${encoding}]`}\n\n`;
}
