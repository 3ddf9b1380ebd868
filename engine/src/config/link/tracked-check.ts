import { createYielder } from '../../base/yielding.ts';
import type { ValidDocument } from '../validate/validate.ts';
import { changedKeys, type ConfigView, Others } from './config-view.ts';

/**
 * The results of one check for all documents. A document is checked again only if it, or something that its last check read of
 * the others, has changed, so the cost of a save does not depend on the number of documents. The check depends on nothing else.
 */
export class TrackedCheck<T> {
  readonly #check: (document: ValidDocument, others: Others) => T | undefined;
  readonly #results = new Map<string, T>();
  /** Of each key: the documents whose last check read it, and perhaps some whose earlier one did. */
  readonly #readers = new Map<string, Set<string>>();
  #view: ConfigView | undefined;

  constructor(check: (document: ValidDocument, others: Others) => T | undefined) {
    this.#check = check;
  }

  /** The results of the documents of a view by name, without those that are undefined. Yields to the event loop in between. */
  async run(view: ConfigView): Promise<ReadonlyMap<string, T>> {
    const before = this.#view;
    // Everything is checked again if this check fails half-way.
    this.#view = undefined;
    const due = this.#due(before, view);
    const breathe = createYielder();
    for (const name of due) {
      this.#results.delete(name);
      const document = view.chosen.get(name);
      if (document !== undefined) this.#run(document, view);
      const pause = breathe();
      if (pause !== undefined) await pause;
    }
    this.#view = view;
    return this.#results;
  }

  /** The documents to check; forgets the readers of what has changed, since each of them is checked. */
  #due(before: ConfigView | undefined, view: ConfigView): Iterable<string> {
    if (before === undefined) {
      this.#results.clear();
      this.#readers.clear();
      return view.chosen.keys();
    }
    const due = new Set<string>();
    for (const key of changedKeys(before, view)) {
      due.add(key);
      for (const name of this.#readers.get(key) ?? []) due.add(name);
      this.#readers.delete(key);
    }
    return due;
  }

  #run(document: ValidDocument, view: ConfigView): void {
    const others = new Others(view);
    const result = this.#check(document, others);
    if (result !== undefined) this.#results.set(document.name, result);
    for (const key of others.reads) {
      const readers = this.#readers.get(key);
      if (readers === undefined) this.#readers.set(key, new Set([document.name]));
      else readers.add(document.name);
    }
  }
}
