import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

/** What was kept of an output, without terminal colours and without white space at its end. */
export interface KeptOutput {
  readonly text: string;
  /** Bytes that were dropped. `text` then says so. */
  readonly dropped: number;
}

/** Keeps the first `maxBytes` of a stream and drops the rest, so that the program can go on writing. */
export function keepStart(stream: Readable, maxBytes: number): () => KeptOutput {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size < maxBytes) chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
  });
  return () => {
    const dropped = Math.max(0, size - maxBytes);
    const text = plain(Buffer.concat(chunks));
    return { text: dropped === 0 ? text : `${text}\n[truncated: ${dropped} more bytes]`, dropped };
  };
}

/** Keeps the last `maxBytes` of a stream: the end of standard error says why a program failed. */
export function keepEnd(stream: Readable, maxBytes: number): () => KeptOutput {
  let kept: Buffer[] = [];
  let held = 0;
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    kept.push(chunk);
    held += chunk.length;
    size += chunk.length;
    if (held <= 2 * maxBytes) return;
    kept = [Buffer.concat(kept).subarray(-maxBytes)];
    held = maxBytes;
  });
  return () => {
    const dropped = Math.max(0, size - maxBytes);
    const text = plain(Buffer.concat(kept).subarray(-maxBytes));
    return { text: dropped === 0 ? text : `[truncated: ${dropped} earlier bytes]\n${text}`, dropped };
  };
}

function plain(bytes: Buffer): string {
  return stripVTControlCharacters(new TextDecoder().decode(bytes)).trimEnd();
}
