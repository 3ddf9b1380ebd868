import {
  AddressIndex,
  type Compact,
  compactOf,
  findAddress,
  findNumber,
  inSmallLetters,
  keyOf,
} from './value-forms.ts';
import { isAlsoWord, nameKey, type Word, wordsOf } from './person-name.ts';
import { findLookalikes, type PlaceholderKind, placeholderOf, type Stretch } from './placeholder.ts';

/** A value that models see as a placeholder. */
export interface Entity {
  readonly kind: PlaceholderKind;
  /** From 1 for each kind. */
  readonly number: number;
  /** What the placeholder is restored to. */
  readonly value: string;
  /** Other spellings that were found, such as `karthik` for `Karthik Rao`. */
  readonly forms?: readonly string[];
  /** Set where only exactly this spelling is meant: a name inside a file name, whose case counts. */
  readonly isExact?: true;
}

/** A known value in a text. */
export interface Occurrence extends Stretch {
  readonly entity: Entity;
}

/** Text with what was wrong in it: placeholders that stand for nothing, or are not spelled as they were given. */
export interface Restored {
  readonly text: string;
  readonly faults: readonly string[];
}

/** Most signs between two words of a name. */
const MAX_BETWEEN = 3;
/** Shortest name that is found where digits touch it. Ids are made of letters and digits, too. */
const MIN_BESIDE_DIGITS = 5;

/** The values of one conversation and their placeholders. It only grows. */
export class EntityMap {
  readonly #entities: Entity[] = [];
  readonly #counts = new Map<PlaceholderKind, number>();
  readonly #byPlaceholder = new Map<string, number>();
  readonly #byKey = new Map<string, number>();
  /** Spellings of persons by their first word. */
  readonly #byFirstWord = new Map<string, { readonly at: number; readonly words: readonly string[] }[]>();
  readonly #addresses = new AddressIndex();
  /** Positions of phone, IBAN and card numbers. */
  readonly #numbers = new Set<number>();
  readonly #changed = new Set<number>();
  readonly #kinds: ReadonlySet<PlaceholderKind> | undefined;

  /**
   * `entities` in the order in which they were stored: of two with one kind and number the later one counts. `kinds`: those that are
   * found in texts; all of them where it is missing. Every kind is restored.
   */
  constructor(entities: readonly Entity[] = [], kinds?: readonly PlaceholderKind[]) {
    this.#kinds = kinds && new Set([...kinds, 'text']);
    for (const entity of entities)
      this.#set(this.#byPlaceholder.get(placeholderOf(entity.kind, entity.number)) ?? this.#entities.length, entity);
    this.#changed.clear();
  }

  /** Number of entities, and of changes to them: the same text is redacted in the same way as long as it stays the same. */
  version = 0;

  get entities(): readonly Entity[] {
    return this.#entities;
  }

  /** Entities that are new or changed since the last call. */
  takeChanges(): Entity[] {
    const taken = [...this.#changed].flatMap((at) => this.#entities[at] ?? []);
    this.#changed.clear();
    return taken;
  }

  /** Whether values of a kind are replaced in texts. */
  hides(kind: PlaceholderKind): boolean {
    return this.#kinds?.has(kind) ?? true;
  }

  /** The entity of a value, which is added where there is none. */
  assign(kind: PlaceholderKind, text: string, { isExact = false } = {}): Entity {
    if (kind === 'person' && isExact) return this.#assignExact(text);
    if (kind === 'person') return this.#assignPerson(text);
    return this.#known(keyOf(kind, text)) ?? this.#add({ kind, value: text });
  }

  /** Known values in a text; they may overlap. */
  find(text: string): Occurrence[] {
    return [...this.#findPersons(text), ...this.#findOthers(text)];
  }

  /**
   * Puts the values in place of their placeholders. What looks like a placeholder and is none stays, and is a fault. What was put in is
   * never looked at again. `isGiven`: which placeholders may be restored; default: all.
   */
  restore(text: string, isGiven: (placeholder: string) => boolean = () => true): Restored {
    const faults: string[] = [];
    let restored = '';
    let at = 0;
    for (const { start, end } of findLookalikes(text)) {
      const written = text.slice(start, end);
      const position = isGiven(written) ? this.#byPlaceholder.get(written) : undefined;
      const value = position === undefined ? undefined : this.#entities[position]?.value;
      if (value === undefined) faults.push(written);
      restored += text.slice(at, start) + (value ?? written);
      at = end;
    }
    return { text: restored + text.slice(at), faults };
  }

  #known(key: string): Entity | undefined {
    const at = this.#byKey.get(key);
    return at === undefined ? undefined : this.#entities[at];
  }

  #add(entity: Omit<Entity, 'number'>): Entity {
    const number = (this.#counts.get(entity.kind) ?? 0) + 1;
    const added = { ...entity, number };
    this.#set(this.#entities.length, added);
    return added;
  }

  #assignExact(text: string): Entity {
    const known = this.#known(keyOf('person', text));
    if (known?.value === text) return known;
    return this.#known(`=${text}`) ?? this.#add({ kind: 'person', value: text, isExact: true });
  }

