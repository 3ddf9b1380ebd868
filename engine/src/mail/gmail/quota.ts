import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';

/**
 * Quota units of Gmail, https://developers.google.com/workspace/gmail/api/reference/quota (September 2026). A project made
 * since May 2026 has 6,000 a minute and user; older ones have more, and pay less for some methods.
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

/** No minute, wherever it begins, has more than 600 + 60 × 90 = 6,000. */
const BURST = 600;
const A_SECOND = 90;

/** So much is left to what directors and people do, whatever is being fetched. */
const RESERVE = 300;

/** Spreads the requests of one account over time, so that its quota lasts. First come, first served. */
export interface GmailQuota {
  /** Resolves once so many units may be spent; `isBackground` leaves some to others. Rejects on abort. */
  acquire(units: number, options: Abortable & { readonly isBackground?: boolean }): Promise<void>;
}

/** The pace of a new project. */
export function createGmailQuota(clock: Clock): GmailQuota {
  const now = () => clock.steady?.() ?? clock.now();
  let free = BURST;
  let at = now();
  return {
    async acquire(units, { signal, isBackground = false }) {
      const ms = now();
      free = Math.min(BURST, free + ((ms - at) / 1000) * A_SECOND);
      at = ms;
      // What is taken by those who wait is gone already: whoever comes later waits longer.
      const missing = units + (isBackground ? RESERVE : 0) - free;
      free -= units;
      if (missing > 0) await sleep((missing / A_SECOND) * 1000, { signal, clock });
    },
  };
}

/** For an emulator or a proxy, which says itself when it is asked too often. */
export const unlimitedQuota: GmailQuota = {
  acquire: async (_units, { signal }) => signal?.throwIfAborted(),
};

const paces = new WeakMap<object, GmailQuota>();

/** The pace that all parts of an account share; `account` is the object that they have in common. */
export function quotaOf(account: object, clock: Clock): GmailQuota {
  const pace = paces.get(account) ?? createGmailQuota(clock);
  paces.set(account, pace);
  return pace;
}
