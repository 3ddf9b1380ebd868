/** A set of code points: inclusive ranges, in order, not touching. */
export type CharSet = readonly (readonly [number, number])[];

export const MAX_POINT = 0x10ffff;

/** The set of all given ranges, whatever their order. */
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

/** All code points that `set` lacks. */
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

const LOWER = [0x61, 0x7a] as const;
const UPPER = [0x41, 0x5a] as const;

/**
 * `set` with the other case of its letters, as `(?i)` means it; undefined where it holds more than ASCII, which we leave
 * to RE2. Two ASCII letters have a third form (Unicode simple case folding): k is also U+212A, s also U+017F.
 */
export function foldAscii(set: CharSet): CharSet | undefined {
  if (set.some(([, high]) => high > 0x7f)) return undefined;
  const shifted = (from: readonly [number, number], by: number) =>
    set.flatMap(([low, high]): [number, number][] =>
      low <= from[1] && high >= from[0] ? [[Math.max(low, from[0]) + by, Math.min(high, from[1]) + by]] : [],
    );
  const folded = charSet([...set, ...shifted(LOWER, -32), ...shifted(UPPER, 32)]);
  const has = (point: number) => folded.some(([low, high]) => low <= point && point <= high);
  return charSet([
    ...folded,
    ...(has(0x6b) ? [[0x212a, 0x212a] as const] : []),
    ...(has(0x73) ? [[0x17f, 0x17f] as const] : []),
  ]);
}
