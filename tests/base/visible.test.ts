import { expect, test } from 'vitest';
import { visible } from '../../engine/src/base/visible.ts';

test.each([
  ['a change of direction in a file name', 'invoice\u202efdp.exe', 'invoice\\u202efdp.exe'],
  ['an isolate', 'a\u2066b\u2069', 'a\\u2066b\\u2069'],
  ['a mark of direction', 'a\u200fb\u061c', 'a\\u200fb\\u061c'],
  ['a zero-width space', 'pay\u200bpal', 'pay\\u200bpal'],
  ['a joiner between Latin letters', 'pay\u200dpal', 'pay\\u200dpal'],
  ['a soft hyphen and a byte order mark', 'a\u00adb\ufeff', 'a\\u00adb\\ufeff'],
  ['a filler that looks like a space', 'a\u3164b', 'a\\u3164b'],
  ['text in tags', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ['an escape sequence', 'a\x1b[2Jb\x9b2J', 'a\\u001b[2Jb\\u009b2J'],
  ['a delete character and a tab', 'a\x7fb\tc', 'a\\u007fb\\u0009c'],
  ['a line separator and a line break', 'a\u2028b\nc', 'a\\u2028b\\u000ac'],
  ['letters of any language, which stay', 'größe 返品 ñ שלום مرحبا', 'größe 返品 ñ שלום مرحبا'],
  [
    'a joiner in Persian and in an emoji, which stay',
    'می\u200cخواهم 👩\u200d👧 ❤\ufe0f\u200d🔥',
    'می\u200cخواهم 👩\u200d👧 ❤\ufe0f\u200d🔥',
  ],
  [
    'a flag and a keycap, which stay',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 1\ufe0f\u20e3',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 1\ufe0f\u20e3',
  ],
  ['a variation of a letter, which hides data', 'a\ufe01\u{e0121}', 'a\\ufe01\\udb40\\udd21'],
])('%s', (_name, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('characters that the caller names stay', () => {
  expect(visible('a\n\tb\r', '\n\t')).toBe('a\n\tb\\u000d');
});

test('JSON stays the same value', () => {
  const value = { name: 'invoice\u202efdp.exe', tag: '\u{e0041}', text: 'a\nb\u007f' };
  const text = JSON.stringify(value, null, 2);
  expect(visible(text, '\n')).not.toMatch(/[\u202e\u007f]/);
  expect(JSON.parse(visible(text, '\n'))).toEqual(value);
});
