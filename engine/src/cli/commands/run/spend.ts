import type { Page } from '../../../api/http/paging.ts';
import type { SpendLine } from '../../../budget/spend.ts';
import type { CommandContext } from '../../context.ts';
import { whoOf } from './facts.ts';
import { withApi } from '../../with-api.ts';
import { formatTable } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** `spend [--days N]`: prints costs by day, director (or agent of a session) and API. An unknown price is `unknown`, never 0. */
export async function showSpend(context: CommandContext, { days }: { readonly days: string }): Promise<number> {
  const query = new URLSearchParams({ days });
  const page = await withApi(context, { isDriving: false }, (client) =>
    client.request<Page<SpendLine>>('GET', `/api/spend?${query}`),
  );
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say(`no costs in the last ${days} days`);
  else
    context.terminal.out(
      formatTable(['DAY', 'DIRECTOR', 'API', 'RUNS', 'TURNS', 'IN', 'OUT', 'COST'], page.items.map(row)),
    );
  return EXIT.fine;
}

function row(line: SpendLine): string[] {
  const { day, apiId, runs, turns, inputTokens, outputTokens, cost } = line;
  const counts = [runs, turns, inputTokens, outputTokens].map(String);
  return [
    day,
    line.agentName === undefined ? whoOf(line) : `${line.agentName} in a chat`,
    apiId,
    ...counts,
    cost === null ? 'unknown' : `$${cost.toFixed(4)}`,
  ];
}
