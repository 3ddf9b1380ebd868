import type { Page } from '../../../api/http/paging.ts';
import type { AlwaysChanges } from '../../../api/routes/run/always.ts';
import type { ApprovalView } from '../../../api/routes/run/approval-view.ts';
import { EngineError } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { withApi, withRows } from '../../with-api.ts';
import { findId } from '../../find-id.ts';
import { isConfirmed } from '../../terminal/confirm.ts';
import { shortIds } from '../../terminal/short-ids.ts';
import { type Column, formatTable, oneLine, plain } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';
import { formatApproval, titleOf } from './format-approval.ts';

/** `approvals list`: prints pending approvals, oldest first. Exit 3 if there are any. */
export async function listApprovals(
  context: CommandContext,
  { all = false }: { readonly all?: boolean },
): Promise<number> {
  const query = new URLSearchParams({ limit: '200', ...(!all && { status: 'pending' }) });
  const page = await withRows(context, (client) =>
    client.request<Page<ApprovalView>>('GET', `/api/approvals?${query}`),
  );
  const pending = page.items.filter(({ status }) => status === 'pending');
  const [first] = pending;
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no pending approvals');
  else context.terminal.out(formatApprovals(page.items, widthOf(context.terminal)));
  if (!context.isJson) {
    for (const { id, warnings = [] } of pending) for (const text of warnings) context.say(`${id}: ${oneLine(text)}`);
    if (first !== undefined) context.say('callsheet approvals show ID shows a call whole');
  }
  return first === undefined ? EXIT.fine : EXIT.person;
}

function formatApprovals(approvals: readonly ApprovalView[], width: number): string {
  const ids = shortIds(approvals.map(({ id }) => id));
  const runs = shortIds(approvals.map(({ runId }) => runId));
  const rows = approvals.map((approval) => {
    const { id, status, runId, requestedBy } = approval;
    const who = requestedBy.agentId ?? requestedBy.directorId;
    return [ids.get(id) ?? id, status, runs.get(runId) ?? runId, oneLine(who), titleOf(approval)];
  });
  const columns: (string | Column)[] = [
    ...['ID', 'STATUS', 'RUN'],
    { head: 'ASKED BY', cut: 1, min: 12 },
    { head: 'CALL', cut: 2, min: 20 },
  ];
  return formatTable(columns, rows, width);
}

/** `approvals show <id>`: prints everything that a person needs to decide. Exit 3 while it is pending. */
export async function showApproval(
  context: CommandContext,
  _options: object,
  [given = '']: readonly string[],
): Promise<number> {
  const approval = await withApi(context, { isDriving: false }, async (client) =>
    readApproval(client, await findId(client, 'approval', given)),
  );
  if (context.isJson) context.print(approval);
  else context.terminal.out(formatApproval(approval, widthOf(context.terminal)) + commandsOf(approval));
  return approval.status === 'pending' ? EXIT.person : EXIT.fine;
}

/** The commands that decide a pending approval. */
function commandsOf({ id, kind, runId, status, canRemember = [] }: ApprovalView): string {
  if (status !== 'pending') return '';
  if (kind === 'question')
    return `\ncallsheet runs answer ${runId} "…"\ncallsheet approvals deny ${id} [--reason TEXT]\n`;
  const more = [
    ...(canRemember.includes('run') ? ['--for-run'] : []),
    ...(canRemember.includes('always') ? ['--always'] : []),
  ];
  const options = more.length === 0 ? '' : ` [${more.join(' | ')}]`;
  return `\ncallsheet approvals allow ${id}${options}\ncallsheet approvals deny ${id} [--reason TEXT]\n`;
}

