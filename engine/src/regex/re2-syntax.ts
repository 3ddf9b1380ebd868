import { type CharSet, charSet, foldCase, inverse } from './char-set.ts';

/** Syntax tree of the part of RE2 that `isProvenLinear` covers. `max` is Infinity for an unbounded loop. */
export type Node =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'start' | 'end' | 'word' | 'notWord' }
  | { readonly kind: 'all'; readonly parts: readonly Node[] }
  | { readonly kind: 'any'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number };

const DIGIT: CharSet = [[0x30, 0x39]];
/** RE2's `\s`, which has fewer characters than JavaScript's. */
const SPACE: CharSet = charSet([
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
]);
const WORD: CharSet = charSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
const NEWLINE: CharSet = [[0x0a, 0x0a]];
const CLASSES: Readonly<Record<string, CharSet>> = {
  d: DIGIT,
  D: inverse(DIGIT),
  s: SPACE,
  S: inverse(SPACE),
  w: WORD,
  W: inverse(WORD),
};
const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

/** Thrown by the parser for syntax outside that part. */
class Unknown extends Error {}

/**
 * Parses a pattern that RE2 has accepted; undefined where it uses syntax that is left to RE2: Unicode classes, POSIX
 * classes, `\Q`, flags in the middle or other than `i` and `s`, case folding beyond Latin 1.
 */
export function parseSyntax(pattern: string): Node | undefined {
  try {
    return new Parser(pattern).parse();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

class Parser {
  readonly #points: readonly string[];
  #at = 0;
  #folds = false;
  #dotAll = false;

  constructor(pattern: string) {
    const flags = /^\(\?([is]+)\)/.exec(pattern);
    this.#folds = flags?.[1]?.includes('i') ?? false;
    this.#dotAll = flags?.[1]?.includes('s') ?? false;
    this.#points = [...pattern.slice(flags?.[0].length ?? 0)];
  }

  parse(): Node {
    const node = this.#alternatives();
    if (this.#at < this.#points.length) throw new Unknown();
    return node;
  }

  #peek(): string {
    return this.#points[this.#at] ?? '';
  }

  #take(): string {
    const point = this.#points[this.#at++];
    if (point === undefined) throw new Unknown();
    return point;
  }

  #eat(text: string): boolean {
    if (![...text].every((point, i) => this.#points[this.#at + i] === point)) return false;
    this.#at += text.length;
    return true;
  }

  #alternatives(): Node {
    const parts = [this.#sequence()];
    while (this.#eat('|')) parts.push(this.#sequence());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'any', parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#points.length && this.#peek() !== '|' && this.#peek() !== ')')
      parts.push(this.#quantified());
    return { kind: 'all', parts };
  }

  #quantified(): Node {
    let part = this.#atom();
    for (;;) {
      const range = this.#quantifier();
      if (range === undefined) return part;
      // Lazy and greedy loops match the same texts.
      this.#eat('?');
      part = { kind: 'repeat', part, min: range[0], max: range[1] };
    }
  }

  #quantifier(): readonly [number, number] | undefined {
    if (this.#eat('*')) return [0, Infinity];
    if (this.#eat('+')) return [1, Infinity];
    if (this.#eat('?')) return [0, 1];
    if (this.#peek() !== '{') return undefined;
    const text = this.#points.slice(this.#at, this.#at + 12).join('');
    const match = /^\{(\d+)(,?)(\d*)\}/.exec(text);
    // RE2 reads any other text in braces literally.
    if (match === null) throw new Unknown();
    this.#at += match[0].length;
    const min = Number(match[1]);
    return [min, match[3] ? Number(match[3]) : match[2] ? Infinity : min];
  }

  #atom(): Node {
    const point = this.#take();
    switch (point) {
      case '(':
        return this.#group();
      case '[':
        return { kind: 'set', set: this.#class() };
      case '.':
        return { kind: 'set', set: this.#dotAll ? inverse([]) : inverse(NEWLINE) };
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '\\':
        return this.#escape();
      case '{':
        throw new Unknown();
      default:
        return this.#literal(point);
    }
  }

  #group(): Node {
    if (this.#eat('?')) {
      if (this.#eat('P<')) while (this.#take() !== '>');
      else if (!this.#eat(':')) throw new Unknown();
    }
    const node = this.#alternatives();
    if (!this.#eat(')')) throw new Unknown();
    return node;
  }

  #escape(): Node {
    const point = this.#peek();
    if (point === 'b' || point === 'B') {
      this.#at++;
      return { kind: point === 'b' ? 'word' : 'notWord' };
    }
    if (point === 'A' || point === 'z') {
      this.#at++;
      return { kind: point === 'A' ? 'start' : 'end' };
    }
    return { kind: 'set', set: this.#fold(this.#escapedSet()) };
  }

  #literal(point: string): Node {
    const code = point.codePointAt(0) ?? 0;
    return { kind: 'set', set: this.#fold([[code, code]]) };
  }

  #fold(set: CharSet): CharSet {
    const folded = this.#folds ? foldCase(set) : set;
    if (folded === undefined) throw new Unknown();
    return folded;
  }

  /** Reads the escape after a backslash, for classes and code points. */
  #escapedSet(): CharSet {
    const point = this.#take();
    const known = CLASSES[point];
    if (known !== undefined) return known;
    const control = CONTROLS[point];
    if (control !== undefined) return [[control, control]];
    if (point === 'x') {
      const code = this.#hex();
      return [[code, code]];
    }
    if (/[A-Za-z0-9]/.test(point)) throw new Unknown();
    const code = point.codePointAt(0) ?? 0;
    return [[code, code]];
  }

  #hex(): number {
    const match = /^(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/.exec(
      this.#points.slice(this.#at, this.#at + 8).join(''),
    );
    if (match === null) throw new Unknown();
    this.#at += match[0].length;
    return Number.parseInt(match[1] ?? match[2] ?? '', 16);
  }

  #class(): CharSet {
    const isNegated = this.#eat('^');
    const ranges: (readonly [number, number])[] = [];
    let isFirst = true;
    while (isFirst || this.#peek() !== ']') {
      isFirst = false;
      ranges.push(...this.#classMember());
    }
    this.#at++;
    const set = this.#fold(charSet(ranges));
    return isNegated ? inverse(set) : set;
  }

  #classMember(): CharSet {
    if (this.#peek() === '[' && this.#points[this.#at + 1] === ':') throw new Unknown();
    const set = this.#classPoint();
    const isRange = this.#peek() === '-' && this.#points[this.#at + 1] !== ']';
    if (!isRange) return set;
    this.#at++;
    const end = this.#classPoint();
    const low = set.length === 1 ? set[0] : undefined;
    const high = end.length === 1 ? end[0] : undefined;
    if (low === undefined || high === undefined || low[0] !== low[1] || high[0] !== high[1]) throw new Unknown();
    return [[low[0], high[0]]];
  }

  #classPoint(): CharSet {
    const point = this.#take();
    if (point === '\\') return this.#escapedSet();
    const code = point.codePointAt(0) ?? 0;
    return [[code, code]];
  }
}
