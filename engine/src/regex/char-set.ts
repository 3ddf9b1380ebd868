/** A set of code points: inclusive, sorted ranges that do not touch. */
export type CharSet = readonly (readonly [number, number])[];

export const MAX_POINT = 0x10ffff;

/** Makes a set of ranges in any order. */
export function charSet(ranges: readonly (readonly [number, number])[]): CharSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const out: [number, number][] = [];
  for (const [low, high] of sorted) {
    const last = out.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else out.push([low, high]);
  }
  return out;
}

/** All code points that are not in `set`. */
export function inverse(set: CharSet): CharSet {
  const out: [number, number][] = [];
  let next = 0;
  for (const [low, high] of set) {
    if (low > next) out.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= MAX_POINT) out.push([next, MAX_POINT]);
  return out;
}

export function union(a: CharSet, b: CharSet): CharSet {
  return charSet([...a, ...b]);
}

/** True where the sets share no code point. */
export function areDisjoint(a: CharSet, b: CharSet): boolean {
  return !a.some(([low, high]) => b.some(([otherLow, otherHigh]) => low <= otherHigh && otherLow <= high));
}

/** Lower-case letters whose upper case is 32 below, and that have no third form, except k and s. */
const LOWER: CharSet = [
  [0x61, 0x7a],
  [0xe0, 0xe4],
  [0xe6, 0xf6],
  [0xf8, 0xfe],
];
const UPPER: CharSet = LOWER.map(([low, high]) => [low - 32, high - 32]);

/** Code points with certain case folding: Latin 1 without micro, a with ring, sharp s and y with dots. */
const FOLDABLE: CharSet = [
  [0x00, 0xb4],
  [0xb6, 0xc4],
  [0xc6, 0xde],
  [0xe0, 0xe4],
  [0xe6, 0xfe],
];

/**
 * `set` with the other case of its letters, as `(?i)` means it (Unicode simple case folding); undefined where it holds
 * letters that we leave to RE2. Two letters have a third form: k is also U+212A, s also U+017F.
 */
export function foldCase(set: CharSet): CharSet | undefined {
  if (!areDisjoint(set, inverse(FOLDABLE))) return undefined;
  const shifted = (letters: CharSet, by: number) =>
    letters.flatMap(([first, last]) =>
      set.flatMap(([low, high]): [number, number][] =>
        low <= last && high >= first ? [[Math.max(low, first) + by, Math.min(high, last) + by]] : [],
      ),
    );
  const folded = charSet([...set, ...shifted(LOWER, -32), ...shifted(UPPER, 32)]);
  const has = (point: number) => folded.some(([low, high]) => low <= point && point <= high);
  return charSet([
    ...folded,
    ...(has(0x6b) ? [[0x212a, 0x212a] as const] : []),
    ...(has(0x73) ? [[0x17f, 0x17f] as const] : []),
  ]);
}
