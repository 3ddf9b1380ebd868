import { describe, expect, test } from 'vitest';
import { parseDuration } from '../../../engine/src/model/http/duration.ts';
import { readRetryAfterMs } from '../../../engine/src/model/http/retry-after.ts';

const YEAR = 366 * 86_400_000;
const now = Date.UTC(2026, 0, 1);

describe('when to come back', () => {
  test.each<{ name: string; headers: Record<string, string>; message?: string; ms: number | undefined }>([
    { name: 'nothing said', headers: {}, ms: undefined },
    { name: 'seconds', headers: { 'retry-after': '17' }, ms: 17_000 },
    { name: 'parts of a second', headers: { 'retry-after': '0.25' }, ms: 250 },
    { name: 'a date', headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, ms: 30_000 },
    { name: 'a date that is over', headers: { 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, ms: 0 },
    { name: 'nonsense', headers: { 'retry-after': 'soon' }, ms: undefined },
    { name: 'a negative number', headers: { 'retry-after': '-5' }, ms: undefined },
    { name: 'a point in time in seconds', headers: { 'retry-after': String(now / 1000 + 5) }, ms: 5000 },
    { name: 'a date in a million years', headers: { 'retry-after': '+275760-09-13T00:00:00Z' }, ms: YEAR },
    { name: 'a number of 400 digits', headers: { 'retry-after': '9'.repeat(400) }, ms: YEAR },
    { name: 'far too many milliseconds', headers: { 'retry-after-ms': '1e300' }, ms: YEAR },
    { name: 'an absurd reset', headers: { 'x-ratelimit-reset': `${'9'.repeat(400)}s` }, ms: YEAR },
    { name: 'absurd words', headers: {}, message: 'try again in 999999999 minutes', ms: YEAR },
    { name: 'milliseconds', headers: { 'retry-after-ms': '350' }, ms: 350 },
    { name: 'zero milliseconds beside a second', headers: { 'retry-after-ms': '0', 'retry-after': '1' }, ms: 1000 },
    {
      name: 'the reset of the limit that is used up',
      headers: {
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '6m0s',
        'x-ratelimit-remaining-requests': '4',
        'x-ratelimit-reset-requests': '12ms',
      },
      ms: 360_000,
    },
    {
      name: 'the shortest reset where none is marked as used up',
      headers: { 'x-ratelimit-reset-tokens': '2m59.56s', 'x-ratelimit-reset-requests': '7.66s' },
      ms: 7660,
    },
    { name: 'a reset as a point in time', headers: { 'x-ratelimit-reset': String(now + 5000) }, ms: 5000 },
    {
      name: 'a reset as a point in time in seconds',
      headers: { 'x-ratelimit-reset': String(now / 1000 + 5) },
      ms: 5000,
    },
    { name: 'words', headers: {}, message: 'Rate limit reached. Please try again in 1.5s. Visit …', ms: 1500 },
    {
      name: 'words beside resets of limits that are not used up',
      headers: { 'x-ratelimit-remaining-tokens': '4735', 'x-ratelimit-reset-tokens': '50.529s' },
      message: 'Limit 30000, Used 25265, Requested 8020. Please try again in 6.57s.',
      ms: 6570,
    },
    { name: 'words with a long unit', headers: {}, message: 'Please retry after 3 seconds.', ms: 3000 },
    { name: 'words in milliseconds', headers: {}, message: 'Please try again in 240ms.', ms: 240 },
  ])('is read from $name', ({ headers, message = '', ms }) => {
    expect(readRetryAfterMs({ get: (name) => headers[name] ?? null }, message, now)).toBe(ms);
  });
});

test.each([
  ['12ms', 12],
  ['1s', 1000],
  ['6m0s', 360_000],
  ['1h2m3s', 3_723_000],
  ['2', 2000],
  ['X-RATELIMIT-RESET-TOKENS-XXX', undefined],
  ['1s later', undefined],
  ['', undefined],
])('the duration "%s" is %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});
