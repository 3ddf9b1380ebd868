import { areDisjoint, type CharSet, union } from './char-set.ts';
import type { Node } from './re2-syntax.ts';

/**
 * # When a backtracking engine is linear
 *
 * A pattern may go to the native, backtracking RegExp only if this rule proves that a search over n characters takes
 * O(n) steps. It is sufficient, not necessary: whatever it does not cover goes to RE2.
 *
 * 1. Unbounded loops (`*`, `+`, `{n,}`) repeat one character class only, never a group. Counted repeats of up to
 *    `MAX_COUNT` count as written out.
 * 2. Behind a loop over class X, whatever can come next starts with a character outside of X, or nothing can come any
 *    more. So giving back characters of a loop fails at once at each: an attempt costs what it scans, times the number
 *    of ways through the bounded choices (`a|b`, `a?`), which is at most `MAX_WAYS`.
 * 3. Attempts start at every character. Either every way through the pattern begins with `^`, and all but one fail at
 *    once. Or it has no loop, and an attempt scans at most `MAX_SCAN` characters. Or the first character of a match
 *    belongs to no loop's class: then an attempt passes other possible starts only outside of its loops, at most
 *    L = `MAX_SCAN` times, and each character is scanned by at most L + 1 attempts.
 *
 * Ways times scan is at most `MAX_COST`, the constant before n.
 */
export function isProvenLinear(pattern: Node): boolean {
  const facts = measure(pattern, NOTHING);
  if (facts === undefined || facts.ways > MAX_WAYS) return false;
  if (facts.alwaysStarts) return true;
  if (facts.scan > MAX_SCAN || facts.ways * (facts.scan + 1) > MAX_COST) return false;
  if (facts.loops.length === 0) return true;
  return !facts.isNullable && areDisjoint(facts.first, facts.loops);
}

const MAX_COUNT = 64;
const MAX_WAYS = 32;
const MAX_SCAN = 128;
const MAX_COST = 256;

interface Facts {
  /** Possible first characters of a match. */
  readonly first: CharSet;
  readonly isNullable: boolean;
  /** Number of ways through bounded choices. */
  readonly ways: number;
  /** Largest number of characters outside loops. */
  readonly scan: number;
  /** Characters of all loops. */
  readonly loops: CharSet;
  /** True where every way begins with `^`. */
  readonly alwaysStarts: boolean;
}

/** First characters of the text that may follow. */
type Follow = CharSet;
const NOTHING: Follow = [];
const EMPTY: Facts = { first: [], isNullable: true, ways: 1, scan: 0, loops: [], alwaysStarts: false };

/** Facts of a node that `follow` comes after; undefined where rule 1 or 2 is broken. */
function measure(node: Node, follow: Follow): Facts | undefined {
  switch (node.kind) {
    case 'set':
      return { ...EMPTY, first: node.set, isNullable: false, scan: 1 };
    case 'start':
      return { ...EMPTY, alwaysStarts: true };
    case 'end':
    case 'word':
    case 'notWord':
      return EMPTY;
    case 'all':
      return measureAll(node.parts, follow);
    case 'any':
      return measureAny(node.parts, follow);
    case 'repeat':
      return measureRepeat(node, follow);
    default:
      return node satisfies never;
  }
}

function measureAll(parts: readonly Node[], follow: Follow): Facts | undefined {
  let rest: Facts = EMPTY;
  let after = follow;
  for (const part of parts.toReversed()) {
    const facts = measure(part, after);
    if (facts === undefined) return undefined;
    rest = {
      first: facts.isNullable ? union(facts.first, rest.first) : facts.first,
      isNullable: facts.isNullable && rest.isNullable,
      ways: facts.ways * rest.ways,
      scan: facts.scan + rest.scan,
      loops: union(facts.loops, rest.loops),
      alwaysStarts:
        facts.alwaysStarts || (facts.isNullable && facts.scan === 0 && facts.loops.length === 0 && rest.alwaysStarts),
    };
    after = facts.isNullable ? union(facts.first, after) : facts.first;
  }
  return rest;
}

function measureAny(parts: readonly Node[], follow: Follow): Facts | undefined {
  const all = parts.map((part) => measure(part, follow));
  return all.reduce((one, other) => one && other && either(one, other));
}

function either(one: Facts, other: Facts): Facts {
  return {
    first: union(one.first, other.first),
    isNullable: one.isNullable || other.isNullable,
    ways: one.ways + other.ways,
    scan: Math.max(one.scan, other.scan),
    loops: union(one.loops, other.loops),
    alwaysStarts: one.alwaysStarts && other.alwaysStarts,
  };
}

function measureRepeat({ part, min, max }: Extract<Node, { kind: 'repeat' }>, follow: Follow): Facts | undefined {
  if (max === Infinity) {
    if (part.kind !== 'set' || min > MAX_COUNT || !areDisjoint(part.set, follow)) return undefined;
    return { first: part.set, isNullable: min === 0, ways: 1, scan: 0, loops: part.set, alwaysStarts: false };
  }
  if (max > MAX_COUNT) return undefined;
  if (max === 0) return EMPTY;
  // Inside a repeat, the next round may follow.
  const inner = measure(part, follow);
  const once = inner && measure(part, max > 1 ? union(follow, inner.first) : follow);
  if (once === undefined) return undefined;
  let ways = 0;
  for (let count = min; count <= max; count++) ways += once.ways ** count;
  return {
    ...once,
    isNullable: once.isNullable || min === 0,
    ways,
    scan: once.scan * max,
    alwaysStarts: once.alwaysStarts && min > 0,
  };
}
