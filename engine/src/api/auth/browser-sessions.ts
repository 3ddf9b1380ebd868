import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Store } from '../../store/store.ts';
import type { Sessions } from '../api.ts';

/** Lifetime of a cookie. */
export const SESSION_MS = 30 * 24 * 60 * 60 * 1000;
const KEY_FILE = 'session.key';
/** Row of `meta` with the sessions that were ended before they expired. */
const ENDED = 'endedSessions';

export interface SessionOptions {
  /** Undefined for a temporary server: its sessions end with the process. */
  readonly dataDir: string | undefined;
  readonly store: Store;
  readonly clock: Clock;
  /** Set by the user; default: a random token for each start. */
  readonly token?: string | undefined;
}

/**
 * Opens the sessions of a data folder. The signing key is stored there, readable by its owner only, so that open tabs stay signed
 * in after a restart. `STORE_FAILED` if it cannot be read or written.
 */
export async function openSessions({ dataDir, store, clock, token }: SessionOptions): Promise<Sessions> {
  const key = dataDir === undefined ? makeKey() : loadKey(join(dataDir, KEY_FILE));
  const row = await store.get('meta', { name: ENDED });
  const ended = new Map<string, number>(row === undefined ? [] : (JSON.parse(row.body) as [string, number][]));
  const secret = token ?? randomBytes(32).toString('base64url');
  const digest = hash(secret);
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');

  /** Id and expiry of a valid cookie. */
  const read = (cookie: string): { id: string; endsAt: number } | undefined => {
    const [version, id, end, signature] = cookie.split('.');
    if (version !== 'v1' || id === undefined || end === undefined || signature === undefined) return undefined;
    if (!timingSafeEqual(hash(signature), hash(sign(`v1.${id}.${end}`)))) return undefined;
    const endsAt = Number.parseInt(end, 36);
    return endsAt > clock.now() ? { id, endsAt } : undefined;
  };

  return {
    token: secret,
    isToken: (given) => timingSafeEqual(hash(given), digest),
    open() {
      const head = `v1.${randomBytes(12).toString('base64url')}.${(clock.now() + SESSION_MS).toString(36)}`;
      return `${head}.${sign(head)}`;
    },
    isOpen(cookie) {
      const session = read(cookie);
      return session !== undefined && !ended.has(session.id);
    },
    async end(cookie) {
      const session = read(cookie);
      if (session === undefined) return;
      ended.set(session.id, session.endsAt);
      for (const [id, endsAt] of ended) if (endsAt <= clock.now()) ended.delete(id);
      await store.apply([{ op: 'put', table: 'meta', row: { name: ENDED, body: JSON.stringify([...ended]) } }]);
    },
  };
}

/** Sessions of a server without a viewer: only the token is accepted. */
export function tokenOnly(token: string): Pick<Sessions, 'isToken' | 'isOpen'> {
  const digest = hash(token);
  return { isToken: (given) => timingSafeEqual(hash(given), digest), isOpen: () => false };
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function loadKey(file: string): string {
  try {
    const kept = readKey(file);
    if (kept !== undefined) return kept;
    const key = makeKey();
    writeFileSync(file, key, { mode: 0o600 });
    return key;
  } catch (cause) {
    throw new EngineError('STORE_FAILED', `the session key ${file} cannot be read or written`, {
      hint: 'check the permissions of the data folder',
      cause,
    });
  }
}

function makeKey(): string {
  return randomBytes(32).toString('hex');
}

/** The key; undefined if it is missing or invalid: then open tabs have to sign in again. */
function readKey(file: string): string | undefined {
  try {
    const key = readFileSync(file, 'utf8').trim();
    return /^[0-9a-f]{64}$/.test(key) ? key : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
