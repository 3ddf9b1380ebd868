import { setImmediate } from 'node:timers/promises';
import { isRecord } from '../base/json.ts';
import { createBreather } from '../base/yielding.ts';
import { mailOf } from '../mail/mail-store.ts';
import type { KnownMail, SeenMail } from '../mail/source.ts';
import type { Change, Row, Store } from '../store/store.ts';

/** What is kept of one name at a source. */
export interface NotedName {
  readonly seen: SeenMail | undefined;
  /** Of the mail that was taken from it; `''` in rows of versions that did not keep it. */
  readonly identity: string;
}

/** Rows read at a time, and those with the facts of a mail in them. */
const BATCH = 500;
const BODIES = 50;

/** What is remembered of the source of one account: its place, and what lies there under which name. */
export class SourceState {
  readonly #store: Store;
  readonly #accountId: string;

  constructor(store: Store, accountId: string) {
    this.#store = store;
    this.#accountId = accountId;
  }

  /** Where the last look that got so far has stopped. */
  async place(): Promise<unknown> {
    const row = await this.#store.get('account', { id: this.#accountId });
    const body: unknown = row === undefined ? undefined : JSON.parse(row.body);
    return isRecord(body) ? body['place'] : undefined;
  }

  async reach(place: unknown): Promise<void> {
    const row = { id: this.#accountId, body: JSON.stringify({ place }) };
    await this.#store.apply([{ op: 'put', table: 'account', row }]);
  }

  async find(name: string): Promise<NotedName | undefined> {
    const row = await this.#store.get('source', { account: this.#accountId, name: this.#key(name) });
    return row && { seen: seenOf(row), identity: row.identity };
  }

  /** The change that remembers what lies under a name. */
  note(name: string, seen: SeenMail, identity: string): Change {
    const row = { account: this.#accountId, name: this.#key(name), body: JSON.stringify(seen), identity };
    return { op: 'put', table: 'source', row };
  }

  /** The change that forgets a name. */
  forget(name: string): Change {
    return forgetKey(this.#accountId, this.#key(name));
  }

  /** Whether the mail of a name lies at the source under another one as well. */
  async isElsewhere(name: string, identity: string): Promise<boolean> {
    return this.#hasOther(this.#key(name), identity);
  }

  /**
   * What is remembered under other names than these, with the change that forgets it; `isElsewhere` where the same mail lies
   * under another name, too. Rows are read little by little, others get their turn in between, and what was yielded may be
   * forgotten meanwhile.
   */
  async *besides(
    names: ReadonlySet<string>,
  ): AsyncIterable<{ readonly identity: string; readonly isElsewhere: boolean; readonly forget: Change }> {
    const keys = new Set<string>();
    const breathe = createBreather();
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
   * The account's mails that are not marked as gone, in the order of their ids. Rows are read little by little, and others get
   * their turn in between; what is taken or marked meanwhile may come or not.
   */
  async *kept(after: string): AsyncIterable<KnownMail> {
    for (let last = after; ;) {
      // Of all accounts: mails have no index by account, and to look for those of a small one would go through all at once.
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
        for (const row of await this.#store.list('mail', { where: [['id', 'in', some]], order: [['id', 'asc']] })) {
          // A person may have deleted it since.
          if (row.state !== 'kept') continue;
          const { providerId, removedAt, summary } = mailOf(row);
          if (removedAt === undefined) yield { at: row.id, providerId, labels: summary.labels };
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
  const value: unknown = JSON.parse(row.body);
  if (!isRecord(value)) return undefined;
  const { size, mtimeMs, labels } = value;
  if (typeof size !== 'number' || typeof mtimeMs !== 'number') return undefined;
  return { size, mtimeMs, ...(Array.isArray(labels) && { labels: labels.map(String) }) };
}
