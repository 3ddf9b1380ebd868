import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';

/** Time that the answer to a wrong token takes. */
const WRONG_MS = 500;
/** Most wrong answers that wait at a time; more are given at once, so that nothing piles up. */
const MAX_WAITING = 32;

/** Whether a given text is the token; false comes after half a second. */
export type TokenCheck = (given: string) => Promise<boolean>;

/**
 * Creates the check of a token, in constant time. The right token is never delayed, however many wrong ones are tried at the
 * same time: a program that guesses cannot keep the owner out. A program that guesses on many connections is stopped by the length
 * of the token (`docs/decisions/sessions-bound-to-the-page.md`).
 */
export function createTokenCheck(token: string, clock: Clock): TokenCheck {
  const expected = digest(token);
  let waiting = 0;
  return async (given) => {
    if (timingSafeEqual(digest(given), expected)) return true;
    if (waiting >= MAX_WAITING) return false;
    waiting++;
    await new Promise<void>((resolve) => clock.delay(resolve, WRONG_MS));
    waiting--;
    return false;
  };
}

/** Compares two texts in constant time. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
