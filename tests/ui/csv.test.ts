import { expect, test } from 'vitest';
import { parseCsv } from '../../ui/item/csv.ts';

test.each([
  [
    'commas and Windows lines',
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'semicolons, as in many languages',
    'a;b;c,d\n1;2;3\n',
    [
      ['a', 'b', 'c,d'],
      ['1', '2', '3'],
    ],
  ],
  ['tabs', 'a\tb\n', [['a', 'b']]],
  ['quotes around separators, lines and quotes', '"a,b","c\n""d"""\n', [['a,b', 'c\n"d"']]],
  ['a byte order mark', '\ufeffa,b', [['a', 'b']]],
  [
    'empty fields and lines',
    'a,,\n\n,b\n',
    [
      ['a', '', ''],
      ['', 'b'],
    ],
  ],
  ['a quote that never ends', 'a,"b\nc', [['a', 'b\nc']]],
  ['nothing', '', []],
])('CSV with %s is read', (_name, data, rows) => {
  expect(parseCsv(data, 10)).toEqual(rows);
});

test('no more rows than asked for are read', () => {
  expect(parseCsv('a\nb\nc\n', 2)).toEqual([['a'], ['b']]);
});
