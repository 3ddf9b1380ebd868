import { checkRegex, compileRegex } from '../regex/regex.ts';
import type { RegexTrial } from './filter.ts';

/** Tries a pattern on a text. Long: thousands of steps for each character, so only in a worker thread. */
export function tryRegex(pattern: string, text: string): RegexTrial {
  const problem = checkRegex(pattern);
  if (problem !== undefined) return { problem };
  const regex = compileRegex(pattern);
  return { matched: regex.test(text), engine: regex.engine };
}
