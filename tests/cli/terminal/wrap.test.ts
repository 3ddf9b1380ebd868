import { expect, test } from 'vitest';
import { cellsOf } from '../../../engine/src/cli/terminal/table.ts';
import { wrapText } from '../../../engine/src/cli/terminal/wrap.ts';

test.each([
  ['keeps what fits', 'one two', ['one two']],
  ['keeps empty lines and indentation', 'a\n\n  b', ['a', '', '  b']],
  ['breaks at a space', 'one two three four', ['one two', 'three four']],
  ['breaks a word that is too wide', 'https://example.org/x', ['https://ex', 'ample.org/', 'x']],
  ['counts wide letters as two cells', '請求書請求書請求書', ['請求書請求', '書請求書']],
])('%s', (_name, text, lines) => {
  const wrapped = wrapText(text, 10);
  expect(wrapped).toEqual(lines);
  expect(Math.max(...wrapped.map(cellsOf))).toBeLessThanOrEqual(10);
});

test('loses no character but spaces at the ends of lines', () => {
  const text = 'The mixture was heated  to 65 °C 🔥🔥🔥🔥🔥🔥🔥🔥, until\tit was clear. '.repeat(20);
  expect(wrapText(text, 13).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
});
