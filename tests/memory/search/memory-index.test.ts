import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../../engine/src/memory/memory-reach.ts';
import { openIndexDatabase } from '../../../engine/src/memory/search/index-database.ts';
import type { IndexedMemory, IndexQuery } from '../../../engine/src/memory/search/index-jobs.ts';
import { MemoryIndex } from '../../../engine/src/memory/search/memory-index.ts';

let index: MemoryIndex;

beforeEach(() => {
  index = new MemoryIndex(openIndexDatabase(''));
  index.begin('test 3');
});

afterEach(() => index.close());

function memory(id: string, text: string, more: Partial<IndexedMemory> = {}): IndexedMemory {
  const space = { scope: 'global', directorId: '', agentId: '' } as const;
  return { id, text, version: '1', tags: [], owner: 'user', isLocal: false, expires: 8e15, space, ...more };
}

function find(text: string, more: Partial<IndexQuery> = {}, from = index): string[] {
  const query = { text, reach: EVERYTHING, tags: [], excludesLocal: false, limit: 10, now: 0, ...more };
  return from.search(query).hits.map(({ id }) => id);
}

const vectorOf = (...values: number[]) => Float32Array.from(values);

describe('by words', () => {
  test.each([
    ['an inflected English word', 'Anna prefers short mails', 'preferred mail'],
    ['an inflected German word', 'Die Rechnungen gehen an die Buchhaltung', 'Rechnung'],
    ['an umlaut', 'Frau Müller mag keine Anrufe', 'Muller'],
    ['an umlaut written with two letters', 'Frau Müller mag keine Anrufe', 'Mueller'],
    ['ß written as ss', 'Er wohnt in der Gartenstraße', 'Gartenstrasse'],
    ['an accent', 'Lunch at Café Einstein', 'cafe'],
    ['a part of a compound', 'Die Rechnungsadresse ist Berlin', 'Adresse'],
    ['a compound of its parts', 'Die Adresse für jede Rechnung ist Berlin', 'Rechnungsadresse'],
    ['a misspelled word', 'The consultant is Benjamin Whitaker', 'Benjamn Withaker'],
    ['words without spaces', '田中さんは英語を話します', '英語'],
    ['a tag', 'Never on Fridays', 'meetings'],
    ['an address', 'anna.weber@firma.example is her private one', 'firma.example'],
    ['words such as "who", if there are no others', 'Who is who', 'who is'],
  ])('finds %s', (_name, text, query) => {
    index.put(memory('other', 'Something else entirely, about the garden of the house'));
    index.put(memory('wanted', text, { tags: ['meetings'] }));
    expect(find(query)[0]).toBe('wanted');
  });

  test.each(['"', 'AND OR NOT', 'plain : x', '*', 'NEAR(a b)', '{marks} : p1', '', '   ', '- - -', '\0'])(
    'takes %j as words, not as syntax',
    (query) => {
      index.put(memory('one', 'Anna prefers short mails'));
      expect(find(query)).toEqual([]);
    },
  );

  test('puts the memory with more of the words first', () => {
    index.put(memory('a', 'The invoice of Anna'));
    index.put(memory('b', 'The invoice of Bernd goes to the tax office'));
    index.put(memory('c', 'Anna likes tea'));
    expect(find('invoice for Anna')[0]).toBe('a');
  });

  test('a deleted memory leaves no word behind', () => {
    index.put(memory('a', 'Xylophone lessons'));
    index.delete('a');
    index.put(memory('b', 'Piano lessons'));
    expect(find('xylophon')).toEqual([]);
    expect(find('Xylophonstunde')).toEqual([]);
  });

  test('a word in very many memories is left out where a query has rarer ones', () => {
    for (let n = 0; n < 2100; n++) index.put(memory(`m${n}`, `mail ${n}`));
    index.put(memory('wanted', 'mail about the zebra'));
    expect(find('mail zebra')).toEqual(['wanted']);
    expect(find('mail')).toHaveLength(10);
  });
});

