import { describe, expect, test } from 'vitest';
import { formatJson, formatValue } from '../../ui/http/json.ts';
import { plainText } from '../../ui/item/plain-text.ts';
import { piecesOf } from '../../ui/widget/long-text.ts';
import { growthOf } from '../cpu-time.ts';

const SIZE = 1_000_000;
const HTML = {
  'tags that never end': '<'.repeat(SIZE),
  'style sheets that never end': '<style>'.repeat(SIZE / 7),
  'empty tags': '<b></b>'.repeat(SIZE / 7),
  'spaces': ' '.repeat(SIZE),
};

describe('the beginning of a result', () => {
  test.each(Object.entries(HTML))('is found in 1 MB of %s about as fast as in ten times 100 KB', (_name, data) => {
    const work = (size: number) => plainText(data.slice(0, size), 'text/html', 420);
    expect(growthOf(work, { small: SIZE / 10, large: SIZE })).toBeLessThan(40);
  });

  test.each([
    ['tags', '<p>Dear <b>Ada</b>,</p><p>bye</p>', 'Dear Ada , bye'],
    ['a style sheet', '<STYLE type="a">p > b { color: red }</style ><p>Dear</p>', 'Dear'],
    ['a tag that begins as style does', '<styled>Dear</styled>', 'Dear'],
    ['no tag at all', 'Dear 1 > 0', 'Dear 1 > 0'],
    ['a tag without its end', 'Dear <b', 'Dear'],
  ])('is read from HTML with %s', (_name, data, text) => {
    expect(plainText(data, 'text/html', 420)).toBe(text);
  });

  test('is cut at its limit', () => {
    expect(plainText(`<p>${'word '.repeat(1000)}`, 'text/html', 20)).toBe('word word word word');
  });
});

describe('JSON', () => {
  test.each([[3000], [100_000]])('nested %i levels deep is shown as it is', (levels) => {
    const text = '['.repeat(levels) + ']'.repeat(levels);
    expect(formatJson(text)).toBe(text);
    expect(formatValue(JSON.parse(text)).length).toBeLessThan(1_000_000);
  });

  test('of usual depth is indented', () => {
    expect(formatJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(formatValue({ a: 1 })).toBe('{\n  "a": 1\n}');
  });
});

describe('a long text', () => {
  test.each([
    ['lines', 'many words in a line\n'.repeat(100_000)],
    ['one line', 'x'.repeat(2_000_000)],
    ['pairs of code units', `x${'😀'.repeat(100_000)}`],
  ])('of %s is cut into pieces, with nothing lost', (_name, text) => {
    const pieces = piecesOf(text);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(9000);
    expect(pieces.join('').replaceAll('\n', '')).toBe(text.replaceAll('\n', ''));
    expect(pieces.filter((piece) => !piece.isWellFormed())).toEqual([]);
    const work = (size: number) => piecesOf(text.slice(0, size));
    expect(growthOf(work, { small: text.length / 10, large: text.length })).toBeLessThan(40);
  });

  test('that is short stays whole', () => {
    expect(piecesOf('a\nb')).toEqual(['a\nb']);
  });
});
