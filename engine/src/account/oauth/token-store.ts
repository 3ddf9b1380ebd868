import type { Reader, RowChange } from '../../store/store.ts';
import type { Endpoints } from '../account.ts';
import type { CloudProvider } from '../scopes.ts';

/** Stored sign-in of an account. Times are epoch milliseconds. */
export interface StoredToken {
  readonly provider: CloudProvider;
  /** The client that owns the tokens: no other client can use them. */
  readonly clientId: string;
  /** `email` in the account's file at sign-in. */
  readonly email: string;
  readonly scopes: readonly string[];
  readonly accessToken: string;
  readonly expiresAt: number;
  /** `''` where the provider returned none. */
  readonly refreshToken: string;
  readonly connectedAt: number;
  /** `endpoints` in the account's file at sign-in; absent for the provider's own addresses. */
  readonly endpoints?: Endpoints;
  /** Set when the provider has ended the grant: its message. */
  readonly lost?: string;
}

/** A stored sign-in, and the revision for its next change. */
export interface StoredTokenRow {
  readonly rev: number;
  readonly token: StoredToken;
}

/** Reads the stored sign-in of an account. */
export async function readToken(store: Reader, account: string): Promise<StoredTokenRow | undefined> {
  const row = await store.get('token', { account });
  return row === undefined ? undefined : { rev: row.rev, token: JSON.parse(row.body) as StoredToken };
}

/** Replaces the stored sign-in, which must still be `known`: `STORE_CONFLICT` otherwise. */
export function writeToken(
  account: string,
  known: Pick<StoredTokenRow, 'rev'> | undefined,
  token: StoredToken,
): RowChange {
  const body = JSON.stringify(token);
  // A revision is never reused, even after the row was deleted: a refresh of an earlier sign-in must not match.
  if (known === undefined) return { op: 'insert', table: 'token', row: { account, rev: token.connectedAt, body } };
  const { rev } = known;
  return { op: 'update', table: 'token', key: { account }, set: { rev: rev + 1, body }, expect: { rev } };
}
