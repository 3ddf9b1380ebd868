import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { EngineError } from '../../base/error.ts';
import { READ_NO_FOLLOW } from '../../base/no-follow.ts';

/** State of a file when it was found. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * Reads a mail file that does not change meanwhile; the buffer is its own, so it can be transferred. Blocks, so call it in a worker, where
 * a step on another thread would cost more than the step. Errors: `MAIL_UNSETTLED` (retryable: the file changed since it was found, or was
 * renamed), `MAIL_TOO_COSTLY` (larger than `maxBytes`), `MAIL_UNREADABLE` (no permission, a broken disk, a symbolic link).
 */
export function readMailFile(found: FoundFile, maxBytes: number): Uint8Array {
  const file = orReadError(found.path, () => openSync(found.path, READ_NO_FOLLOW));
  try {
    const before = fstatSync(file);
    if (before.size > maxBytes)
      throw new EngineError('MAIL_TOO_COSTLY', `${found.path} has ${before.size} bytes; at most ${maxBytes} are read`, {
        hint: 'A file this large is rarely a mail. Move it out of the folder.',
      });
    const isSame = (state: { size: number; mtimeMs: number }) =>
      state.size === found.size && state.mtimeMs === found.mtimeMs;
    if (!isSame(before)) throw unsettled(found.path, 'is still being written');
    const bytes = orReadError(found.path, () => readAll(file, found.size));
    if (bytes === undefined || !isSame(fstatSync(file))) throw unsettled(found.path, 'is still being written');
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** The bytes of an open file that has `size` of them; undefined if it has fewer. */
function readAll(file: number, size: number): Uint8Array | undefined {
  const bytes = new Uint8Array(size);
  for (let done = 0; done < size;) {
    const read = readSync(file, bytes, done, size - done, null);
    if (read === 0) return undefined;
    done += read;
  }
  return bytes;
}

function orReadError<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw readError(path, error);
  }
}

function readError(path: string, cause: unknown): EngineError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOENT') return unsettled(path, 'is gone or has another name now');
  if (code === 'ELOOP')
    return new EngineError('MAIL_UNREADABLE', `${path} is a symbolic link, which is not followed`, {
      hint: 'Put the mail itself into the folder.',
      cause,
    });
  return new EngineError('MAIL_UNREADABLE', `${path} cannot be read (${code || String(cause)})`, {
    hint: 'Check that this user may read the file.',
    cause,
  });
}

function unsettled(path: string, what: string): EngineError {
  return new EngineError('MAIL_UNSETTLED', `${path} ${what}`, {
    hint: 'It is fetched once it stops changing.',
    retryable: true,
  });
}
