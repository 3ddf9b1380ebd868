import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { OnDamagedDocument, StoredDocument, StoredRevision } from '../config.ts';
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
  /** The worker name under which this process holds claims. */
  readonly worker: string;
}

/** Name of the claim whose holder is the leader. */
export const CONFIG_CLAIM = 'config';

/** Revisions in a store that several processes share. */
export type SharedRevisionStore = PublishedConfigStore & RunRevisions;

/** Kind of the signal that announces a new published config. */
const KIND = 'config';
/**
 * The row of `counter` with the newest published config; no api or agent can have this name. Its `rev` is the number of the
 * published config.
 */
const NAME = 'config:newest';
/** How long a process relies on a revision being stored after it saw the revision in use, in milliseconds. */
const TRUST_MS = 3_600_000;
/** A revision in use within this time is never deleted. Much longer than `TRUST_MS`, so that clocks may differ. */
const YOUNG_MS = 86_400_000;

/** The last config that this process published, with the hashes of its documents by name. */
interface OwnDecision {
  readonly number: number;
  readonly revision: string;
  readonly hashes: ReadonlyMap<string, string>;
}

/**
 * Revisions in a store that several processes share. Only publishing a config adds a revision. Each publication and each
 * deletion expects the number of the newest published config that its process has read; if two conflict, one of them fails.
 * `created` of a revision is the time of its last use: a process that starts a run with a revision unused for an hour
 * updates `created` in the run's own transaction, and a revision used within a day is not deleted. Starting runs therefore
 * costs one read an hour for each revision.
 */
export function createSharedRevisionStore(options: SharedRevisionStoreOptions): SharedRevisionStore {
  return new ClusterRevisionStore(options);
}

class ClusterRevisionStore implements SharedRevisionStore {
  readonly #options: SharedRevisionStoreOptions;
  /** When this process last read a revision as in use, by both clocks: the steady clock stops while the machine sleeps. */
  readonly #seen = new Map<string, { readonly now: number; readonly steady: number }>();
  #own: OwnDecision | undefined;

  constructor(options: SharedRevisionStoreOptions) {
    this.#options = options;
  }

  announce(): void {
    this.#options.signals.send(KIND);
  }

  onNews(listener: () => void): () => void {
    const { signals } = this.#options;
    const ends = [signals.on(KIND, listener), signals.onGap(listener)];
    return () => ends.forEach((end) => end());
  }

  loadGood(onDamaged?: OnDamagedDocument): Promise<ReadonlyMap<string, StoredDocument>> {
    return readGood(this.#options.store, onDamaged);
  }

  loadRevision(id: string, has: (name: string, hash: string) => boolean): Promise<StoredRevision | undefined> {
    return readRevision(this.#options.store, id, has);
  }

  async newest(): Promise<PublishedConfig | undefined> {
    const row = await this.#options.store.get('counter', { name: NAME });
    return row === undefined ? undefined : parseDecision(row);
  }

  async number(): Promise<number> {
    const [row] = await this.#options.store.list('counter', { where: [['name', '=', NAME]], bodies: false });
    return row?.rev ?? 0;
  }

  async publish({ number, ...facts }: PublishedConfig, documents: ReadonlyMap<string, StoredDocument>): Promise<void> {
    const { store, worker } = this.#options;
    const previous = await this.#decisionBefore(number);
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
      // Fails if this process no longer holds the claim.
      { op: 'update', table: 'claim', key: { name: CONFIG_CLAIM }, set: { worker }, expect: { worker } },
    ]);
    this.#own = { number, revision: id, hashes };
  }

  async list(): Promise<readonly string[]> {
    const { store, clock } = this.#options;
    const young = clock.now() - YOUNG_MS;
    const ids: string[] = [];
    for await (const { id, created } of revisionRows(store)) if (created <= young) ids.push(id);
    return ids;
  }

  async forget(ids: readonly string[]): Promise<number> {
    const { store } = this.#options;
    const row = await store.get('counter', { name: NAME });
    // Before the first published config there is no row that detects a concurrent deletion.
    if (row === undefined) return 0;
    const { revision } = parseDecision(row);
    const gone = new Set(ids.filter((id) => id !== revision));
    if (gone.size === 0) return 0;
    const uses = await countUses(store);
    let count = 0;
    for (const id of gone)
      try {
        if (await this.#forgetOne(id, row.rev, uses)) count++;
      } catch (error) {
        // A run has just started with it, or a newer config was published: the next call deletes the rest.
        if (error instanceof EngineError && error.code === 'STORE_CONFLICT') return count;
        throw error;
      }
    return count;
  }

  async keep(id: string, _documents: ReadonlyMap<string, StoredDocument>, now: number): Promise<Change[]> {
    if (this.#isTrusted(id, now)) return [];
    const [row] = await this.#options.store.list('revision', { where: [['id', '=', id]], bodies: false });
    if (row === undefined)
      throw new EngineError('STORE_CONFLICT', `config revision ${id} was deleted: there is a newer one`, {
        hint: 'try again',
        retryable: true,
      });
    if (row.created <= now - TRUST_MS) return [{ op: 'update', table: 'revision', key: { id }, set: { created: now } }];
    this.#seen.set(id, { now, steady: this.#steadyNow() });
    return [];
  }

  /** Revision and document hashes of the published config before `number`. */
  async #decisionBefore(number: number): Promise<Partial<OwnDecision> & Pick<OwnDecision, 'hashes'>> {
    if (this.#own?.number === number - 1) return this.#own;
    const rows = await this.#options.store.list('good');
    return { hashes: new Map(rows.map((row) => [row.name, row.hash])) };
  }

  async #forgetOne(id: string, rev: number, uses: Map<string, number>): Promise<boolean> {
    const { store, clock } = this.#options;
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
  }

  #isTrusted(id: string, now: number): boolean {
    const at = this.#seen.get(id);
    return at !== undefined && Math.abs(now - at.now) < TRUST_MS && this.#steadyNow() - at.steady < TRUST_MS;
  }

  #steadyNow(): number {
    const { clock } = this.#options;
    return clock.steady?.() ?? clock.now();
  }
}

/** The changes that replace the last good set `before` by `documents`, and store the documents that are new. */
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
