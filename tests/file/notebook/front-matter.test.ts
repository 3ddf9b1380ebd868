import { describe, expect, test } from 'vitest';
import { editProperties, readProperties } from '../../../engine/src/file/notebook/front-matter.ts';

describe('readProperties', () => {
  test.each([
    ['a text without front matter', 'Hello\n---\nno: matter\n---\n', undefined],
    ['an empty front matter', '---\n---\nText\n', {}],
    ['keys and lists', '---\na: 1\nb: [x]\n---\n', { a: 1, b: ['x'] }],
    ['CRLF and a byte order mark', '\uFEFF---\r\na: x\r\n---\r\nText', { a: 'x' }],
    ['an end with dots', '---\na: x\n...\nText', { a: 'x' }],
    ['an opening line that is never closed', '---\na: x\n', undefined],
  ])('reads %s', (_name, text, expected) => {
    expect(readProperties(text)).toEqual(expected);
  });

  test.each([
    ['invalid YAML', '---\na: [\n---\n', 'is not valid YAML'],
    ['a list', '---\n- a\n---\n', 'is not a list of'],
    ['too much', `---\na: ${'x'.repeat(40_000)}\n---\n`, 'is longer than'],
    ['an alias bomb', `---\na: &a [x, x]\n${bomb()}---\n`, 'cannot be read'],
  ])('refuses %s', (_name, text, says) => {
    expect(() => readProperties(text)).toThrow(says);
  });
});

describe('editProperties', () => {
  test.each([
    {
      name: 'changes one value and keeps comments, quotes, order and the body',
      text: '---\n# head\na:   "x"  # one\nb: 1\n\nc: [1, 2]\n---\nBody\n---\n',
      set: { b: 2 },
      expected: '---\n# head\na:   "x"  # one\nb: 2\n\nc: [1, 2]\n---\nBody\n---\n',
    },
    {
      name: 'adds a key at the end',
      text: '---\na: 1\n---\nT',
      set: { z: true },
      expected: '---\na: 1\nz: true\n---\nT',
    },
    { name: 'removes a key', text: '---\na: 1\nb: 2\n---\nT', set: {}, remove: ['a'], expected: '---\nb: 2\n---\nT' },
    { name: 'removes the last key', text: '---\na: 1\n---\nT', set: {}, remove: ['a'], expected: '---\n---\nT' },
    { name: 'makes front matter', text: 'T\n', set: { a: 'x' }, expected: '---\na: x\n---\nT\n' },
    { name: 'makes front matter with CRLF', text: 'T\r\n', set: { a: 'x' }, expected: '---\r\na: x\r\n---\r\nT\r\n' },
    { name: 'keeps a byte order mark', text: '\uFEFFT\n', set: { a: 1 }, expected: '\uFEFF---\na: 1\n---\nT\n' },
    { name: 'fills an empty front matter', text: '---\n---\nT', set: { a: 1 }, expected: '---\na: 1\n---\nT' },
    {
      name: 'changes nothing where nothing changes',
      text: '---\na:  1\n---\nT',
      set: { a: 1 },
      expected: '---\na:  1\n---\nT',
    },
  ])('$name', ({ text, set, remove, expected }) => {
    expect(editProperties(text, set, remove)).toBe(expected);
  });
});

function bomb(): string {
  return Array.from(
    { length: 9 },
    (_, n) => `${'bcdefghij'[n]}: &${'bcdefghij'[n]} [${`*${'abcdefghi'[n]}, `.repeat(9)}]\n`,
  ).join('');
}
