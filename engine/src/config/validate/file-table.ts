import type { Problem } from '../config.ts';
import { type Checks, type ValidDocument, validateSource } from './validate.ts';
import { fileProblem } from '../problem.ts';
import { nameOf, type FileLocation, locationOf, type Source } from '../parse/read.ts';

/** One file below the config folder, as it was last read. */
export interface FileState {
  readonly relative: string;
  /** Kind and id; undefined where the file lies where no document lies. */
  readonly location?: FileLocation;
  /** Undefined where the file cannot be read. */
  readonly source?: Source;
  /** Undefined where it is not valid. */
  readonly document?: ValidDocument;
  /** Of a bad one: what its links are judged by. */
  readonly draft?: ValidDocument;
  /** Of this file by itself. */
  readonly problems: readonly Problem[];
}

/**
 * All files and what each of them is worth. A file is parsed only when its text is another than before, and a change
 * costs what the file costs, not what the folder does.
 */
export class FileTable {
  readonly #checks: Checks;
  readonly #files = new Map<string, FileState>();
  readonly #byName = new Map<string, readonly FileState[]>();
  readonly #newest = new Map<string, ValidDocument | undefined>();
  readonly #troubled = new Set<FileState>();
  readonly #doubled = new Set<string>();

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  /** Every tool there is. */
  get tools(): Checks['catalog']['tools'] {
    return this.#checks.catalog.tools;
  }

  /** Takes what `readSource` found. True where that is news. */
  put(relative: string, found: Source | Problem | undefined): boolean {
    const before = this.#files.get(relative);
    if (found === undefined) return before !== undefined && this.#replace(before, undefined);
    if ('severity' in found) {
      if (before?.source === undefined && before?.problems[0]?.message === found.message) return false;
      const location = locationOf(relative, '');
      return this.#replace(before, { relative, problems: [found], ...('kind' in location && { location }) });
    }
    if (before?.source?.hash === found.hash) return false;
    return this.#replace(before, { relative, location: found, source: found, ...validateSource(found, this.#checks) });
  }

  files(): Iterable<FileState> {
    return this.#files.values();
  }

  get(relative: string): FileState | undefined {
    return this.#files.get(relative);
  }

  /** The files that claim a name; more than one is a problem of each. */
  named(name: string): readonly FileState[] {
    return this.#byName.get(name) ?? [];
  }

  /** The version on disk of every document; undefined where it is not usable. Changes with the table. */
  newest(): ReadonlyMap<string, ValidDocument | undefined> {
    return this.#newest;
  }

  /** Bad documents whose links can be judged all the same. */
  drafts(): ValidDocument[] {
    return Array.from(this.#troubled, ({ draft }) => draft).filter((draft) => draft !== undefined);
  }

  /** Problems of all files, two files for one document included; links are judged elsewhere. */
  problems(): Problem[] {
    const problems = Array.from(this.#troubled, (file) => file.problems).flat();
    for (const name of this.#doubled) {
      const paths = this.named(name).map(({ source, problems: [first] }) => source?.file ?? first?.file ?? '');
      for (const path of paths) {
        const others = paths.filter((other) => other !== path).join(', ');
        problems.push(
          fileProblem('CONFIG_DUPLICATE_ID', path, `${name} is also in ${others}`, 'keep only one of the files'),
        );
      }
    }
    return problems;
  }

  #replace(before: FileState | undefined, after: FileState | undefined): true {
    if (before !== undefined) {
      this.#files.delete(before.relative);
      this.#troubled.delete(before);
    }
    if (after !== undefined) {
      this.#files.set(after.relative, after);
      if (after.problems.length > 0) this.#troubled.add(after);
    }
    const place = after?.location ?? before?.location;
    if (place !== undefined) this.#rename(nameOf(place.kind, place.id), before, after);
    return true;
  }

  #rename(name: string, before: FileState | undefined, after: FileState | undefined): void {
    const files = this.named(name).filter((file) => file !== before);
    if (after !== undefined) files.push(after);
    if (files.length > 1) this.#doubled.add(name);
    else this.#doubled.delete(name);
    if (files.length === 0) {
      this.#byName.delete(name);
      this.#newest.delete(name);
      return;
    }
    this.#byName.set(name, files);
    this.#newest.set(name, files.length === 1 ? files[0]?.document : undefined);
  }
}
