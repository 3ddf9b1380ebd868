import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { EngineError, errorBody } from '../../../base/error.ts';
import { MAX_UPLOAD_MB, MAX_UPLOADS, type UploadFacts } from '../../../file/upload/upload.ts';
import { type ApiClient, path } from '../../client.ts';

/** A file to attach to a message. */
export interface LocalFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reads the files of `--attach`, before anything is sent. `USAGE` for a file that cannot be attached, and for too many. */
export async function readAttachments(cwd: string, names: readonly string[]): Promise<LocalFile[]> {
  if (names.length > MAX_UPLOADS)
    throw new EngineError('USAGE', `a question takes at most ${MAX_UPLOADS} files, not ${names.length}`, {
      hint: 'attach the others to the next question: --conversation last',
    });
  return Promise.all(names.map((name) => readAttachment(resolve(cwd, name))));
}

async function readAttachment(file: string): Promise<LocalFile> {
  const hint = 'pass the path of a file';
  const facts = await stat(file).catch((cause: unknown) => {
    throw new EngineError('USAGE', `the file ${file} cannot be read: ${errorBody(cause).message}`, { hint, cause });
  });
  if (!facts.isFile()) throw new EngineError('USAGE', `${file} is not a file`, { hint });
  if (facts.size > MAX_UPLOAD_MB * 1024 * 1024)
    throw new EngineError('USAGE', `the file ${file} is larger than ${MAX_UPLOAD_MB} MB`, {
      hint: 'attach a smaller part of it',
    });
  return { name: basename(file), bytes: new Uint8Array(await readFile(file)) };
}

/** Uploads files one after another; returns their ids. Errors as `POST /api/uploads`. */
export async function uploadFiles(client: ApiClient, files: readonly LocalFile[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { name, bytes } of files) {
    const { id } = await client.request<UploadFacts>('POST', path`/api/uploads?name=${name}`, { bytes });
    ids.push(id);
  }
  return ids;
}
