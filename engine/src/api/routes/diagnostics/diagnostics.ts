import { EngineError } from '../../../base/error.ts';
import { entryScope, recordOf } from '../../../run/run.ts';
import { listBounded } from '../../../store/bounded-list.ts';
import type { Condition, Row, Store } from '../../../store/store.ts';
import { deleteEntries } from '../../../trace/audit.ts';
import { entrySeq, listEntries } from '../../../trace/entries.ts';
import type { OrchestrationEntry } from '../../../trace/entry.ts';
import { listEvents, type ProviderEvent } from '../../../trace/provider-events.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { boundedPage, cursorOf, type Page, type PageRequest, readPage } from '../../http/paging.ts';
import { createRowCounter, type RowCounts } from './row-counts.ts';
import { queryFlag, queryIds, queryText, requiredQuery } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';

const LIST = 'diagnostics';
const EVENTS = 'provider-events';
const RUNS = 20;
/** Batches of runs without entries that one page skips at most. */
const MAX_BATCHES = 50;

/**
 * `GET /api/diagnostics` (`?runId=`) · `/api/diagnostics/runtime` · `DELETE /api/diagnostics/:id` · `DELETE ?ids=` ·
 * `GET /api/provider-events?threadId=` (`&compact=true`: requests refer to their messages and tools instead of
 * repeating them).
 */
export const diagnosticRoutes: AddRoutes = (router, services) => {
  const { store, clock } = services.deps;
  const countRows = createRowCounter(store, clock);
  router.get(
    '/diagnostics',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await entriesOf(deps.store, readPage(ctx, LIST, ['string', 'number']), queryText(ctx, 'runId'));
    }),
  );
  router.delete('/diagnostics', async (ctx) => {
    const ids = queryIds(ctx);
    if (ids === undefined) throw new EngineError('BAD_REQUEST', '"ids" is missing in the query: ?ids=a,b');
    const found = await deleteEntries(store, () => knownEntries(store, ids));
    ctx.body = { deleted: found.map(({ scope, seq }) => `${scope}.${seq}`) };
  });
  router.get('/diagnostics/runtime', async (ctx) => {
    ctx.body = runtimeOf(services, await countRows());
  });
  router.delete('/diagnostics/:id', async (ctx) => {
    const id = String(ctx.params['id']);
    const [entry] = await deleteEntries(store, () => knownEntries(store, [id]));
    if (entry === undefined)
      throw new EngineError('NOT_FOUND', `no diagnostics entry "${id}"`, {
        hint: 'only entries can be deleted singly; delete a run to delete its events',
      });
    ctx.status = 204;
  });
  router.get(
    '/provider-events',
    reading(services, async ({ deps }, ctx) => {
      const { store } = deps;
      ctx.body = await eventsPage(store, ctx);
    }),
  );
};

/** Version, storage, counts and load of this process. */
function runtimeOf(services: Services, counts: RowCounts): object {
  const { version, dataDir, storage, config, engine, fetcher, mcpServers } = services;
  return {
    version,
    node: process.version,
    storage,
    dataDir,
    revision: config.current().revision,
    counts,
    load: engine.load(),
    fetcher: fetcher.status().state,
    mcpServers: mcpServers(),
  };
}

/** Events of one conversation, oldest first. */
async function eventsPage(store: Store, ctx: RouteContext): Promise<Page<ProviderEvent>> {
  const threadId = requiredQuery(ctx, 'threadId');
  if ((await store.get('thread', { id: threadId })) === undefined)
    throw new EngineError('NOT_FOUND', `no conversation "${threadId}"`);
  const isCompact = queryFlag(ctx, 'compact') ?? false;
  const page = readPage(ctx, EVENTS, ['number']);
  const load = (last: ProviderEvent | undefined, limit: number) =>
    listEvents(store, threadId, {
      ...{ after: last === undefined ? Number(page.after?.[0] ?? 0) : entrySeq(last), limit, isCompact },
    });
  const events = await listBounded(load, { limit: page.limit, sizeOf: (event) => JSON.stringify(event).length });
  return boundedPage(EVENTS, events, (event) => [entrySeq(event)]);
}

/** The entries with these ids; ids without one are left out. */
async function knownEntries(store: Store, ids: readonly string[]): Promise<Row<'entry'>[]> {
  const rows = await Promise.all(
    Array.from(new Set(ids), (id) => {
      const [, scope, seq] = /^(.+)\.(0|[1-9]\d{0,11})$/.exec(id) ?? [];
      return scope === undefined ? undefined : store.get('entry', { scope, seq: Number(seq) });
    }),
  );
  return rows.filter((row) => row !== undefined);
}

/** Entries by run: newest run first, oldest entry of a run first. The cursor is a run and its last entry. */
async function entriesOf(
  store: Store,
  { limit, after }: PageRequest,
  runId: string | undefined,
): Promise<Page<OrchestrationEntry>> {
  const items: OrchestrationEntry[] = [];
  let characters = 0;
  let [run, seen] = after === undefined ? [undefined, 0] : [String(after[0]), Number(after[1])];
  for (let batch = 0; ; batch++) {
    const where: Condition<'run'>[] = [];
    if (runId !== undefined) where.push(['id', '=', runId]);
    // Continues the run of the cursor, then the next older runs.
    if (run !== undefined) where.push(['id', '<=', run]);
    const rows = await store.list('run', { where, order: [['id', 'desc']], limit: RUNS });
    for (const row of rows) {
      const from: number = row.id === run ? seen : 0;
      if (items.length === limit) return { items, nextCursor: cursorOf(LIST, [row.id, from]) };
      const scope = entryScope(recordOf(row));
      const load = (last: OrchestrationEntry | undefined, count: number) =>
        listEntries(store, scope, { after: last === undefined ? from : entrySeq(last), limit: count });
      const sizeOf = (entry: OrchestrationEntry) => JSON.stringify(entry).length;
      const { rows: entries, isMore } = await listBounded(load, {
        limit: limit - items.length,
        sizeOf,
        before: characters,
      });
      items.push(...entries);
      for (const entry of entries) characters += sizeOf(entry);
      const last = entries.at(-1);
      if (isMore) return { items, nextCursor: cursorOf(LIST, [row.id, last === undefined ? from : entrySeq(last)]) };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < RUNS) return { items, nextCursor: null };
    run = last.id;
    seen = Number.MAX_SAFE_INTEGER;
    if (batch >= MAX_BATCHES) return { items, nextCursor: cursorOf(LIST, [run, seen]) };
  }
}
