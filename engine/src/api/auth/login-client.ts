import { EngineError } from '../../base/error.ts';
import type { Redactor } from '../../base/redact.ts';
import type { LoginClient } from './google-login.ts';

/** Variable with the issuer of a test: a provider on this machine. */
const TEST_ISSUER = 'GOOGLE_LOGIN_TEST_ISSUER';

/** Where the client is read from, and who keeps its secret out of logs. */
export interface LoginEnvironment {
  readonly env: (name: string) => string | undefined;
  readonly redactor: Pick<Redactor, 'add'>;
}

/**
 * The OAuth client of the sign-in from `GOOGLE_LOGIN_CLIENT_ID` and `GOOGLE_LOGIN_CLIENT_SECRET`; undefined if neither is set.
 * `USAGE` if one of them is missing.
 */
export function readLoginClient({ env, redactor }: LoginEnvironment): LoginClient | undefined {
  const clientId = env('GOOGLE_LOGIN_CLIENT_ID')?.trim() ?? '';
  const clientSecret = env('GOOGLE_LOGIN_CLIENT_SECRET')?.trim() ?? '';
  if (clientId === '' && clientSecret === '') return undefined;
  if (clientId === '' || clientSecret === '') {
    const missing = clientId === '' ? 'GOOGLE_LOGIN_CLIENT_ID' : 'GOOGLE_LOGIN_CLIENT_SECRET';
    throw new EngineError('USAGE', `${missing} is not set, and the sign-in with Google needs it`, {
      hint: 'set it, or unset both; docs/deploy/reverse-proxy.md says how to make the client',
    });
  }
  redactor.add(clientSecret);
  const issuer = env(TEST_ISSUER) ?? '';
  if (issuer === '') return { clientId, clientSecret };
  if (!/^http:\/\/(?:127\.0\.0\.1|localhost):\d+$/.test(issuer))
    throw new EngineError('USAGE', `${TEST_ISSUER} is "${issuer}", and only tests set it: to a provider on 127.0.0.1`, {
      hint: 'unset it',
    });
  return { clientId, clientSecret, issuer };
}
