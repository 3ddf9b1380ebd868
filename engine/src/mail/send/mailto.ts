import type { Address } from '../mail.ts';

/** Longest link, in characters: some mail programs and systems cut longer ones, and a cut mail is worse than none. */
export const MAX_MAILTO = 2000;

/** A mail as far as a link can carry it. */
export interface LinkedMail {
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  readonly hasHtml: boolean;
  readonly attachments: number;
}

/**
 * The `mailto:` link that opens a mail in the mail program of the user (RFC 6068), or the reason why no link can carry it. Line breaks
 * are `%0D%0A`, as the RFC asks.
 */
export function mailtoLink(mail: LinkedMail): { readonly link: string } | { readonly reason: string } {
  const { to, cc, bcc, subject, text, hasHtml, attachments } = mail;
  if (attachments > 0) return { reason: 'the mail has attachments' };
  if (hasHtml) return { reason: 'the mail is HTML' };
  const fields = [
    ['cc', addressList(cc)],
    ['bcc', addressList(bcc)],
    ['subject', encoded(subject)],
    ['body', encoded(text.replace(/\r\n|\r|\n/g, '\r\n').trimEnd())],
  ].flatMap(([name, value]) => (value === '' ? [] : [`${name}=${value}`]));
  const link = `mailto:${addressList(to)}${fields.length === 0 ? '' : `?${fields.join('&')}`}`;
  return link.length <= MAX_MAILTO
    ? { link }
    : { reason: `the link would have ${link.length} characters, and mail programs take ${MAX_MAILTO}` };
}

/** Addresses with their commas and @ signs as they are, and everything else encoded. */
function addressList(addresses: readonly Address[]): string {
  return addresses.map(({ address }) => encoded(address).replaceAll('%40', '@')).join(',');
}

/** Percent-encodes also what `encodeURIComponent` leaves and some programs take for the end of a link. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
