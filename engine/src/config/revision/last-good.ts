import type { Logger } from '../../base/log.ts';
import { type Kind, KINDS, type LastGoodStore, type RevisionSource, type StoredDocument } from '../config.ts';
import { type Checks, type ValidDocument, validateSource } from '../validate/validate.ts';
import type { Source } from '../parse/read.ts';

/** A stored document as a source again; undefined where its name is none that this version knows. */
export function sourceOfStored(name: string, stored: StoredDocument): Source | undefined {
  const [folder = '', id = ''] = name === 'settings' ? ['', 'settings'] : name.split('/');
  for (const [kind, of] of Object.entries(KINDS) as [Kind, string][]) {
    if (of !== folder) continue;
    const relative = stored.file.slice(stored.file.indexOf('/') + 1);
    return { relative, kind, id, file: stored.file, text: stored.text, hash: stored.hash };
  }
  return undefined;
}

/** A document as it is stored. */
export function toStored({ source }: ValidDocument): StoredDocument {
  return { file: source.file, hash: source.hash, text: source.text };
}

/**
 * The last good set: what ran last, in memory and, a moment later, in the data folder; where several processes share a store
 * it is kept with each decision, and the place has nothing to save with.
 */
export class LastGoodSet {
  readonly #place: RevisionSource & Partial<LastGoodStore>;
  readonly #checks: Checks;
  readonly #log: Logger;
  /** From the last process, validated when asked for. */
  #stored: ReadonlyMap<string, StoredDocument> = new Map();
  readonly #revived = new Map<string, ValidDocument | undefined>();
  #accepted: ReadonlyMap<string, ValidDocument> | undefined;
  /** Hashes that the place holds. */
  readonly #saved = new Map<string, string>();
  #saving: Promise<void> = Promise.resolve();

  constructor(place: RevisionSource & Partial<LastGoodStore>, checks: Checks, log: Logger) {
    this.#place = place;
    this.#checks = checks;
    this.#log = log;
  }

  /** Reads what an earlier process left. Errors of the store pass. */
  async load(): Promise<void> {
    this.#stored = await this.#place.loadGood();
    for (const [name, { hash }] of this.#stored) this.#saved.set(name, hash);
  }

  /** The version of `name` that ran last. One that this version of the engine no longer takes is none. */
  get(name: string): ValidDocument | undefined {
    if (this.#accepted !== undefined) return this.#accepted.get(name);
    if (!this.#revived.has(name)) this.#revived.set(name, this.#revive(name));
    return this.#revived.get(name);
  }

  #revive(name: string): ValidDocument | undefined {
    const stored = this.#stored.get(name);
    const source = stored === undefined ? undefined : sourceOfStored(name, stored);
    return source === undefined ? undefined : validateSource(source, this.#checks).document;
  }

  /** Makes `accepted` the last good set, and begins to save it. A failure is logged, and tried again with the next change. */
  accept(accepted: ReadonlyMap<string, ValidDocument>): void {
    this.#accepted = accepted;
    this.#stored = new Map();
    this.#revived.clear();
    this.#saving = this.#saving.then(() => this.#save(accepted));
  }

  async #save(accepted: ReadonlyMap<string, ValidDocument>): Promise<void> {
    const changes = new Map<string, StoredDocument | null>();
    for (const [name, document] of accepted)
      if (this.#saved.get(name) !== document.source.hash) changes.set(name, toStored(document));
    for (const name of this.#saved.keys()) if (!accepted.has(name)) changes.set(name, null);
    if (changes.size === 0) return;
    try {
      await this.#place.saveGood?.(changes);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#log.error('the last good config could not be saved; it is tried again with the next change', { why });
      return;
    }
    for (const [name, stored] of changes) {
      if (stored === null) this.#saved.delete(name);
      else this.#saved.set(name, stored.hash);
    }
  }

  /** Resolves once all that was accepted is saved (or its saving failed). */
  saved(): Promise<void> {
    return this.#saving;
  }
}
