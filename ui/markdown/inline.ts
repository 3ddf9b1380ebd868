/** A part of a text with inline Markdown. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly parts: readonly Inline[] }
  /** `href` begins with http:, https: or mailto:. */
  | { readonly kind: 'link'; readonly href: string; readonly parts: readonly Inline[] }
  | { readonly kind: 'mention'; readonly text: string; readonly participantId: string };

/** Finds the mention that begins at the `@` at this index. */
export type FindMention = (
  text: string,
  at: number,
) => { readonly end: number; readonly participantId: string } | undefined;

/** An open mark, with the parts since it. */
interface Frame {
  readonly mark: string;
  readonly parts: Inline[];
  /** A bracket around a link is text: links do not nest. */
  isText: boolean;
}

const KINDS: Readonly<Record<string, 'strong' | 'em' | 'del'>> = {
  '**': 'strong',
  '__': 'strong',
  '*': 'em',
  '_': 'em',
  '~~': 'del',
};
/** Marks open at the same time; later ones are text. */
const MAX_OPEN = 40;
const MAX_HREF = 2000;
const SPACE = 0x20;
const OPENING = 0x28;
const CLOSING = 0x29;
const ADDRESS = /https?:\/\/[^\s<>"'`]+/y;
const SAFE = /^(?:https?:\/\/|mailto:)/i;
const WORD = /[\p{L}\p{N}_]/u;

/**
 * Reads bold, italic and struck text, code, links, line breaks and mentions. Anything else, HTML too, is text. The time is
 * linear in the length: marks are opened and closed in one pass, and at most 40 are open.
 */
export function inlineOf(text: string, findMention: FindMention = () => undefined): readonly Inline[] {
  return new Scanner(text, findMention).read();
}

class Scanner {
  readonly #text: string;
  readonly #findMention: FindMention;
  readonly #frames: Frame[] = [{ mark: '', parts: [], isText: false }];
  /** Starts of the runs of backticks, by length; the next one is last. */
  readonly #ticks: ReadonlyMap<number, number[]>;
  #at = 0;
  /** Where the plain text begins that is not among the parts yet. */
  #from = 0;

  constructor(text: string, findMention: FindMention) {
    this.#text = text;
    this.#findMention = findMention;
    const runs = Array.from(text.matchAll(/`+/g), ({ 0: run, index }) => ({ length: run.length, index }));
    const byLength = Map.groupBy(runs.toReversed(), ({ length }) => length);
    this.#ticks = new Map([...byLength].map(([length, all]) => [length, all.map(({ index }) => index)]));
  }

  read(): readonly Inline[] {
    while (this.#at < this.#text.length) this.#step();
    this.#flush();
    return this.#collapse(0).parts;
  }

  #step(): void {
    const text = this.#text;
    const char = text.charAt(this.#at);
    if (char === '\\' && /[!-/:-@[-`{-~]/.test(text.charAt(this.#at + 1))) return this.#escape();
    if (char === '\n') return this.#add({ kind: 'break' }, this.#at + 1);
    if (char === '`') return this.#code();
    if (char === '*' || char === '_' || char === '~') return this.#marks(char);
    if (char === '[') return this.#open('[', this.#at + 1);
    if (char === '!' && text.charAt(this.#at + 1) === '[') return this.#open('![', this.#at + 2);
    if (char === ']') return this.#link();
    if (char === 'h' && !WORD.test(text.charAt(this.#at - 1))) return this.#address();
    if (char === '@') return this.#mention();
    this.#at++;
  }

  /** Adds the plain text up to here, then a part that ends at `end`. */
  #add(part: Inline, end: number): void {
    this.#flush();
    this.#top.parts.push(part);
    this.#at = this.#from = end;
  }

  #flush(): void {
    if (this.#at > this.#from) this.#top.parts.push({ kind: 'text', text: this.#text.slice(this.#from, this.#at) });
    this.#from = this.#at;
  }

  get #top(): Frame {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new Error('the first frame is never closed');
    return frame;
  }

  #escape(): void {
    this.#flush();
    this.#from = this.#at + 1;
    this.#at += 2;
  }

  #code(): void {
    let end = this.#at;
    while (this.#text.charAt(end) === '`') end++;
    const length = end - this.#at;
    const starts = this.#ticks.get(length) ?? [];
    while ((starts.at(-1) ?? end) < end) starts.pop();
    const close = starts.at(-1);
    if (close === undefined) {
      this.#at = end;
      return;
    }
    const inside = this.#text.slice(end, close).replaceAll('\n', ' ');
    const isPadded = inside.length > 2 && inside.startsWith(' ') && inside.endsWith(' ') && inside.trim() !== '';
    this.#add({ kind: 'code', text: isPadded ? inside.slice(1, -1) : inside }, close + length);
  }

  /** A run of `*`, `_` or `~`: closes what is open, or opens. */
  #marks(char: string): void {
    let end = this.#at;
    while (this.#text.charAt(end) === char) end++;
    const length = end - this.#at;
    const before = this.#text.charAt(this.#at - 1);
    const after = this.#text.charAt(end);
    const isInWord = char === '_' && WORD.test(before) && WORD.test(after);
    const canClose = before.trim() !== '' && !(char === '_' && WORD.test(after));
    const canOpen = after.trim() !== '' && !(char === '_' && WORD.test(before));
    if (isInWord || length > 3 || (char === '~' && length !== 2)) {
      this.#at = end;
      return;
    }
    // `***` is both marks: the inner one closes first.
    const both = [char.repeat(2), char];
    for (const mark of length === 3 ? this.#inOrder(both, canClose) : [char.repeat(length)]) {
      const open = canClose ? this.#frames.findLastIndex((frame) => frame.mark === mark) : -1;
      if (open > 0) this.#close(open, mark.length);
      else if (canOpen) this.#open(mark, this.#at + mark.length);
      else this.#at += mark.length;
    }
  }

  #inOrder(both: readonly string[], canClose: boolean): readonly string[] {
    const depth = (mark: string) => this.#frames.findLastIndex((frame) => frame.mark === mark);
    return canClose ? both.toSorted((a, b) => depth(b) - depth(a)) : both;
  }

  #open(mark: string, end: number): void {
    if (this.#frames.length > MAX_OPEN) {
      this.#at = end;
      return;
    }
    this.#flush();
    this.#frames.push({ mark, parts: [], isText: false });
    this.#at = this.#from = end;
  }

  #close(index: number, length: number): void {
    this.#flush();
    const { mark, parts } = this.#collapse(index);
    this.#frames.pop();
    const end = this.#at + length;
    const kind = KINDS[mark];
    if (kind !== undefined && parts.length > 0) this.#top.parts.push({ kind, parts });
    else this.#top.parts.push({ kind: 'text', text: mark }, ...parts, { kind: 'text', text: mark });
    this.#at = this.#from = end;
  }

  /** Closes the frames above one as the text that they are, and returns that one. */
  #collapse(index: number): Frame {
    const above = this.#frames.splice(index + 1);
    const frame = this.#top;
    for (const { mark, parts } of above) {
      frame.parts.push({ kind: 'text', text: mark });
      for (const part of parts) frame.parts.push(part);
    }
    return frame;
  }

  /** `]`: the end of a link where a bracket is open and a safe address follows. An image is a link to it: nothing is loaded. */
  #link(): void {
    const index = this.#frames.findLastIndex(({ mark, isText }) => !isText && mark.endsWith('['));
    const bracket = this.#frames[index];
    const target = bracket && this.#text.charAt(this.#at + 1) === '(' ? hrefAt(this.#text, this.#at + 2) : undefined;
    if (target === undefined) {
      if (bracket !== undefined) bracket.isText = true;
      this.#at++;
      return;
    }
    this.#flush();
    const { parts } = this.#collapse(index);
    this.#frames.pop();
    for (const frame of this.#frames) frame.isText ||= frame.mark.endsWith('[');
    const label = parts.length > 0 ? parts : [{ kind: 'text', text: target.href } as const];
    this.#top.parts.push({ kind: 'link', href: target.href, parts: label });
    this.#at = this.#from = target.end;
  }

  #address(): void {
    ADDRESS.lastIndex = this.#at;
    const found = ADDRESS.exec(this.#text)?.[0];
    if (found === undefined || this.#frames.some(({ mark, isText }) => !isText && mark.endsWith('['))) {
      this.#at++;
      return;
    }
    let { length } = found;
    while (length > 0 && '.,;:!?)]}*_~'.includes(found.charAt(length - 1))) length--;
    const href = found.slice(0, length);
    if (href.endsWith('//')) this.#at++;
    else this.#add({ kind: 'link', href, parts: [{ kind: 'text', text: href }] }, this.#at + length);
  }

  #mention(): void {
    const found = this.#findMention(this.#text, this.#at);
    if (found === undefined) {
      this.#at++;
      return;
    }
    const text = this.#text.slice(this.#at, found.end);
    this.#add({ kind: 'mention', text, participantId: found.participantId }, found.end);
  }
}

/** The address between here and the closing bracket, with the end after that bracket. Undefined where it is not safe. */
function hrefAt(text: string, from: number): { readonly href: string; readonly end: number } | undefined {
  let depth = 0;
  for (let at = from; at < text.length && at - from < MAX_HREF; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) return undefined;
    if (code === OPENING) depth++;
    if (code === CLOSING && depth-- === 0) {
      const href = text.slice(from, at).replace(/^<(.*)>$/, '$1');
      return SAFE.test(href) ? { href, end: at + 1 } : undefined;
    }
  }
  return undefined;
}
