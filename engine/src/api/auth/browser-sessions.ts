import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/store.ts';
import type { OpenSession, Sessions } from '../api.ts';
import { LOCAL_ACCESS } from '../http/read-access.ts';
import type { LoginDeps } from './login.ts';
import { LOCAL } from './person.ts';
import { loadSessionKey, makeSessionKey, replaceSessionKey } from './session-key.ts';
import { createTokenCheck, isSame } from './token-check.ts';

const HOUR_MS = 60 * 60 * 1000;
/** A session that is not used for this time ends. */
export const IDLE_MS = 3 * 24 * HOUR_MS;
/** A session ends this long after the sign-in, however much it is used. */
export const LONGEST_MS = 30 * 24 * HOUR_MS;
/** The cookie is renewed at most this often. */
const RENEW_MS = HOUR_MS;
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
 * What a cookie says, times in base 36: `v2.<id>.<openedAt>.<endsAt>.<signature>` of a browser that came with the token,
 * `v3.<id>.<person>.<openedAt>.<endsAt>.<signature>` of a person who signed in.
 */
interface Ticket {
  readonly id: string;
  readonly person: string;
  readonly openedAt: number;
  readonly endsAt: number;
}

/**
 * Opens the sessions of a data folder. The signing key is stored there, readable by its owner only, so that open tabs stay signed
 * in after a restart. `STORE_FAILED` if it cannot be read or written.
 */
export async function openSessions({ dataDir, store, clock, token }: SessionOptions): Promise<Sessions> {
  let signingKey = dataDir === undefined ? makeSessionKey() : loadSessionKey(dataDir);
  const ended = await readEnded(store);
  const listeners = new Set<() => void>();
  const secret = token ?? randomBytes(32).toString('base64url');
  const sign = (text: string) => createHmac('sha256', signingKey).update(text).digest('base64url');
  const keyOf = (id: string) => sign(`page.${id}`);
  const cookieOf = ({ id, person, openedAt, endsAt }: Ticket) => {
    const who = person === LOCAL.id ? `v2.${id}` : `v3.${id}.${person}`;
    const head = `${who}.${openedAt.toString(36)}.${endsAt.toString(36)}`;
    return `${head}.${sign(head)}`;
  };
  const renew = ({ id, person, openedAt }: Omit<Ticket, 'endsAt'>): OpenSession => {
    const endsAt = Math.min(clock.now() + IDLE_MS, openedAt + LONGEST_MS);
    const cookie = cookieOf({ id, person, openedAt, endsAt });
    return { id, person, cookie, openedAt, leftMs: endsAt - clock.now(), isRenewed: true };
  };
  const newId = () => randomBytes(12).toString('base64url');
  const read = (cookie: string): Ticket | undefined => {
    const ticket = parseCookie(cookie);
    if (ticket === undefined || !isSame(cookie, cookieOf(ticket))) return undefined;
    return ticket.endsAt > clock.now() && !ended.has(ticket.id) ? ticket : undefined;
  };
  const notify = () => listeners.forEach((listener) => listener());

  return {
    token: secret,
    isToken: createTokenCheck(secret, clock),
    open(cookie = '') {
      const before = read(cookie);
      // Never the session of a person: they know its key, and would be whoever opens this link.
      const id = before?.person === LOCAL.id ? before.id : newId();
      return { ...renew({ id, person: LOCAL.id, openedAt: clock.now() }), key: keyOf(id) };
    },
    openFor(person) {
      const id = newId();
      return { ...renew({ id, person, openedAt: clock.now() }), key: keyOf(id) };
    },
    hasCookie: (cookie) => read(cookie) !== undefined,
    find(cookie, key) {
      const ticket = read(cookie);
      if (ticket === undefined || !isSame(key, keyOf(ticket.id))) return undefined;
      const { id, person, openedAt } = ticket;
      const leftMs = ticket.endsAt - clock.now();
      const renewed = renew(ticket);
      return renewed.leftMs - leftMs >= RENEW_MS ? renewed : { id, person, cookie, openedAt, leftMs, isRenewed: false };
    },
    isOpen: ({ cookie }) => read(cookie) !== undefined,
    async end({ id, openedAt }) {
      // Another process may have written the row.
      for (const [other, until] of await readEnded(store)) ended.set(other, until);
      ended.set(id, openedAt + LONGEST_MS);
      for (const [other, until] of ended) if (until <= clock.now()) ended.delete(other);
      notify();
      await store.apply([{ op: 'put', table: 'meta', row: { name: ENDED, body: JSON.stringify([...ended]) } }]);
    },
    endAll() {
      signingKey = dataDir === undefined ? makeSessionKey() : replaceSessionKey(dataDir);
      notify();
    },
    onEnd(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The login check of a server without a viewer: only the token is accepted. */
export function tokenOnly(token: string, clock: Clock): LoginDeps {
  return {
    sessions: { isToken: createTokenCheck(token, clock), find: () => undefined },
    users: { find: async () => undefined },
    access: LOCAL_ACCESS,
  };
}

/** Ids, each with the time when no cookie of it can be valid any more. */
async function readEnded(store: Store): Promise<Map<string, number>> {
  const row = await store.get('meta', { name: ENDED });
  return new Map(row === undefined ? [] : (JSON.parse(row.body) as [string, number][]));
}

function parseCookie(cookie: string): Ticket | undefined {
  const [version, id = '', ...rest] = cookie.split('.');
  const [person, opened, end, signature] = version === 'v2' ? [LOCAL.id, ...rest] : version === 'v3' ? rest : [];
  if (person === undefined || opened === undefined || end === undefined || signature === undefined) return undefined;
  return { id, person, openedAt: Number.parseInt(opened, 36), endsAt: Number.parseInt(end, 36) };
}
