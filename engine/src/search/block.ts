import type { Change, Reader } from '../store/store.ts';
import { SLICES } from './grams.ts';

/**
 * How blocks are cut. A small block has `small` records, a multiple of 8; `factor` small blocks are merged into a large one, and
 * `SLICES` is a multiple of it.
 */
export interface BlockShape {
  readonly small: number;
  readonly factor: number;
}

/** With it, a chunk of any block has 2 KB, and the bits take 512 bytes a record. */
export const SHAPE: BlockShape = { small: 512, factor: 32 };

/** Number of the first chunk with ids; those before it have slices. */
const FIRST_IDS = SLICES;
/** Chunks with the ids of a small block. */
const ID_CHUNKS = 8;
/** Blocks and chunks in one read. Short lists are filled up to this number, so that all reads are the same statement. */
const LIST = 16;

/** The layout of the blocks of one size. */
export interface BlockLayout {
  readonly size: number;
  /** Bytes of a slice, a bit for each record. */
  readonly sliceBytes: number;
  readonly slicesPerChunk: number;
  readonly idsPerChunk: number;
}

/** The layout of blocks with `size` records. */
export function layoutOf(size: number, { small, factor }: BlockShape): BlockLayout {
  return {
    size,
    sliceBytes: size / 8,
    slicesPerChunk: size === small ? factor : 1,
    idsPerChunk: small / ID_CHUNKS,
  };
}

/** Numbers of the chunks that have slices. */
export function sliceChunks({ slicesPerChunk }: BlockLayout): number[] {
  return Array.from({ length: SLICES / slicesPerChunk }, (_, chunk) => chunk);
}

/** Numbers of the chunks that have ids. */
export function idChunks({ size, idsPerChunk }: BlockLayout): number[] {
  return Array.from({ length: size / idsPerChunk }, (_, n) => FIRST_IDS + n);
}

/** Number of the chunk with the id of a record, by its position in the block. */
export function idChunkOf(position: number, { idsPerChunk }: BlockLayout): number {
  return FIRST_IDS + Math.floor(position / idsPerChunk);
}

/** The change that writes a chunk. */
export function putChunk(block: number, chunk: number, body: Uint8Array): Change {
  return { op: 'put', table: 'searchChunk', row: { block, chunk, body } };
}

/** Ids as a chunk has them; `''` for a record that was deleted. */
export function writeIds(ids: readonly string[]): Uint8Array {
  return Buffer.from(ids.join('\n'));
}

/** The ids of a chunk. */
export function readIds(body: Uint8Array): string[] {
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8').split('\n');
}

/** Reads chunks of blocks; those that are missing or cannot be read are left out. */
export async function readChunks(
  reader: Reader,
  blocks: readonly number[],
  chunks: readonly number[],
): Promise<Map<number, Map<number, Uint8Array>>> {
  const found = new Map<number, Map<number, Uint8Array>>();
  for (const someBlocks of pieces(blocks, LIST))
    for (const someChunks of pieces(chunks, LIST)) {
      const rows = await reader.list('searchChunk', {
        where: [
          ['block', 'in', filledUp(someBlocks, LIST)],
          ['chunk', 'in', filledUp(someChunks, LIST)],
        ],
        onDamaged: () => {},
      });
      for (const { block, chunk, body } of rows) {
        const known = found.get(block);
        if (known === undefined) found.set(block, new Map([[chunk, body]]));
        else known.set(chunk, body);
      }
    }
  return found;
}

/** Cuts a list into pieces of at most `length`. */
export function pieces<T>(list: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, n) => list.slice(n * length, (n + 1) * length));
}

/** Repeats the last value until the list has `length`, so that reads of different lists share a statement. */
export function filledUp<T>(list: readonly T[], length: number): T[] {
  const last = list.at(-1);
  return last === undefined ? [] : [...list, ...Array.from({ length: length - list.length }, () => last)];
}
