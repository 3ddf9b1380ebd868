import { EngineError } from '../../../base/error.ts';
import { dayOf, listSpend } from '../../../budget/spend.ts';
import type { AddRoutes } from '../../api.ts';

const DAY_MS = 24 * 3_600_000;
const MAX_DAYS = 400;

/** `GET /api/spend?days=30`: what was spent, by UTC day, director and api, newest first. Runs under way are not in it yet. */
export const spendRoutes: AddRoutes = (router, { deps: { store, clock } }) => {
  router.get('/spend', async (ctx) => {
    const text = String(ctx.query['days'] ?? '30');
    const days = Number(text);
    if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
      throw new EngineError('BAD_REQUEST', `days must be a whole number from 1 to ${MAX_DAYS}, found "${text}"`);
    ctx.body = { items: await listSpend(store, dayOf(clock.now() - (days - 1) * DAY_MS)), nextCursor: null };
  });
};
