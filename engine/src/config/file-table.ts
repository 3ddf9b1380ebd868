import type { Problem } from './config.ts';
import { type Checks, type ValidDocument, validateSource } from './document.ts';
import { fileProblem } from './problem.ts';
import { nameOf, type Source } from './read.ts';

/** One file below the config folder, as it was last read. */
export interface FileState {
  readonly relative: string;
  /** Undefined where the file cannot be read, or lies where no document lies. */
  readonly source?: Source;
  /** Undefined where it is not valid. */
  readonly document?: ValidDocument;
  /** Of this file by itself. */
  readonly problems: readonly Problem[];
}

/** All files and what each of them is worth. A file is parsed only when its text is another than before. */
export class FileTable {
  readonly #checks: Checks;
  readonly #files = new Map<string, FileState>();
  readonly #byName = new Map<string, Set<FileState>>();

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  /** Takes what `readSource` found. True where that is news. */
  put(relative: string, found: Source | Problem | undefined): boolean {
    const before = this.#files.get(relative);
    if (found === undefined) return before !== undefined && this.#remove(before);
    if ('severity' in found) {
      if (before?.source === undefined && before?.problems[0]?.message === found.message) return false;
      this.#replace(before, { relative, problems: [found] });
      return true;
    }
    if (before?.source?.hash === found.hash) return false;
    const { document, problems } = validateSource(found, this.#checks);
    this.#replace(before, { relative, source: found, problems, ...(document !== undefined && { document }) });
    return true;
  }

  files(): Iterable<FileState> {
    return this.#files.values();
  }

  get(relative: string): FileState | undefined {
    return this.#files.get(relative);
  }

  /** The files that claim a name; more than one is a problem of each. */
  named(name: string): readonly FileState[] {
    return [...(this.#byName.get(name) ?? [])];
  }

  /** The version on disk of every document; undefined where it is not usable. */
  newest(): Map<string, ValidDocument | undefined> {
    const newest = new Map<string, ValidDocument | undefined>();
    for (const [name, files] of this.#byName) {
      const [first] = files;
      newest.set(name, files.size === 1 ? first?.document : undefined);
    }
    return newest;
  }

  /** Problems of all files, two files for one document included; links are judged elsewhere. */
  problems(): Problem[] {
    const problems: Problem[] = [];
    for (const file of this.#files.values()) if (file.problems.length > 0) problems.push(...file.problems);
    for (const [name, files] of this.#byName) {
      if (files.size < 2) continue;
      const paths = Array.from(files, ({ source }) => source?.file ?? '').sort();
      for (const path of paths) {
        const others = paths.filter((other) => other !== path).join(', ');
        problems.push(
          fileProblem('CONFIG_DUPLICATE_ID', path, `${name} is also in ${others}`, 'keep one of the files'),
        );
      }
    }
    return problems;
  }

  #replace(before: FileState | undefined, after: FileState): void {
    if (before !== undefined) this.#remove(before);
    this.#files.set(after.relative, after);
    if (after.source === undefined) return;
    const name = nameOf(after.source.kind, after.source.id);
    const files = this.#byName.get(name);
    if (files === undefined) this.#byName.set(name, new Set([after]));
    else files.add(after);
  }

  #remove(file: FileState): true {
    this.#files.delete(file.relative);
    if (file.source !== undefined) {
      const name = nameOf(file.source.kind, file.source.id);
      const files = this.#byName.get(name);
      files?.delete(file);
      if (files?.size === 0) this.#byName.delete(name);
    }
    return true;
  }
}
