import { isRecord, isTooDeep } from '../../base/json.ts';

/** Shortest number in JSON that can be private. */
const MIN_DIGITS = 6;
/** Escapes that stand in the text of cut JSON, and of JSON lines: their letter belongs to no word. */
const ESCAPE = /\\[nrtbf]/g;
/** A character as JSON escapes it, also in JSON that is a text of JSON. A long run of backslashes is looked at once. */
const CODE = /(?<!\\)\\+u([0-9a-f]{4})/gi;

/** A string or a number of JSON, and a whole number that may be too long for a number of this language. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\d[\d.eE+-]*/g;
const LONG = /^-?\d{16,}$/;
/** Begins a string that stands for such a number, so that its digits stay; and the same as JSON. */
const EXACT = '\0#';
const EXACT_JSON = /"\\u0000#(-?\d+)"/g;

/** The content of a message as a reader sees it: JSON as lines of names and values, any other text as it is. */
export interface ContentText {
  readonly text: string;
  /** The content with each part of the text replaced by what `replace` makes of it. */
  readonly rewrite: (replace: (start: number, end: number) => string) => string;
}

/** The marks around text from outside, and what stands between them and after them. */
const ENVELOPE = /^(<<([A-Z]+-[0-9a-f]+)\n)([^]*)(\n\2>>)([^]*)$/;

/** What stands in the envelope of a content; the content itself where it has none. */
export function insideEnvelope(content: string): string {
  return ENVELOPE.exec(content)?.[3] ?? content;
}

/** Reads the content of a message, also in an envelope. JSON may contain JSON as text, as the results of MCP servers do. */
export function readContent(content: string): ContentText {
  const [, open = '', , inner, close = '', after = ''] = ENVELOPE.exec(content) ?? [];
  if (inner === undefined) return readBare(content);
  const [first, second] = [readBare(inner), readBare(after)];
  const start = first.text.length + 1;
  return {
    text: `${first.text}\n${second.text}`,
    rewrite: (replace) =>
      `${open}${first.rewrite(replace)}${close}${second.rewrite((from, to) => replace(start + from, start + to))}`,
  };
}

function readBare(content: string): ContentText {
  const json = parsed(content);
  if (json === undefined) return readPlain(content);
  const parts: string[] = [];
  collect(json, parts);
  const { text, starts } = joined(parts.map((part) => readPart(part).text));
  return {
    text,
    rewrite(replace) {
      let n = 0;
      let isChanged = false;
      const next = (part: string) => {
        const start = starts[n++] ?? 0;
        const now = readPart(part).rewrite((from, to) => replace(start + from, start + to));
        isChanged ||= now !== part;
        return now;
      };
      const rewritten = jsonOf(rebuilt(json, next));
      return isChanged ? rewritten : content;
    },
  };
}

/** Reads a text that is no JSON. Letters that are escaped in it are letters; where something is replaced, they are written as such. */
function readPlain(content: string): ContentText {
  const plain = withLetters(content);
  const text = plain.replace(ESCAPE, '  ');
  return {
    text,
    rewrite(replace) {
      const rewritten = content === '' ? '' : inPlace(plain, text, replace);
      return rewritten === plain ? content : rewritten;
    },
  };
}

/** Reads a name or a string of JSON. One without a quotation mark holds no JSON, so `\n` in it may be of a path. */
function readPart(part: string): ContentText {
  if (part.includes('"')) return readPlain(part);
  return { text: part, rewrite: (replace) => replace(0, part.length) };
}

/** The text with escaped letters, digits and at signs as they are. Other escapes stay: a quotation mark would end a string. */
function withLetters(text: string): string {
  return text.replace(CODE, (escape, code: string) => {
    const char = String.fromCharCode(Number.parseInt(code, 16));
    return /[\p{L}\p{M}\p{N}@]/u.test(char) ? char : escape;
  });
}

/** The strings of a JSON value, rewritten one by one; numbers, names and everything else stay. */
export function rewriteStrings(value: unknown, rewrite: (text: string) => string): unknown {
  if (typeof value === 'string') return rewrite(value);
  if (Array.isArray(value)) return value.map((one) => rewriteStrings(one, rewrite));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rewriteStrings(one, rewrite)]));
}

/** Escapes that were masked for the reading are put back as they were. */
function inPlace(content: string, masked: string, replace: (start: number, end: number) => string): string {
  if (content === masked) return replace(0, content.length);
  const escapes = [...content.matchAll(ESCAPE)].map(({ index }) => index);
  let rewritten = '';
  let at = 0;
  for (const index of [...escapes, content.length]) {
    rewritten += replace(at, index) + content.slice(index, index + 2);
    at = index + 2;
  }
  return rewritten;
}

function parsed(content: string): unknown {
  if (!/^\s*[[{]/.test(content) || isTooDeep(content)) return undefined;
  try {
    return JSON.parse(withExactNumbers(content)) as unknown;
  } catch {
    return undefined;
  }
}

function withExactNumbers(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  return json.replace(TOKEN, (token) =>
    LONG.test(token) && String(Number(token)) !== token ? JSON.stringify(EXACT + token) : token,
  );
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value).replace(EXACT_JSON, '$1');
}

/** Adds the names and values of JSON in their order. */
function collect(value: unknown, parts: string[]): void {
  if (isExact(value)) parts.push(value.slice(EXACT.length));
  else if (typeof value === 'string') {
    const inner = parsed(value);
    if (inner === undefined) parts.push(value);
    else collect(inner, parts);
  } else if (isLongNumber(value)) parts.push(String(value));
  else if (Array.isArray(value)) for (const one of value) collect(one, parts);
  else if (isRecord(value))
    for (const [name, one] of Object.entries(value)) {
      parts.push(name);
      collect(one, parts);
    }
}

/** The same value with what `next` makes of its names and values, in the order of `collect`. */
function rebuilt(value: unknown, next: (part: string) => string): unknown {
  if (isExact(value)) {
    const digits = value.slice(EXACT.length);
    const now = next(digits);
    return now === digits ? value : now;
  }
  if (typeof value === 'string') {
    const inner = parsed(value);
    if (inner === undefined) return next(value);
    const before = jsonOf(inner);
    const after = jsonOf(rebuilt(inner, next));
    return after === before ? value : after;
  }
  if (isLongNumber(value)) {
    const now = next(String(value));
    return now === String(value) ? value : now;
  }
  if (Array.isArray(value)) return value.map((one) => rebuilt(one, next));
  if (!isRecord(value)) return value;
  // Two spellings of a value have one placeholder: the second name gets a number, so that nothing is lost.
  const times = new Map<string, number>();
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const newName = next(name);
      const count = (times.get(newName) ?? 0) + 1;
      times.set(newName, count);
      return [count === 1 ? newName : `${newName} (${count})`, rebuilt(one, next)];
    }),
  );
}

function isExact(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(EXACT) && LONG.test(value.slice(EXACT.length));
}

function isLongNumber(value: unknown): value is number {
  return typeof value === 'number' && String(value).replace(/\D/g, '').length >= MIN_DIGITS;
}

/** Parts as lines; a name and its value share one: `from: Karthik Rao`. */
function joined(parts: readonly string[]): { readonly text: string; readonly starts: readonly number[] } {
  const starts: number[] = [];
  let text = '';
  for (const part of parts) {
    starts.push(text.length);
    text += `${part}\n`;
  }
  return { text, starts };
}
