import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { StoredDocument } from '../config.ts';
import type { PublishedConfig, PublishedConfigStore } from './published-config.ts';
import {
  countUses,
  documentChange,
  parseRevision,
  readGood,
  readRevision,
  revisionRow,
  revisionRows,
  releaseDocuments,
} from '../revision/revision-rows.ts';
import type { RunRevisions } from '../revision/revision-store.ts';
import type { Signals } from '../../cluster/signals.ts';
import type { Change, Row, Store } from '../../store/store.ts';

export interface SharedRevisionStoreOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly signals: Pick<Signals, 'send' | 'on' | 'onGap'>;
  /** The one under which this process holds claims. */
  readonly worker: string;
}

/** The claim whose holder decides. */
export const CONFIG_CLAIM = 'config';

/** Revisions in a store that several processes share. */
export type SharedRevisionStore = PublishedConfigStore & RunRevisions;

/** The signal that there is a decision. */
const KIND = 'config';
/** The row of `counter` with the newest decision: no api or agent can be named so. Its `rev` is the number of the decision. */
const NAME = 'config:newest';
/** So long a process trusts that a revision, which it has seen to be in use, is still there. */
const TRUST_MS = 3_600_000;
/** A revision that was in use within this time is never forgotten: much longer than anybody trusts, whatever clocks say. */
const YOUNG_MS = 86_400_000;

/**
 * The place for revisions in a store that several processes share. Only a decision adds a revision, and each decision and
 * each removal names the number of the decision that it knows, so that of two that meet one fails. `created` of a revision is
 * when it was last taken up: who starts a run with one that has not been taken up for an hour says so in the run's own commit,
 * and one taken up within a day is not forgotten. So starting a run costs nothing, but for one read an hour.
 */
export function createSharedRevisionStore({
  store,
  clock,
  signals,
  worker,
}: SharedRevisionStoreOptions): SharedRevisionStore {
  const steady = () => clock.steady?.() ?? clock.now();
  /** When this process saw a revision in use, by both clocks: the steady one stands still while the machine sleeps. */
  const seen = new Map<string, { readonly now: number; readonly steady: number }>();
  /** The last decision that this process made, with the hashes of its documents by name. */
  let own:
    { readonly number: number; readonly revision: string; readonly hashes: ReadonlyMap<string, string> } | undefined;

  const isTrusted = (id: string, now: number): boolean => {
    const at = seen.get(id);
    return at !== undefined && Math.abs(now - at.now) < TRUST_MS && steady() - at.steady < TRUST_MS;
  };

  const before = async (number: number) => {
    if (own?.number === number) return own;
    const rows = await store.list('good');
    return { revision: undefined, hashes: new Map(rows.map((row) => [row.name, row.hash])) };
  };

  const forgetOne = async (id: string, rev: number, uses: Map<string, number>): Promise<boolean> => {
    const row = await store.get('revision', { id });
    if (row === undefined || row.created > clock.now() - YOUNG_MS) return false;
    const unused = releaseDocuments(uses, parseRevision(id, row.body).hashes);
    await store.apply([
      { op: 'update', table: 'counter', key: { name: NAME }, set: { rev }, expect: { rev } },
      { op: 'update', table: 'revision', key: { id }, set: { created: row.created }, expect: { created: row.created } },
      ...unused.map((hash): Change => ({ op: 'delete', table: 'document', where: { hash } })),
      { op: 'delete', table: 'revision', where: { id } },
    ]);
    return true;
  };

  return {
    announce: () => signals.send(KIND),

    onNews(listener) {
      const ends = [signals.on(KIND, listener), signals.onGap(listener)];
      return () => ends.forEach((end) => end());
    },

    loadGood: () => readGood(store),
    loadRevision: (id, has) => readRevision(store, id, has),

    async newest() {
      const row = await store.get('counter', { name: NAME });
      return row === undefined ? undefined : parseDecision(row);
    },

    async number() {
      const [row] = await store.list('counter', { where: [['name', '=', NAME]], bodies: false });
      return row?.rev ?? 0;
    },

    async publish({ number, ...facts }, documents) {
      const previous = await before(number - 1);
      const hashes = new Map(Array.from(documents, ([name, { hash }]) => [name, hash]));
      const row = { name: NAME, rev: number, body: JSON.stringify(facts) };
      const { revision: id, version, at } = facts;
      await store.apply([
        number === 1
          ? { op: 'insert', table: 'counter', row }
          : { op: 'update', table: 'counter', key: { name: NAME }, set: row, expect: { rev: number - 1 } },
        ...(id === previous.revision
          ? []
          : [{ op: 'put', table: 'revision', row: revisionRow(id, at, { version, hashes }) } as const]),
        ...goodChanges(previous.hashes, documents),
        // Fails where the claim is no longer ours.
        { op: 'update', table: 'claim', key: { name: CONFIG_CLAIM }, set: { worker }, expect: { worker } },
      ]);
      own = { number, revision: id, hashes };
    },

    async list() {
      const young = clock.now() - YOUNG_MS;
      const ids: string[] = [];
      for await (const { id, created } of revisionRows(store)) if (created <= young) ids.push(id);
      return ids;
    },

    async forget(ids) {
      const row = await store.get('counter', { name: NAME });
      // Before the first decision nobody could notice that a revision went.
      if (row === undefined) return 0;
      const { revision } = parseDecision(row);
      const gone = new Set(ids.filter((id) => id !== revision));
      if (gone.size === 0) return 0;
      const uses = await countUses(store);
      let count = 0;
      for (const id of gone)
        try {
          if (await forgetOne(id, row.rev, uses)) count++;
        } catch (error) {
          // It was taken up in this moment, or there is a newer decision: the next look takes up the rest.
          if (error instanceof EngineError && error.code === 'STORE_CONFLICT') return count;
          throw error;
        }
      return count;
    },

    async keep(id, _documents, now) {
      if (isTrusted(id, now)) return [];
      const [row] = await store.list('revision', { where: [['id', '=', id]], bodies: false });
      if (row === undefined)
        throw new EngineError('STORE_CONFLICT', `config revision ${id} was forgotten: there is a newer one`, {
          hint: 'try again',
          retryable: true,
        });
      if (row.created <= now - TRUST_MS)
        return [{ op: 'update', table: 'revision', key: { id }, set: { created: now } }];
      seen.set(id, { now, steady: steady() });
      return [];
    },
  };
}

/** What turns the last good set of before into that of now, with the documents that are new in it. */
function goodChanges(before: ReadonlyMap<string, string>, documents: ReadonlyMap<string, StoredDocument>): Change[] {
  const stored = new Set(before.values());
  const changes: Change[] = [];
  for (const [name, document] of documents) {
    const { hash } = document;
    if (!stored.has(hash)) changes.push(documentChange(document));
    if (before.get(name) !== hash) changes.push({ op: 'put', table: 'good', row: { name, hash } });
  }
  for (const name of before.keys())
    if (!documents.has(name)) changes.push({ op: 'delete', table: 'good', where: { name } });
  return changes;
}

function parseDecision({ rev, body }: Row<'counter'>): PublishedConfig {
  return { ...(JSON.parse(body) as Omit<PublishedConfig, 'number'>), number: rev };
}
