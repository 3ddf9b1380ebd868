import type { Page } from '../../../api/http/paging.ts';
import type { AuditLine } from '../../../trace/audit.ts';
import type { CommandContext } from '../../context.ts';
import { findId } from '../../find-id.ts';
import { shortIds } from '../../terminal/short-ids.ts';
import { cutTo, formatTable, oneLine } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';
import { withRows } from '../../with-api.ts';
import { readSince } from './export.ts';

interface AuditOptions {
  readonly run?: string;
  readonly since?: string;
  readonly limit: string;
}

/** `audit [--run ID] [--since 1d]`: prints tool calls, newest first, with the rule or the person that decided. */
export async function listAudit(context: CommandContext, { run, since, limit }: AuditOptions): Promise<number> {
  const from = since === undefined ? undefined : readSince(since, Date.now());
  const page = await withRows(context, async (client) => {
    const runId = run === undefined ? undefined : await findId(client, 'run', run);
    const query = new URLSearchParams({ limit, ...(runId && { runId }), ...(from && { since: from }) });
    return client.request<Page<AuditLine>>('GET', `/api/audit?${query}`);
  });
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no tool calls');
  else context.terminal.out(formatLines(page.items, widthOf(context.terminal)));
  if (!context.isJson && page.nextCursor !== null)
    context.say(`only the newest ${page.items.length === 1 ? 'call is' : `${page.items.length} calls are`} listed`);
  return EXIT.fine;
}

/** Narrower terminals show the reason of a call below it. */
const WIDE = 120;

function formatLines(lines: readonly AuditLine[], width: number): string {
  const runs = shortIds(lines.map(({ runId }) => runId));
  const rows = lines.map((line) => [
    line.createdAt.slice(5, 19).replace('T', ' '),
    runs.get(line.runId) ?? line.runId,
    oneLine(line.agentId ?? line.directorId),
    line.wasAllowed ? 'yes' : 'no',
    oneLine(line.target === null ? line.actionType : `${line.actionType} ${line.target}`),
  ]);
  const whys = lines.map(({ why }) => oneLine(why));
  const columns = ['AT', 'RUN', { head: 'BY', cut: 2 }, 'ALLOWED', { head: 'CALL', cut: 1, min: 16 }];
  if (width >= WIDE) {
    const all = rows.map((row, i) => [...row, whys[i] ?? '']);
    return formatTable([...columns, { head: 'WHY', cut: 3, min: 40 }], all, width);
  }
  const [head = '', ...calls] = formatTable(columns, rows, width).trimEnd().split('\n');
  return `${[head, ...calls.flatMap((call, i) => [call, `    ${cutTo(whys[i] ?? '', width - 4)}`])].join('\n')}\n`;
}
