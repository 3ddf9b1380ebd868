import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { MemorySpace } from '../memory.ts';
import { isWithin } from '../memory-reach.ts';
import { fuse, type Match } from './fusion.ts';
import type { IndexCounts, IndexedMemory, IndexFound, IndexQuery, MissingVectors, StoredState } from './index-jobs.ts';
import { queryTermsOf, type Term, termsOf } from './terms.ts';
import { quantize, Vectors } from './vectors.ts';
import { Vocabulary } from './vocabulary.ts';

/** Best matches of each kind that are joined. */
const CANDIDATES = 60;
/** A word in more memories than this says little; it is left out where a query has rarer ones. */
const COMMON = 2000;
/** The mark of a memory that a run with `locality: local` wrote. */
const LOCAL = 'local';
/** Weights of the joined rankings. */
const WEIGHTS = { words: 1, similar: 0.3, vectors: 2 };

/** The index of all memories, in one database and in memory. It is used by one worker thread. */
export class MemoryIndex {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #vocabulary: Vocabulary;
  readonly #vectors = new Vectors();
  /** Space, expiry and locality by slot. */
  readonly #spaceOf: number[] = [];
  readonly #expiresOf: number[] = [];
  readonly #isLocal: boolean[] = [];
  readonly #spaces = new Map<number, MemorySpace>();
  /** Slots that the comparison under way has found in the store. */
  readonly #seen = new Set<number>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#vocabulary = new Vocabulary(db);
    for (const { n, scope, director, agent } of this.#all('SELECT * FROM space'))
      this.#spaces.set(Number(n), {
        scope: scope as MemorySpace['scope'],
        directorId: String(director),
        agentId: String(agent),
      });
    for (const { slot, space, expires, local, vector } of this.#prepare(
      'SELECT slot, space, expires, local, vector FROM memory',
    ).iterate()) {
      this.#spaceOf[Number(slot)] = Number(space);
      this.#expiresOf[Number(slot)] = Number(expires);
      this.#isLocal[Number(slot)] = local === 1;
      if (vector instanceof Uint8Array) this.#vectors.set(Number(slot), new Int8Array(vector));
    }
  }

  begin(model: string): void {
    this.#seen.clear();
    if (this.#get(`SELECT value FROM state WHERE name = 'model'`)?.['value'] === model) return;
    this.#run('UPDATE memory SET vector = NULL WHERE vector IS NOT NULL');
    this.#run(`INSERT INTO state VALUES ('model', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, model);
    this.#vectors.clear();
  }

  compare(stored: readonly StoredState[]): string[] {
    return stored
      .filter(([id, version, hasVector]) => {
        const row = this.#get('SELECT slot, version, vector IS NOT NULL AS has FROM memory WHERE id = ?', id);
        if (row === undefined) return true;
        this.#seen.add(Number(row['slot']));
        return row['version'] !== version || (hasVector && row['has'] === 0);
      })
      .map(([id]) => id);
  }

  end(): void {
    const gone = this.#all('SELECT slot, id FROM memory').filter(({ slot }) => !this.#seen.has(Number(slot)));
    for (const { id } of gone) this.delete(String(id));
  }

  put(memory: IndexedMemory): void {
    const { id, version } = memory;
    const known = this.#get('SELECT slot, version FROM memory WHERE id = ?', id);
    const vector = memory.vector && quantize(memory.vector);
    const isSame = known?.['version'] === version;
    if (!isSame) this.delete(id);
    const slot = isSame ? Number(known['slot']) : this.#insert(memory, known?.['slot'] ?? null);
    this.#seen.add(slot);
    if (vector !== undefined) this.#setVector(slot, vector);
  }

  #insert(memory: IndexedMemory, at: SQLOutputValue): number {
    const { id, version, expires, isLocal } = memory;
    const terms = termsOf(`${memory.text} ${memory.tags.join(' ')}`);
    const plain = terms.map((term) => term.plain);
    const distinct = [...new Set(plain)];
    const space = this.#spaceNumber(memory.space);
    const { lastInsertRowid } = this.#run(
      'INSERT INTO memory (slot, id, version, space, expires, local, terms) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[at, id, version, space, expires, isLocal ? 1 : 0, distinct.join(' ')],
    );
    const slot = Number(lastInsertRowid);
    const marks = [
      `p${space}`,
      ...(isLocal ? [LOCAL] : []),
      hashed('o', memory.owner),
      ...memory.tags.map((tag) => hashed('t', tag)),
    ];
    const german = terms.map((term) => term.german);
    this.#run(
      'INSERT INTO words (rowid, marks, plain, german) VALUES (?, ?, ?, ?)',
      ...[slot, marks.join(' '), plain.join(' '), german.join(' ')],
    );
    for (const word of distinct) this.#vocabulary.add(word);
    this.#spaceOf[slot] = space;
    this.#expiresOf[slot] = expires;
    this.#isLocal[slot] = isLocal;
    return slot;
  }

  delete(id: string): void {
    const row = this.#get('DELETE FROM memory WHERE id = ? RETURNING slot, terms', id);
    if (row === undefined) return;
    const slot = Number(row['slot']);
    this.#run('DELETE FROM words WHERE rowid = ?', slot);
    for (const word of String(row['terms']).split(' ')) this.#vocabulary.remove(word);
    this.#vectors.delete(slot);
  }

  missing(after: number, limit: number): MissingVectors {
    const rows = this.#all(
      'SELECT slot, id FROM memory WHERE vector IS NULL AND slot > ? ORDER BY slot LIMIT ?',
      ...[after, limit],
    );
    return { ids: rows.map(({ id }) => String(id)), last: Number(rows.at(-1)?.['slot'] ?? after) };
  }

  /** Number of memories that have a vector. */
  get vectors(): number {
    return this.#vectors.size;
  }

  counts(): IndexCounts {
    const row = this.#get('SELECT count(*) AS memories, count(vector) AS vectors FROM memory');
    return { memories: Number(row?.['memories']), vectors: Number(row?.['vectors']) };
  }

  search(query: IndexQuery): IndexFound {
    const spaces = [...this.#spaces].filter(([, space]) => isWithin(space, query.reach)).map(([n]) => n);
    if (spaces.length === 0) return { hits: [], usedVectors: false };
    const marks = this.#marksOf(query, spaces);
    const terms = this.#telling(queryTermsOf(query.text));
    const leftOut = query.excludesLocal ? ` NOT {marks} : ${LOCAL}` : '';
    const exact = terms.map(({ plain, german }) => `{plain} : "${plain}" OR {german} : "${german}"`);
    const similar = terms.flatMap(({ plain }) => this.#vocabulary.similar(plain)).map((word) => `{plain} : "${word}"`);
    const near = query.vector && this.#near(query, query.vector, spaces, marks);
    // A memory without a vector is judged by its words alone: they count for both.
    const weight = (slot: number) =>
      near === undefined || this.#vectors.has(slot) ? WEIGHTS.words : WEIGHTS.words + WEIGHTS.vectors;
    const fused = fuse([
      { matches: this.#matching(exact, marks, leftOut, query.now), weight },
      { matches: this.#matching(similar, marks, leftOut, query.now), weight: WEIGHTS.similar },
      { matches: near ?? [], weight: WEIGHTS.vectors },
    ]);
    const hits = fused.slice(0, query.limit).map(([slot, score]) => {
      return { id: String(this.#get('SELECT id FROM memory WHERE slot = ?', slot)?.['id']), score };
    });
    return { hits, usedVectors: near !== undefined };
  }

  close(): void {
    this.#db.close();
  }

  /** Words that are not in very many memories, or else the rarest one. */
  #telling(terms: readonly Term[]): Term[] {
    const counted = terms.map((term) => ({ term, uses: this.#vocabulary.uses(term.plain) }));
    const rare = counted.filter(({ uses }) => uses <= COMMON);
    const kept = rare.some(({ uses }) => uses > 0) ? rare : counted.toSorted((a, b) => a.uses - b.uses).slice(0, 2);
    return kept.map(({ term }) => term);
  }

  /** The condition on spaces, tags and owner; `''` where all memories are allowed. */
  #marksOf({ tags, owner }: IndexQuery, spaces: readonly number[]): string {
    const marks = [...tags.map((tag) => hashed('t', tag)), ...(owner === undefined ? [] : [hashed('o', owner)])];
    const inSpace = spaces.length === this.#spaces.size ? [] : [`(${spaces.map((n) => `p${n}`).join(' OR ')})`];
    const all = [...marks, ...inSpace];
    return all.length === 0 ? '' : `{marks} : (${all.join(' AND ')})`;
  }

  #matching(terms: readonly string[], marks: string, leftOut: string, now: number): Match[] {
    if (terms.length === 0) return [];
    const any = `(${terms.join(' OR ')})`;
    return this.#all(
      `SELECT words.rowid AS slot, -rank AS score FROM words JOIN memory ON memory.slot = words.rowid
       WHERE words MATCH ? AND expires > ? ORDER BY rank LIMIT ${CANDIDATES}`,
      ...[(marks === '' ? any : `${marks} AND ${any}`) + leftOut, now],
    ).map(({ slot, score }) => [Number(slot), Number(score)]);
  }

  /** The nearest vectors, with their cosines; undefined where there is none to compare with. */
  #near(query: IndexQuery, vector: Float32Array, spaces: readonly number[], marks: string): Match[] | undefined {
    if (this.#vectors.dimension !== vector.length) return undefined;
    const allowed: boolean[] = [];
    for (const n of spaces) allowed[n] = true;
    const isFiltered = query.tags.length > 0 || query.owner !== undefined;
    const marked = isFiltered
      ? new Set(this.#all('SELECT rowid AS slot FROM words WHERE words MATCH ?', marks).map(({ slot }) => Number(slot)))
      : undefined;
    const accepts = (slot: number) => {
      if (query.excludesLocal && this.#isLocal[slot] === true) return false;
      if (allowed[this.#spaceOf[slot] ?? -1] !== true || (this.#expiresOf[slot] ?? 0) <= query.now) return false;
      return marked === undefined || marked.has(slot);
    };
    return this.#vectors.nearest(vector, CANDIDATES, accepts).map(({ slot, cosine }) => [slot, cosine]);
  }

  /** A vector of another dimension replaces all: the model behind the same name has changed. */
  #setVector(slot: number, vector: Int8Array): void {
    this.#run('UPDATE memory SET vector = ? WHERE slot = ?', new Uint8Array(vector.buffer), slot);
    if (this.#vectors.set(slot, vector)) return;
    this.#run('UPDATE memory SET vector = NULL WHERE vector IS NOT NULL AND slot != ?', slot);
    this.#vectors.clear();
    this.#vectors.set(slot, vector);
  }

  #spaceNumber({ scope, directorId, agentId }: MemorySpace): number {
    const key = [scope, directorId, agentId] as const;
    const found = this.#get('SELECT n FROM space WHERE scope = ? AND director = ? AND agent = ?', ...key);
    if (found !== undefined) return Number(found['n']);
    const { lastInsertRowid } = this.#run('INSERT INTO space (scope, director, agent) VALUES (?, ?, ?)', ...key);
    this.#spaces.set(Number(lastInsertRowid), { scope, directorId, agentId });
    return Number(lastInsertRowid);
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#db.prepare(sql)));
    return statement;
  }

  #get(sql: string, ...values: SQLInputValue[]) {
    return this.#prepare(sql).get(...values);
  }

  #all(sql: string, ...values: SQLInputValue[]) {
    return this.#prepare(sql).all(...values);
  }

  #run(sql: string, ...values: SQLInputValue[]) {
    return this.#prepare(sql).run(...values);
  }
}

/** A word of the index that stands for a tag or an owner, whatever characters it has. */
function hashed(kind: string, text: string): string {
  return `${kind}${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}
