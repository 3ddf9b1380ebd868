import type { LastGoodStore, StoredDocument } from '../config.ts';
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

type Documents = ReadonlyMap<string, StoredDocument>;

/** Keeps the revisions that runs refer to. */
export interface RunRevisions {
  /** The changes that keep a revision, to be committed with the first run that refers to it; none if it is kept already. */
  keep(id: string, documents: Documents, now: number): Promise<Change[]>;
  /** Ids of the revisions that are kept. */
  list(): Promise<readonly string[]>;
  /**
   * Removes revisions that no run refers to, and the documents that only they referred to: those of the last good set and
   * of other revisions stay. One that runs were just started with stays too. Returns how many went.
   */
  forget(ids: readonly string[]): Promise<number>;
}

/** Where accepted documents and the revisions of runs outlive the process. */
export type RevisionStore = LastGoodStore & RunRevisions;

/** The place for revisions in a store that one process has to itself. Texts are stored once, by hash. */
export function createRevisionStore(store: Store, version = ''): RevisionStore {
  const texts = new Set<string>();
  const kept = new Set<string>();
  /** Keeping and forgetting take turns, so that nothing goes that was taken up again in that moment. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  const textChanges = (documents: Iterable<StoredDocument>): Change[] =>
    Array.from(documents)
      .filter(({ hash }) => !texts.has(hash))
      .map(documentChange);

  const saveGood: LastGoodStore['saveGood'] = async (changes) => {
    const documents = [...changes.values()].filter((document) => document !== null);
    const list: Change[] = textChanges(documents);
    for (const [name, document] of changes) {
      if (document === null) list.push({ op: 'delete', table: 'good', where: { name } });
      else list.push({ op: 'put', table: 'good', row: { name, hash: document.hash } });
    }
    await store.apply(list);
    for (const { hash } of documents) texts.add(hash);
  };

  const forgetOne = async (id: string, uses: Map<string, number>): Promise<void> => {
    const row = await store.get('revision', { id });
    if (row === undefined || kept.has(id)) return;
    const hashes = releaseDocuments(uses, parseRevision(id, row.body).hashes);
    for (const hash of hashes) texts.delete(hash);
    const documents = hashes.map((hash): Change => ({ op: 'delete', table: 'document', where: { hash } }));
    await store.apply([{ op: 'delete', table: 'revision', where: { id } }, ...documents]);
  };

  return {
    async list() {
      const ids: string[] = [];
      for await (const { id } of revisionRows(store)) ids.push(id);
      return ids;
    },

    forget: (ids) =>
      inTurn(async () => {
        const gone = new Set(ids.filter((id) => !kept.has(id)));
        if (gone.size === 0) return 0;
        const uses = await countUses(store);
        for (const id of gone) await forgetOne(id, uses);
        return gone.size;
      }),

    async loadGood() {
      const documents = await readGood(store);
      for (const { hash } of documents.values()) texts.add(hash);
      return documents;
    },

    saveGood: (changes) => inTurn(() => saveGood(changes)),

    loadRevision: (id, has) => readRevision(store, id, has),

    async keep(id, documents, now) {
      if (kept.has(id)) return [];
      await turn;
      if ((await store.get('revision', { id })) !== undefined) {
        kept.add(id);
        return [];
      }
      const hashes = new Map(Array.from(documents, ([name, { hash }]) => [name, hash]));
      return [
        ...textChanges(documents.values()),
        { op: 'put', table: 'revision', row: revisionRow(id, now, { version, hashes }) },
      ];
    },
  };
}
