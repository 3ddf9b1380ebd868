import { EngineError } from '../../base/error.ts';
import type { RevisionSource, Settings, StoredDocument, StoredRevision } from '../config.ts';
import { createYielder } from '../../base/yielding.ts';
import type { Checks, ValidDocument } from '../validate/validate.ts';
import { validateDocument } from '../validate/validate-document.ts';
import { sourceOfStored, toStored } from './last-good.ts';
import { buildRevision, type Revision } from './build-snapshot.ts';
import { isNewer } from '../../base/semver.ts';

interface Options {
  readonly revisionStore: RevisionSource;
  readonly checks: Checks;
  /** The settings if there is no settings file. */
  readonly defaults: Settings;
  /** Awaited before a revision is read from the store. */
  readonly beforeUse?: () => Promise<void>;
  /** Version of this engine. */
  readonly version: string;
}

/** Maximum number of cached revisions. Parked runs resume with older revisions, so more than the current one is cached. */
const MAX_CACHED = 16;

/** Snapshots by revision: recently used ones from memory, others from the store. */
export class SnapshotCache {
  readonly #options: Options;
  readonly #cached = new Map<string, Revision>();
  readonly #loading = new Map<string, Promise<Revision>>();
  #current: Revision;

  /** Starts with the revision of an empty config. */
  constructor(options: Options) {
    this.#options = options;
    this.#current = buildRevision(new Map(), options.defaults);
    this.#cache(this.#current);
  }

  get current(): Revision {
    return this.#current;
  }

  /** Makes `revision` the current one; the previous one stays in the cache. */
  swap(revision: Revision): void {
    this.#current = revision;
    this.#cache(revision);
  }

  /**
   * Returns a revision from the cache or the store. `NOT_FOUND` if it is not stored. If one of its documents is not valid in
   * this version of the engine: `CONFIG_TOO_NEW` if a newer version accepted it (processes of that version can use it),
   * otherwise `CONFIG_INVALID`.
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

  /** The documents of a cached revision in their stored form; `NOT_FOUND` if the revision is not in the cache. */
  sources(id: string): ReadonlyMap<string, StoredDocument> {
    const revision = this.#find(id);
    if (revision === undefined) throw notFound(id);
    return new Map(Array.from(revision.documents, ([name, document]) => [name, toStored(document)]));
  }

  #find(id: string): Revision | undefined {
    if (this.#current.snapshot.revision === id) return this.#current;
    const revision = this.#cached.get(id);
    if (revision !== undefined) this.#cache(revision);
    return revision;
  }

  #cache(revision: Revision): void {
    const id = revision.snapshot.revision;
    this.#cached.delete(id);
    this.#cached.set(id, revision);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > MAX_CACHED && oldest !== undefined) this.#cached.delete(oldest);
  }

  async #load(id: string): Promise<Revision> {
    const { documents: current } = this.#current;
    const has = (name: string, hash: string) => current.get(name)?.source.hash === hash;
    await this.#options.beforeUse?.();
    const stored = await this.#options.revisionStore.loadRevision(id, has);
    if (stored === undefined) throw notFound(id);
    const yieldIfDue = createYielder();
    const documents = new Map<string, ValidDocument>();
    for (const [name, hash] of stored.hashes) {
      const same = current.get(name);
      documents.set(name, same?.source.hash === hash ? same : await this.#revive(id, name, stored));
      await yieldIfDue();
    }
    for (const document of documents.values()) this.#expectTools(id, document, stored);
    const revision = buildRevision(documents, this.#options.defaults, this.#current, id);
    this.#cache(revision);
    return revision;
  }

  /** A tool that is neither built in nor stored: another version of the engine had it. */
  #expectTools(id: string, { isEnabled, links, source }: ValidDocument, { hashes, version }: StoredRevision): void {
    const missing = isEnabled ? links.find(({ kind, to }) => kind === 'tool' && !hashes.has(to)) : undefined;
    if (missing !== undefined)
      throw this.#notValid(id, version, source.file, `no tool "${missing.toolName ?? missing.id}"`);
  }

  async #revive(id: string, name: string, { documents, version }: StoredRevision): Promise<ValidDocument> {
    const stored = documents.get(name);
    const source = stored === undefined ? undefined : sourceOfStored(name, stored);
    const { document, problems } =
      source === undefined ? { problems: [] } : await validateDocument(source, this.#options.checks);
    if (document !== undefined) return document;
    const why = problems.find(({ severity }) => severity === 'error')?.message ?? 'its kind of document is unknown';
    throw this.#notValid(id, version, stored?.file ?? name, why);
  }

  #notValid(id: string, version: string, file: string, why: string): EngineError {
    if (isNewer(version, this.#options.version))
      return new EngineError(
        'CONFIG_TOO_NEW',
        `config revision ${id} was accepted by newer version ${version} and is not valid here: ${file}: ${why}`,
        {
          hint: `this process runs version ${this.#options.version}: update Callsheet`,
          where: { file },
        },
      );
    return new EngineError('CONFIG_INVALID', `config revision ${id} is not valid in this version: ${file}: ${why}`, {
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