/** An approval; one of an earlier version, whose mail has no preview yet, with the preview as of now. */
async function readApproval(client: ApiClient, id: string): Promise<ApprovalView> {
  const approval = await client.request<ApprovalView>('GET', path`/api/approvals/${id}`);
  const { status, tool, preview } = approval;
  if (status !== 'pending' || !tool.startsWith('mail_') || preview.mimeType !== 'application/json') return approval;
  const draft = await client
    .request<Pick<ApprovalView, 'preview'>>('POST', path`/api/approvals/${id}/preview`, { body: {} })
    .catch(() => undefined);
  return { ...approval, preview: draft?.preview ?? preview };
}

interface AllowOptions {
  readonly arguments?: string;
  readonly reason?: string;
  readonly yes?: boolean;
  readonly forRun?: boolean;
  /** A pattern, or true for the suggested one. */
  readonly always?: string | boolean;
}

/**
 * `approvals allow <id>`: allows a tool call, with other arguments if given, and with `--for-run` or `--always` also later calls.
 * `USAGE` for a call with warnings, such as a mail with gaps, unless `--yes` or other arguments are given, and for a change of
 * the config that nobody has confirmed.
 */
export async function allow(
  context: CommandContext,
  options: AllowOptions,
  [given = '']: readonly string[],
): Promise<number> {
  const { arguments: text, reason, yes = false, forRun = false, always } = options;
  const args = text === undefined ? undefined : parseArguments(text);
  if (forRun && always !== undefined)
    throw new EngineError('USAGE', '--for-run and --always exclude each other', { hint: 'give one of them' });
  return decide(context, given, async (client, approval) => {
    if (!yes && args === undefined) expectNoWarnings(approval);
    const common = { decision: 'allow', ...(args && { arguments: args }), ...(reason !== undefined && { reason }) };
    if (forRun) return { ...common, remember: 'run' };
    if (always === undefined || always === false) return common;
    const change = await changeOf(client, approval.id, always);
    await confirmChange(context, change, yes);
    return { ...common, remember: 'always', pattern: change.pattern, seen: change.seen };
  });
}

function changeOf(client: ApiClient, id: string, always: string | true): Promise<AlwaysChanges> {
  const query = always === true ? '' : `?${new URLSearchParams({ pattern: always })}`;
  return client.request<AlwaysChanges>('GET', path`/api/approvals/${id}/always` + query);
}

/** Prints what changes in the config, and asks. `USAGE` where nobody confirms it. */
async function confirmChange(
  context: CommandContext,
  { pattern, changes }: AlwaysChanges,
  yes: boolean,
): Promise<void> {
  if (!context.isJson) {
    context.terminal.out(`${changes.map(({ diff }) => plain(diff).trimEnd()).join('\n')}\n`);
    context.say(`calls that match ${oneLine(pattern)} run without asking from then on`);
  }
  if (yes || (await isConfirmed(context, 'change these files and allow?'))) return;
  throw new EngineError('USAGE', 'nothing was changed and nothing allowed: the change was not confirmed', {
    hint: 'answer y in a terminal, or give --yes',
  });
}

function expectNoWarnings({ id, warnings = [] }: ApprovalView): void {
  if (warnings.length === 0) return;
  throw new EngineError('USAGE', `${id} was not allowed. ${oneLine(warnings.join(' '))}`, {
    hint: 'change the call with --arguments, or allow it as it is with --yes',
  });
}

/** `approvals deny <id>`: denies a tool call; the model gets the denial and the reason. */
export function deny(
  context: CommandContext,
  { reason }: AllowOptions,
  [given = '']: readonly string[],
): Promise<number> {
  return decide(context, given, async () => ({ decision: 'deny', ...(reason !== undefined && { reason }) }));
}

async function decide(
  context: CommandContext,
  given: string,
  bodyOf: (client: ApiClient, approval: ApprovalView) => Promise<object>,
): Promise<number> {
  const { approval, isLive } = await withApi(context, { isDriving: false }, async (client) => {
    const id = await findId(client, 'approval', given);
    const body = await bodyOf(client, await client.request<ApprovalView>('GET', path`/api/approvals/${id}`));
    const decided = await client.request<ApprovalView>('POST', path`/api/approvals/${id}`, { body });
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
