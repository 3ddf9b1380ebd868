import { createHash } from 'node:crypto';
import { EngineError } from '../../base/error.ts';
import type { Store } from '../../store/store.ts';
import type { Endpoints } from '../account.ts';
import type { CloudProvider } from '../scopes.ts';

/** Data of an open attempt. The browser must not supply it when it comes back. */
export interface OpenAttempt {
  readonly accountId: string;
  readonly provider: CloudProvider;
  readonly email: string;
  readonly clientId: string;
  /** `endpoints` in the account's file at the beginning. */
  readonly endpoints?: Endpoints;
  /** The secret for the hash in the sign-in link (RFC 7636). */
  readonly verifier: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

/** State of an attempt. */
export interface AttemptOutcome {
  readonly state: 'open' | 'done' | 'failed';
  readonly accountId: string;
  readonly message?: string;
}

/** Ended attempts are kept this long, so that waiting clients can read the result. */
const KEPT_MS = 10 * 60_000;

/** Stores a new attempt and deletes old ones; returns its id. */
export async function startAttempt(
  store: Store,
  state: string,
  { open, expiresAt, now }: { readonly open: OpenAttempt; readonly expiresAt: number; readonly now: number },
): Promise<string> {
  const old = await store.list('signIn', { where: [['at', '<', now - KEPT_MS]], bodies: false });
  const id = idOf(state);
  await store.apply([
    ...old.map((row) => ({ op: 'delete', table: 'signIn', where: { id: row.id } }) as const),
    { op: 'insert', table: 'signIn', row: { id, state: 'open', at: expiresAt, body: JSON.stringify(open) } },
  ]);
  return id;
}

/**
 * Claims the attempt of a state, so that it can be used once only. Throws `BAD_REQUEST` where it is unknown, used or
 * expired.
 */
export async function claimAttempt(
  store: Store,
  { state, provider }: { readonly state: string; readonly provider: CloudProvider },
  now: number,
): Promise<{ readonly id: string; readonly open: OpenAttempt }> {
  const id = idOf(state);
  const row = await store.get('signIn', { id });
  if (row === undefined || row.state !== 'open' || row.at <= now) throw unknown();
  const open = JSON.parse(row.body) as OpenAttempt;
  if (open.provider !== provider) throw unknown();
  const { accountId } = open;
  try {
    await store.apply([
      {
        op: 'update',
        table: 'signIn',
        key: { id },
        // This also deletes the verifier.
        set: { state: 'taken', body: JSON.stringify({ accountId }) },
        expect: { state: 'open' },
      },
    ]);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'STORE_CONFLICT') throw unknown();
    throw error;
  }
  return { id, open };
}

/** Stores the result of a claimed attempt. */
export async function closeAttempt(store: Store, id: string, { state, ...body }: AttemptOutcome): Promise<void> {
  await store.apply([{ op: 'update', table: 'signIn', key: { id }, set: { state, body: JSON.stringify(body) } }]);
}

/** Reads the state of an attempt; throws `NOT_FOUND` where it is unknown. */
export async function readAttempt(store: Store, id: string, now: number): Promise<AttemptOutcome> {
  const row = await store.get('signIn', { id });
  if (row === undefined) throw new EngineError('NOT_FOUND', 'there is no such sign-in');
  const { accountId, message } = JSON.parse(row.body) as AttemptOutcome;
  if (row.state === 'done' || row.state === 'failed')
    return { state: row.state, accountId, ...(message !== undefined && { message }) };
  if (row.at > now) return { state: 'open', accountId };
  const late = row.state === 'taken' ? 'the sign-in was interrupted' : 'nobody signed in within the time limit';
  return { state: 'failed', accountId, message: late };
}

/** The hash of a state, so that a reader of the store cannot finish the sign-in. */
function idOf(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}

function unknown(): EngineError {
  return new EngineError('BAD_REQUEST', 'this sign-in is not known here: it has expired or was used already', {
    hint: 'begin again with callsheet accounts connect, or under Accounts in the viewer',
  });
}
