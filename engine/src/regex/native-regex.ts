import type { CharSet } from './char-set.ts';
import { MAX_POINT } from './char-set.ts';
import type { Node } from './re2-syntax.ts';

/**
 * A native RegExp that matches exactly where RE2 does; undefined where there is none. It is written from the syntax
 * tree, with every class and character as a number, so that differences between the two syntaxes (`\s`, `.`, `(?i)`,
 * escapes) have no effect. It works on code units, without the flag `u`: V8 searches faster this way, and V8 14 fails
 * to find `/[^a]$/u` in a text that ends with a character beyond U+FFFF. Such characters are written as surrogate
 * pairs; the text has to be well-formed. `\B` is left to RE2, since it would match between the halves of a pair.
 */
export function nativeRegExp(pattern: Node): RegExp | undefined {
  const source = write(pattern);
  return source === undefined ? undefined : new RegExp(source);
}

function write(node: Node): string | undefined {
  switch (node.kind) {
    case 'set':
      return writeSet(node.set);
    case 'start':
      return '^';
    case 'end':
      return '$';
    case 'word':
      return '\\b';
    case 'notWord':
      return undefined;
    case 'all':
      return join(node.parts, '');
    case 'any': {
      const parts = join(node.parts, '|');
      return parts === undefined ? undefined : `(?:${parts})`;
    }
    case 'repeat':
      return writeRepeat(node);
    default:
      return node satisfies never;
  }
}

function join(parts: readonly Node[], separator: string): string | undefined {
  const written = parts.map(write);
  return written.every((part) => part !== undefined) ? written.join(separator) : undefined;
}

function writeRepeat({ part, min, max }: Extract<Node, { kind: 'repeat' }>): string | undefined {
  if (max !== Infinity || part.kind !== 'set') {
    const inner = write(part);
    return inner === undefined ? undefined : `(?:${inner})${max === Infinity ? openCount(min) : `{${min},${max}}`}`;
  }
  if (!hasAstral(part.set)) return `${writeClass(withoutSurrogates(part.set))}${openCount(min)}`;
  // A loop over all pairs may match their halves: the next part of the pattern matches no half, so the loop never ends
  // inside a pair.
  const isWhole = part.set.some(([low, high]) => low <= 0xd800 && high === MAX_POINT);
  return isWhole && min <= 1 ? `${writeClass(part.set)}${openCount(min)}` : undefined;
}

function openCount(min: number): string {
  return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
}

const HIGH = '[\\ud800-\\udbff]';
const LOW = '[\\udc00-\\udfff]';

function writeSet(set: CharSet): string | undefined {
  const plain = withoutSurrogates(set);
  if (!hasAstral(set)) return writeClass(plain);
  const astral = set.filter(([, high]) => high > 0xffff);
  const [only] = astral;
  if (astral.length !== 1 || only === undefined) return undefined;
  const pairs =
    only[0] <= 0x10000 && only[1] === MAX_POINT ? HIGH + LOW : only[0] === only[1] ? pairOf(only[0]) : undefined;
  if (pairs === undefined) return undefined;
  return plain.length === 0 ? `(?:${pairs})` : `(?:${writeClass(plain)}|${pairs})`;
}

function pairOf(point: number): string {
  const text = String.fromCodePoint(point);
  return writeUnit(text.charCodeAt(0)) + writeUnit(text.charCodeAt(1));
}

function hasAstral(set: CharSet): boolean {
  return set.some(([, high]) => high > 0xffff);
}

/** The code points of a set up to U+FFFF, without surrogates. */
function withoutSurrogates(set: CharSet): CharSet {
  return set.flatMap(([low, high]): [number, number][] => {
    const below: [number, number] = [low, Math.min(high, 0xd7ff)];
    const above: [number, number] = [Math.max(low, 0xe000), Math.min(high, 0xffff)];
    return [below, above].filter(([first, last]) => first <= last);
  });
}

function writeClass(set: CharSet): string {
  const [only] = set;
  if (set.length === 1 && only !== undefined && only[0] === only[1]) return writeUnit(only[0]);
  const units = set.filter(([low]) => low <= 0xffff).map(([low, high]) => [low, Math.min(high, 0xffff)] as const);
  return `[${units.map(([low, high]) => (low === high ? writeUnit(low) : `${writeUnit(low)}-${writeUnit(high)}`)).join('')}]`;
}

function writeUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
