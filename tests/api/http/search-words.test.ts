import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasWords, mayHaveWords } from '../../../engine/src/api/http/query.ts';

const piece = fc.oneof(
  fc.constantFrom('"', '\\', '\n', '\u0001', '\u007f', '\u2028', '\ud83d', 'Σ', 'ΟΔΟΣ', 'İ', 'ẞ', '😀', 'é', "'", ' '),
  fc.string({ unit: 'binary' }),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));

test('a word that a text has may be in its JSON', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), fc.nat(), fc.nat(), (texts, from, length) => {
      const all = texts.join('\n').toLowerCase();
      const words = all.slice(from % (all.length + 1), (from % (all.length + 1)) + (length % 12)).split(/\s+/);
      const wanted = words.filter((word) => word !== '');
      return !hasWords(texts, wanted) || mayHaveWords(JSON.stringify({ texts }), wanted);
    }),
    { numRuns: 2000 },
  );
});

test('a word that is nowhere in the JSON is in no text of it', () => {
  expect(mayHaveWords(JSON.stringify({ subject: 'Your order' }), ['order', 'zebra'])).toBe(false);
  expect(mayHaveWords(JSON.stringify({ subject: 'Your order' }), ['ORDER'.toLowerCase()])).toBe(true);
});

test('JSON that was cut may have any word', () => {
  expect(mayHaveWords('{"subject":"Your ord', ['zebra'])).toBe(true);
});
