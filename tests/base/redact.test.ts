import { expect, test } from 'vitest';
import { createRedactor } from '../../engine/src/base/redact.ts';

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
