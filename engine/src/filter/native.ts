import type { CharSet } from './charset.ts';
import type { Node } from './syntax.ts';

/**
 * A native RegExp that matches wherever RE2 would. It is written anew from the tree, every class and character as code
 * points, so that no difference between the two syntaxes (`\s`, `.`, `(?i)`, escapes) can leak in.
 */
export function nativeRegExp(pattern: Node): RegExp {
  // Without characters beyond the BMP, code units and code points agree, and V8 searches faster.
  return new RegExp(write(pattern), needsCodePoints(pattern) ? 'u' : '');
}

function write(node: Node): string {
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
      return '\\B';
    case 'all':
      return node.parts.map(write).join('');
    case 'any':
      return `(?:${node.parts.map(write).join('|')})`;
    case 'repeat':
      return `(?:${write(node.part)})${writeCount(node.min, node.max)}`;
    default:
      return node satisfies never;
  }
}

function writeCount(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  return `{${min},${max}}`;
}

function writeSet(set: CharSet): string {
  const [only] = set;
  if (set.length === 1 && only !== undefined && only[0] === only[1]) return writePoint(only[0]);
  return `[${set.map(([low, high]) => (low === high ? writePoint(low) : `${writePoint(low)}-${writePoint(high)}`)).join('')}]`;
}

function writePoint(code: number): string {
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\u{${code.toString(16)}}`;
}

function needsCodePoints(node: Node): boolean {
  switch (node.kind) {
    case 'set':
      return !isPlain(node.set);
    case 'all':
    case 'any':
      return node.parts.some(needsCodePoints);
    case 'repeat':
      return needsCodePoints(node.part);
    default:
      return false;
  }
}

/** Nothing from U+D800 to U+DFFF and nothing beyond U+FFFF. */
function isPlain(set: CharSet): boolean {
  return set.every(([low, high]) => high < 0xd800 || (low > 0xdfff && high <= 0xffff));
}
