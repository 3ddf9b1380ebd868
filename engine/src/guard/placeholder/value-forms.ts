import { nameKey } from './person-name.ts';
import type { PlaceholderKind, Stretch } from './placeholder.ts';

/** Most signs between two digits of a number. */
const MAX_BETWEEN = 3;

interface Valued {
  readonly value: string;
}

/** What makes two spellings of a value the same. */
export function keyOf(kind: PlaceholderKind, text: string): string {
  switch (kind) {
    case 'person':
      return `person ${nameKey(text).join(' ')}`;
    case 'email':
      return `email ${inSmallLetters(text.normalize('NFKC')).replace(/%40|&#64;/, '@')}`;
    case 'phone':
      return `phone ${digitsOf(text).replace(/^00/, '+')}`;
    case 'iban':
    case 'card':
      return `${kind} ${inSmallLetters(text).replace(/[^\p{L}\p{N}]/gu, '')}`;
    case 'text':
      return `text ${text}`;
    default:
      return kind satisfies never;
  }
}

const digitsOf = (text: string) => (text.trim().startsWith('+') ? '+' : '') + text.replace(/\D/g, '');

/** How an at sign is written. */
const AT = /@|%40|&#64;/g;

function addressOf({ value }: Valued): string {
  return inSmallLetters(value).replace('%40', '@');
}

/** Addresses by what stands before their at sign, so that a text is searched only for those that may stand in it. */
export class AddressIndex {
  readonly #byName = new Map<string, Set<number>>();
  /** Those without a plain at sign, such as "ann at example.org": they are looked for in every text. */
  readonly #others = new Set<number>();
  #longest = 0;

  /** Adds the address at a position of a list. */
  add(at: number, address: Valued): void {
    const [name = '', ...rest] = addressOf(address).split('@');
    if (rest.length === 0) return void this.#others.add(at);
    this.#byName.set(name, (this.#byName.get(name) ?? new Set()).add(at));
    this.#longest = Math.max(this.#longest, name.length);
  }

  /** The positions, in their order, of the addresses that may stand in a text in small letters. */
  candidates(small: string): number[] {
    const found = new Set(this.#others);
    for (const { index } of small.matchAll(AT))
      for (let start = Math.max(0, index - this.#longest); start <= index; start++)
        for (const at of this.#byName.get(small.slice(start, index)) ?? []) found.add(at);
    return [...found].sort((a, b) => a - b);
  }
}

/** An address in a text in small letters, also with its at sign escaped. */
export function findAddress(small: string, { value }: Valued): Stretch[] {
  const address = addressOf({ value });
  const forms = new Set([address, address.replace('@', '%40'), address.replace('@', '&#64;')]);
  return [...forms].flatMap((form) =>
    allOf(small, form)
      .filter((at) => !/[\p{L}\p{N}]/u.test(small.charAt(at + form.length)) && !isInLocalPart(small, at))
      .map((at) => ({ start: at, end: at + form.length })),
  );
}

/** Whether a letter before an address makes it another address; one that ends an escape such as `%3C` does not. */
function isInLocalPart(small: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(small.charAt(at - 1)) && !/%[0-9a-f]{2}$/.test(small.slice(Math.max(0, at - 3), at));
}

/** The letters and digits of a text, and where each stands. */
export interface Compact {
  readonly text: string;
  readonly places: readonly number[];
}

/** Takes all but letters and digits out of a text in small letters. */
export function compactOf(small: string): Compact {
  const places: number[] = [];
  let text = '';
  for (let i = 0; i < small.length; i++) {
    const char = small.charAt(i);
    if (!/[\p{L}\p{N}]/u.test(char)) continue;
    places.push(i);
    text += char;
  }
  return { text, places };
}

/** A phone, IBAN or card number in a text in small letters, whatever stands between its digits. */
export function findNumber({ text, places }: Compact, small: string, { value }: Valued): Stretch[] {
  const form = inSmallLetters(value).replace(/[^\p{L}\p{N}]/gu, '');
  if (form.length < 4) return [];
  return allOf(text, form).flatMap((at) => {
    const inner = places.slice(at, at + form.length);
    const [start = 0, last = 0] = [inner[0], inner.at(-1)];
    const isClose = inner.every((place, i) => i === 0 || place - (inner[i - 1] ?? 0) <= MAX_BETWEEN);
    const touches = /[\p{L}\p{N}]/u.test(small.charAt(start - 1)) || /[\p{L}\p{N}]/u.test(small.charAt(last + 1));
    if (!isClose || touches) return [];
    const sign = small.charAt(start - 1) === '+' || small.charAt(start - 1) === '(' ? 1 : 0;
    return [{ start: start - sign, end: last + 1 }];
  });
}

function allOf(text: string, form: string): number[] {
  const found: number[] = [];
  if (form === '') return found;
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) found.push(at);
  return found;
}

/** In small letters, each in its place. */
export function inSmallLetters(text: string): string {
  const small = text.toLowerCase();
  if (small.length === text.length) return small;
  return Array.from({ length: text.length }, (_, i) => {
    const char = text.charAt(i);
    return char.toLowerCase().length === 1 ? char.toLowerCase() : char;
  }).join('');
}
