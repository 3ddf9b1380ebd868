import { EngineError } from '../../../base/error.ts';
import type { ApiClient } from '../../client.ts';
import { type LocalFile, readAttachments, uploadFiles } from '../run/attach.ts';
import type { Partner } from './partner.ts';

/** The files that go with the next message of a chat. */
export interface PendingFiles {
  /** Adds files by their paths; returns the names of all that wait. `USAGE` for a file that cannot be attached: then nothing is added. */
  add(paths: readonly string[]): Promise<readonly string[]>;
  /** The number of files that wait. */
  readonly count: number;
  /** Uploads them for a message and forgets them, also where that fails; returns their ids. Errors as `POST /api/uploads`. */
  send(): Promise<readonly string[]>;
}

/** No files yet. `cwd`: the folder that paths start at. */
export function createPendingFiles(client: ApiClient, partner: Pick<Partner, 'kind'>, cwd: string): PendingFiles {
  let paths: readonly string[] = [];
  let files: readonly LocalFile[] = [];
  return {
    async add(more) {
      if (more.length > 0 && partner.kind === 'agent')
        throw new EngineError('USAGE', 'files go with a question to a director, not with a message to an agent');
      const all = [...paths, ...more];
      files = await readAttachments(cwd, all);
      paths = all;
      return files.map(({ name }) => name);
    },
    get count() {
      return files.length;
    },
    async send() {
      const taken = files;
      paths = files = [];
      return uploadFiles(client, taken);
    },
  };
}

/** The path in the rest of a line `/attach PATH`: terminals put one that is dropped on them in quotation marks. */
export function pathOfLine(rest: string): string {
  return /^(['"])(.*)\1$/.exec(rest)?.[2] ?? rest;
}
