import { describe, expect, test } from 'vitest';
import { classifyProviderError, classifyThrown } from '../../../engine/src/model/protocol/classify-error.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import { target } from '../fixtures.ts';

describe('a status', () => {
  test.each([
    { status: 400, code: 'MODEL_BAD_REQUEST', retryable: false },
    { status: 401, code: 'MODEL_AUTH', retryable: false },
    { status: 402, code: 'MODEL_RATE_LIMIT', retryable: false },
    { status: 403, code: 'MODEL_AUTH', retryable: false },
    { status: 404, code: 'MODEL_NOT_FOUND', retryable: false },
    { status: 408, code: 'MODEL_TIMEOUT', retryable: true },
    { status: 409, code: 'MODEL_UNAVAILABLE', retryable: true },
    { status: 413, code: 'MODEL_BAD_REQUEST', retryable: false },
    { status: 422, code: 'MODEL_BAD_REQUEST', retryable: false },
    { status: 429, code: 'MODEL_RATE_LIMIT', retryable: true },
    { status: 500, code: 'MODEL_UNAVAILABLE', retryable: true },
    { status: 503, code: 'MODEL_UNAVAILABLE', retryable: true },
    { status: 529, code: 'MODEL_UNAVAILABLE', retryable: true },
  ])('of $status is $code', ({ status, code, retryable }) => {
    const error = classifyProviderError({ status, message: 'no' }, target);
    expect(error).toMatchObject({ code, retryable, message: `api "main": https://models.test answered ${status}: no` });
  });
});

test.each(['code', 'type'])('a quota that is used up is no reason to wait (named by %s)', (field) => {
  const error = classifyProviderError(
    { status: 429, message: 'You exceeded your current quota.', [field]: 'insufficient_quota' },
    target,
  );
  expect(error).toMatchObject({ code: 'MODEL_RATE_LIMIT', retryable: false, hint: expect.stringContaining('billing') });
});

test('a call that the server could not read is worth another attempt', () => {
  expect(
    classifyProviderError({ status: 400, message: 'Tool call failed', code: 'tool_use_failed' }, target),
  ).toMatchObject({
    code: 'MODEL_BAD_REQUEST',
    retryable: true,
  });
});

test.each([
  { name: 'a code', message: 'too long', code: 'context_length_exceeded' },
  { name: 'the words of Anthropic', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  {
    name: 'the words of vLLM',
    message: "This model's maximum context length is 4096 tokens. However, you requested 5000",
  },
  { name: 'the words of llama.cpp', message: 'the request exceeds the available context size, try increasing it' },
])('a transcript that is too long by $name has a code of its own and says what helps', ({ message, code }) => {
  const error = classifyProviderError({ status: 400, message, code }, target);
  expect(error).toMatchObject({ code: 'MODEL_TOO_LONG', retryable: false });
  expect(error.hint).toContain('longer context');
});

test('a long page in an error is cut', () => {
  expect(classifyProviderError({ status: 502, message: '<html> '.repeat(5000) }, target).message.length).toBeLessThan(
    400,
  );
});

describe('a failed connection', () => {
  const failure = (code: string) => {
    const cause = Object.assign(new Error(`failed: ${code}`), { code });
    return Object.assign(new Error('Connection error.', { cause }), { status: undefined, headers: undefined });
  };
  test.each([
    { cause: 'ECONNREFUSED', code: 'MODEL_UNAVAILABLE', retryable: true },
    { cause: 'ECONNRESET', code: 'MODEL_UNAVAILABLE', retryable: true },
    { cause: 'ENOTFOUND', code: 'MODEL_UNAVAILABLE', retryable: true },
    { cause: 'EPIPE', code: 'MODEL_UNAVAILABLE', retryable: true },
    { cause: 'ETIMEDOUT', code: 'MODEL_TIMEOUT', retryable: true },
    { cause: 'CERT_HAS_EXPIRED', code: 'MODEL_UNAVAILABLE', retryable: false },
    { cause: 'DEPTH_ZERO_SELF_SIGNED_CERT', code: 'MODEL_UNAVAILABLE', retryable: false },
    { cause: 'ERR_TLS_CERT_ALTNAME_INVALID', code: 'MODEL_UNAVAILABLE', retryable: false },
  ])('with $cause is $code', ({ cause, code, retryable }) => {
    expect(classifyThrown(failure(cause), 20_000, target)).toMatchObject({ code, retryable });
  });

  test('of several addresses is told by the first', () => {
    const attempts = new AggregateError([Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })]);
    const thrown = Object.assign(new Error('Connection error.', { cause: attempts }), {
      status: undefined,
      headers: undefined,
    });
    expect(classifyThrown(thrown, 20_000, target)).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      hint: expect.stringContaining('No server listens'),
    });
  });
});

test('an error of our own stays what it is', () => {
  const bug = new TypeError('x is not a function');
  const known = new ModelError('MODEL_BAD_ANSWER', 'no');
  expect([classifyThrown(bug, 1, target), classifyThrown(known, 1, target)]).toEqual([bug, known]);
});
