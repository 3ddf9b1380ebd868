import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';

/** A provider's refusal; without a status there was no response. */
export interface OAuthRefusal {
  /** `Google`, `Microsoft`. */
  readonly company: string;
  readonly accountId: string;
  readonly status?: number | undefined;
  /** RFC 6749, 5.2: `invalid_grant`. */
  readonly error?: string | undefined;
  readonly description?: string | undefined;
}

const MAX_WORDS = 300;

/** The grant has ended, or a person must be present: only a new sign-in helps. */
const LOST: ReadonlySet<string> = new Set([
  ...['invalid_grant', 'interaction_required', 'login_required', 'consent_required'],
  ...['bad_token', 'no_tokens_found', 'native_account_unavailable'],
]);
const CLIENT: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client', 'deleted_client']);

/** Error of a token request; see `OAuthClient` for the codes. */
export function oauthError({ company, accountId, status, error = '', description = '' }: OAuthRefusal): EngineError {
  const details = describe(error, description);
  if (LOST.has(error))
    return new EngineError(
      'ACCOUNT_GRANT_LOST',
      `account ${accountId}: ${company} no longer accepts its sign-in${details}`,
      {
        hint: connectHint(accountId),
      },
    );
  if (status === undefined && error === '')
    return new EngineError('ACCOUNT_FAILED', `account ${accountId}: ${company} cannot be reached${details}`, {
      hint: 'check the connection; Callsheet tries again',
      retryable: true,
    });
  if ((status ?? 0) >= 500 || status === 429 || error === 'temporarily_unavailable' || error === 'server_error')
    return new EngineError(
      'ACCOUNT_FAILED',
      `account ${accountId}: ${company} issues no tokens now (${status})${details}`,
      {
        hint: 'Callsheet tries again',
        retryable: true,
      },
    );
  if (CLIENT.has(error))
    return new EngineError('ACCOUNT_FAILED', `account ${accountId}: ${company} refuses the client${details}`, {
      hint: 'check `oauth` in its file: the id, and that the secret belongs to that id and has not expired',
    });
  return new EngineError('ACCOUNT_FAILED', `account ${accountId}: ${company} issues no tokens${details}`);
}

/** Hint that names the command for a sign-in. */
export function connectHint(accountId: string): string {
  return `callsheet accounts connect ${accountId}, or Config in the viewer`;
}

/** `error` and `error_description` of a response. */
export function readOAuthError(body: unknown): Pick<OAuthRefusal, 'error' | 'description'> {
  if (!isRecord(body)) return {};
  const { error, error_description: description } = body;
  return {
    ...(typeof error === 'string' && { error }),
    ...(typeof description === 'string' && { description }),
  };
}

/** Cause of a network error: the code of the innermost error, such as `ECONNREFUSED`. */
export function networkReason(error: unknown): string {
  let reason = '';
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const code: unknown = Reflect.get(inner, 'code');
    if (typeof code === 'string') reason = code;
  }
  return reason;
}

function describe(error: string, description: string): string {
  const words = [error, description.replace(/\s+/g, ' ').trim().slice(0, MAX_WORDS)].filter((text) => text !== '');
  return words.length === 0 ? '' : `: ${words.join(': ')}`;
}
