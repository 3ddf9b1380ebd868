import { afterAll, expect, test } from 'vitest';
import { createRecogniser } from '../../../engine/src/guard/privacy/recogniser.ts';

const recogniser = createRecogniser();
afterAll(() => recogniser.close());

test('a recogniser finds private values in a worker thread', async () => {
  const text = 'Karthik (karthik@example.com) pays from DE89 3704 0044 0532 0130 00 or with 4111 1111 1111 1111.';
  const spans = await recogniser.recognise(text, { known: [{ name: 'Karthik' }], isUserWords: false });
  expect(spans.map(({ kind, text }) => [kind, text])).toEqual([
    ['person', 'Karthik'],
    ['email', 'karthik@example.com'],
    ['iban', 'DE89 3704 0044 0532 0130 00'],
    ['card', '4111 1111 1111 1111'],
  ]);
  for (const { start, end, text: value } of spans) expect(text.slice(start, end)).toBe(value);
});

test('only the kinds that are asked for are found', async () => {
  const options = { known: [], isUserWords: false, kinds: ['iban'] } as const;
  const spans = await recogniser.recognise('a@example.com DE89370400440532013000', options);
  expect(spans.map(({ kind }) => kind)).toEqual(['iban']);
});
