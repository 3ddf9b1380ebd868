/**
 * Takes the next piece of a growing text, and returns what of the text is certain by now and was not returned before. What
 * later pieces may still change is held back.
 */
export type TextStage = (piece: string) => string;

/** One stage after the other. */
export function inStages(stages: readonly TextStage[]): TextStage {
  return (piece) => stages.reduce((text, stage) => (text === '' ? '' : stage(text)), piece);
}

/** Removes secret values from texts that are logged, stored or sent. */
export interface Redactor {
  /** Registers a secret. Values shorter than 6 characters are ignored: replacing them would damage ordinary text. */
  add(value: string): void;
  /**
   * Removes a secret that is no longer valid. The caller makes sure that no other part of the engine has registered it.
   */
  remove(value: string): void;
  /**
   * `text` with every known secret replaced by `[redacted]`: as it is, as JSON and URLs write it, and in base64 or
   * base64url, also as a part of a longer encoded text. One pass, whatever the number of secrets.
   */
  text(text: string): string;
  /** The same for a text that arrives in pieces: the beginning of a secret is held back until it is none, or whole. */
  growing(): TextStage;
}

const MIN_LENGTH = 6;
/** Shortest piece of base64 that is replaced; shorter ones may be ordinary words. */
const MIN_ENCODED = 8;
export const MARK = '[redacted]';

/**
 * A redactor without secrets. Longer forms are tried first, so that a secret that contains another one is removed as a
 * whole.
 */
export function createRedactor(): Redactor {
  const secrets = new Map<string, readonly string[]>();
  let pattern: RegExp | undefined;
  let starts: FormStarts | undefined;
  // One pattern for all: a search for each form would cost a pass for each.
  const patternNow = () => (pattern ??= patternOf([...secrets.values()].flat()));
  const clean = (text: string) => (secrets.size === 0 ? text : text.replace(patternNow(), MARK));
  const changed = () => {
    pattern = undefined;
    starts = undefined;
  };
  return {
    add(value) {
      if (value.length < MIN_LENGTH || secrets.has(value)) return;
      secrets.set(value, formsOf(value));
      changed();
    },
    remove(value) {
      if (secrets.delete(value)) changed();
    },
    text: clean,
    growing() {
      let held = '';
      return (piece) => {
        held += piece;
        starts ??= startsOf([...secrets.values()].flat());
        const at = outside(held, beginningAt(held, starts), patternNow());
        const text = clean(held.slice(0, at));
        held = held.slice(at);
        return text;
      };
    },
  };
}

/** Forms of secrets by their first character, and the length of the longest. */
interface FormStarts {
  readonly byFirst: ReadonlyMap<string, readonly string[]>;
  readonly longest: number;
}

function startsOf(forms: readonly string[]): FormStarts {
  const longest = forms.reduce((most, { length }) => Math.max(most, length), 0);
  return { byFirst: Map.groupBy(forms, (form) => form.charAt(0)), longest };
}

/** Where the beginning of a form stands at the end of a text; the length of the text where none does. */
function beginningAt(text: string, { byFirst, longest }: FormStarts): number {
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const forms = byFirst.get(text.charAt(at));
    if (forms === undefined) continue;
    const rest = text.slice(at);
    if (forms.some((form) => form.length > rest.length && form.startsWith(rest))) return at;
  }
  return text.length;
}

/** `at`, or the start of the match that it would cut in two. */
function outside(text: string, at: number, pattern: RegExp): number {
  if (at === text.length) return at;
  for (const { index, 0: match } of text.matchAll(pattern)) if (index < at && at < index + match.length) return index;
  return at;
}

function patternOf(forms: readonly string[]): RegExp {
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return new RegExp(ordered.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
}

/** The ways in which texts contain a secret. */
function formsOf(value: string): string[] {
  const json = escaped(value);
  const plain = [value, encodeURIComponent(value.toWellFormed())];
  const inJson = [json, json.replaceAll('/', '\\/'), asciiOf(json), escaped(json), escaped(escaped(json))];
  return [...new Set([...plain, ...inJson, ...encodedForms(value)])];
}

/** A text as JSON writes it between the quotes. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** JSON as some servers write it: ASCII only. */
function asciiOf(json: string): string {
  return json.replace(/[^\u0000-\u007f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Base64 and base64url of a value. In the encoding of a longer text, the value may begin at each of three offsets; of its
 * first and last characters, some then also depend on the bytes beside it, and are left out.
 */
function encodedForms(value: string): string[] {
  const bytes = Buffer.from(value);
  const pieces = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    return shifted.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6));
  });
  const whole = bytes.toString('base64');
  return [whole, whole.replace(/=+$/, ''), ...pieces]
    .filter((piece) => piece.length >= MIN_ENCODED)
    .flatMap((piece) => [piece, piece.replaceAll('/', '\\/'), piece.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** Escapes in JSON that no other text needs: they can spell a secret so that no form of it matches. */
const ODD_ESCAPE = /\\[u/]/;

/**
 * A JSON value with every secret replaced in its texts and keys, and in JSON inside its texts, whatever its escapes. The
 * same object where there is none.
 */
export function redactValue<T>(redactor: Pick<Redactor, 'text'>, value: T): T {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined || (redactor.text(json) === json && !ODD_ESCAPE.test(json))) return value;
  const clean = cleanValue(redactor, value) as T;
  return JSON.stringify(clean) === json ? value : clean;
}

/** JSON text with every secret replaced, whatever its escapes. Text that is not JSON is cleaned as a text. */
export function redactJson(redactor: Pick<Redactor, 'text'>, text: string): string {
  const clean = redactor.text(text);
  if (!ODD_ESCAPE.test(clean)) return clean;
  try {
    const value: unknown = JSON.parse(clean);
    const found = redactValue(redactor, value);
    return found === value ? clean : JSON.stringify(found);
  } catch {
    // Broken JSON, or too deep: nobody reads a value out of it.
    return clean;
  }
}

function cleanValue(redactor: Pick<Redactor, 'text'>, value: unknown): unknown {
  if (typeof value === 'string') return cleanText(redactor, value);
  if (Array.isArray(value)) return value.map((member) => cleanValue(redactor, member));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [redactor.text(key), cleanValue(redactor, member)]),
  );
}

function cleanText(redactor: Pick<Redactor, 'text'>, text: string): string {
  return /^\s*[[{"]/.test(text) ? redactJson(redactor, text) : redactor.text(text);
}
