import { EngineError } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import type { Page } from '../../../api/http/paging.ts';
import type { Run } from '../../../run/run.ts';
import type { ConversationThread } from '../../../run/thread.ts';
import type { ProviderEvent } from '../../../trace/provider-events.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { findId } from '../../find-id.ts';
import { withApi } from '../../with-api.ts';
import { EXIT } from '../../terminal/terminal.ts';

interface ExportOptions {
  readonly run?: string;
  readonly since?: string;
}

/** Writes one line; resolves when stdout accepts the next. */
type Write = (type: string, value: object) => Promise<void>;

/**
 * `export [--run ID | --since 30d]`: runs as JSON lines, newest first, each `{ type, … }`: `run`, its `thread`s with their
 * messages, `event`s, `entry`s, `item`s and `approval`s. A request event contains the number of messages that
 * were sent and the hash of its `toolset`; each toolset is written once. Keeps one thread in memory at a time.
 */
export async function exportRuns(context: CommandContext, { run: id, since }: ExportOptions): Promise<number> {
  if (id !== undefined && since !== undefined)
    throw new EngineError('USAGE', '--run and --since cannot be combined', { hint: 'remove one of them' });
  const from = since === undefined ? undefined : readSince(since, Date.now());
  const { terminal } = context;
  const write: Write = async (type, value) => {
    terminal.out(`${JSON.stringify({ type, ...value })}\n`);
    await terminal.drained?.();
  };
  let count = 0;
  await withApi(context, { isDriving: false }, async (client) => {
    const toolsets = new Set<string>();
    for await (const run of id === undefined ? runsSince(client, from) : oneRun(client, id)) {
      await exportRun(client, run, toolsets, write);
      count++;
    }
  });
  context.log.info('exported', { runs: count });
  return EXIT.fine;
}

async function* oneRun(client: ApiClient, id: string): AsyncGenerator<Run> {
  yield await client.request<Run>('GET', path`/api/runs/${await findId(client, 'run', id)}`);
}

async function* runsSince(client: ApiClient, from: string | undefined): AsyncGenerator<Run> {
  for await (const run of pages<Run>(client, '/api/runs?limit=50')) {
    if (from !== undefined && run.createdAt < from) return;
    yield run;
  }
}

async function exportRun(client: ApiClient, run: Run, toolsets: Set<string>, write: Write): Promise<void> {
  await write('run', run);
  for await (const { id } of pages<ConversationThread>(client, path`/api/conversations?runId=${run.id}`)) {
    await write('thread', await wholeThread(client, id));
    for await (const event of pages<ProviderEvent>(client, path`/api/provider-events?compact=true&threadId=${id}`)) {
      // The thread of a session continues from message to message, and each message is a run.
      if (event.runId !== run.id) continue;
      await exportToolset(client, event, toolsets, write);
      await write('event', event);
    }
  }
  for await (const entry of pages<object>(client, path`/api/diagnostics?runId=${run.id}`)) await write('entry', entry);
  const items = path`/api/workspaces/${run.workspaceId}/items?includeDeleted=true&runId=${run.id}`;
  for await (const item of pages<object>(client, items)) await write('item', { workspaceId: run.workspaceId, ...item });
  for await (const approval of pages<object>(client, path`/api/approvals?runId=${run.id}`))
    await write('approval', approval);
}

/** A thread with all its messages, which may take several answers. */
async function wholeThread(client: ApiClient, id: string): Promise<ConversationThread> {
  const from = path`/api/conversations/${id}`;
  const { moreAfter, ...thread } = await client.request<ConversationThread>('GET', from);
  const messages = [...(thread.messages ?? [])];
  for (let after = moreAfter; after !== undefined;) {
    const next: ConversationThread = await client.request<ConversationThread>('GET', `${from}?after=${after}`);
    messages.push(...(next.messages ?? []));
    after = next.moreAfter;
  }
  return { ...thread, messages };
}

/** Writes the tools of a request, the first time that their hash occurs. */
async function exportToolset(
  client: ApiClient,
  { id, payload, kind }: ProviderEvent,
  known: Set<string>,
  write: Write,
): Promise<void> {
  const hash = kind === 'request' && isRecord(payload) ? payload['toolset'] : undefined;
  if (typeof hash !== 'string' || hash === '' || known.has(hash)) return;
  known.add(hash);
  const { detail } = await client.request<{ detail: { event?: ProviderEvent } }>(
    'GET',
    path`/api/diagnostics/unified/${id}`,
  );
  const sent = detail.event?.payload;
  await write('toolset', { hash, tools: isRecord(sent) ? sent['tools'] : [] });
}

/** Iterates over all items of a list, page by page. */
export async function* pages<T>(client: ApiClient, from: string): AsyncGenerator<T> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const more: string = cursor === '' ? '' : `${from.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
    const page: Page<T> = await client.request<Page<T>>('GET', from + more);
    yield* page.items;
    cursor = page.nextCursor;
  }
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30d`, `12h`, `45m`, `2w` before now, or a date, as ISO 8601. `USAGE` for anything else. */
export function readSince(text: string, nowMs: number): string {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const at = count === undefined ? Date.parse(text) : nowMs - Number(count) * (UNITS_MS[unit] ?? 0);
  if (Number.isFinite(at) && (count !== undefined || /^\d{4}-\d\d-\d\d/.test(text))) return new Date(at).toISOString();
  throw new EngineError(
    'USAGE',
    `--since takes a span such as 30d or 12h, or a date such as 2026-11-21, not "${text}"`,
  );
}
