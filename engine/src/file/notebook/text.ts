import { EngineError } from '../../base/error.ts';

/** A file as text, byte for byte: a byte order mark stays. `UNSUPPORTED_MEDIA_TYPE` where it is no UTF-8 text. */
export function textOf(bytes: Uint8Array): string {
  const text = tryText(bytes);
  if (text !== undefined) return text;
  throw new EngineError('UNSUPPORTED_MEDIA_TYPE', 'the file is not a text in UTF-8', {
    hint: 'the notebook tools read and write text files only',
  });
}

/** The same; undefined where it is no text. */
export function tryText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
