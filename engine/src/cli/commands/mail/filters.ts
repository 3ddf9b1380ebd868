import type { RoutingTrial } from '../../../api/routes/config/config-try.ts';
import type { FilterResult, ConditionTrace } from '../../../filter/filter.ts';
import type { CommandContext } from '../../context.ts';
import { readMailBase64 } from '../run/run.ts';
import { withApi } from '../../with-api.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** `filters try <file>`: shows which filters match a mail and which condition decided. Stores nothing. */
export async function tryFile(
  context: CommandContext,
  { account }: { readonly account?: string },
  [file = '']: readonly string[],
): Promise<number> {
  const raw = await readMailBase64(context.terminal.cwd, file);
  const body = { raw, encoding: 'base64', ...(account !== undefined && { accountId: account }) };
  const trial = await withApi(context, { isDriving: false }, (client) =>
    client.request<RoutingTrial>('POST', '/api/config/try', { body }),
  );
  if (context.isJson) context.print(trial);
  else context.terminal.out(formatTrial(trial));
  return EXIT.fine;
}

function formatTrial({ mail, results, directors, passedOver, agents }: RoutingTrial): string {
  const lines = [
    `${oneLine(mail.subject) || '(no subject)'} from ${oneLine(mail.from) || '(nobody)'}, account ${mail.accountId || '(none)'}`,
    '',
  ];
  for (const result of results) lines.push(...formatResult(result));
  if (results.length === 0) lines.push('no filters');
  lines.push('');
  for (const { directorId, filterId } of directors) {
    const asked = agents[directorId] ?? [];
    lines.push(
      `→ director ${directorId} (filter ${filterId})${asked.length > 0 ? `, agents ${asked.join(', ')}` : ''}`,
    );
  }
  for (const { directorId, filterId, reason } of passedOver)
    lines.push(
      `→ not director ${directorId} (filter ${filterId}): ${reason === 'account' ? 'it does not accept mail of this account' : 'it is disabled'}`,
    );
  if (directors.length === 0) lines.push('→ no director gets this mail; it would be stored as not routed');
  return `${lines.join('\n')}\n`;
}

function formatResult({ filterId, matched, verdict, skipped }: FilterResult): string[] {
  if (skipped === 'account') return [`- ${filterId}: not for this account`];
  if (skipped === 'stopped') return [`- ${filterId}: skipped, an earlier filter stops`];
  return [`${mark(matched)} ${filterId}`, ...(verdict === undefined ? [] : formatVerdict(verdict, '    '))];
}

function formatVerdict(verdict: ConditionTrace, indent: string): string[] {
  if (verdict.kind !== 'field')
    return [
      `${indent}${mark(verdict.matched)} ${verdict.kind}`,
      ...verdict.parts.flatMap((part) => formatVerdict(part, `${indent}  `)),
    ];
  const { field, regex, matched, value } = verdict;
  const found = value === undefined ? '' : `  found in "${oneLine(value).slice(0, 100)}"`;
  return [`${indent}${mark(matched)} ${field} ~ ${oneLine(regex)}${found}`];
}

function mark(matched: boolean): string {
  return matched ? '✓' : '✗';
}
