import type { Page } from '../../../api/http/paging.ts';
import { EngineError } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import type { Approval } from '../../../guard/approval.ts';
import { path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { withApi } from '../../with-api.ts';
import { findId } from '../../find-id.ts';
import { shortIds } from '../../terminal/short-ids.ts';
import { cutTo, formatTable, oneLine, plain } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** `approvals list`: prints pending approvals, oldest first. Exit 3 if there are any. */
export async function listApprovals(
  context: CommandContext,
  { all = false }: { readonly all?: boolean },
): Promise<number> {
  const query = new URLSearchParams({ limit: '200', ...(!all && { status: 'pending' }) });
  const page = await withApi(context, { isDriving: false }, (client) =>
    client.request<Page<Approval>>('GET', `/api/approvals?${query}`),
  );
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no pending approvals');
  else context.terminal.out(formatApprovals(page.items));
  if (!context.isJson)
    for (const { id, preview, status } of page.items)
      if (preview.mimeType === 'text/x-diff' && status === 'pending')
        context.terminal.out(`\n${id}\n${plain(preview.data)}`);
  if (!context.isJson)
    for (const { id, warnings = [] } of page.items)
      for (const warning of warnings) context.say(`${id}: ${oneLine(warning)}`);
  return page.items.some(({ status }) => status === 'pending') ? EXIT.person : EXIT.fine;
}

/** Arguments are not cut to the width of the terminal, since a person decides on them. */
const MAX_ARGUMENTS = 200;

function formatApprovals(approvals: readonly Approval[]): string {
  const ids = shortIds(approvals.map(({ id }) => id));
  const runs = shortIds(approvals.map(({ runId }) => runId));
  const rows = approvals.map(({ id, status, tool, runId, arguments: args }) => [
    ids.get(id) ?? id,
    status,
    oneLine(tool),
    runs.get(runId) ?? runId,
    cutTo(oneLine(JSON.stringify(args)), MAX_ARGUMENTS),
  ]);
  return formatTable(['ID', 'STATUS', 'TOOL', 'RUN', 'ARGUMENTS'], rows);
}

interface AllowOptions {
  readonly arguments?: string;
  readonly reason?: string;
  readonly yes?: boolean;
}

/**
 * `approvals allow <id>`: allows a tool call, with other arguments if given. `USAGE` for a call with warnings, such as a
 * mail with gaps, unless `--yes` or other arguments are given.
 */
export function allow(context: CommandContext, options: AllowOptions, [id = '']: readonly string[]): Promise<number> {
  const { arguments: text, reason, yes = false } = options;
  const args = text === undefined ? undefined : parseArguments(text);
  const body = { decision: 'allow', ...(args && { arguments: args }), ...(reason !== undefined && { reason }) };
  return decide(context, id, body, yes || args !== undefined ? undefined : expectNoWarnings);
}

function expectNoWarnings({ id, status, warnings = [] }: Approval): void {
  if (warnings.length === 0 || status !== 'pending') return;
  throw new EngineError('USAGE', `${id} was not allowed. ${oneLine(warnings.join(' '))}`, {
    hint: 'change the call with --arguments, or allow it as it is with --yes',
  });
}

/** `approvals deny <id>`: denies a tool call; the model gets the denial and the reason. */
export function deny(context: CommandContext, { reason }: AllowOptions, [id = '']: readonly string[]): Promise<number> {
  return decide(context, id, { decision: 'deny', ...(reason !== undefined && { reason }) });
}

async function decide(
  context: CommandContext,
  given: string,
  body: object,
  check?: (approval: Approval) => void,
): Promise<number> {
  const { approval, isLive } = await withApi(context, { isDriving: false }, async (client) => {
    const id = await findId(client, 'approval', given);
    check?.(await client.request<Approval>('GET', path`/api/approvals/${id}`));
    const decided = await client.request<Approval>('POST', path`/api/approvals/${id}`, { body });
    return { approval: decided, isLive: client.isLive };
  });
  if (context.isJson) context.print(approval);
  else
    context.say(
      `${approval.tool} is ${approval.status}; run ${approval.runId} continues${isLive ? '' : ' after callsheet start'}`,
    );
  return EXIT.fine;
}

function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The error below covers this case.
  }
  throw new EngineError('USAGE', `--arguments must be a JSON object, not ${oneLine(text).slice(0, 60)}`, {
    hint: `quote it for the shell: --arguments '{"to": "ray@example.org"}'`,
  });
}
