/** A text without the signature at its end, which follows a line of two hyphens and a space (RFC 3676 4.3). */
export function withoutSignature(text: string): string {
  return text.replace(/^-- ?\r?\n[\s\S]*/m, '');
}
