import { setImmediate } from 'node:timers/promises';
import { recordOf } from '../../../run/run.ts';
import { readRunTree } from '../../../run/run-trace.ts';
import type { Condition, Store } from '../../../store/store.ts';
import { groupByCycle, type UnifiedNode } from '../../../trace/trace-tree.ts';
import { type Page, pageOf, type PageRequest, readPage } from '../../http/paging.ts';
import { queryText, type WithQuery } from '../../http/query.ts';
import type { Rows } from '../../http/rows.ts';

const LIST = 'unified';

/** The answer of `GET /api/diagnostics/unified`. */
export async function tracePage({ store }: Pick<Rows, 'store'>, ctx: WithQuery): Promise<Page<UnifiedNode>> {
  const page = readPage(ctx, LIST);
  const limit = ctx.query['limit'] === undefined ? 20 : page.limit;
  const where: Condition<'run'>[] = [];
  const given = { id: 'runId', mail: 'emailId', director: 'directorId', status: 'status' } as const;
  for (const column of ['id', 'mail', 'director', 'status'] as const) {
    const value = queryText(ctx, given[column]);
    if (value !== undefined) where.push([column, '=', value]);
  }
  return treePage(store, where, { ...page, limit });
}

async function treePage(store: Store, where: Condition<'run'>[], page: PageRequest): Promise<Page<UnifiedNode>> {
  if (page.after !== undefined) where.push(['id', '<', String(page.after[0])]);
  const rows = await store.list('run', { where, order: [['id', 'desc']], limit: page.limit + 1 });
  const { items, nextCursor } = pageOf(
    LIST,
    page,
    rows,
    (row) => [row.id],
    (shown) => shown,
  );
  const directors: { cycleId: string; node: UnifiedNode }[] = [];
  for (const row of items) {
    const record = recordOf(row);
    directors.push({ cycleId: record.run.fetchCycleId, node: await readRunTree(store, record) });
    // Many long runs on one page must not block other requests.
    await setImmediate();
  }
  return { items: groupByCycle(directors), nextCursor };
}
