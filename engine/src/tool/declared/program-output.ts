import type { Readable } from 'node:stream';

/** The start of an output. */
export interface ProgramOutput {
  readonly text: string;
  /** Bytes that were dropped. */
  readonly dropped: number;
}

/** Collects at most `maxBytes` of a stream and drops the rest, so that the program can go on writing. */
export function collectOutput(stream: Readable, maxBytes: number): () => ProgramOutput {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size < maxBytes) chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
  });
  stream.on('error', () => {});
  return () => ({ text: new TextDecoder().decode(Buffer.concat(chunks)), dropped: Math.max(0, size - maxBytes) });
}
