import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { LoginLimit } from '../access.ts';

/** Steps of sign-ins per client and minute: a sign-in has two. */
const MOST = 20;
const MINUTE_MS = 60_000;
/** Clients that are remembered; the one that has been quiet for longest is forgotten first. */
const MAX_CLIENTS = 10_000;

/** Creates the limit: each step of a sign-in can make the server ask Google, and anybody can take one. */
export function createLoginLimit(clock: Clock): LoginLimit {
  const clients = new Map<string, { readonly since: number; readonly count: number }>();
  return {
    take(client) {
      const now = clock.now();
      const last = clients.get(client);
      const isOver = last === undefined || now - last.since >= MINUTE_MS || now < last.since;
      const state = isOver ? { since: now, count: 1 } : { since: last.since, count: last.count + 1 };
      // At the end of the map, which keeps the order.
      clients.delete(client);
      clients.set(client, state);
      const [oldest] = clients.keys();
      if (clients.size > MAX_CLIENTS && oldest !== undefined) clients.delete(oldest);
      if (state.count <= MOST) return;
      throw new EngineError('LOGIN_LIMIT', 'too many sign-ins from this address', {
        hint: 'try again in a minute',
        retryable: true,
      });
    },
  };
}
