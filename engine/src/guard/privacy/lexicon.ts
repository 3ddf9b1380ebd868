import { plainOf } from './words.ts';

/** What a word is by the lexicon of `compromise`: a name, a place, a company, or an ordinary English word. */
export type WordClass = 'first' | 'last' | 'place' | 'company' | 'demonym' | 'ordinary';

/** Classes of words, and the people of a sentence. */
export interface Lexicon {
  /** Undefined for a word that the lexicon does not have. Takes `plainOf` of a word. */
  readonly classOf: (plain: string) => WordClass | undefined;
  /** Offsets of the people that the tagger finds in a sentence. */
  readonly peopleIn: (sentence: string) => readonly { readonly start: number; readonly end: number }[];
}

const CLASSES: Readonly<Record<string, WordClass>> = {
  MaleName: 'first',
  FemaleName: 'first',
  FirstName: 'first',
  Person: 'first',
  LastName: 'last',
  City: 'place',
  Country: 'place',
  Region: 'place',
  Place: 'place',
  Organization: 'company',
  SportsTeam: 'company',
  Demonym: 'demonym',
};

let lexicon: Promise<Lexicon> | undefined;

/** Loads `compromise` when it is first needed: about half a second. */
export function loadLexicon(): Promise<Lexicon> {
  return (lexicon ??= readLexicon());
}

async function readLexicon(): Promise<Lexicon> {
  const { default: nlp } = await import('compromise');
  const model: unknown = nlp.model();
  const classes = new Map<string, WordClass>();
  for (const [word, tags] of Object.entries(entriesOf(model))) {
    const list = [tags].flat();
    const found = list.map((tag) => CLASSES[String(tag)]).find((name) => name !== undefined);
    classes.set(plainOf(word), found ?? 'ordinary');
  }
  return {
    classOf: (plain) => classes.get(plain),
    peopleIn(sentence) {
      const found: unknown = nlp(sentence).people().out('offset');
      return Array.isArray(found) ? found.flatMap(offsetOf) : [];
    },
  };
}

/** The lexicon inside the model: word → tag or tags. */
function entriesOf(model: unknown): object {
  const one = fieldOf(model, 'one');
  const entries = fieldOf(one, 'lexicon');
  if (typeof entries !== 'object' || entries === null) throw new Error('compromise has no lexicon');
  return entries;
}

function offsetOf(found: unknown): { start: number; end: number }[] {
  const offset = fieldOf(found, 'offset');
  const [start, length] = [fieldOf(offset, 'start'), fieldOf(offset, 'length')];
  return typeof start === 'number' && typeof length === 'number' ? [{ start, end: start + length }] : [];
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
