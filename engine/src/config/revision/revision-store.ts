import type { LastGoodStore, OnDamagedDocument, StoredDocument, StoredRevision } from '../config.ts';
import {
  countUses,
  documentChange,
  parseRevision,
  readGood,
  readRevision,
  revisionRow,
  revisionRows,
  releaseDocuments,
} from './revision-rows.ts';
import type { Change, Store } from '../../store/store.ts';
import { readableRows } from '../../store/readable-rows.ts';

type Documents = ReadonlyMap<string, StoredDocument>;

/** Keeps the revisions that runs refer to. */
export interface RunRevisions {
  /** Changes for the commit of a run that store its revision; empty where the revision is stored already. */
  keep(id: string, documents: Documents, now: number): Promise<Change[]>;
  /** Ids of the stored revisions. */
  list(): Promise<readonly string[]>;
  /**
   * Deletes revisions that no run refers to, and the documents that only these revisions referred to. Documents of the
   * last good set and of other revisions stay, and so does a revision that a run was just started with. Returns the
   * number of deleted revisions.
   */
  forget(ids: readonly string[]): Promise<number>;
}

/** Stores accepted documents and the revisions of runs. */
export type RevisionStore = LastGoodStore & RunRevisions;

/** Revisions in a store that only one process uses. Each text is stored once, by its hash. */
export function createRevisionStore(store: Store, version = ''): RevisionStore {
  return new OwnRevisionStore(store, version);
}

class OwnRevisionStore implements RevisionStore {
  readonly #store: Store;
  readonly #version: string;
  /** Hashes of documents that are known to be stored. */
  readonly #texts = new Set<string>();
  /** Ids of revisions that are known to be stored and in use. */
  readonly #kept = new Set<string>();
  /** Saving and deleting run one after the other, so that no document is deleted while a save refers to it. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(store: Store, version: string) {
    this.#store = store;
    this.#version = version;
  }

  async list(): Promise<readonly string[]> {
    const ids: string[] = [];
    for await (const { id } of revisionRows(this.#store)) ids.push(id);
    return ids;
  }

  forget(ids: readonly string[]): Promise<number> {
    return this.#enqueue(async () => {
      const gone = new Set(ids.filter((id) => !this.#kept.has(id)));
      if (gone.size === 0) return 0;
      const uses = await countUses(this.#store);
      for (const id of gone) await this.#forgetOne(id, uses);
      return gone.size;
    });
  }

  async loadGood(onDamaged?: OnDamagedDocument): Promise<Documents> {
    const documents = await readGood(this.#store, onDamaged);
    for (const { hash } of documents.values()) this.#texts.add(hash);
    return documents;
  }

  saveGood(changes: ReadonlyMap<string, StoredDocument | null>): Promise<void> {
    return this.#enqueue(() => this.#saveGood(changes));
  }

  loadRevision(id: string, has: (name: string, hash: string) => boolean): Promise<StoredRevision | undefined> {
    return readRevision(this.#store, id, has);
  }

  async keep(id: string, documents: Documents, now: number): Promise<Change[]> {
    if (this.#kept.has(id)) return [];
    await this.#queue;
    // A row that cannot be read is written anew.
    if ((await readableRows(this.#store, () => {}).get('revision', { id })) !== undefined) {
      this.#kept.add(id);
      return [];
    }
    const hashes = new Map(Array.from(documents, ([name, { hash }]) => [name, hash]));
    const row = revisionRow(id, now, { version: this.#version, hashes });
    return [...this.#textChanges(documents.values()), { op: 'put', table: 'revision', row }];
  }

  async #saveGood(changes: ReadonlyMap<string, StoredDocument | null>): Promise<void> {
    const documents = [...changes.values()].filter((document) => document !== null);
    const list: Change[] = this.#textChanges(documents);
    for (const [name, document] of changes) {
      if (document === null) list.push({ op: 'delete', table: 'good', where: { name } });
      else list.push({ op: 'put', table: 'good', row: { name, hash: document.hash } });
    }
    await this.#store.apply(list);
    for (const { hash } of documents) this.#texts.add(hash);
  }

  async #forgetOne(id: string, uses: Map<string, number>): Promise<void> {
    const row = await this.#store.get('revision', { id });
    if (row === undefined || this.#kept.has(id)) return;
    const hashes = releaseDocuments(uses, parseRevision(id, row.body).hashes);
    for (const hash of hashes) this.#texts.delete(hash);
    const documents = hashes.map((hash): Change => ({ op: 'delete', table: 'document', where: { hash } }));
    await this.#store.apply([{ op: 'delete', table: 'revision', where: { id } }, ...documents]);
  }

  #textChanges(documents: Iterable<StoredDocument>): Change[] {
    return Array.from(documents)
      .filter(({ hash }) => !this.#texts.has(hash))
      .map(documentChange);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }
}
