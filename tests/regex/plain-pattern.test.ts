import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test, vi } from 'vitest';
import { isPlainPattern } from '../../engine/src/regex/plain-pattern.ts';
import { checkRegex } from '../../engine/src/regex/regex.ts';
import { isFull } from '../available.ts';

describe('a pattern that is accepted without compiling it', () => {
  test.each([
    '',
    '.',
    '(?i)^auto-',
    '(?i)\\b(urgent|asap|dringend)\\b',
    '(?i)^(no-?reply|mailer-daemon)@',
    '^me@example\\.org$',
    '(?:a|b*?)+ \\d+',
    '(?ims)^Language: de\\b.*(begeistert|großartig)',
    '(?m)^[a-z0-9._]+@[A-Z]\\n',
  ])('%s', (pattern) => {
    const compile = vi.spyOn(RE2JS, 'compile');
    expect(checkRegex(pattern)).toBeUndefined();
    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
  });
});

test.each([
  'a{2}',
  '[z-a]',
  '[^a]',
  '[]',
  '返品',
  '(?mi)a',
  '(?ii)a',
  '\\p{L}',
  'a++',
  '*a',
  '(*a)',
  '^*',
  '\\b+',
  '(a',
  'a)',
  ')(',
  '(?=a)',
  '\\1',
  'a\nb',
])('%j is left to RE2', (pattern) => {
  expect(isPlainPattern(pattern)).toBe(false);
});

test('RE2 accepts whatever is recognised, as a small program', () => {
  const piece = fc.constantFrom(
    ...[
      '(?i)',
      '(?ims)',
      '(?m)',
      '[a-z]',
      '[A-Z0-9.]',
      '\\n',
      'ß',
      'Å',
      '(',
      '(?:',
      ')',
      ')',
      '|',
      '^',
      '$',
      '\\b',
      '.',
      '\\.',
      '\\d',
      '\\W',
      'k',
      's',
      'Z',
      '_',
      ' ',
      '-',
      '@',
    ],
    ...['*', '+', '?', '*?', '??', '{2}', '\\', '[', ']', ':', '=', '<', '!', 'é'],
  );
  const pattern = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const repeated = fc.tuple(pattern, fc.integer({ min: 1, max: 60 })).map(([text, count]) => text.repeat(count));
  let recognised = 0;
  fc.assert(
    fc.property(fc.oneof(pattern, repeated), (text) => {
      if (!isPlainPattern(text)) return;
      recognised++;
      expect(RE2JS.compile(RE2JS.translateRegExp(text)).programSize()).toBeLessThan(4000);
    }),
    { numRuns: isFull ? 100_000 : 5000 },
  );
  expect(recognised).toBeGreaterThan(20);
});

test.each([
  ['the deepest', `${'('.repeat(160)}${')*'.repeat(160)}`],
  ['the longest of repeated letters', `(?i)${'k*'.repeat(248)}`],
  ['the longest of classes', '\\W'.repeat(250)],
])('%s pattern that is recognised is a small program', (_name, text) => {
  expect(isPlainPattern(text)).toBe(true);
  expect(RE2JS.compile(text).programSize()).toBeLessThan(4000);
});

test('a longer pattern is left to RE2', () => {
  expect(isPlainPattern('a'.repeat(501))).toBe(false);
});
