import { readFile } from 'node:fs/promises';
import type { Abortable } from '../../base/abort.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import { decodeText } from '../../file/text/decode.ts';
import { findChatFiles, MAX_CHAT_FILE_BYTES } from '../chat-files.ts';

/** A file of a chat for a prompt: its text, or why there is none. */
export interface ChatFileText {
  readonly path: string;
  readonly text?: string;
  readonly problem?: string;
}

/**
 * The texts of the files of a chat as they are now. One that is gone, is no text any more, or has become too large is named with the
 * problem, so that the participants can still speak. Aborts between files.
 */
export async function readChatFiles(
  paths: readonly string[],
  config: { readonly settings: Snapshot['settings']; readonly baseDir: string },
  { signal }: Abortable = {},
): Promise<ChatFileText[]> {
  const read: ChatFileText[] = [];
  let left = MAX_CHAT_FILE_BYTES;
  for (const path of paths) {
    signal?.throwIfAborted();
    try {
      const bytes = await readOne(path, config, left);
      left -= bytes.length;
      const text = decodeText(bytes)?.text;
      read.push(text === undefined ? { path, problem: 'it is no text' } : { path, text });
    } catch (error) {
      read.push({ path, problem: error instanceof EngineError ? error.message : errorBody(error).message });
    }
  }
  return read;
}

async function readOne(path: string, config: Parameters<typeof findChatFiles>[1], left: number): Promise<Uint8Array> {
  const [file] = await findChatFiles([path], config);
  if (file === undefined || file.bytes > left)
    throw new EngineError('BAD_REQUEST', 'the files of the chat are too large together');
  const bytes = await readFile(file.realPath);
  return bytes.subarray(0, left);
}
