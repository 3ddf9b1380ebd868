import type { Clock } from '../../base/clock.ts';
import { errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import { createYielder } from '../../base/yielding.ts';
import { readableRows } from '../../store/readable-rows.ts';
import type { Row, Store } from '../../store/store.ts';
import { memoryOf } from '../memory-rows.ts';
import { type CurrentModel, listVectors, vectorIds } from '../embedding/vector-rows.ts';
import type { IndexedMemory, StoredState } from './index-jobs.ts';
import type { IndexThread } from './index-thread.ts';

/** Memories compared at a time, without their texts. */
const PAGE = 1000;
/** Memories that are read and indexed at a time: a few milliseconds of the event loop. */
const BATCH = 64;

/** Options of `IndexFeed`. */
export interface IndexFeedOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly thread: IndexThread;
  /** The model whose vectors the index gets; undefined for none. */
  readonly model: () => Promise<CurrentModel | undefined>;
}

/**
 * Keeps the index as the store is. At first it compares all memories by id and version, and later again when it is not
 * known what has changed. Only one batch is under way at a time, so that an older state never replaces a newer one.
 */
export class IndexFeed {
  readonly #options: IndexFeedOptions;
  readonly #changed = new Set<string>();
  #isStale = true;
  #isEager = false;
  #isClosed = false;
  #work: Promise<void> | undefined;
  #vectors = 0;
  /** The model whose vectors the index has. */
  #model = '';

  constructor(options: IndexFeedOptions) {
    this.#options = options;
  }

  /** Whether the index has vectors. */
  get hasVectors(): boolean {
    return this.#vectors > 0;
  }

  /** From now on changes are indexed at once. Before, they wait for the first search. */
  start(): void {
    this.#isEager = true;
    this.#begin();
  }

  changed(ids: readonly string[]): void {
    for (const id of ids) this.#changed.add(id);
    if (this.#isEager) this.#begin();
  }

  changedAll(): void {
    this.#isStale = true;
    if (this.#isEager) this.#begin();
  }

  /** Resolves when all changes so far are indexed. Rejects where the store or the index fails; the next call tries again. */
  caughtUp(): Promise<void> {
    if (this.#work === undefined && !this.#isStale && this.#changed.size === 0) return Promise.resolve();
    this.#isEager = true;
    return (this.#work ??= this.#catchUp().finally(() => (this.#work = undefined)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work?.catch(() => {});
  }

  #begin(): void {
    if (this.#isClosed) return;
    void this.caughtUp().catch((error: unknown) => {
      if (!this.#isClosed) this.#options.log.warn('memories could not be indexed', { ...errorBody(error) });
    });
  }

  async #catchUp(): Promise<void> {
    while (!this.#isClosed && (this.#isStale || this.#changed.size > 0)) {
      const isStale = this.#isStale;
      const ids = [...this.#changed].slice(0, BATCH);
      this.#isStale = false;
      for (const id of ids) this.#changed.delete(id);
      try {
        await (isStale ? this.#compareAll() : this.#send(ids));
      } catch (error) {
        this.#isStale = true;
        throw error;
      }
    }
  }

  async #compareAll(): Promise<void> {
    const { store, clock, thread } = this.#options;
    const breathe = createYielder();
    const startMs = clock.now();
    const model = await this.#options.model();
    this.#model = keyOf(model);
    await thread.run({ kind: 'begin', model: this.#model });
    let count = 0;
    for (let after = ''; !this.#isClosed;) {
      const rows = await store.list('memory', {
        where: [
          ['id', '>', after],
          ['deleted', '=', 0],
        ],
        order: [['id', 'asc']],
        limit: PAGE,
        bodies: false,
      });
      const withVectors = model === undefined ? new Set() : await vectorIds(store, model, rows);
      await breathe();
      const stored = rows.map((row): StoredState => [row.id, versionOf(row), withVectors.has(row.id)]);
      const stale = await thread.run({ kind: 'compare', stored });
      for (let at = 0; at < stale.length && !this.#isClosed; at += BATCH) await this.#send(stale.slice(at, at + BATCH));
      count += stale.length;
      after = rows.at(-1)?.id ?? after;
      if (rows.length < PAGE) break;
      await breathe();
    }
    if (this.#isClosed) return;
    this.#vectors = await thread.run({ kind: 'end' });
    if (count > 0) this.#options.log.debug('memories indexed', { memories: count, ms: clock.now() - startMs });
  }

  /** Reads memories and indexes them; those that the store does not have are removed. */
  async #send(ids: readonly string[]): Promise<void> {
    const { store, thread } = this.#options;
    const model = await this.#options.model();
    if (keyOf(model) !== this.#model) {
      this.#isStale = true;
      return;
    }
    const rows = await readableRows(store, () => {}).list('memory', {
      where: [
        ['id', 'in', ids],
        ['deleted', '=', 0],
      ],
    });
    const vectors = model === undefined ? new Map() : await listVectors(store, model, rows);
    const memories = rows.map((row): IndexedMemory => {
      const { text, tags, owner, scope, directorId, agentId, isLocal = false } = memoryOf(row);
      const vector = vectors.get(row.id);
      return {
        ...{ id: row.id, version: versionOf(row), expires: row.expires, text, tags, owner, isLocal },
        space: { scope, directorId, agentId },
        ...(vector !== undefined && { vector }),
      };
    });
    const found = new Set(rows.map(({ id }) => id));
    this.#vectors = await thread.run({ kind: 'put', memories, gone: ids.filter((id) => !found.has(id)) });
  }
}

/** A memory that comes back under its id begins with the first revision again, so the revision alone does not tell the two apart. */
function versionOf({ revision, at, contentKey }: Pick<Row<'memory'>, 'revision' | 'at' | 'contentKey'>): string {
  return `${revision} ${at} ${contentKey}`;
}

function keyOf(model: CurrentModel | undefined): string {
  return model === undefined ? '' : `${model.name} ${model.dimension}`;
}
