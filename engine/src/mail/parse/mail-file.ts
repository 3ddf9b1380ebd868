import { open } from 'node:fs/promises';
import { EngineError } from '../../base/error.ts';
import { READ_NO_FOLLOW } from '../../base/no-follow.ts';

/** State of a file when it was found. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * Reads a mail file that does not change meanwhile; the buffer is its own, so it can be transferred. Errors:
 * `MAIL_UNSETTLED` (retryable: the file changed since it was found, or was renamed), `MAIL_TOO_COSTLY` (larger than
 * `maxBytes`), `MAIL_UNREADABLE` (no permission, a broken disk, a symbolic link).
 */
export async function readMailFile(found: FoundFile, maxBytes: number): Promise<Uint8Array> {
  const file = await open(found.path, READ_NO_FOLLOW).catch((error: unknown) => {
    throw readError(found.path, error);
  });
  try {
    const before = await file.stat();
    if (before.size > maxBytes)
      throw new EngineError('MAIL_TOO_COSTLY', `${found.path} has ${before.size} bytes; at most ${maxBytes} are read`, {
        hint: 'A file this large is rarely a mail. Move it out of the folder.',
      });
    const bytes = await file.readFile().catch((error: unknown) => {
      throw readError(found.path, error);
    });
    const after = await file.stat();
    const isSame = (state: { size: number; mtimeMs: number }) =>
      state.size === found.size && state.mtimeMs === found.mtimeMs;
    if (!isSame(before) || !isSame(after) || bytes.length !== found.size)
      throw unsettled(found.path, 'is still being written');
    return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
  } finally {
    await file.close();
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
