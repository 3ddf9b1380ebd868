import { isRecord } from '../../base/json.ts';
import { ModelError } from '../model-error.ts';
import { type HeaderReader, readRetryAfterMs } from '../http/retry-after.ts';

/** The api, model and server of a request, for error messages and hints. */
export interface ModelTarget {
  readonly apiId: string;
  readonly model: string;
  /** Address of the server without its path. */
  readonly server: string;
  /** Hint for a refused key. */
  readonly keyHint: string;
  /** Current time in epoch milliseconds, to read points in time that a provider names. */
  readonly now: () => number;
  /** Removes secrets from a text. */
  readonly clean: (text: string) => string;
}

/** An error response of a provider. */
export interface ProviderError {
  readonly status: number;
  readonly message: string;
  readonly code?: string | undefined;
  readonly type?: string | undefined;
  readonly headers?: HeaderReader | undefined;
  readonly cause?: unknown;
}

/** Longest quote of a provider's text in a message, in characters. */
const MAX_QUOTE = 300;
const OUT_OF_MONEY = /^(insufficient_quota|billing_hard_limit_reached|billing_not_active|insufficient_balance)$/;
/** Anthropic, vLLM, llama.cpp and others say it in words only. */
const TOO_LONG =
  /prompt is too long|maximum context length|exceeds? the (available |model'?s? )?(maximum )?context|context (window|size) exceeded/i;
const CERTIFICATE = /CERT|^ERR_TLS|SIGNATURE|^UNABLE_TO_/;
const TIMED_OUT = /^(ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT)$/;

/** A provider's text for use in a message: one line, shortened, without secrets. */
export function quote(text: string, target: ModelTarget): string {
  const line = target
    .clean(text.slice(0, MAX_QUOTE * 10))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}…` : line;
}

/** The `ModelError` of an error response, by its HTTP status. The same for all providers. */
export function classifyProviderError(refusal: ProviderError, target: ModelTarget): ModelError {
  const { status, cause } = refusal;
  const words = quote(refusal.message, target);
  const said = `api "${target.apiId}": ${target.server} answered ${status}${words === '' ? '' : `: ${words}`}`;
  const retryAfterMs = readRetryAfterMs(refusal.headers, refusal.message, target.now());
  const code = refusal.code ?? refusal.type ?? '';
  if (status === 402 || (status === 429 && (OUT_OF_MONEY.test(code) || OUT_OF_MONEY.test(refusal.type ?? '')))) {
    const hint = "The account has no credit or quota left; waiting does not help. See the provider's billing page.";
    return new ModelError('MODEL_RATE_LIMIT', said, { hint, cause });
  }
  if (status === 429) return new ModelError('MODEL_RATE_LIMIT', said, { retryable: true, retryAfterMs, cause });
  if (status === 401 || status === 403) return new ModelError('MODEL_AUTH', said, { hint: target.keyHint, cause });
  if (status === 404) {
    const hint = `Check that the server has the model "${target.model}" and that baseUrl contains the version part, as in https://api.openai.com/v1.`;
    return new ModelError('MODEL_NOT_FOUND', said, { hint, cause });
  }
  if (status === 408) return new ModelError('MODEL_TIMEOUT', said, { retryable: true, retryAfterMs, cause });
  // 409: another request holds a lock. The official client retries it, too.
  if (status >= 500 || status === 409)
    return new ModelError('MODEL_UNAVAILABLE', said, { retryable: true, retryAfterMs, cause });
  if (status >= 300 && status < 400) {
    const location = refusal.headers?.get('location');
    const hint = `Redirects are not followed, because the redirect would receive the key. Set baseUrl to the final address${location ? `; the server names ${quote(location, target)}` : ''}.`;
    return new ModelError('MODEL_BAD_ANSWER', said, { hint, cause });
  }
  if (code === 'context_length_exceeded' || TOO_LONG.test(words)) {
    const hint =
      'The transcript is longer than the model can read. Use a model with a longer context, or shorter mails and tool results.';
    return new ModelError('MODEL_TOO_LONG', said, { hint, cause });
  }
  // Groq: the model wrote a call that the server could not read. The next attempt may succeed.
  return new ModelError('MODEL_BAD_REQUEST', said, {
    retryable: code === 'tool_use_failed',
    cause,
    hint: requestHint(code, words),
  });
}

