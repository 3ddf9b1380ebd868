/** Longest pattern that is recognised. A program has about two steps for each character, since counted repeats are left out. */
const MAX_LENGTH = 500;

/**
 * Everyday syntax, piece by piece: the flags i, m and s in front; `|`, `^`, `$` and `\b`, which nothing repeats; groups; letters of Latin 1,
 * digits and punctuation without a meaning, `.`, classes such as `[a-z0-9]`, `\.`, `\n` and `\d` `\s` `\w` with at most one of `*` `+` `?`.
 * No two pieces begin alike, so a match takes linear time.
 */
const PIECES =
  /^(?:\(\?(?:im?s?|ms?|s)\))?(?:[|^$]|\\b|\((?:\?:)?|\)(?:[*+?]\??)?|(?:[\w\u00c0-\u00ff @:;,<>=%&'"!#~/.-]|\[(?:a-z|A-Z|0-9|[_.@])+\]|\\[dDsSwWn.])(?:[*+?]\??)?)*$/;

/**
 * Whether RE2 certainly accepts a pattern, as a program of fewer steps than `checkRegex` allows. Most patterns of filters are of this
 * kind, and to compile the first one takes longer than to check the rest of a config.
 */
export function isPlainPattern(pattern: string): boolean {
  return pattern.length <= MAX_LENGTH && PIECES.test(pattern) && isBalanced(pattern);
}

/** Counts every bracket: none is escaped, and the flags close themselves. */
function isBalanced(pattern: string): boolean {
  let depth = 0;
  for (const char of pattern) {
    if (char === '(') depth++;
    else if (char === ')' && --depth < 0) return false;
  }
  return depth === 0;
}