  #assignPerson(text: string): Entity {
    const key = nameKey(text);
    const known = this.#known(keyOf('person', text)) ?? this.#sameWords(key);
    if (known !== undefined) return this.#addForm(known, text);
    const partner = this.#soleNamesake(key);
    return partner === undefined ? this.#add({ kind: 'person', value: text }) : this.#addForm(partner, text);
  }

  /** The person whose name has the same words in another order. */
  #sameWords(key: readonly string[]): Entity | undefined {
    if (key.length < 2) return undefined;
    const sorted = key.toSorted().join(' ');
    return this.#candidates(key).find(({ value }) => nameKey(value).toSorted().join(' ') === sorted);
  }

  /** For a first name the one person with a longer name that begins so; for a longer name the one with this first name. */
  #soleNamesake(key: readonly string[]): Entity | undefined {
    const [first = ''] = key;
    const namesakes = this.#candidates([first]).filter(({ value }) => nameKey(value)[0] === first);
    const [one] = namesakes;
    if (one === undefined || namesakes.length > 1) return undefined;
    const isShort = nameKey(one.value).length === 1;
    return isShort === (key.length === 1) ? undefined : one;
  }

  #candidates(key: readonly string[]): Entity[] {
    const at = new Set(key.flatMap((word) => (this.#byFirstWord.get(word) ?? []).map((spelling) => spelling.at)));
    return [...at].flatMap((position) => this.#entities[position] ?? []).filter(({ isExact }) => isExact !== true);
  }

  /** Notes a spelling. The longest one, and one with capitals before one without, is what is restored. */
  #addForm(entity: Entity, text: string): Entity {
    const at = this.#byPlaceholder.get(placeholderOf(entity.kind, entity.number));
    const form = withoutPossessive(text);
    if (at === undefined || form === entity.value || entity.forms?.includes(form) === true) return entity;
    const [old, now] = [nameKey(entity.value), nameKey(form)];
    const isFuller = now.length > old.length;
    const isProper = now.length === old.length && !/\p{Lu}/u.test(entity.value) && /\p{Lu}/u.test(form);
    const isBetter = isFuller || isProper;
    // Spellings with the same words are found anyway.
    if (!isBetter && keyOf('person', form) === keyOf('person', entity.value)) return entity;
    const others = [...(entity.forms ?? []), isBetter ? entity.value : form];
    const next = { ...entity, value: isBetter ? form : entity.value, forms: others };
    this.#set(at, next);
    return next;
  }

  #set(at: number, entity: Entity): void {
    if (at === this.#entities.length) this.#counts.set(entity.kind, (this.#counts.get(entity.kind) ?? 0) + 1);
    this.#entities[at] = entity;
    this.#changed.add(at);
    this.version++;
    this.#byPlaceholder.set(placeholderOf(entity.kind, entity.number), at);
    if (entity.kind === 'email') this.#addresses.add(at, entity);
    else if (entity.kind !== 'person' && entity.kind !== 'text') this.#numbers.add(at);
    if (entity.isExact === true) {
      this.#byKey.set(`=${entity.value}`, at);
      return;
    }
    for (const form of [entity.value, ...(entity.forms ?? [])]) {
      const key = keyOf(entity.kind, form);
      // A name that another person got first stays that person's.
      if (!this.#byKey.has(key)) this.#byKey.set(key, at);
      if (entity.kind !== 'person') continue;
      const words = nameKey(form);
      const known = this.#byFirstWord.get(words[0] ?? '') ?? [];
      const isNew = !known.some((other) => other.at === at && other.words.join(' ') === words.join(' '));
      this.#byFirstWord.set(words[0] ?? '', isNew ? [...known, { at, words }] : known);
    }
  }

  #findPersons(text: string): Occurrence[] {
    if (this.#byFirstWord.size === 0 || !this.hides('person')) return [];
    const words = wordsOf(text);
    return words.flatMap((_, n) => this.#personAt(text, words, n) ?? []);
  }

  /** The longest name that begins with word `n`. */
  #personAt(text: string, words: readonly Word[], n: number): Occurrence | undefined {
    const first = words[n];
    if (first === undefined) return undefined;
    const stem = this.#byFirstWord.has(first.folded) ? first.folded : genitiveStem(first.folded);
    let best: Occurrence | undefined;
    for (const spelling of this.#byFirstWord.get(stem) ?? []) {
      const entity = this.#entities[spelling.at];
      const end = endOfName(text, words, n, spelling.words);
      if (entity !== undefined && end !== undefined && end > (best?.end ?? first.start))
        best = { start: first.start, end, entity };
    }
    return best ?? this.#firstNameAt(text, first, stem);
  }

  /** A first name alone, where one person has it. */
  #firstNameAt(text: string, { start, end, folded, isCapitalised }: Word, stem: string): Occurrence | undefined {
    const entity = isCapitalised && !isAlsoWord(stem) ? this.#soleNamesake([stem]) : undefined;
    const last = stem === folded ? end : end - 1;
    return entity === undefined || !isWhole(text, start, last, stem) ? undefined : { start, end: last, entity };
  }

  #findOthers(text: string): Occurrence[] {
    const small = inSmallLetters(text);
    const positions = [...this.#addresses.candidates(small), ...this.#numbers].sort((a, b) => a - b);
    const others = positions.flatMap((at) => this.#entities[at] ?? []).filter(({ kind }) => this.hides(kind));
    let compact: Compact | undefined;
    return others.flatMap((entity) =>
      (entity.kind === 'email'
        ? findAddress(small, entity)
        : findNumber((compact ??= compactOf(small)), small, entity)
      ).map((stretch) => ({ ...stretch, entity })),
    );
  }
}

function withoutPossessive(text: string): string {
  return text.replace(/['’`´]s?$/iu, '');
}

/** `karthiks`: a German genitive, or a plural, is the same name. */
function genitiveStem(folded: string): string {
  return folded.length > 3 && folded.endsWith('s') ? folded.slice(0, -1) : folded;
}

/** Where a name ends that begins with word `n`; undefined where it does not stand there. */
function endOfName(text: string, words: readonly Word[], n: number, key: readonly string[]): number | undefined {
  if (key.length === 0) return undefined;
  for (const [i, part] of key.entries()) {
    const word = words[n + i];
    const before = words[n + i - 1];
    if (word === undefined) return undefined;
    const isLast = i === key.length - 1;
    const isSame = word.folded === part || (isLast && genitiveStem(word.folded) === part);
    if (!isSame || (i > 0 && !isShortGap(text.slice(before?.end, word.start)))) return undefined;
  }
  const [first, last] = [words[n], words[n + key.length - 1]];
  if (first === undefined || last === undefined) return undefined;
  const [only = ''] = key;
  if (key.length === 1 && isAlsoWord(only) && !first.isCapitalised) return undefined;
  const end = last.folded === key.at(-1) ? last.end : last.end - 1;
  return isWhole(text, first.start, end, key.join('')) ? end : undefined;
}

function isShortGap(between: string): boolean {
  return between.length <= MAX_BETWEEN && !/\d/.test(between);
}

function isWhole(text: string, start: number, end: number, letters: string): boolean {
  return letters.length >= MIN_BESIDE_DIGITS || !/\d/.test(text.charAt(start - 1) + text.charAt(end));
}
