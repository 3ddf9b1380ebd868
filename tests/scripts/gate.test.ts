import { expect, test } from 'vitest';
import { limitOf, readStored, verdictOf } from '../../bench/gate/stored.ts';

test.each([
  { name: 'at the limit', given: [2.3], isFailed: false },
  { name: 'above it once', given: [2.4, 2.2], isFailed: false },
  { name: 'above it twice', given: [2.4, 2.31], isFailed: true },
])('a ratio $name: failed is $isFailed', async ({ given, isFailed }) => {
  const left = [...given];
  const measure = () => Promise.resolve(left.shift() ?? NaN);
  expect(await verdictOf({ ratio: 2 }, measure)).toEqual({ ratios: given, isFailed });
});

test('the limit is the stored ratio plus 15 %', () => {
  expect(limitOf(readStored('{ "ratio": 1.6 }'))).toBe(1.84);
});

test.each([['{}'], ['{ "ratio": 0 }'], ['{ "ratio": "2" }']])('a gate without a ratio is refused: %s', (text) => {
  expect(() => readStored(text)).toThrow('no ratio');
});
