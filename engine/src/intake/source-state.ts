import { setImmediate } from 'node:timers/promises';
import { isRecord } from '../base/json.ts';
import { createYielder } from '../base/yielding.ts';
import { mailOf } from '../mail/mail-store.ts';
import type { FetchingStore, KnownMail, ListOptions, SeenMail } from '../mail/source.ts';
import type { Change, Row, Store } from '../store/store.ts';
import { bodyOf } from '../store/damaged-row.ts';
import { readableRows } from '../store/readable-rows.ts';

/** Stored state of one name at a source. */
export interface NotedName {
  readonly seen: SeenMail | undefined;
  /** Identity of the mail that was found under the name; `''` in rows of older versions. */
  readonly identity: string;
}

/** Rows read at a time, without and with their bodies. */
const BATCH = 500;
const BODIES = 50;

/** Stored state of an account's source: its cursor, and which mail was found under which name. */
export class SourceState {
  readonly #store: Store;
  readonly #accountId: string;

  constructor(store: Store, accountId: string) {
    this.#store = store;
    this.#accountId = accountId;
  }

  /** The cursor that was stored last, or undefined. */
  async readCursor(): Promise<unknown> {
    // Without its cursor the source lists all mails again, and those that are stored are known by their identity.
    const row = await readableRows(this.#store, () => {}).get('account', { id: this.#accountId });
    const body: unknown = row === undefined ? undefined : bodyOf('account', row);
    return isRecord(body) ? body['place'] : undefined;
  }

  async storeCursor(cursor: unknown): Promise<void> {
    const row = { id: this.#accountId, body: JSON.stringify({ place: cursor }) };
    await this.#store.apply([{ op: 'put', table: 'account', row }]);
  }

  /** What a source needs from the store for a listing. */
  async readListOptions(mayBeNew: boolean): Promise<Pick<ListOptions, 'cursor' | 'knownMails' | 'store'>> {
    const [cursor, store] = [await this.readCursor(), await this.#describeStore(mayBeNew)];
    return { cursor, store, knownMails: (after) => this.knownMails(after) };
  }

  async #describeStore(mayBeNew: boolean): Promise<FetchingStore> {
    const where = [['account', '=', this.#accountId]] as const;
    const known = await this.#store.list('source', { where, limit: 1, bodies: false });
    return { key: this.#store.lookupKey('store'), knowsNothing: known.length === 0, mayBeNew };
  }

  async find(name: string): Promise<NotedName | undefined> {
    // A mail under a name without a readable row is found again, and known by its identity.
    const row = await readableRows(this.#store, () => {}).get('source', {
      account: this.#accountId,
      name: this.#key(name),
    });
    return row && { seen: seenOf(row), identity: row.identity };
  }

  /** The change that stores the state of a name. */
  noteChange(name: string, seen: SeenMail, identity: string): Change {
    const row = { account: this.#accountId, name: this.#key(name), body: JSON.stringify(seen), identity };
    return { op: 'put', table: 'source', row };
  }

  /** The change that deletes the state of a name. */
  forgetChange(name: string): Change {
    return forgetKey(this.#accountId, this.#key(name));
  }

  /** Whether the same mail also has another name at the source. */
  async isElsewhere(name: string, identity: string): Promise<boolean> {
    return this.#hasOther(this.#key(name), identity);
  }

  /**
   * Stored names that are not in `names`, each with the change that deletes it; `isElsewhere` where the mail has
   * another name too. Rows are read in batches with pauses for the event loop; a row may have been deleted before it is
   * yielded.
   */
  async *namesNotIn(
    names: ReadonlySet<string>,
  ): AsyncIterable<{ readonly identity: string; readonly isElsewhere: boolean; readonly forget: Change }> {
    const keys = new Set<string>();
    const breathe = createYielder();
    for (const name of names) {
      keys.add(this.#key(name));
      await breathe();
    }
    for (let after = ''; ;) {
      const rows = await this.#store.list('source', {
        where: [
          ['account', '=', this.#accountId],
          ['name', '>', after],
        ],
        order: [['name', 'asc']],
        limit: BATCH,
        bodies: false,
      });
      for (const { name, identity } of rows) {
        if (keys.has(name)) continue;
        const isElsewhere = identity !== '' && (await this.#hasOther(name, identity));
        yield { identity, isElsewhere, forget: forgetKey(this.#accountId, name) };
      }
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.name;
      await setImmediate();
    }
  }

  /**
   * The account's mails that are not marked as removed, after the id `after`, in the order of their ids. Rows are read
   * in batches with pauses for the event loop; mails that are stored or marked meanwhile may be included or not.
   */
  async *knownMails(after: string): AsyncIterable<KnownMail> {
    for (let last = after; ;) {
      // Mails of all accounts: there is no index by account, and a filter on a small account would scan all rows at
      // once.
      const rows = await this.#store.list('mail', {
        where: [['id', '>', last]],
        order: [['id', 'asc']],
        limit: BATCH,
        bodies: false,
      });
      const ids = rows.flatMap(({ id, account, state }) =>
        account === this.#accountId && state === 'kept' ? [id] : [],
      );
      for (let n = 0; n < ids.length; n += BODIES) {
        const some = ids.slice(n, n + BODIES);
        for (const row of await readableRows(this.#store, () => {}).list('mail', {
          where: [['id', 'in', some]],
          order: [['id', 'asc']],
        })) {
          // A person may have deleted the mail since.
          if (row.state !== 'kept') continue;
          const { providerId, removedAt, summary } = mailOf(row);
          if (removedAt === undefined) yield { position: row.id, providerId, labels: summary.labels };
        }
        await setImmediate();
      }
      if (rows.length < BATCH) return;
      last = rows.at(-1)!.id;
      await setImmediate();
    }
  }

  async #hasOther(key: string, identity: string): Promise<boolean> {
    const rows = await this.#store.list('source', { where: [['identity', '=', identity]], limit: 2, bodies: false });
    return rows.some(({ name }) => name !== key);
  }

  #key(name: string): string {
    return this.#store.lookupKey(`source\0${name}`);
  }
}

function forgetKey(account: string, name: string): Change {
  return { op: 'delete', table: 'source', where: { account, name } };
}

function seenOf(row: Row<'source'>): SeenMail | undefined {
  const value: unknown = bodyOf('source', row);
  if (!isRecord(value)) return undefined;
  const { size, mtimeMs, labels } = value;
  if (typeof size !== 'number' || typeof mtimeMs !== 'number') return undefined;
  return { size, mtimeMs, ...(Array.isArray(labels) && { labels: labels.map(String) }) };
}
