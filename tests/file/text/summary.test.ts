import fc from 'fast-check';
import { expect, test } from 'vitest';
import { summarizeText } from '../../../engine/src/file/text/summary.ts';

const CONTRACT = `# Contract

This contract is between the studio and the client. It was a sunny day when it was signed.

## Payment

The client pays 4,200 euros for the posters. The weather may change. Payment of the posters is due within 30 days.

## Delivery

The studio delivers the posters on 12 May. Everybody likes posters.

The posters are delivered to the client by van.
`;

test('a summary has headings and the sentences with figures and frequent words, in their order', () => {
  const { summary, sentences } = summarizeText(CONTRACT, 260);
  expect(summary).toBe(
    [
      '# Contract',
      'This contract is between the studio and the client.',
      '',
      '## Payment',
      'The client pays 4,200 euros for the posters.',
      'Payment of the posters is due within 30 days.',
      '',
      '## Delivery',
      'The studio delivers the posters on 12 May.',
      'Everybody likes posters.',
    ].join('\n'),
  );
  expect(sentences).toEqual({ shown: 5, of: 8 });
});

test('words of the focus bring their sentences', () => {
  expect(summarizeText(CONTRACT, 220, 'weather').summary).toContain('The weather may change.');
});

test('a short text is its own summary', () => {
  expect(summarizeText('One sentence. And another one.', 200).summary).toBe('One sentence.\nAnd another one.');
});

test('a text of one endless sentence is cut', () => {
  const { summary } = summarizeText('word '.repeat(10_000), 1000);
  expect(summary.length).toBe(599);
});

test('a summary is never longer than asked, and every line is one of the text', () => {
  const text = fc.array(fc.constantFrom('# A head', 'A short one.', 'It costs 5 euros. And more.', '', '1. Item'), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 400 }), (lines, most) => {
      const { summary } = summarizeText(lines.join('\n\n'), most);
      expect(summary.length).toBeLessThanOrEqual(most);
      for (const line of summary.split('\n')) expect(lines.join('\n')).toContain(line);
    }),
    { seed: 12 },
  );
});
