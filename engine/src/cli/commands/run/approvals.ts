import type { Page } from '../../../api/http/paging.ts';
import { EngineError } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import type { Approval } from '../../../guard/approval.ts';
import { path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { withApi } from '../../with-api.ts';
import { formatTable, oneLine } from '../../terminal/table.ts';
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
  else context.terminal.out(formatTable(['ID', 'STATUS', 'TOOL', 'RUN', 'ARGUMENTS'], page.items.map(row)));
  return page.items.some(({ status }) => status === 'pending') ? EXIT.person : EXIT.fine;
}

function row({ id, status, tool, runId, arguments: args }: Approval): string[] {
  return [id, status, tool, runId, oneLine(JSON.stringify(args)).slice(0, 200)];
}

interface AllowOptions {
  readonly arguments?: string;
  readonly reason?: string;
}

/** `approvals allow <id>`: allows a tool call, with other arguments if given. */
export function allow(context: CommandContext, options: AllowOptions, [id = '']: readonly string[]): Promise<number> {
  const { arguments: text, reason } = options;
  const args = text === undefined ? undefined : parseArguments(text);
  return decide(context, id, {
    decision: 'allow',
    ...(args && { arguments: args }),
    ...(reason !== undefined && { reason }),
  });
}

/** `approvals deny <id>`: denies a tool call; the model gets the denial and the reason. */
export function deny(context: CommandContext, { reason }: AllowOptions, [id = '']: readonly string[]): Promise<number> {
  return decide(context, id, { decision: 'deny', ...(reason !== undefined && { reason }) });
}

async function decide(context: CommandContext, id: string, body: object): Promise<number> {
  const { approval, isLive } = await withApi(context, { isDriving: false }, async (client) => ({
    approval: await client.request<Approval>('POST', path`/api/approvals/${id}`, { body }),
    isLive: client.isLive,
  }));
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
