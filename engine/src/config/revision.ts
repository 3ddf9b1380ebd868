import { EngineError } from '../base/error.ts';
import type { RevisionPlace, Settings, Snapshot, StoredDocument } from './config.ts';
import { createBreather } from './breathe.ts';
import { type Checks, type ValidDocument, validateSource } from './document.ts';
import { sourceOfStored, toStored } from './good.ts';
import { buildRevision, type Revision } from './snapshot.ts';

/** Revisions that stay at hand: those that ran a while ago are what parked runs wake up with. */
const KEPT = 16;

/** Snapshots by revision: the newest ones from memory, older ones from the place. */
export class Revisions {
  readonly #place: RevisionPlace;
  readonly #checks: Checks;
  readonly #defaults: Settings;
  readonly #kept = new Map<string, Revision>();
  readonly #loading = new Map<string, Promise<Revision>>();
  #current: Revision;

  constructor(place: RevisionPlace, checks: Checks, defaults: Settings, first: Revision) {
    this.#place = place;
    this.#checks = checks;
    this.#defaults = defaults;
    this.#current = first;
    this.#keep(first);
  }

  get current(): Revision {
    return this.#current;
  }

  /** Makes `revision` the current one; the one before stays at hand. */
  swap(revision: Revision): void {
    this.#current = revision;
    this.#keep(revision);
  }

  /**
   * The snapshot of a revision. `NOT_FOUND` where the place does not have it, `CONFIG_INVALID` where a document of it is
   * no longer valid in this version of the engine.
   */
  async snapshot(id: string): Promise<Snapshot> {
    const known = this.#find(id);
    if (known !== undefined) return known.snapshot;
    let loading = this.#loading.get(id);
    if (loading === undefined) {
      loading = this.#load(id).finally(() => this.#loading.delete(id));
      this.#loading.set(id, loading);
    }
    return (await loading).snapshot;
  }

  /** The documents of a revision that is at hand, as they are stored; `NOT_FOUND` where it is not. */
  sources(id: string): ReadonlyMap<string, StoredDocument> {
    const revision = this.#find(id);
    if (revision === undefined) throw notFound(id);
    return new Map(Array.from(revision.documents, ([name, document]) => [name, toStored(document)]));
  }

  #find(id: string): Revision | undefined {
    if (this.#current.snapshot.revision === id) return this.#current;
    const revision = this.#kept.get(id);
    if (revision !== undefined) this.#keep(revision);
    return revision;
  }

  #keep(revision: Revision): void {
    const id = revision.snapshot.revision;
    this.#kept.delete(id);
    this.#kept.set(id, revision);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  async #load(id: string): Promise<Revision> {
    const stored = await this.#place.loadRevision(id);
    if (stored === undefined) throw notFound(id);
    const breathe = createBreather();
    const documents = new Map<string, ValidDocument>();
    for (const [name, document] of stored) {
      documents.set(name, this.#revive(id, name, document));
      await breathe();
    }
    const revision = buildRevision(documents, this.#defaults, undefined, id);
    this.#keep(revision);
    return revision;
  }

  #revive(id: string, name: string, stored: StoredDocument): ValidDocument {
    const current = this.#current.documents.get(name);
    if (current?.source.hash === stored.hash && current.source.file === stored.file) return current;
    const source = sourceOfStored(name, stored);
    const { document, problems } = source === undefined ? { problems: [] } : validateSource(source, this.#checks);
    if (document !== undefined) return document;
    const why = problems.find(({ severity }) => severity === 'error')?.message ?? 'its kind is unknown';
    const hint = 'cancel the run, and start it again with the newest config';
    throw new EngineError('CONFIG_INVALID', `revision ${id} cannot be used any more: ${stored.file}: ${why}`, {
      hint,
      where: { file: stored.file },
    });
  }
}

function notFound(id: string): EngineError {
  return new EngineError('NOT_FOUND', `there is no config revision ${id}`, {
    hint: 'it is kept only as long as a run refers to it',
  });
}
