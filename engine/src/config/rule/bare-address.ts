import { domainToASCII, domainToUnicode } from 'node:url';

/** RFC 5321 4.1.2 without quoted parts: letters, digits and these characters, in parts separated by dots. */
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^\w(?:[\w-]{0,61}\w)?(?:\.\w(?:[\w-]{0,61}\w)?)*$/;
/** One address, with or without a display name before it: in quotes, or of characters that separate nothing. */
const WITH_NAME = /^(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:()[\]\\]*)\s*<([^<>\s]*)>$/;
/** Control, format and invisible characters. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * The bare address of a text, in small letters and with an ASCII domain: `ann@example.org` of `Ann <Ann@Example.org>`. Undefined
 * where a reader may take the text for another address, or for several: then no pattern may say that it is harmless.
 */
export function bareAddress(text: string): string | undefined {
  const line = text.trim();
  if (HIDDEN.test(line)) return undefined;
  const address = WITH_NAME.exec(line)?.[1] ?? line;
  const parts = address.split('@');
  const [local = '', domain = ''] = parts;
  if (parts.length !== 2 || !LOCAL.test(local)) return undefined;
  const ascii = domainToASCII(domain).toLowerCase();
  if (!DOMAIN.test(ascii)) return undefined;
  // Look-alikes that the conversion replaces, such as full-width letters: other programs may not replace them.
  const isPlain = ascii === domain.toLowerCase() || domainToUnicode(ascii) === domain.toLowerCase();
  return isPlain ? `${lowerAscii(local)}@${ascii}` : undefined;
}

/** A pattern for addresses in the form of `bareAddress`. */
export function addressPattern(pattern: string): string {
  const at = pattern.lastIndexOf('@');
  const domain = pattern.slice(at + 1);
  // eslint-disable-next-line no-control-regex
  const ascii = /^[\u0000-\u007f]*$/.test(domain) ? '' : domainToASCII(domain);
  return lowerAscii(pattern.slice(0, at + 1) + (ascii === '' ? domain : ascii));
}

/** Small letters, A to Z alone: some letters of other scripts have an ASCII letter as their small form. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
