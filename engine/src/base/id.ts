import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Makes ids that sort by their time: `<prefix>_<48-bit time><20-bit count><40-bit random>` in base 32. */
export interface IdSource {
  next(prefix: string): string;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

function base32(value: bigint, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}

/** Makes ids from a clock. A counter orders the ids of one millisecond; the random part differs between processes. */
export function createIds(clock: Clock): IdSource {
  const random = base32(BigInt(`0x${randomBytes(5).toString('hex')}`), 8);
  let lastMs = 0;
  let count = 0;
  let head = '';
  return {
    next(prefix) {
      const ms = Math.max(clock.now(), lastMs);
      if (ms !== lastMs) {
        lastMs = ms;
        count = 0;
        head = base32(BigInt(ms), 10);
      }
      return `${prefix}_${head}${base32(BigInt(count++), 4)}${random}`;
    },
  };
}

/** The smallest possible id of the time `ms`: all earlier ids sort before it, all later ones after it. */
export function firstId(prefix: string, ms: number): string {
  return `${prefix}_${base32(BigInt(Math.max(0, Math.floor(ms))), 10)}`;
}

/** Time of an id in epoch milliseconds; NaN for a text that is no id of ours. */
export function timeOfId(id: string): number {
  const head = /_([0-9a-hjkmnp-tv-z]{10})/.exec(id)?.[1];
  if (head === undefined) return NaN;
  return [...head].reduce((ms, letter) => ms * 32 + ALPHABET.indexOf(letter), 0);
}
