import type { Reader, RowChange } from '../../store/store.ts';
import type { Endpoints } from '../account.ts';
import type { CloudProvider } from '../scopes.ts';

/** What is kept of an account's sign-in. Times are epoch milliseconds. */
export interface StoredToken {
  readonly provider: CloudProvider;
  /** The client that it was given to: no other can use it. */
  readonly clientId: string;
  /** What the account's file said when somebody signed in. */
  readonly email: string;
  readonly scopes: readonly string[];
  readonly accessToken: string;
  readonly expiresAt: number;
  /** `''` where the provider gave none. */
  readonly refreshToken: string;
  readonly connectedAt: number;
  /** Where it was given out, as the account's file said; absent where that is the provider's own address. */
  readonly endpoints?: Endpoints;
  /** Set when the provider took it no more; what it said. */
  readonly lost?: string;
}

/** A row with the revision that a change of it expects. */
export interface StoredTokenRow {
  readonly rev: number;
  readonly token: StoredToken;
}

/** What is kept of an account, or undefined. */
export async function readToken(store: Reader, account: string): Promise<StoredTokenRow | undefined> {
  const row = await store.get('token', { account });
  return row === undefined ? undefined : { rev: row.rev, token: JSON.parse(row.body) as StoredToken };
}

/** Puts it in the place of what was there, which must be `known` still: `STORE_CONFLICT` otherwise. */
export function writeToken(
  account: string,
  known: Pick<StoredTokenRow, 'rev'> | undefined,
  token: StoredToken,
): RowChange {
  const body = JSON.stringify(token);
  // Revisions never come again, also of an account that was forgotten meanwhile: a renewal of the sign-in before must not fit.
  if (known === undefined) return { op: 'insert', table: 'token', row: { account, rev: token.connectedAt, body } };
  const { rev } = known;
  return { op: 'update', table: 'token', key: { account }, set: { rev: rev + 1, body }, expect: { rev } };
}
