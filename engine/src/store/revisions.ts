import type { RevisionPlace, StoredDocument } from '../config/config.ts';
import type { Change, Store } from './store.ts';

type Documents = ReadonlyMap<string, StoredDocument>;

/** Where accepted documents and the revisions of runs outlive the process. */
export interface Revisions extends RevisionPlace {
  /** The changes that keep a revision, to be committed with the first run that refers to it; none if it is kept already. */
  keep(id: string, documents: Documents, now: number): Promise<Change[]>;
}

/** The place for revisions in a store. Texts are stored once, by hash. */
export function createRevisions(store: Store): Revisions {
  const texts = new Set<string>();
  const kept = new Set<string>();

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

  return {
    async loadGood() {
      const rows = await store.list('good');
      const documents = await read(new Map(rows.map((row) => [row.name, row.hash])));
      for (const { hash } of documents.values()) texts.add(hash);
      return documents;
    },

    async saveGood(changes) {
      const documents = [...changes.values()].filter((document) => document !== null);
      const list: Change[] = textChanges(documents);
      for (const [name, document] of changes) {
        if (document === null) list.push({ op: 'delete', table: 'good', where: { name } });
        else list.push({ op: 'put', table: 'good', row: { name, hash: document.hash } });
      }
      await store.apply(list);
      for (const { hash } of documents) texts.add(hash);
    },

    async loadRevision(id) {
      const row = await store.get('revision', { id });
      if (row === undefined) return undefined;
      return read(new Map(JSON.parse(row.body) as [string, string][]));
    },

    async keep(id, documents, now) {
      if (kept.has(id)) return [];
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
