import { EngineError } from '../base/error.ts';

/** The password behind a reference. `ACCOUNT_FAILED` where there is none. */
export function expectPassword(accountId: string, reference: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: there is no value for \`auth.pass\`, ${reference}`, {
    hint: reference.startsWith('${env:')
      ? 'Set that environment variable, and start anew.'
      : 'Keep one with `callsheet secrets set`.',
    retryable: true,
  });
}
