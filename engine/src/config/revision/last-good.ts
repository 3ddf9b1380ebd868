import type { Logger } from '../../base/log.ts';
import { type Kind, KINDS, type LastGoodStore, type RevisionSource, type StoredDocument } from '../config.ts';
import { type Checks, type ValidDocument, validateSource } from '../validate/validate.ts';
import { LARGE_CHARACTERS, validateDocument } from '../validate/validate-document.ts';
import type { Source } from '../parse/read.ts';

/** Converts a stored document back to a source; undefined if this version does not know its kind. */
export function sourceOfStored(name: string, stored: StoredDocument): Source | undefined {
  const [folder = '', id = ''] = name === 'settings' ? ['', 'settings'] : name.split('/');
  for (const [kind, of] of Object.entries(KINDS) as [Kind, string][]) {
    if (of !== folder) continue;
    const relative = stored.file.slice(stored.file.indexOf('/') + 1);
    return { relative, kind, id, file: stored.file, text: stored.text, hash: stored.hash };
  }
  return undefined;
}

/** Converts a document to its stored form. */
export function toStored({ source }: ValidDocument): StoredDocument {
  return { file: source.file, hash: source.hash, text: source.text };
}

/**
 * The last good set: the documents that ran last, kept in memory and then saved to the store. If several processes share a
 * store, each published config includes the last good set, and the store has no `saveGood`.
 */
export class LastGoodSet {
  readonly #store: RevisionSource & Partial<LastGoodStore>;
  readonly #checks: Checks;
  readonly #log: Logger;
  /** Documents that an earlier process saved; each is validated when it is first read. */
  #stored: ReadonlyMap<string, StoredDocument> = new Map();
  readonly #revived = new Map<string, ValidDocument | undefined>();
  #accepted: ReadonlyMap<string, ValidDocument> | undefined;
  /** Hashes in the store, by name. */
  readonly #saved = new Map<string, string>();
  #saving: Promise<void> = Promise.resolve();

  constructor(store: RevisionSource & Partial<LastGoodStore>, checks: Checks, log: Logger) {
    this.#store = store;
    this.#checks = checks;
    this.#log = log;
  }

  /** Reads the set that an earlier process saved. Throws errors of the store. */
  async load(): Promise<void> {
    this.#stored = await this.#store.loadGood((document, reason) =>
      this.#log.warn('the last good version of a document cannot be read; its file is used', { document, reason }),
    );
    for (const [name, stored] of this.#stored) {
      this.#saved.set(name, stored.hash);
      const source = stored.text.length < LARGE_CHARACTERS ? undefined : sourceOfStored(name, stored);
      if (source === undefined) continue;
      this.#revived.set(name, (await validateDocument(source, this.#checks)).document);
    }
  }

  /** The version of `name` that ran last; undefined if there is none or this version of the engine rejects it. */
  get(name: string): ValidDocument | undefined {
    if (this.#accepted !== undefined) return this.#accepted.get(name);
    if (!this.#revived.has(name)) this.#revived.set(name, this.#revive(name));
    return this.#revived.get(name);
  }

  /** Valid documents of the set. */
  documents(): ValidDocument[] {
    const names = this.#accepted?.keys() ?? this.#stored.keys();
    return Array.from(names, (name) => this.get(name)).filter((document) => document !== undefined);
  }

  #revive(name: string): ValidDocument | undefined {
    const stored = this.#stored.get(name);
    const source = stored === undefined ? undefined : sourceOfStored(name, stored);
    return source === undefined ? undefined : validateSource(source, this.#checks).document;
  }

  /** Makes `accepted` the last good set and starts to save it. A failure is logged and retried with the next change. */
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
      await this.#store.saveGood?.(changes);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#log.error('the last good config could not be saved; the engine retries with the next change', { why });
      return;
    }
    for (const [name, stored] of changes) {
      if (stored === null) this.#saved.delete(name);
      else this.#saved.set(name, stored.hash);
    }
  }

  /** Resolves when pending saves have ended, successfully or not. */
  saved(): Promise<void> {
    return this.#saving;
  }
}
