import { inflateRawSync } from 'node:zlib';
import { EngineError } from '../../base/error.ts';

const MAX_ENTRIES = 5000;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;

/**
 * Throws where a ZIP file unpacks to more than `maxBytes` (`FILE_TOO_COSTLY`) or is not a plain one (`FILE_UNREADABLE`). Unpacks each
 * entry with a limit, since the sizes that a file states may be lies and entries may share their bytes.
 */
export function checkZip(bytes: Uint8Array, maxBytes: number): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    checkEntries(file, maxBytes);
  } catch (cause) {
    // A position of the file lies outside it.
    if (cause instanceof RangeError) throw damaged(cause);
    throw cause;
  }
}

function checkEntries(file: Buffer, maxBytes: number): void {
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || file.readUInt32LE(end) !== END || end + END_BYTES > file.length) throw damaged();
  const count = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  // Other layouts are allowed in ZIP, and readers differ in what they make of them.
  if (at + file.readUInt32LE(end + 12) !== end) throw damaged();
  if (count > MAX_ENTRIES) throw tooCostly(`has ${count} parts; at most ${MAX_ENTRIES} are read`);
  let left = maxBytes;
  for (let i = 0; i < count; i++) {
    if (file.readUInt32LE(at) !== ENTRY) throw damaged();
    left -= unpackedSize(file, at, left, maxBytes);
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}

/** Size of one entry after unpacking, at most `left`. */
function unpackedSize(file: Buffer, entry: number, left: number, maxBytes: number): number {
  const method = file.readUInt16LE(entry + 10);
  const packed = file.readUInt32LE(entry + 20);
  const local = file.readUInt32LE(entry + 42);
  if (file.readUInt32LE(local) !== LOCAL) throw damaged();
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  const data = file.subarray(start, start + packed);
  if (data.length !== packed) throw damaged();
  const over = () => tooCostly(`unpacks to more than ${maxBytes / 1024 / 1024} MB`);
  if (method === 0) {
    if (packed > left) throw over();
    return packed;
  }
  if (method !== 8) throw damaged();
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, left) }).length;
  } catch (cause) {
    throw cause instanceof RangeError ? over() : damaged(cause);
  }
}

function damaged(cause?: unknown): EngineError {
  return new EngineError('FILE_UNREADABLE', 'the file is damaged or not a plain ZIP file', { cause });
}

function tooCostly(what: string): EngineError {
  return new EngineError('FILE_TOO_COSTLY', `the file ${what}`);
}
