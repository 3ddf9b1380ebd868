import { expect, test } from 'vitest';
// @ts-expect-error: a script without types.
import { asAscii as untyped } from '../../scripts/bundle-text.mjs';

const asAscii = untyped as (code: string) => string;
/** What an expression is, as a text. */
const valueOf = (code: string) => String((0, eval)(`(${code})`));

test.each([
  ['a text', '"für – 😀"'],
  ['a text with backslashes before', String.raw`"\é \\é \\\é \n"`],
  ['a template', '`${"ä"} und ö`'],
  ['a raw template', 'String.raw`[<‹«]\\s ${1} \\\\«`'],
  ['a pattern', '/^[äöü\\–]+$/.test("ä–ü")'],
  ['a pattern of whole letters', '"😀".replace(/[😀😁]/u, "x")'],
  ['a name', '{ größe: 1 }.größe'],
  ['an object with such a name', 'JSON.stringify({ größe: 1 })'],
])('%s is the same in ASCII', (_name, code) => {
  const expression = code.startsWith('{') ? `(${code.replace(/\.größe$/, '')}).größe` : code;
  expect(asAscii(expression)).toMatch(/^[\x00-\x7f]*$/);
  expect(valueOf(asAscii(expression))).toBe(valueOf(expression));
});

test.each([
  ['raw text with another template in it', 'String.raw`a ${`ä`} ö`'],
  ['raw text with such a text in an expression', 'String.raw`a ${"ä"}`'],
  ['raw text with a backslash before such a character', 'String.raw`\\ä`'],
  ['a broken line', '"a\\\u2028b"'],
])('%s stays as it is', (_name, code) => {
  expect(asAscii(code)).toBe(code);
});
