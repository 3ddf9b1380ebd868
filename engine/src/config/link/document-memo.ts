import type { ValidDocument } from '../validate/validate.ts';

/**
 * Remembers what was made for documents, as long as it would be made from the same objects. Documents never change, and every save of
 * one of thousands checks the links of all.
 */
export class DocumentMemo<T> {
  readonly #known = new WeakMap<ValidDocument, { readonly from: readonly unknown[]; readonly made: T }>();

  /** What `make` returned before for the document and the same members of `from`, or returns now. */
  get(document: ValidDocument, from: readonly unknown[], make: () => T): T {
    const known = this.#known.get(document);
    if (known !== undefined && isSame(known.from, from)) return known.made;
    const made = make();
    this.#known.set(document, { from, made });
    return made;
  }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
