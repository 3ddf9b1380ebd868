import { EngineError } from '../base/error.ts';
import { entryScope, recordOf } from '../run/run.ts';
import type { Condition, Store } from '../store/store.ts';
import { listEntries } from '../trace/entries.ts';
import type { OrchestrationEntry } from '../trace/entry.ts';
import { listEvents } from '../trace/events.ts';
import type { Routes } from './api.ts';
import { cursorOf, type Page, pageOf, type PageRequest, readPage } from './paging.ts';
import { queryText, requiredQuery } from './query.ts';

const LIST = 'diagnostics';
const EVENTS = 'provider-events';

/** `GET /api/diagnostics` (`?runId=`) · `/api/diagnostics/runtime` · `GET /api/provider-events?threadId=` */
export const diagnosticRoutes: Routes = (router, services) => {
  const { store } = services.parts;
  router.get('/diagnostics', async (ctx) => {
    ctx.body = await entriesOf(store, readPage(ctx, LIST, ['string', 'number']), queryText(ctx, 'runId'));
  });
  router.get('/diagnostics/runtime', async (ctx) => {
    const { version, dataDir, storage, config, engine, fetcher } = services;
    const [emails, runs, items, threads] = await Promise.all([
      store.count('mail', [['state', '=', 'kept']]),
      store.count('run'),
      store.count('item', [['deleted', '=', 0]]),
      store.count('thread'),
    ]);
    ctx.body = {
      version,
      node: process.version,
      storage,
      dataDir,
      revision: config.current().revision,
      counts: { emails, runs, items, threads },
      load: engine.load(),
      fetcher: fetcher.status().state,
    };
  });
  router.get('/provider-events', async (ctx) => {
    const threadId = requiredQuery(ctx, 'threadId');
    if ((await store.get('thread', { id: threadId })) === undefined)
      throw new EngineError('NOT_FOUND', `there is no conversation "${threadId}"`);
    const page = readPage(ctx, EVENTS, ['number']);
    const after = Number(page.after?.[0] ?? 0);
    const events = await listEvents(store, threadId, { after, limit: page.limit + 1 });
    ctx.body = pageOf(
      EVENTS,
      page,
      events.map((event, i) => ({ event, seq: after + i + 1 })),
      ({ seq }) => [seq],
      (shown) => shown.map(({ event }) => event),
    );
  });
};

/** Entries by run, the newest run first, within a run as they came. The place is a run, and how many of it were seen. */
async function entriesOf(
  store: Store,
  { limit, after }: PageRequest,
  runId: string | undefined,
): Promise<Page<OrchestrationEntry>> {
  const items: OrchestrationEntry[] = [];
  let [run, seen] = after === undefined ? [undefined, 0] : [String(after[0]), Number(after[1])];
  for (;;) {
    const where: Condition<'run'>[] = [];
    if (runId !== undefined) where.push(['id', '=', runId]);
    // The run of the place itself is read on; then the next older ones.
    if (run !== undefined) where.push(['id', '<=', run]);
    const rows = await store.list('run', { where, order: [['id', 'desc']], limit: 20 });
    for (const row of rows) {
      const from: number = row.id === run ? seen : 0;
      const missing = limit - items.length;
      const entries = await listEntries(store, entryScope(recordOf(row)), { after: from, limit: missing + 1 });
      items.push(...entries.slice(0, missing));
      if (entries.length > missing) return { items, nextCursor: cursorOf(LIST, [row.id, from + missing]) };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < 20) return { items, nextCursor: null };
    run = last.id;
    seen = Number.MAX_SAFE_INTEGER;
  }
}
