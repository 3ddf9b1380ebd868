import { RE2JS } from 're2js';
import { isProvenLinear } from './linear-proof.ts';
import { nativeRegExp } from './native-regex.ts';
import { isPlainPattern } from './plain-pattern.ts';
import { parseSyntax } from './re2-syntax.ts';

/** A compiled pattern. `test` takes linear time in the length of the text, for every pattern. */
export interface Regex {
  test(text: string): boolean;
  /** `native` where `isProvenLinear` allows it; it is many times faster. */
  readonly engine: 'native' | 're2';
}

/** Limit of the program size: in larger programs (nested counted repeats) each character of the text is expensive. */
const MAX_PROGRAM = 4000;

/** Constructs that no linear-time engine supports, each with an alternative. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [
    /^\(\?=/,
    'look-ahead (?=…) cannot be matched in linear time; use `allOf` with one condition for each thing that must be there',
  ],
  [
    /^\(\?!/,
    'negative look-ahead (?!…) cannot be matched in linear time; use `not` with the pattern that must not match',
  ],
  [/^\(\?<=/, 'look-behind (?<=…) cannot be matched in linear time; write what comes before as part of the pattern'],
  [
    /^\(\?<!/,
    'negative look-behind (?<!…) cannot be matched in linear time; use `not` with the pattern that must not match',
  ],
  [/^\(\?>/, 'atomic groups (?>…) are not supported; write a plain group (?:…), the engine never backtracks'],
  [/^\(\?#/, 'comments (?#…) are not supported; use the description of the filter'],
  [/^\(\?[a-wyzA-Z-]*x/, 'the flag x is not supported; write the pattern without blanks and comments'],
  [/^\\[1-9]/, 'back-references such as \\1 cannot be matched in linear time; write the alternatives out'],
  [/^\\k[<'{]/, 'back-references such as \\k<name> cannot be matched in linear time; write the alternatives out'],
  [/^\\Z/, '\\Z is not supported; write $ or \\z for the end of the text'],
  [
    /^\\[CGHKNRXehXlmoqyEgijLOTUVYFIJM]/,
    'this escape is not supported; put the characters that you mean into a class [...]',
  ],
];

/** Explains why a filter cannot use a pattern, with an alternative; undefined where it can. */
export function checkRegex(pattern: string): string | undefined {
  if (isPlainPattern(pattern)) return undefined;
  const refused = refusedConstruct(pattern);
  if (refused !== undefined) return refused;
  try {
    const size = compileRe2(pattern).programSize();
    if (size > MAX_PROGRAM)
      return `the pattern is too large (${size} steps, at most ${MAX_PROGRAM}); use smaller counts in {…}`;
    return undefined;
  } catch (error) {
    return explain(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Compiles a pattern that `checkRegex` accepts; throws for another. It accepts RE2 syntax and JavaScript's spellings of
 * it.
 */
export function compileRegex(pattern: string): Regex {
  const re2 = compileRe2(pattern);
  const tree = parseSyntax(translate(pattern));
  const native = tree !== undefined && isProvenLinear(tree) ? nativeRegExp(tree) : undefined;
  if (native === undefined) return { engine: 're2', test: (text) => re2.test(text) };
  return { engine: 'native', test: (text) => native.test(text) };
}

/** JavaScript's `(?<name>`, `\uXXXX`, `\/`, `\cX` and `[^]` in RE2's spelling. */
function translate(pattern: string): string {
  return RE2JS.translateRegExp(pattern);
}

function compileRe2(pattern: string): RE2JS {
  return RE2JS.compile(translate(pattern));
}

/** Skips escapes and classes, so that `\(?=` and `[(?=]` are not read as look-ahead. */
function refusedConstruct(pattern: string): string | undefined {
  let isInClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\' || (char === '(' && !isInClass)) {
      const rest = pattern.slice(at, at + 20);
      const found = REFUSED.find(([construct]) => construct.test(rest));
      if (found !== undefined) return found[1];
    }
    // After \Q everything is literal.
    if (!isInClass && pattern.startsWith('\\Q', at)) return undefined;
    if (char === '\\') at++;
    else if (char === '[' && !isInClass) {
      isInClass = true;
      // RE2 reads a bracket directly after the opening one literally.
      if (pattern[at + 1] === '^') at++;
      if (pattern[at + 1] === ']' && pattern.indexOf(']', at + 2) > 0) at++;
    } else if (char === ']') isInClass = false;
  }
  return undefined;
}

function explain(message: string): string {
  const text = message.replace(/^error parsing regexp: /, '');
  if (text.startsWith('invalid repeat count'))
    return `${text}; at most 1000 repetitions are allowed, nested ones counted together`;
  if (text.startsWith('invalid nested repetition')) return `${text}; write only one of * + ? {} behind a part`;
  if (text.startsWith('missing argument to repetition'))
    return `${text}; write \\* for a literal *, or .* for anything`;
  return text;
}
