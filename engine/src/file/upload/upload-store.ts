import { EngineError } from '../../base/error.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Change, Reader, Row, Store } from '../../store/store.ts';
import { MAX_UPLOADS, type RunAttachment, type UploadFacts } from './upload.ts';

/** Most bytes in one row, so that no commit blocks the event loop for long. */
const PIECE = 256 * 1024;
/** Most files that wait for their question. */
const MAX_WAITING = 100;
/** How long a file waits for its question, in milliseconds. */
const WAIT_MS = 86_400_000;

/** What the store keeps of an upload. Until all its bytes are there it cannot be attached. */
type UploadRecord = UploadFacts & { readonly isWhole: boolean };

/**
 * Stores a file that waits for its question, in pieces with a commit each. `CONFLICT` where too many wait. A process that is
 * killed meanwhile leaves a part, which goes with the files that nobody attached.
 */
export async function storeUpload(store: Store, facts: UploadFacts, bytes: Uint8Array): Promise<void> {
  const { id } = facts;
  if ((await store.count('upload', [['run', '=', '']])) >= MAX_WAITING)
    throw new EngineError('CONFLICT', `${MAX_WAITING} uploaded files are not attached to a question yet`, {
      hint: 'attach them, or delete them: DELETE /api/uploads/:id. They are deleted after a day',
    });
  const at = Date.parse(facts.createdAt);
  const body = (isWhole: boolean) => JSON.stringify({ ...facts, isWhole } satisfies UploadRecord);
  await store.apply([{ op: 'insert', table: 'upload', row: { id, run: '', conversation: '', at, body: body(false) } }]);
  for (let seq = 0; seq * PIECE < bytes.length; seq++) {
    const piece = bytes.subarray(seq * PIECE, (seq + 1) * PIECE);
    await store.apply([{ op: 'insert', table: 'uploadData', row: { upload: id, seq, body: piece } }]);
  }
  await store.apply([{ op: 'update', table: 'upload', key: { id }, set: { body: body(true) } }]);
}

/** A file with the run that it is attached to, `''` while it waits. `NOT_FOUND`. */
export async function readUpload(
  reader: Reader,
  id: string,
): Promise<{ readonly facts: UploadFacts; readonly run: string }> {
  const row = await reader.get('upload', { id });
  if (row === undefined) throw missing(id);
  return { facts: factsOf(row), run: row.run };
}

/** The bytes of a file. */
export async function readUploadBytes(reader: Reader, id: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let seq = 0; ; seq++) {
    const row = await reader.get('uploadData', { upload: id, seq });
    if (row === undefined) return Buffer.concat(pieces);
    pieces.push(row.body);
  }
}

/** The files of a conversation, or of a run that has none, by their numbers. */
export async function listUploads(
  reader: Reader,
  { runId, conversationId }: { readonly runId: string; readonly conversationId?: string | undefined },
): Promise<readonly RunAttachment[]> {
  const rows =
    conversationId === undefined
      ? await reader.list('upload', { where: [['run', '=', runId]] })
      : await reader.list('upload', { where: [['conversation', '=', conversationId]] });
  return rows.map((row) => attachmentOf(factsOf(row), 0)).sort((a, b) => a.number - b.number || (a.id < b.id ? -1 : 1));
}

/** Files that become part of a question. */
export interface AttachedUploads {
  readonly attachments: readonly RunAttachment[];
  /** The changes that attach them; `STORE_CONFLICT` where another question took one meanwhile. */
  changes(runId: string): Change[];
}

/**
 * Attaches waiting files to a question of a conversation. `BAD_REQUEST` for more than 10 and for one that is named twice,
 * `NOT_FOUND`, `CONFLICT` for one that belongs to a question or is not whole.
 */
export async function attachUploads(
  reader: Reader,
  ids: readonly string[],
  conversationId: string,
): Promise<AttachedUploads> {
  if (ids.length > MAX_UPLOADS)
    throw new EngineError('BAD_REQUEST', `a question takes at most ${MAX_UPLOADS} files, not ${ids.length}`, {
      hint: 'attach the others to the next question of the conversation',
    });
  if (new Set(ids).size < ids.length) throw new EngineError('BAD_REQUEST', '"attachments" names a file twice');
  const known = await listUploads(reader, { runId: '', conversationId });
  const first = Math.max(0, ...known.map(({ number }) => number)) + 1;
  const files: RunAttachment[] = [];
  const records: UploadRecord[] = [];
  for (const [n, id] of ids.entries()) {
    const row = await reader.get('upload', { id });
    if (row === undefined) throw missing(id);
    const record = { ...bodyOf<UploadRecord>('upload', row), number: first + n };
    if (row.run !== '') throw new EngineError('CONFLICT', `file "${id}" belongs to run "${row.run}" already`);
    if (!record.isWhole) throw new EngineError('CONFLICT', `file "${id}" is not uploaded whole`);
    records.push(record);
    files.push(attachmentOf(record, first + n));
  }
  return {
    attachments: files,
    changes: (run) =>
      records.map((record) => ({
        op: 'update',
        table: 'upload',
        key: { id: record.id },
        set: { run, conversation: conversationId, body: JSON.stringify(record) },
        expect: { run: '' },
      })),
  };
}

/** The changes that give the files of a run to another run of the conversation, which repeats it. */
export async function passUploads(reader: Reader, from: string, to: string): Promise<Change[]> {
  const rows = await reader.list('upload', { where: [['run', '=', from]], bodies: false });
  return rows.map(({ id }) => ({ op: 'update', table: 'upload', key: { id }, set: { run: to } }));
}

/** The changes that delete the files of a run. */
export async function deleteUploadsOf(reader: Reader, runId: string): Promise<Change[]> {
  const rows = await reader.list('upload', { where: [['run', '=', runId]], bodies: false });
  return rows.flatMap(({ id }) => deletion(id));
}

/** Deletes a file that waits for its question. `NOT_FOUND`; `CONFLICT` where it belongs to one. */
export async function deleteUpload(store: Store, id: string): Promise<void> {
  const { run } = await readUpload(store, id);
  if (run !== '')
    throw new EngineError('CONFLICT', `file "${id}" belongs to run "${run}"`, { hint: 'it is deleted with the run' });
  await store.apply([unattached(id), ...deletion(id)]);
}

/** Deletes files that nobody has attached within a day before `now`, in epoch milliseconds. */
export async function deleteOldUploads(store: Store, now: number): Promise<void> {
  const rows = await store.list('upload', {
    where: [
      ['run', '=', ''],
      ['at', '<', now - WAIT_MS],
    ],
    bodies: false,
  });
  for (const { id } of rows) await store.apply([unattached(id), ...deletion(id)]);
}

/** Makes the commit fail where the file is attached at this moment. */
function unattached(id: string): Change {
  return { op: 'update', table: 'upload', key: { id }, set: { run: '' }, expect: { run: '' } };
}

function deletion(id: string): Change[] {
  return [
    { op: 'delete', table: 'uploadData', where: { upload: id } },
    { op: 'delete', table: 'upload', where: { id } },
  ];
}

function factsOf(row: Row<'upload'>): UploadFacts {
  const { isWhole: _whole, ...facts } = bodyOf<UploadRecord>('upload', row);
  return facts;
}

function attachmentOf({ id, name, mimeType, size, number }: UploadFacts, other: number): RunAttachment {
  return { id, name, mimeType, size, number: number ?? other };
}

function missing(id: string): EngineError {
  return new EngineError('NOT_FOUND', `there is no uploaded file "${id}"`, {
    hint: 'POST /api/uploads?name= uploads one; files that nobody attaches are deleted after a day',
  });
}
