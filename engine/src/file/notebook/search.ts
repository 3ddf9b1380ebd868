import { createYielder } from '../../base/yielding.ts';
import { readFileBelow } from '../read-file.ts';
import { MAX_FILE_BYTES } from './change-file.ts';
import { tryText } from './text.ts';
import { fullBudget, type WalkOptions, walkFiles } from './walk.ts';

/** Longest excerpt, in characters. */
const EXCERPT = 200;
/** Lines of one file that are shown. */
const MAX_LINES = 5;
/** Characters that are compared at a time. */
const PIECE = 100_000;
/** Longest search. */
const MAX_MS = 30_000;

/** A file that has all words of a query. */
export interface NotebookHit {
  /** `/notes/a.md` */
  readonly path: string;
  /** The first lines with one of the words; `line` counts from 1. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** Result of a search. */
export interface NotebookSearch {
  readonly files: readonly NotebookHit[];
  /** Number of files that were read. */
  readonly searched: number;
  /** True where the limit or the time was reached before the end. */
  readonly truncated: boolean;
}

/**
 * Searches the text of the files below a folder: a file is found if it has every word of the query, in any letter case. Files
 * that are no text or too large are left out. The event loop stays free.
 */
export async function searchFiles(
  folder: string,
  query: string,
  { limit, ...options }: WalkOptions & { readonly limit: number },
): Promise<NotebookSearch> {
  const { root, signal, budget = fullBudget() } = options;
  const words = [...new Set(fold(query).split(/\s+/).filter(Boolean))];
  const breathe = createYielder();
  const began = performance.now();
  const files: NotebookHit[] = [];
  let searched = 0;
  for await (const { path, size } of walkFiles(folder, { ...options, budget })) {
    if (files.length >= limit || performance.now() - began > MAX_MS) return { files, searched, truncated: true };
    if (size > MAX_FILE_BYTES) continue;
    const found = await readFileBelow(root, path, { maxBytes: MAX_FILE_BYTES, signal }).catch(() => undefined);
    signal?.throwIfAborted();
    const text = found && tryText(found.bytes);
    await breathe();
    if (text === undefined) continue;
    searched++;
    if (!(await hasAll(text, words, breathe))) continue;
    files.push({ path: `/${path}`, lines: linesWith(text, words) });
    await breathe();
  }
  return { files, searched, truncated: budget.left <= 0 };
}

/** Whether a text has every word. Looks at one piece after the other, so that a long text holds nothing up. */
async function hasAll(
  text: string,
  words: readonly string[],
  breathe: () => Promise<void> | undefined,
): Promise<boolean> {
  const missing = new Set(words);
  // Pieces overlap by more than a word, whose accents may be characters of their own in the text.
  const overlap = 4 * Math.max(1, ...words.map((word) => word.length));
  for (let at = 0; at < text.length && missing.size > 0; at += PIECE) {
    const piece = fold(text.slice(at, at + PIECE + overlap));
    for (const word of missing) if (piece.includes(word)) missing.delete(word);
    await breathe();
  }
  return missing.size === 0;
}

function linesWith(text: string, words: readonly string[]): NotebookHit['lines'] {
  const found: { line: number; text: string }[] = [];
  let line = 0;
  for (let at = 0; at <= text.length && found.length < MAX_LINES; line++) {
    const end = text.indexOf('\n', at);
    const whole = text.slice(at, end < 0 ? text.length : end).replace(/\r$/, '');
    const folded = fold(whole);
    const word = words.find((one) => folded.includes(one));
    if (word !== undefined) found.push({ line: line + 1, text: excerpt(whole, folded.indexOf(word)) });
    if (end < 0) break;
    at = end + 1;
  }
  return found;
}

/** The part of a line around a word. */
function excerpt(line: string, at: number): string {
  if (line.length <= EXCERPT) return line;
  const from = Math.max(0, Math.min(at - EXCERPT / 4, line.length - EXCERPT));
  const part = line.slice(from, from + EXCERPT).toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${from + EXCERPT < line.length ? '…' : ''}`;
}

/** Text in which letter case and the two forms of accents are equal. */
function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
