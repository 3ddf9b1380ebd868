import { isRecord } from '../../base/json.ts';
import { type ModelTarget, classifyProviderError } from './classify-error.ts';
import type { ModelError } from '../model-error.ts';
import type { HeaderReader } from '../http/retry-after.ts';

/** HTTP status by the name of an error; the first match counts. Names of OpenAI and of compatible servers. */
const STATUSES: readonly (readonly [RegExp, number])[] = [
  [/rate_?limit|too_many_requests|quota|credit|billing/, 429],
  [/timeout|timed_out/, 504],
  [/overload|slow_down|unavailable/, 503],
  [/server_error|api_error|internal/, 500],
  [/authentication|api_key/, 401],
  [/permission|forbidden/, 403],
  [/not_found/, 404],
  [/invalid|unsupported|context_length|policy|mismatch|image|tool_use_failed/, 400],
];

/**
 * The error in a body of status 200, in mid-stream or as the whole answer. Its own status counts, else the status of its
 * name, else 500. Some servers send the error as a string; OpenAI's error may contain headers.
 */
export function errorInBody(given: unknown, headers: HeaderReader, target: ModelTarget): ModelError {
  const error = isRecord(given) ? given : { message: String(given) };
  const [code, type] = [textOf(error['code']), textOf(error['type'])];
  const { message, headers: own } = error;
  return classifyProviderError(
    {
      status: statusOf([error['status'], error['code']]) ?? statusNamed(code) ?? statusNamed(type) ?? 500,
      message: typeof message === 'string' ? message : JSON.stringify(error),
      code,
      type,
      headers: isRecord(own) ? { get: (name) => textOf(own[name]) ?? headers.get(name) } : headers,
    },
    target,
  );
}

function statusOf(values: readonly unknown[]): number | undefined {
  return values.map(Number).find((value) => Number.isInteger(value) && value >= 400 && value < 600);
}

function statusNamed(name: string | undefined): number | undefined {
  return name === undefined ? undefined : STATUSES.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