describe('by words and vectors', () => {
  test('finds a memory by its vector alone, and joins both', () => {
    index.put(memory('a', 'Tea at four', { vector: vectorOf(1, 0, 0) }));
    index.put(memory('b', 'Coffee at nine', { vector: vectorOf(0, 1, 0) }));
    index.put(memory('c', 'Lunch at noon'));
    expect(find('drinks', { vector: vectorOf(0.1, 1, 0) })).toEqual(['b']);
    expect(find('lunch', { vector: vectorOf(0.1, 1, 0) }).sort()).toEqual(['b', 'c']);
    expect(find('tea', { vector: vectorOf(1, 0.1, 0) })[0]).toBe('a');
  });

  test('a memory without a vector is not behind those that are near, if it has the words', () => {
    index.put(memory('near', 'Tea at four', { vector: vectorOf(1, 0, 0) }));
    index.put(memory('new', 'The visa of Paul'));
    expect(find('visa', { vector: vectorOf(1, 0.1, 0) })).toEqual(['new', 'near']);
  });

  test('says whether it compared vectors', () => {
    const query = { text: 'tea', reach: EVERYTHING, tags: [], excludesLocal: false, limit: 10, now: 0 };
    index.put(memory('a', 'Tea at four'));
    expect(index.search({ ...query, vector: vectorOf(1, 0, 0) }).usedVectors).toBe(false);
    index.put(memory('a', 'Tea at four', { vector: vectorOf(1, 0, 0) }));
    expect(index.search({ ...query, vector: vectorOf(1, 0, 0) }).usedVectors).toBe(true);
    expect(index.search(query).usedVectors).toBe(false);
    expect(index.search({ ...query, vector: vectorOf(1, 0) }).usedVectors).toBe(false);
  });

  test('never mixes dimensions: the vector of another dimension replaces all', () => {
    index.put(memory('a', 'Tea at four', { vector: vectorOf(1, 0, 0) }));
    index.put(memory('b', 'Tea at five', { vector: vectorOf(1, 0) }));
    expect(index.counts()).toEqual({ memories: 2, vectors: 1 });
    expect(index.missing(0, 10).ids).toEqual(['a']);
  });

  test('another model drops all vectors, and its memories are found by words', () => {
    index.put(memory('a', 'Tea at four', { vector: vectorOf(1, 0, 0) }));
    index.begin('other 3');
    expect(index.counts()).toEqual({ memories: 1, vectors: 0 });
    expect(find('tea')).toEqual(['a']);
    expect(index.missing(0, 10).ids).toEqual(['a']);
  });

  test('spaces, tags, owners and expiry filter vectors too', () => {
    const vector = vectorOf(1, 0, 0);
    const space = { scope: 'local', directorId: 'b', agentId: '' } as const;
    index.put(memory('a', 'x', { vector, tags: ['t'] }));
    index.put(memory('b', 'x', { vector, space }));
    index.put(memory('c', 'x', { vector, owner: 'o' }));
    index.put(memory('d', 'x', { vector, expires: 5 }));
    expect(find('q', { vector, reach: [space], now: 9 })).toEqual(['b']);
    expect(find('q', { vector, tags: ['t'], now: 9 })).toEqual(['a']);
    expect(find('q', { vector, owner: 'o', now: 9 })).toEqual(['c']);
    expect(find('q', { vector, now: 9 }).sort()).toEqual(['a', 'b', 'c']);
  });

  test('leaves out memories of local runs where asked to', () => {
    const vector = vectorOf(1, 0, 0);
    index.put(memory('a', 'tea', { vector, isLocal: true }));
    index.put(memory('b', 'tea', { vector }));
    expect(find('tea', { vector }).sort()).toEqual(['a', 'b']);
    expect(find('tea', { vector, excludesLocal: true, limit: 1 })).toEqual(['b']);
    expect(find('tea', { excludesLocal: true, limit: 1 })).toEqual(['b']);
  });

  test('finds the nearest of many vectors', () => {
    let seed = 7;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647 - 0.5;
    const vectors = Array.from({ length: 6000 }, () => Float32Array.from({ length: 64 }, random));
    index.begin('test 64');
    vectors.forEach((vector, n) => index.put(memory(`m${n}`, 'x', { vector })));
    for (const n of [0, 17, 2999, 5999]) {
      const near = vectors[n]!.map((value) => value + random() * 0.3);
      expect(find('q', { vector: near, limit: 1 })).toEqual([`m${n}`]);
    }
  });
});

describe('in a file', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'callsheet-index-'))));
  afterEach(() => rmSync(dir, { recursive: true }));
  const open = (file: string) => new MemoryIndex(openIndexDatabase(file));

  test('keeps memories and vectors over a restart, readable by its owner alone', () => {
    const file = join(dir, 'index.db');
    const first = open(file);
    first.begin('test 3');
    first.put(memory('a', 'Tea at four', { vector: vectorOf(1, 0, 0) }));
    first.close();
    const second = open(file);
    expect(second.counts()).toEqual({ memories: 1, vectors: 1 });
    expect(find('drinks', { vector: vectorOf(1, 0, 0) }, second)).toEqual(['a']);
    second.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['is no database', 'not a database, whatever its name says'.repeat(100)],
    ['is empty', ''],
  ])('replaces a file that %s', (_name, content) => {
    const file = join(dir, 'index.db');
    writeFileSync(file, content);
    const opened = open(file);
    opened.put(memory('a', 'Tea at four'));
    expect(find('tea', {}, opened)).toEqual(['a']);
    opened.close();
    expect(existsSync(file)).toBe(true);
  });

  test('replaces the index of another version', () => {
    const file = join(dir, 'index.db');
    const db = openIndexDatabase(file);
    db.exec(`INSERT INTO memory VALUES (1, 'a', 1, 1, 1, 1, 'x', NULL); UPDATE state SET value = '0'`);
    db.close();
    const opened = open(file);
    expect(opened.counts().memories).toBe(0);
    opened.close();
  });

  test('is in memory where the file cannot be written', () => {
    const opened = open(join(dir, 'missing', 'index.db'));
    opened.put(memory('a', 'Tea at four'));
    expect(find('tea', {}, opened)).toEqual(['a']);
    opened.close();
  });
});
