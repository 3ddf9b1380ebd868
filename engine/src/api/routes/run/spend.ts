import { EngineError } from '../../../base/error.ts';
import {
  addSpent,
  dayOf,
  listSpend,
  type ModelUse,
  NO_MODEL_USE,
  type RunSpend,
  spendsOn,
} from '../../../budget/spend.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { queryText } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';

const DAY_MS = 24 * 3_600_000;
const MAX_DAYS = 400;
const LIST = 'spend';
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Costs of one run, all its apis together. */
export interface RunCost extends ModelUse, Omit<RunSpend, 'apis'> {}

/**
 * `GET /api/spend?days=30`: costs by UTC day, director and API, newest first, with the `budget` of a day and `today`. Open runs
 * are not included. `GET /api/spend/runs?day=2026-11-24`: the runs that ended on a UTC day, by id.
 */
export const spendRoutes: AddRoutes = (router, services) => {
  router.get(
    '/spend',
    reading(services, async ({ deps, config }, ctx) => {
      const { store, clock } = deps;
      const text = String(ctx.query['days'] ?? '30');
      const days = Number(text);
      if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
        throw new EngineError('BAD_REQUEST', `"days" must be an integer from 1 to ${MAX_DAYS}, not "${text}"`);
      const items = await listSpend(store, dayOf(clock.now() - (days - 1) * DAY_MS));
      const { maxCostPerDay, maxTokensPerDay } = config.current().settings.budget;
      ctx.body = { items, nextCursor: null, today: dayOf(clock.now()), budget: { maxCostPerDay, maxTokensPerDay } };
    }),
  );
  router.get('/spend/runs', reading(services, listRuns));
};

/** Reads as many rows as the page shows: the key of the table begins with the day. */
async function listRuns({ deps }: Services, ctx: RouteContext): Promise<void> {
  const day = queryText(ctx, 'day') ?? '';
  if (!DAY.test(day)) throw new EngineError('BAD_REQUEST', `"day" must be a UTC day such as 2026-11-24, not "${day}"`);
  const { limit, after } = readPage(ctx, LIST);
  const found: RunCost[] = [];
  for await (const { apis, ...spend } of spendsOn(deps.store, day, String(after?.[0] ?? ''))) {
    // Embeddings of memories belong to no run.
    if (spend.directorId === '' && spend.agentId === undefined) continue;
    found.push({ ...spend, ...Object.values(apis).reduce(addSpent, NO_MODEL_USE) });
    if (found.length > limit) break;
  }
  ctx.body = pageOf(
    LIST,
    { limit },
    found,
    ({ runId }) => [runId],
    (shown) => shown,
  );
}
