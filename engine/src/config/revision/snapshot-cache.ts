import { EngineError } from '../../base/error.ts';
import type { RevisionSource, Settings, StoredDocument, StoredRevision } from '../config.ts';
import { createYielder } from '../../base/yielding.ts';
import { type Checks, type ValidDocument, validateSource } from '../validate/validate.ts';
import { sourceOfStored, toStored } from './last-good.ts';
import { buildRevision, type Revision } from './build-snapshot.ts';
import { isNewer } from '../../base/semver.ts';

interface Options {
  readonly revisionStore: RevisionSource;
  readonly checks: Checks;
  /** The settings where there is no file. */
  readonly defaults: Settings;
  /** Of this Callsheet. */
  readonly version: string;
}

/** Revisions that stay at hand: those that ran a while ago are what parked runs wake up with. */
const KEPT = 16;

/** Snapshots by revision: the newest ones from memory, older ones from the place. */
export class SnapshotCache {
  readonly #options: Options;
  readonly #kept = new Map<string, Revision>();
  readonly #loading = new Map<string, Promise<Revision>>();
  #current: Revision;

  /** The current one is that of no documents at first. */
  constructor(options: Options) {
    this.#options = options;
    this.#current = buildRevision(new Map(), options.defaults);
    this.#keep(this.#current);
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
   * A revision. `NOT_FOUND` where the place does not have it; where a document of it is not valid in this version of the
   * engine `CONFIG_TOO_NEW` if a newer version accepted it, which others then understand, else `CONFIG_INVALID`.
   */
  async get(id: string): Promise<Revision> {
    const known = this.#find(id);
    if (known !== undefined) return known;
    let loading = this.#loading.get(id);
    if (loading === undefined) {
      loading = this.#load(id).finally(() => this.#loading.delete(id));
      this.#loading.set(id, loading);
    }
    return loading;
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
    const { documents: current } = this.#current;
    const has = (name: string, hash: string) => current.get(name)?.source.hash === hash;
    const stored = await this.#options.revisionStore.loadRevision(id, has);
    if (stored === undefined) throw notFound(id);
    const breathe = createYielder();
    const documents = new Map<string, ValidDocument>();
    for (const [name, hash] of stored.hashes) {
      const same = current.get(name);
      documents.set(name, same?.source.hash === hash ? same : this.#revive(id, name, stored));
      await breathe();
    }
    const revision = buildRevision(documents, this.#options.defaults, this.#current, id);
    this.#keep(revision);
    return revision;
  }

  #revive(id: string, name: string, { documents, version }: StoredRevision): ValidDocument {
    const stored = documents.get(name);
    const source = stored === undefined ? undefined : sourceOfStored(name, stored);
    const { document, problems } =
      source === undefined ? { problems: [] } : validateSource(source, this.#options.checks);
    if (document !== undefined) return document;
    const why = problems.find(({ severity }) => severity === 'error')?.message ?? 'its kind is unknown';
    const file = stored?.file ?? name;
    if (isNewer(version, this.#options.version))
      throw new EngineError('CONFIG_TOO_NEW', `revision ${id} was made by version ${version}: ${file}: ${why}`, {
        hint: `this process runs version ${this.#options.version}; update it`,
        where: { file },
      });
    throw new EngineError('CONFIG_INVALID', `revision ${id} is no longer valid: ${file}: ${why}`, {
      hint: 'cancel the run and start it again with the newest config',
      where: { file },
    });
  }
}

function notFound(id: string): EngineError {
  return new EngineError('NOT_FOUND', `there is no config revision ${id}`, {
    hint: 'a revision is stored only while a run refers to it',
  });
}
