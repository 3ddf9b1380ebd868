/** A file of text with its encoding. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
}

/** Control characters that no text has; tab, line ends, form feed and escape are usual. */
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/g;
const LOOKED_AT = 64 * 1024;
/** Made once: a search decodes 100,000 small files. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of bytes: UTF-16 by its byte order mark, UTF-8 with or without one, and otherwise Latin-1 as Windows extends it.
 * Undefined for bytes that are no text.
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const decode = (encoding: string) => ({ text: new TextDecoder(encoding).decode(bytes), encoding });
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode('utf-16be');
  const start = bytes.subarray(0, LOOKED_AT);
  if (start.includes(0)) return undefined;
  const text = decodeUtf8(bytes);
  if (text !== undefined) return { text, encoding: 'utf-8' };
  const controls = new TextDecoder('latin1').decode(start).match(CONTROLS)?.length ?? 0;
  return controls * 100 > start.length ? undefined : decode('windows-1252');
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
