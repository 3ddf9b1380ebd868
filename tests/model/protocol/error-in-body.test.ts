import { describe, expect, test } from 'vitest';
import { errorInBody } from '../../../engine/src/model/protocol/error-in-body.ts';
import { target } from '../fixtures.ts';

const none = { get: () => null };

describe('an error under status 200', () => {
  test.each<{ name: string; error: unknown; code: string; retryable: boolean }>([
    { name: 'a status', error: { status: 503 }, code: 'MODEL_UNAVAILABLE', retryable: true },
    { name: 'a status as its code', error: { code: '429' }, code: 'MODEL_RATE_LIMIT', retryable: true },
    { name: 'rate_limit_exceeded', error: { code: 'rate_limit_exceeded' }, code: 'MODEL_RATE_LIMIT', retryable: true },
    { name: 'too_many_requests', error: { type: 'too_many_requests' }, code: 'MODEL_RATE_LIMIT', retryable: true },
    { name: 'insufficient_quota', error: { code: 'insufficient_quota' }, code: 'MODEL_RATE_LIMIT', retryable: false },
    { name: 'server_error', error: { code: null, type: 'server_error' }, code: 'MODEL_UNAVAILABLE', retryable: true },
    {
      name: 'vector_store_timeout',
      error: { code: 'vector_store_timeout' },
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
    },
    {
      name: 'server_is_overloaded',
      error: { code: 'server_is_overloaded' },
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
    },
    { name: 'invalid_api_key', error: { code: 'invalid_api_key' }, code: 'MODEL_AUTH', retryable: false },
    { name: 'permission_denied', error: { code: 'permission_denied' }, code: 'MODEL_AUTH', retryable: false },
    { name: 'model_not_found', error: { code: 'model_not_found' }, code: 'MODEL_NOT_FOUND', retryable: false },
    {
      name: 'context_length_exceeded',
      error: { code: 'context_length_exceeded' },
      code: 'MODEL_TOO_LONG',
      retryable: false,
    },
    { name: 'tool_use_failed', error: { code: 'tool_use_failed' }, code: 'MODEL_BAD_REQUEST', retryable: true },
    { name: 'a name that nobody knows', error: { code: 'gremlins' }, code: 'MODEL_UNAVAILABLE', retryable: true },
    { name: 'no name', error: 'Something went wrong.', code: 'MODEL_UNAVAILABLE', retryable: true },
  ])('with $name is $code', ({ error, code, retryable }) => {
    expect(errorInBody(error, none, target)).toMatchObject({ code, retryable });
  });

  test('keeps the words of the server', () => {
    expect(errorInBody({ message: 'Out of tea.' }, none, target).message).toContain('Out of tea.');
    expect(errorInBody('Out of cups.', none, target).message).toContain('Out of cups.');
  });

  test('is retried when its own headers say so, before those of the answer', () => {
    const headers = { get: (name: string) => (name === 'retry-after' ? '90' : null) };
    const error = { code: 'rate_limit_exceeded', headers: { 'retry-after': '7' } };
    expect(errorInBody(error, headers, target).retryAfterMs).toBe(7000);
    expect(errorInBody({ code: 'rate_limit_exceeded' }, headers, target).retryAfterMs).toBe(90_000);
  });
});
