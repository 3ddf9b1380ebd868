const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Whether JSON text in UTF-8 nests objects and arrays deeper than `max` levels. Reads the bytes once and builds nothing, so it
 * is cheap before a parse: `JSON.parse` of 10 MB of brackets takes seconds. Any other text gives an answer of no meaning.
 */
export function nestsDeeper(json: Uint8Array, max: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (OPENING.has(byte)) {
      if (++depth > max) return true;
    } else if (CLOSING.has(byte)) depth--;
  }
  return false;
}
