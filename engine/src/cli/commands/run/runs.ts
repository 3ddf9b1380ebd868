import type { Approval } from '../../../guard/approval.ts';
import type { Run } from '../../../run/run.ts';
import type { Page } from '../../../api/http/paging.ts';
import type { UnifiedNode } from '../../../trace/trace-tree.ts';
import type { WorkspaceItem } from '../../../workspace/item.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { withApi } from '../../with-api.ts';
import { formatTable, oneLine, plain } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { formatTree } from '../../terminal/trace-tree.ts';

interface ListOptions {
  readonly status?: string;
  readonly director?: string;
  readonly limit: string;
}

/** A run with its items and pending approvals. */
export interface RunOutcome extends Run {
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
  const page = await withApi(context, { isDriving: false }, (client) =>
    client.request<Page<Run>>('GET', `/api/runs?${query}`),
  );
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no runs');
  else context.terminal.out(formatTable(['ID', 'STATUS', 'DIRECTOR', 'STARTED', 'SUMMARY'], page.items.map(row)));
  return EXIT.fine;
}

function row(run: Run): string[] {
  return [run.id, stateOf(run), whoOf(run), run.createdAt.slice(0, 19), oneLine(run.summary)];
}

/** `waiting (approval)`, `waiting (limit: agent helper)` */
export function stateOf({ status, waitingFor, limit }: Run): string {
  if (waitingFor === undefined) return status;
  return `${status} (${waitingFor}${limit === undefined ? '' : `: ${oneLine(limit)}`})`;
}

/** The director of a run, or the agent of a session. */
export function whoOf({ directorId, agentId }: { readonly directorId: string; readonly agentId?: string }): string {
  return agentId === undefined ? directorId : `agent ${agentId}`;
}

/** `runs show <id>`: prints the steps of a run as a tree, its approvals and its items. */
export async function showRun(
  context: CommandContext,
  _options: object,
  [id = '']: readonly string[],
): Promise<number> {
  const { outcome, tree } = await withApi(context, { isDriving: false }, async (client) => ({
    outcome: await readOutcome(client, id),
    tree: await client.request<Page<UnifiedNode>>('GET', path`/api/diagnostics/unified?runId=${id}`),
  }));
  if (context.isJson) context.print({ ...outcome, tree: tree.items });
  else {
    context.terminal.out(`${formatTree(tree.items, { color: context.hasColor.out })}\n`);
    printOutcome(context, outcome);
  }
  return EXIT.fine;
}

/** `runs cancel <id>`: cancels a run and its agents. */
export async function cancelRun(
  context: CommandContext,
  _options: object,
  [id = '']: readonly string[],
): Promise<number> {
  const run = await withApi(context, { isDriving: false }, (client) =>
    client.request<Run>('POST', path`/api/runs/${id}/cancel`),
  );
  if (context.isJson) context.print(run);
  else context.say(`run ${id} is cancelled; its items stay`);
  return EXIT.fine;
}

/** Reads a run with its items and its pending approvals. */
export async function readOutcome(client: ApiClient, id: string): Promise<RunOutcome> {
  const run = await client.request<Run>('GET', path`/api/runs/${id}`);
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
  for (const approval of approvals)
    say(
      `  waits for approval: ${approval.tool} ${oneLine(JSON.stringify(approval.arguments))}\n    callsheet approvals allow ${approval.id}`,
    );
  for (const item of items) terminal.out(formatItem(item));
}

function formatItem({ label, mimeType, encoding, data = '', id }: WorkspaceItem): string {
  const head = `--- ${oneLine(label ?? id)} (${oneLine(mimeType)})`;
  const isText = encoding === 'utf8';
  return `${head}\n${isText ? plain(data).trimEnd() : `[${data.length} characters of ${encoding}]`}\n\n`;
}
