import type { Problem } from '../config.ts';
import type { Checks, ValidDocument } from './validate.ts';
import { validateDocument } from './validate-document.ts';
import { fileProblem } from '../problem.ts';
import { nameOf, type FileLocation, locationOf, type Source } from '../parse/read.ts';

/** The last read state of one file in the config folder. */
export interface FileState {
  readonly relative: string;
  /** Kind and id; undefined if the file is at a path where no document can be. */
  readonly location?: FileLocation;
  /** Undefined if the file cannot be read. */
  readonly source?: Source;
  /** Undefined if the document is not valid. */
  readonly document?: ValidDocument;
  /** Of an invalid document: the parts whose links can still be checked. */
  readonly draft?: ValidDocument;
  /** Problems of this file alone, without its links. */
  readonly problems: readonly Problem[];
}

/**
 * All files of the config folder with their documents and problems. A file is parsed only if its text has changed, so the
 * cost of a change depends on the size of the file, not on the size of the folder.
 */
export class FileTable {
  readonly #checks: Checks;
  readonly #files = new Map<string, FileState>();
  readonly #byName = new Map<string, readonly FileState[]>();
  readonly #newest = new Map<string, ValidDocument | undefined>();
  readonly #withProblems = new Set<FileState>();
  readonly #duplicates = new Set<string>();

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  /** The built-in tools. */
  get catalog(): Checks['catalog'] {
    return this.#checks.catalog;
  }

  /** Stores the result of `readSource` for a file; undefined removes the file. Resolves with true if the table changed. Not for concurrent
   * calls. */
  async put(relative: string, found: Source | Problem | undefined): Promise<boolean> {
    const before = this.#files.get(relative);
    if (found === undefined) return before !== undefined && this.#replace(before, undefined);
    if ('severity' in found) {
      if (before?.source === undefined && before?.problems[0]?.message === found.message) return false;
      const location = locationOf(relative, '');
      return this.#replace(before, { relative, problems: [found], ...('kind' in location && { location }) });
    }
    if (before?.source?.hash === found.hash) return false;
    const validated = await validateDocument(found, this.#checks);
    return this.#replace(before, { relative, location: found, source: found, ...validated });
  }

  files(): Iterable<FileState> {
    return this.#files.values();
  }

  get(relative: string): FileState | undefined {
    return this.#files.get(relative);
  }

  /** The files that define a document; more than one is an error in each of them. */
  named(name: string): readonly FileState[] {
    return this.#byName.get(name) ?? [];
  }

  /** The version on disk of every document; undefined if it is not usable. A live view: it changes with the table. */
  newest(): ReadonlyMap<string, ValidDocument | undefined> {
    return this.#newest;
  }

  /** Invalid documents whose links can still be checked. */
  drafts(): ValidDocument[] {
    return Array.from(this.#withProblems, ({ draft }) => draft).filter((draft) => draft !== undefined);
  }

  /** Problems of all files, including two files for the same document, but without problems of links. */
  problems(): Problem[] {
    const problems = Array.from(this.#withProblems, (file) => file.problems).flat();
    for (const name of this.#duplicates) {
      const paths = this.named(name).map(({ source, problems: [first] }) => source?.file ?? first?.file ?? '');
      for (const path of paths) {
        const others = paths.filter((other) => other !== path).join(', ');
        problems.push(
          fileProblem(
            'CONFIG_DUPLICATE_ID',
            path,
            `${name} is also defined in ${others}`,
            'keep only one of the files',
          ),
        );
      }
    }
    return problems;
  }

  #replace(before: FileState | undefined, after: FileState | undefined): true {
    if (before !== undefined) {
      this.#files.delete(before.relative);
      this.#withProblems.delete(before);
    }
    if (after !== undefined) {
      this.#files.set(after.relative, after);
      if (after.problems.length > 0) this.#withProblems.add(after);
    }
    const location = after?.location ?? before?.location;
    if (location !== undefined) this.#rename(nameOf(location.kind, location.id), before, after);
    return true;
  }

  #rename(name: string, before: FileState | undefined, after: FileState | undefined): void {
    const files = this.named(name).filter((file) => file !== before);
    if (after !== undefined) files.push(after);
    if (files.length > 1) this.#duplicates.add(name);
    else this.#duplicates.delete(name);
    if (files.length === 0) {
      this.#byName.delete(name);
      this.#newest.delete(name);
      return;
    }
    this.#byName.set(name, files);
    this.#newest.set(name, files.length === 1 ? files[0]?.document : undefined);
  }
}
