import type { Part } from './mime.ts';

/** Decoded bytes, and whether `maxBytes` cut them. */
export interface Decoded {
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
}

/**
 * Decodes the body of a leaf (RFC 2045 6): base64 and quoted-printable; other encodings stay unchanged. With
 * `maxBytes`, decodes only as much of the body as that many bytes need.
 */
export function decodeBody(part: Part, maxBytes = Infinity): Decoded {
  const { body } = part;
  switch (part.encoding) {
    case 'base64': {
      // Four characters for three bytes, plus line breaks. A body with many other characters yields fewer bytes, which
      // is harmless.
      const slice = body.length > maxBytes * 1.5 ? body.subarray(0, Math.ceil(maxBytes * 1.5)) : body;
      return cut(decodeBase64(slice), maxBytes, slice.length < body.length);
    }
    case 'quoted-printable': {
      const slice = body.length > maxBytes * 3 ? body.subarray(0, maxBytes * 3) : body;
      return cut(decodeQuotedPrintable(slice), maxBytes, slice.length < body.length);
    }
    default:
      return cut(body, maxBytes, false);
  }
}

function cut(bytes: Uint8Array, maxBytes: number, isCut: boolean): Decoded {
  if (bytes.length <= maxBytes) return { bytes, isCut };
  // Never ends inside a UTF-8 character.
  let end = maxBytes;
  while (end > maxBytes - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return { bytes: bytes.subarray(0, end), isCut: true };
}

const PAD = 0x3d;

/** Base64 in mails: skips line breaks and invalid characters, and accepts padding at the end of any line. */
function decodeBase64(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length);
  const firstPad = text.indexOf(PAD);
  if (firstPad < 0 || !/[A-Za-z0-9+/]/.test(text.toString('latin1', firstPad)))
    return plainBase64(text.toString('latin1'));
  const units = text.toString('latin1').split(/=+/);
  return Buffer.concat(units.map(plainBase64));
}

function plainBase64(text: string): Buffer {
  // Node accepts `-` and `_` of the URL alphabet; in a mail they are invalid.
  return Buffer.from(/[-_]/.test(text) ? text.replace(/[-_]/g, '') : text, 'base64');
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** RFC 2045 6.7. An `=` that starts no escape stays unchanged. */
function decodeQuotedPrintable(body: Uint8Array): Uint8Array {
  const out = new Uint8Array(body.length);
  let length = 0;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] ?? 0;
    if (byte !== PAD) {
      out[length++] = byte;
      continue;
    }
    const afterBreak = softBreakEnd(body, i + 1);
    if (afterBreak > 0) {
      i = afterBreak - 1;
      continue;
    }
    const high = hexDigit(body[i + 1]);
    const low = hexDigit(body[i + 2]);
    if (high < 0 || low < 0) {
      out[length++] = byte;
      continue;
    }
    out[length++] = (high << 4) | low;
    i += 2;
  }
  return out.subarray(0, length);
}

/** Start of the next line after a soft line break (blanks may come before it), or 0 where there is none. */
function softBreakEnd(body: Uint8Array, position: number): number {
  const limit = position + 80;
  while (position < limit && (body[position] === SPACE || body[position] === TAB)) position++;
  if (position >= body.length) return body.length;
  if (body[position] === CR) position++;
  return body[position] === LF ? position + 1 : 0;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
