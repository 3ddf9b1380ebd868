import { expect, test } from 'vitest';
import { createRedactor, redactValue } from '../../engine/src/base/redact.ts';
import { cpuMsOf } from '../cpu-time.ts';

test('a secret is taken out of text, also as JSON spells it', () => {
  const redactor = createRedactor();
  redactor.add('pass"word\\1');
  expect(redactor.text('it is pass"word\\1')).toBe('it is [redacted]');
  expect(redactor.text(JSON.stringify({ it: 'pass"word\\1' }))).toBe('{"it":"[redacted]"}');
});

test('one that is removed is text again, and the others are not', () => {
  const redactor = createRedactor();
  for (const secret of ['token-one', 'token-"two"', 'token-three']) redactor.add(secret);
  redactor.remove('token-"two"');
  expect(redactor.text(`token-one token-"two" token-\\"two\\" token-three`)).toBe(
    '[redacted] token-"two" token-\\"two\\" [redacted]',
  );
});

const SECRET = 'sk-ab/cd+ef"gh\\ij-Ü-0123456789';
const bytes = (text: string) => Buffer.from(text);

test.each([
  ['as it is', SECRET],
  ['in JSON', JSON.stringify(SECRET)],
  ['in JSON inside JSON', JSON.stringify(JSON.stringify(SECRET))],
  ['in JSON with escaped slashes', JSON.stringify(SECRET).replaceAll('/', '\\/')],
  ['in JSON of ASCII only', JSON.stringify(SECRET).replace('Ü', '\\u00dc')],
  ['in a URL', `https://x.example/?key=${encodeURIComponent(SECRET)}`],
  ['in base64', bytes(SECRET).toString('base64')],
  ['in base64url', bytes(SECRET).toString('base64url')],
  ['in base64 of a longer text, at its start', bytes(`${SECRET}:user`).toString('base64')],
  ['in base64 of a longer text, after one byte', bytes(`u${SECRET}`).toString('base64')],
  ['in base64 of a longer text, after two bytes', bytes(`u:${SECRET}!`).toString('base64url')],
  ['in base64 of a longer text, after three bytes', bytes(`us:${SECRET}!`).toString('base64')],
])('a secret is taken out %s', (_name, text) => {
  const redactor = createRedactor();
  redactor.add('another-secret-value');
  redactor.add(SECRET);
  const clean = redactor.text(`before ${text} after`);
  expect(clean).toMatch(/^before .{0,40}\[redacted\].{0,12} after$/);
  const inner = text.slice(10, -12);
  expect(clean).not.toContain(inner);
});

test('values below six characters are not matched, in no form', () => {
  const redactor = createRedactor();
  redactor.add('abcd');
  redactor.add('12345');
  const text = `abcd 12345 ${bytes('abcd').toString('base64')} ${bytes('12345').toString('base64')}`;
  expect(redactor.text(text)).toBe(text);
});

test('of two secrets of which one contains the other, the longer one is taken out as a whole', () => {
  const redactor = createRedactor();
  redactor.add('secret-one');
  redactor.add('secret-one-and-two');
  expect(redactor.text('secret-one-and-two secret-one')).toBe('[redacted] [redacted]');
});

test('values are cleaned in all their texts, and are the same object where nothing was found', () => {
  const redactor = createRedactor();
  redactor.add('key-0123456789');
  const value = { a: ['x key-0123456789', { 'key-0123456789': 1 }], n: 1, z: null };
  expect(redactValue(redactor, value)).toEqual({ a: ['x [redacted]', { '[redacted]': 1 }], n: 1, z: null });
  const harmless = { a: ['x'], text: '{"a":"\\u0041"}' };
  expect(redactValue(redactor, harmless)).toBe(harmless);
  const hidden = { text: '{"a":"\\u006bey-0123456789"}' };
  expect(redactValue(redactor, hidden)).toEqual({ text: '{"a":"[redacted]"}' });
});

test('the cost of a text does not grow with the number of secrets', () => {
  const text = 'an ordinary sentence of a mail, with nothing in it '.repeat(4000);
  const timed = (secrets: number) => {
    const redactor = createRedactor();
    for (let n = 0; n < secrets; n++) redactor.add(`secret-${n}-${'x'.repeat(20)}${n * 7919}`);
    redactor.text(text);
    return cpuMsOf(() => redactor.text(text), 20);
  };
  expect(timed(100)).toBeLessThan(10 * Math.max(1, timed(1)));
});
