import { setImmediate } from 'node:timers/promises';
import type { OnDamagedDocument, StoredDocument, StoredRevision } from '../config.ts';
import { isRecord } from '../../base/json.ts';
import { damagedRow } from '../../store/damaged-row.ts';
import type { Change, Reader } from '../../store/store.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import { readableRows } from '../../store/readable-rows.ts';

/** Revisions read per query; each row lists all documents of the revision. */
const REVISIONS_PER_QUERY = 10;
/** Documents read per query. */
const DOCUMENTS_PER_QUERY = 100;

type Hashes = ReadonlyMap<string, string>;

/** The row of a revision; `version` is the version of the engine that accepted it, `created` is in epoch milliseconds. */
export function revisionRow(id: string, created: number, { version, hashes }: Omit<StoredRevision, 'documents'>) {
  const body = JSON.stringify(version === '' ? [...hashes] : { version, documents: [...hashes] });
  return { id, created, body };
}

/** Parses the body of a revision row; `STORE_DAMAGED` if it cannot be parsed. */
export function parseRevision(id: string, body: string): Omit<StoredRevision, 'documents'> {
  try {
    const value: unknown = JSON.parse(body);
    // Old versions of the engine wrote a plain list without a version.
    const [version, list] = isRecord(value) ? [String(value['version']), value['documents']] : ['', value];
    return { version, hashes: new Map(list as [string, string][]) };
  } catch (cause) {
    throw damagedRow(`config revision ${id}`, cause);
  }
}

/** All stored revisions in the order of their ids. `created` is the time of the last use, in epoch milliseconds. */
export async function* revisionRows(store: Reader): AsyncGenerator<{ id: string; created: number; body: string }> {
  for (let after = ''; ;) {
    const where = [['id', '>', after]] as const;
    const rows = await store.list('revision', { where, order: [['id', 'asc']], limit: REVISIONS_PER_QUERY });
    yield* rows;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < REVISIONS_PER_QUERY) return;
    await setImmediate();
  }
}

/** Reads documents by their hashes; the result maps names to documents, without missing ones. */
async function readDocuments(store: Reader, hashes: Hashes): Promise<Map<string, StoredDocument>> {
  const texts = new Map<string, StoredDocument>();
  const wanted = [...new Set(hashes.values())];
  for (let i = 0; i < wanted.length; i += DOCUMENTS_PER_QUERY) {
    const rows = await store.list('document', { where: [['hash', 'in', wanted.slice(i, i + DOCUMENTS_PER_QUERY)]] });
    for (const row of rows)
      texts.set(row.hash, { hash: row.hash, ...bodyOf<{ file: string; text: string }>('document', row) });
  }
  const found = new Map<string, StoredDocument>();
  for (const [name, hash] of hashes) {
    const document = texts.get(hash);
    if (document !== undefined) found.set(name, document);
  }
  return found;
}

/** The change that stores a document. */
export function documentChange({ hash, file, text }: StoredDocument): Change {
  return { op: 'put', table: 'document', row: { hash, body: JSON.stringify({ file, text }) } };
}

/**
 * Reads a revision with its documents, without those that the caller `has`. Undefined if the revision is not stored or was
 * deleted during the read; `STORE_DAMAGED` if documents of it are missing.
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

/**
 * Reads the last good set, without missing documents. `onDamaged` gets the name and the reason of each document that
 * cannot be read.
 */
export async function readGood(
  store: Reader,
  onDamaged: OnDamagedDocument = () => {},
): Promise<Map<string, StoredDocument>> {
  const reasons = new Map<string, string>();
  const readable = readableRows(store, ({ key, reason }) => void reasons.set(key, reason));
  const rows = await readable.list('good');
  const documents = await readDocuments(readable, new Map(rows.map(({ name, hash }) => [name, hash])));
  for (const { name, hash } of rows) {
    const reason = reasons.get(hash);
    if (reason !== undefined) onDamaged(name, reason);
  }
  return documents;
}

/** Counts the references from the last good set and from all revisions to each document, by hash. */
export async function countUses(store: Reader): Promise<Map<string, number>> {
  const uses = new Map<string, number>();
  const add = (hash: string) => uses.set(hash, (uses.get(hash) ?? 0) + 1);
  for (const { hash } of await store.list('good')) add(hash);
  for await (const { id, body } of revisionRows(store))
    for (const hash of parseRevision(id, body).hashes.values()) add(hash);
  return uses;
}

/** Subtracts the references of one revision; returns the hashes of documents without any other reference. */
export function releaseDocuments(uses: Map<string, number>, hashes: Hashes): string[] {
  const unused: string[] = [];
  for (const hash of hashes.values()) {
    const left = (uses.get(hash) ?? 1) - 1;
    uses.set(hash, left);
    if (left === 0) unused.push(hash);
  }
  return unused;
}