function requestHint(code: string, words: string): string | undefined {
  if (code === 'invalid_encrypted_content')
    return 'The server cannot decrypt reasoning that was created with another key. Start the run again.';
  if (/response_format|json_schema|output_config|text\.format|structured output/i.test(words))
    return 'The server or the model does not take this schema of the answer. Write structuredOutput: false in the api: the engine then checks the answers alone.';
  // Ollama sends no code for this error.
  if (/does not support tools/i.test(words))
    return 'This model cannot call tools. Choose one that can; ollama.com/search?c=tools lists some.';
  return undefined;
}

/** The error of a time limit that was reached before the answer was complete. */
export function timeoutError(timeoutMs: number, target: ModelTarget, cause?: unknown): ModelError {
  const message = `api "${target.apiId}": no answer from ${target.server} within ${timeoutMs / 1000} s`;
  return new ModelError('MODEL_TIMEOUT', message, {
    retryable: true,
    cause,
    hint: 'Raise limits.timeoutSeconds of the api, or use a faster model.',
  });
}

/** The error of an unusable answer. Set `retryable` if the same request may succeed next time. */
export function badAnswer(
  what: string,
  target: ModelTarget,
  options: { retryable: boolean; hint?: string; cause?: unknown },
): ModelError {
  return new ModelError('MODEL_BAD_ANSWER', `api "${target.apiId}": ${target.server} ${what}`, options);
}

/**
 * Converts what a request threw into a `ModelError`. Returns errors that do not concern the provider unchanged. Errors of
 * the official clients have `status` and `headers`; both are undefined if the connection failed, and `cause` is then the
 * socket error.
 */
export function classifyThrown(thrown: unknown, timeoutMs: number, target: ModelTarget): unknown {
  if (thrown instanceof ModelError || !(thrown instanceof Error)) return thrown;
  if ('status' in thrown && typeof thrown.status === 'number')
    return classifyProviderError(refusalOf(thrown, thrown.status), target);
  const root = rootOf(thrown);
  const code = 'code' in root && typeof root.code === 'string' ? root.code : '';
  if (TIMED_OUT.test(code)) return timeoutError(timeoutMs, target, thrown);
  if (code === '' && !('status' in thrown && 'headers' in thrown)) return thrown;
  if (code.startsWith('HPE_'))
    return badAnswer(`answered with broken HTTP: ${code}`, target, { retryable: true, cause: thrown });
  if (code === 'ERR_ANSWER_TOO_LONG')
    return badAnswer(quote(root.message, target), target, { retryable: false, cause: thrown });
  const message = `api "${target.apiId}": no connection to ${target.server}: ${quote(root.message || code, target)}`;
  return new ModelError('MODEL_UNAVAILABLE', message, {
    retryable: !CERTIFICATE.test(code),
    hint: connectionHint(code, target.server),
    cause: thrown,
  });
}

function connectionHint(code: string, server: string): string | undefined {
  if (code === 'ECONNREFUSED') return `No server listens at ${server}. Start the server, or correct baseUrl.`;
  if (code === 'ENOTFOUND') return `DNS does not know the host of ${server}. Check baseUrl and the network.`;
  if (CERTIFICATE.test(code))
    return 'The certificate of the server is not trusted. NODE_EXTRA_CA_CERTS can name your own certificate authority.';
  return undefined;
}

function refusalOf(error: Error, status: number): ProviderError {
  const field = (name: string): unknown => Reflect.get(error, name);
  const text = (value: unknown) =>
    typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
  const headers = field('headers');
  return {
    status,
    // The clients put the status before the server's text. Anthropic's error also has the text alone, and Ollama's
    // error is a string, which the client would put in quotes.
    message: text(field('apiMessage')) ?? text(field('error')) ?? error.message.replace(new RegExp(`^${status} `), ''),
    code: text(field('code')),
    type: text(field('type')),
    headers: isHeaderReader(headers) ? headers : undefined,
    cause: error,
  };
}

function isHeaderReader(value: unknown): value is HeaderReader {
  return isRecord(value) && typeof value['get'] === 'function';
}

/** The innermost cause; of several connection attempts, the cause of the first. */
function rootOf(error: Error): Error {
  let root = error;
  for (let depth = 0; depth < 8; depth++) {
    const inner: unknown = root instanceof AggregateError && root.errors.length > 0 ? root.errors[0] : root.cause;
    if (!(inner instanceof Error)) break;
    root = inner;
  }
  return root;
}
