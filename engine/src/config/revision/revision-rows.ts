import { setImmediate } from 'node:timers/promises';
import type { StoredDocument, StoredRevision } from '../config.ts';
import { isRecord } from '../../base/json.ts';
import { damagedRow } from '../../store/damaged-row.ts';
import type { Change, Reader } from '../../store/store.ts';

/** Revisions read at a time: each is a list of all its documents. */
const BATCH = 10;
/** Documents read at a time. */
const DOCUMENTS = 100;

type Hashes = ReadonlyMap<string, string>;

/** The row of a revision; `version` of the Callsheet that accepts it. */
export function revisionRow(id: string, created: number, { version, hashes }: Omit<StoredRevision, 'documents'>) {
  const body = JSON.stringify(version === '' ? [...hashes] : { version, documents: [...hashes] });
  return { id, created, body };
}

/** What the body of a revision says; `STORE_DAMAGED` where it cannot be read. */
export function parseRevision(id: string, body: string): Omit<StoredRevision, 'documents'> {
  try {
    const value: unknown = JSON.parse(body);
    // A plain list was written by Callsheets that say no version.
    const [version, list] = isRecord(value) ? [String(value['version']), value['documents']] : ['', value];
    return { version, hashes: new Map(list as [string, string][]) };
  } catch (cause) {
    throw damagedRow(`config revision ${id}`, cause);
  }
}

/** Ids of all revisions that are kept, with their bodies and when they were last taken up. */
export async function* revisionRows(store: Reader): AsyncGenerator<{ id: string; created: number; body: string }> {
  for (let after = ''; ;) {
    const where = [['id', '>', after]] as const;
    const rows = await store.list('revision', { where, order: [['id', 'asc']], limit: BATCH });
    yield* rows;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < BATCH) return;
    await setImmediate();
  }
}

/** Documents by name, those that are not there left out. */
export async function readDocuments(store: Reader, hashes: Hashes): Promise<Map<string, StoredDocument>> {
  const texts = new Map<string, StoredDocument>();
  const wanted = [...new Set(hashes.values())];
  for (let i = 0; i < wanted.length; i += DOCUMENTS) {
    const rows = await store.list('document', { where: [['hash', 'in', wanted.slice(i, i + DOCUMENTS)]] });
    for (const { hash, body } of rows)
      texts.set(hash, { hash, ...(JSON.parse(body) as { file: string; text: string }) });
  }
  const found = new Map<string, StoredDocument>();
  for (const [name, hash] of hashes) {
    const document = texts.get(hash);
    if (document !== undefined) found.set(name, document);
  }
  return found;
}

/** The changes that store a document. */
export function documentChange({ hash, file, text }: StoredDocument): Change {
  return { op: 'put', table: 'document', row: { hash, body: JSON.stringify({ file, text }) } };
}

/**
 * A revision with its documents, those that the caller `has` left out. Undefined where it is not kept, or was forgotten while
 * it was read; `STORE_DAMAGED` where documents of it are missing.
 */
export async function readRevision(
  store: Reader,
  id: string,
  has: (name: string, hash: string) => boolean,
): Promise<StoredRevision | undefined> {
  const row = await store.get('revision', { id });
  if (row === undefined) return undefined;
  const { version, hashes } = parseRevision(id, row.body);
  const wanted = new Map([...hashes].filter(([name, hash]) => !has(name, hash)));
  const documents = await readDocuments(store, wanted);
  const missing = [...wanted.keys()].find((name) => !documents.has(name));
  if (missing === undefined) return { version, hashes, documents };
  if ((await store.get('revision', { id })) === undefined) return undefined;
  throw damagedRow(`config revision ${id}`, new Error(`${missing} is missing`));
}

/** The last good set; a document that is missing is left out. */
export async function readGood(store: Reader): Promise<Map<string, StoredDocument>> {
  const rows = await store.list('good');
  return readDocuments(store, new Map(rows.map(({ name, hash }) => [name, hash])));
}

/** How many names of the last good set and of revisions refer to each document, by hash. */
export async function countUses(store: Reader): Promise<Map<string, number>> {
  const uses = new Map<string, number>();
  const add = (hash: string) => uses.set(hash, (uses.get(hash) ?? 0) + 1);
  for (const { hash } of await store.list('good')) add(hash);
  for await (const { id, body } of revisionRows(store))
    for (const hash of parseRevision(id, body).hashes.values()) add(hash);
  return uses;
}

/** Takes the uses of one revision off, and names the documents that nothing else refers to. */
export function releaseDocuments(uses: Map<string, number>, hashes: Hashes): string[] {
  const unused: string[] = [];
  for (const hash of hashes.values()) {
    const left = (uses.get(hash) ?? 1) - 1;
    uses.set(hash, left);
    if (left === 0) unused.push(hash);
  }
  return unused;
}
