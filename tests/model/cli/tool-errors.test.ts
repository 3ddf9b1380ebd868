import { expect, test } from 'vitest';
import { turnError } from '../../../engine/src/model/cli/tool-errors.ts';
import { cliApi } from '../../contracts/cli.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';

const errorOf = (text: string) =>
  turnError({ api: cliApi({ cli: 'codex' }), redactor: createRedactor() }, {
    exitCode: 1,
    signal: null,
    stderr: { text },
  } as never);
const codeOf = (text: string) => errorOf(text).code;

test.each([
  'HTTP 401',
  'HTTP/1.1 401 Unauthorized',
  'request failed with status code 401',
  'status: 401, body: {}',
  '{"error":{"code":401}}',
  'API Error: 401 {"type":"error"}',
  'Please run /login',
])('a tool that says %j is not signed in', (text) => {
  expect(codeOf(text)).toBe('MODEL_SIGN_IN');
});

test.each([
  'exec failed durationMs=1401',
  'took 401 ms',
  'line 401: unexpected token',
  'port 8401 is in use',
  'status 4010',
])('a tool that says %j has another trouble', (text) => {
  expect(codeOf(text)).toBe('MODEL_UNAVAILABLE');
});

test('the message of a tool that is not signed in says what to run', () => {
  expect(errorOf('Please run /login').message).toBe('"codex" is not signed in; run codex login');
});
