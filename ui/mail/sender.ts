import type { Address } from '../../engine/src/mail/mail.ts';

/** The name of the first sender, else the address. */
export function shortName(from: readonly Address[]): string {
  const [first] = from;
  return first === undefined ? 'unknown sender' : first.name || first.address || 'unknown sender';
}
