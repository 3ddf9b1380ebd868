import { setImmediate } from 'node:timers/promises';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** Most milliseconds that the diffs of one answer may take together, and one of them. */
const DIFFS_MS = 1000;
const DIFF_MS = 200;
/** Longest diff, in characters. */
const MAX_DIFF = 200_000;

/** The unified diff of two texts; `name` is the one of both, or those of the earlier and the later one. */
export type Differ = (name: string | readonly [string, string], before: string, after: string) => Promise<string>;

/** Makes the diffs of one answer. They share a limit of time, with other work in between. */
export function createDiffer(): Differ {
  let leftMs = DIFFS_MS;
  return async (name, before, after) => {
    await setImmediate();
    const [from, to] = typeof name === 'string' ? [name, name] : name;
    const began = performance.now();
    const options = { context: 3, timeout: Math.max(0, Math.min(DIFF_MS, leftMs)), headerOptions: FILE_HEADERS_ONLY };
    const patch = createTwoFilesPatch(from, to, before, after, '', '', options);
    leftMs -= performance.now() - began;
    // The texts differ too much for a diff in time: the new one is shown.
    const text = patch ?? `--- ${from}\n+++ ${to}\n${after}`;
    if (text.length <= MAX_DIFF) return text;
    return `${text.slice(0, MAX_DIFF).toWellFormed()}\n[truncated: the first ${MAX_DIFF} of ${text.length} characters]\n`;
  };
}
