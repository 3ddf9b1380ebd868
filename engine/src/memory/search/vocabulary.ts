import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Shortest word for which similar ones are looked up. */
const SHORTEST = 4;
/** Most words that stand for one word of a query. */
const MOST = 12;
/** Part of the trigrams that two spellings of a word have in common at least (Dice). */
const ALIKE = 0.5;

/** The words of all memories, and how often each is used. */
export class Vocabulary {
  readonly #add: StatementSync;
  readonly #remove: StatementSync;
  readonly #drop: StatementSync;
  readonly #spell: StatementSync;
  readonly #unspell: StatementSync;
  readonly #uses: StatementSync;
  readonly #alike: StatementSync;

  constructor(db: DatabaseSync) {
    this.#add = db.prepare(
      'INSERT INTO term (term, uses) VALUES (?, 1) ON CONFLICT (term) DO UPDATE SET uses = uses + 1 RETURNING n, uses',
    );
    this.#remove = db.prepare('UPDATE term SET uses = uses - 1 WHERE term = ? RETURNING n, uses');
    this.#drop = db.prepare('DELETE FROM term WHERE n = ?');
    this.#spell = db.prepare('INSERT INTO spelling (rowid, term) VALUES (?, ?)');
    this.#unspell = db.prepare('DELETE FROM spelling WHERE rowid = ?');
    this.#uses = db.prepare('SELECT uses FROM term WHERE term = ?');
    this.#alike = db.prepare('SELECT term FROM spelling WHERE spelling MATCH ? ORDER BY rank LIMIT 60');
  }

  /** Counts a word of a memory. */
  add(word: string): void {
    const row = this.#add.get(word);
    if (row?.['uses'] === 1 && word.length >= SHORTEST) this.#spell.run(row['n'] as number, word);
  }

  /** Counts a word that is gone; the last use deletes it. */
  remove(word: string): void {
    const row = this.#remove.get(word);
    if (row === undefined || Number(row['uses']) > 0) return;
    this.#drop.run(row['n'] as number);
    this.#unspell.run(row['n'] as number);
  }

  /** Number of memories with a word. */
  uses(word: string): number {
    return Number(this.#uses.get(word)?.['uses'] ?? 0);
  }

  /**
   * Other words that stand for a word: compounds that contain it, parts that it is made of, and, where no memory has the
   * word itself, words of a similar spelling.
   */
  similar(word: string): string[] {
    if (word.length < SHORTEST) return [];
    const parts = partsOf(word).filter((part) => this.uses(part) > 0);
    const wholes = this.#matching(`"${word}"`).filter((other) => other !== word);
    const known = this.uses(word) > 0 || parts.length + wholes.length > 0;
    const typed = known ? [] : this.#spelledLike(word);
    return [...new Set([...parts, ...wholes, ...typed])].slice(0, MOST);
  }

  #spelledLike(word: string): string[] {
    const own = trigramsOf(word);
    return this.#matching(own.map((piece) => `"${piece}"`).join(' OR ')).filter((other) => {
      const theirs = trigramsOf(other);
      const common = own.filter((piece) => theirs.includes(piece)).length;
      return (2 * common) / (own.length + theirs.length) >= ALIKE;
    });
  }

  #matching(query: string): string[] {
    return this.#alike.all(query).map((row) => String(row['term']));
  }
}

/** Beginnings and ends of a word that may be words: of `rechnungsadresse`, `rechnung` and `adresse`. */
function partsOf(word: string): string[] {
  const parts: string[] = [];
  for (let at = SHORTEST; at <= word.length - SHORTEST; at++) parts.push(word.slice(0, at), word.slice(at));
  return parts;
}

function trigramsOf(word: string): string[] {
  return Array.from({ length: Math.max(0, word.length - 2) }, (_, i) => word.slice(i, i + 3));
}
