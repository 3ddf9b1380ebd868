import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';

/**
 * Quota units of Gmail, https://developers.google.com/workspace/gmail/api/reference/quota (September 2026). A project
 * created since May 2026 has 6,000 units per minute and user; older ones have more, and pay less for some methods.
 */
export const UNITS = {
  getProfile: 1,
  history: 2,
  list: 5,
  get: 20,
  modify: 5,
  thread: 40,
  labels: 1,
  makeLabel: 5,
  sendAs: 1,
  listDrafts: 5,
  makeDraft: 10,
  send: 100,
} as const;

/** Bucket size and refill per second: no minute, wherever it begins, has more than 600 + 60 × 90 = 6,000 units. */
const BURST = 600;
const A_SECOND = 90;

/** Units that background requests leave to directors and people. */
const RESERVE = 300;

/** Spreads the requests of one account over time, so that they stay within the quota. First come, first served. */
export interface GmailQuota {
  /** Resolves once the units may be spent; with `isBackground` some units stay for others. Rejects on abort. */
  acquire(units: number, options: Abortable & { readonly isBackground?: boolean }): Promise<void>;
}

/** The quota of a new project. */
export function createGmailQuota(clock: Clock): GmailQuota {
  const now = () => clock.steady?.() ?? clock.now();
  let free = BURST;
  let at = now();
  return {
    async acquire(units, { signal, isBackground = false }) {
      const ms = now();
      free = Math.min(BURST, free + ((ms - at) / 1000) * A_SECOND);
      at = ms;
      // The units of waiting callers are already subtracted, so later callers wait longer.
      const missing = units + (isBackground ? RESERVE : 0) - free;
      free -= units;
      if (missing > 0) await sleep((missing / A_SECOND) * 1000, { signal, clock });
    },
  };
}

/** For an emulator or a proxy, which enforces its own limit. */
export const unlimitedQuota: GmailQuota = {
  acquire: async (_units, { signal }) => signal?.throwIfAborted(),
};

const quotas = new WeakMap<object, GmailQuota>();

/** The quota that all clients of an account share; `account` is the object that they have in common. */
export function quotaOf(account: object, clock: Clock): GmailQuota {
  const quota = quotas.get(account) ?? createGmailQuota(clock);
  quotas.set(account, quota);
  return quota;
}
