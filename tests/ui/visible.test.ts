import { expect, test } from 'vitest';
import { visible as inTerminal } from '../../engine/src/base/visible.ts';
import { partsOf, visible } from '../../ui/widget/visible.ts';

/** Characters beside which an invisible one may have a meaning: Latin, Persian, Devanagari, Han, emoji, a digit, a sign. */
const BESIDE = ['', 'a', 'م', 'ष', '葛', '👩', '❤\ufe0f', '👩🏽', '1', '≩', '\u200b'];

test('the viewer and the terminal hide nothing and escape the same characters', () => {
  const texts: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) texts.push(`a${String.fromCodePoint(code)}b`);
  for (const char of ['\u200c', '\u200d', '\ufe0f', '\ufe0e', '\u{e0100}', '\u180b', '\u00ad', '\u202e'])
    for (const before of BESIDE) for (const after of [...BESIDE, '\u20e3']) texts.push(before + char + after);
  expect(texts.filter((text) => visible(text) !== inTerminal(text, '\t\n\r'))).toEqual([]);
});

test.each([
  ['one character', 'a\u202eb', ['a', { hidden: '\u202e' }, 'b']],
  ['several in a row, together', 'a\u200b\u200bb', ['a', { hidden: '\u200b\u200b' }, 'b']],
  ['none', 'a\nb', ['a\nb']],
  ['nothing', '', []],
])('a text is cut at %s', (_name, text, parts) => {
  expect(partsOf(text)).toEqual(parts);
});
