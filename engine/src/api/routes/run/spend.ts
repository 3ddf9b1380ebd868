import { EngineError } from '../../../base/error.ts';
import { dayOf, listSpend } from '../../../budget/spend.ts';
import type { AddRoutes } from '../../api.ts';
import { reading } from '../../http/reading.ts';

const DAY_MS = 24 * 3_600_000;
const MAX_DAYS = 400;

/** `GET /api/spend?days=30`: costs by UTC day, director and API, newest first. Open runs are not included. */
export const spendRoutes: AddRoutes = (router, services) => {
  router.get(
    '/spend',
    reading(services, async ({ deps }, ctx) => {
      const { store, clock } = deps;
      const text = String(ctx.query['days'] ?? '30');
      const days = Number(text);
      if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
        throw new EngineError('BAD_REQUEST', `"days" must be an integer from 1 to ${MAX_DAYS}, not "${text}"`);
      ctx.body = { items: await listSpend(store, dayOf(clock.now() - (days - 1) * DAY_MS)), nextCursor: null };
    }),
  );
};
