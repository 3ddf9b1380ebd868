import { globTest } from '../../base/glob.ts';
import { foldName } from '../path-text.ts';

/** Tests of one query. */
export interface FileQuery {
  /** Whether a path has all words of the query, or matches it as a pattern with `*`. */
  readonly hasName: (path: string) => boolean;
  /** Where a text has all words of the query; undefined where it does not. */
  readonly findIn: (text: string) => Excerpt | undefined;
}

/** The first place of a match in a text. */
export interface Excerpt {
  /** From 1. */
  readonly line: number;
  readonly excerpt: string;
}

const AROUND = 100;

/** Makes the tests of a query. Letter case does not count. An empty query has every name and no content. */
export function readQuery(query: string): FileQuery {
  const folded = foldName(query.trim());
  const words = folded.split(/\s+/).filter((word) => word !== '');
  const isPattern = folded.includes('*') ? globTest(folded) : undefined;
  return {
    hasName(path) {
      const name = foldName(path);
      if (isPattern !== undefined) return isPattern(name) || isPattern(name.slice(name.lastIndexOf('/') + 1));
      return words.every((word) => name.includes(word));
    },
    findIn(text) {
      const first = words[0];
      if (first === undefined || isPattern !== undefined) return undefined;
      const lower = text.toLowerCase();
      if (!words.every((word) => lower.includes(word))) return undefined;
      const phrase = lower.indexOf(folded);
      return excerptAt(text, phrase >= 0 ? phrase : lower.indexOf(first));
    },
  };
}

function excerptAt(text: string, at: number): Excerpt {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line++;
  const excerpt = text.slice(Math.max(0, at - AROUND), at + AROUND).replace(/\s+/g, ' ');
  return { line, excerpt: excerpt.toWellFormed().trim() };
}
