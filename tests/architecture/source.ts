import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { posix } from 'node:path';
import { type Import, importsOf, split } from './code.ts';

/** A file of the repository as the rules see it. */
export interface Source {
  /** Relative to the root, with `/`: `engine/src/base/error.ts`. */
  readonly path: string;
  readonly lines: number;
  /** The text without comments and the insides of strings. */
  readonly code: string;
  /** The comments alone. */
  readonly comments: string;
  readonly imports: readonly Import[];
}

/** A file and how it meets a rule, for rules that give all offences at once. */
export type Offence = string;

/** `text` as the source of `path`. */
export function sourceOf(path: string, text: string): Source {
  const parts = split(text);
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return { path, lines, ...parts, imports: importsOf(text, parts) };
}

/** Every file of code below the given folders of the repository. */
export function readSources(root: string, folders: readonly string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|mts|js|mjs)$/.test(name))
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .sort()
      .map((path) => sourceOf(path, readFileSync(join(root, path), 'utf8'))),
  );
}

/** Path that a relative specifier of `source` names, or undefined for a package. */
export function targetOf(source: Source, { specifier }: Import): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : undefined;
}

/** Lines, from 1, on which `pattern` (with the flag g) is found. */
export function linesWith(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map((match) => text.slice(0, match.index).split('\n').length);
}
