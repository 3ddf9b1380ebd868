import { setImmediate } from 'node:timers/promises';
import type { RevisionPlace, StoredDocument } from '../config/config.ts';
import type { Change, Store } from './store.ts';

type Documents = ReadonlyMap<string, StoredDocument>;

/** Where accepted documents and the revisions of runs outlive the process. */
export interface Revisions extends RevisionPlace {
  /** The changes that keep a revision, to be committed with the first run that refers to it; none if it is kept already. */
  keep(id: string, documents: Documents, now: number): Promise<Change[]>;
  /** Ids of the revisions that are kept. */
  list(): Promise<readonly string[]>;
  /**
   * Removes revisions that no run refers to, and the documents that only they referred to: those of the last good set and
   * of other revisions stay. One that this process has started runs with stays too. Returns how many went.
   */
  forget(ids: readonly string[]): Promise<number>;
}

/** Revisions read at a time while looking for what they refer to: each is a list of all its documents. */
const BATCH = 10;

function namesIn(body: string): [name: string, hash: string][] {
  return JSON.parse(body) as [string, string][];
}

const hashesOf = (body: string): string[] => namesIn(body).map(([, hash]) => hash);

/** The place for revisions in a store. Texts are stored once, by hash. */
export function createRevisions(store: Store): Revisions {
  const texts = new Set<string>();
  const kept = new Set<string>();
  /** Keeping and forgetting take turns, so that nothing goes that was taken up again in that moment. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  const textChanges = (documents: Iterable<StoredDocument>): Change[] => {
    const changes: Change[] = [];
    for (const { hash, file, text } of documents) {
      if (texts.has(hash)) continue;
      changes.push({ op: 'put', table: 'document', row: { hash, body: JSON.stringify({ file, text }) } });
    }
    return changes;
  };

  const read = async (hashes: ReadonlyMap<string, string>): Promise<Documents> => {
    const found = new Map<string, StoredDocument>();
    for (const [name, hash] of hashes) {
      const row = await store.get('document', { hash });
      if (row !== undefined) found.set(name, { hash, ...(JSON.parse(row.body) as { file: string; text: string }) });
    }
    return found;
  };

  /** Hashes of documents that something other than these revisions refers to. */
  const hashesBeside = async (gone: ReadonlySet<string>): Promise<Set<string>> => {
    const used = new Set((await store.list('good')).map(({ hash }) => hash));
    for (let after = ''; ;) {
      const where = [['id', '>', after]] as const;
      const rows = await store.list('revision', { where, order: [['id', 'asc']], limit: BATCH });
      for (const row of rows) if (!gone.has(row.id)) for (const hash of hashesOf(row.body)) used.add(hash);
      after = rows.at(-1)?.id ?? after;
      if (rows.length < BATCH) return used;
      await setImmediate();
    }
  };

  const saveGood: RevisionPlace['saveGood'] = async (changes) => {
    const documents = [...changes.values()].filter((document) => document !== null);
    const list: Change[] = textChanges(documents);
    for (const [name, document] of changes) {
      if (document === null) list.push({ op: 'delete', table: 'good', where: { name } });
      else list.push({ op: 'put', table: 'good', row: { name, hash: document.hash } });
    }
    await store.apply(list);
    for (const { hash } of documents) texts.add(hash);
  };

  const forgetOne = async (id: string, used: ReadonlySet<string>): Promise<void> => {
    const row = await store.get('revision', { id });
    if (row === undefined || kept.has(id)) return;
    const hashes = hashesOf(row.body).filter((hash) => !used.has(hash));
    for (const hash of hashes) texts.delete(hash);
    const documents = hashes.map((hash): Change => ({ op: 'delete', table: 'document', where: { hash } }));
    await store.apply([{ op: 'delete', table: 'revision', where: { id } }, ...documents]);
  };

  return {
    async list() {
      const ids: string[] = [];
      for (let after = ''; ;) {
        const where = [['id', '>', after]] as const;
        const rows = await store.list('revision', { where, order: [['id', 'asc']], limit: BATCH });
        ids.push(...rows.map(({ id }) => id));
        after = rows.at(-1)?.id ?? after;
        if (rows.length < BATCH) return ids;
        await setImmediate();
      }
    },

    forget: (ids) =>
      inTurn(async () => {
        const gone = new Set(ids.filter((id) => !kept.has(id)));
        if (gone.size === 0) return 0;
        const used = await hashesBeside(gone);
        for (const id of gone) await forgetOne(id, used);
        return gone.size;
      }),

    async loadGood() {
      const rows = await store.list('good');
      const documents = await read(new Map(rows.map((row) => [row.name, row.hash])));
      for (const { hash } of documents.values()) texts.add(hash);
      return documents;
    },

    saveGood: (changes) => inTurn(() => saveGood(changes)),

    async loadRevision(id) {
      const row = await store.get('revision', { id });
      if (row === undefined) return undefined;
      return read(new Map(namesIn(row.body)));
    },

    async keep(id, documents, now) {
      if (kept.has(id)) return [];
      await turn;
      if ((await store.get('revision', { id })) !== undefined) {
        kept.add(id);
        return [];
      }
      const names = [...documents].map(([name, { hash }]) => [name, hash]);
      return [
        ...textChanges(documents.values()),
        { op: 'put', table: 'revision', row: { id, created: now, body: JSON.stringify(names) } },
      ];
    },
  };
}
