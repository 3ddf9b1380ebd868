import { EngineError, errorBody } from '../../base/error.ts';

/** Longest message of a server, in characters. */
const MAX_MESSAGE = 4000;
/** Codes of connections that were never made. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE']);
const INVALID_PARAMS = -32602;

/** Why a call got no result. */
export interface CallFailure {
  /** `refused`: the server answered with an error. `unsent`: it never got the call. `late`, `lost`: nobody knows. */
  readonly kind: 'refused' | 'unsent' | 'late' | 'lost';
  readonly error: EngineError;
}

/** Reads what a call of the SDK threw. `id`: the server, for messages. */
export async function readFailure(
  cause: unknown,
  { id, timeoutMs }: { readonly id: string; readonly timeoutMs: number },
): Promise<CallFailure> {
  const { SdkError, SdkErrorCode, SdkHttpError, ProtocolError } = await import('@modelcontextprotocol/client');
  const hint = 'try again later, or go on without it';
  const fail = (message: string) => new EngineError('TOOL_FAILED', message, { hint, cause });
  if (cause instanceof ProtocolError) {
    const code = cause.code === INVALID_PARAMS ? 'TOOL_ARGUMENTS' : 'TOOL_FAILED';
    const message = `the server "${id}" says: ${cause.message.slice(0, MAX_MESSAGE).toWellFormed()}`;
    return { kind: 'refused', error: new EngineError(code, message, { cause }) };
  }
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout)
    return { kind: 'late', error: fail(`the server "${id}" did not answer within ${timeoutMs / 1000} s`) };
  const isUnsent =
    (cause instanceof SdkHttpError && cause.status !== undefined && cause.status >= 400 && cause.status < 500) ||
    (cause instanceof SdkError && cause.code === SdkErrorCode.NotConnected) ||
    cause instanceof EngineError ||
    isUnconnected(cause);
  const why = errorBody(cause).message.slice(0, MAX_MESSAGE).toWellFormed();
  return { kind: isUnsent ? 'unsent' : 'lost', error: fail(`the server "${id}" gave no answer: ${why}`) };
}

/** Whether an error, or one that caused it, says that no connection was made. */
function isUnconnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof EngineError) return true;
  const code: unknown = Reflect.get(error, 'code');
  return (typeof code === 'string' && NOT_CONNECTED.has(code)) || isUnconnected(error.cause);
}
