import type { KnownMail, ListOptions } from './source.ts';

/** Most known mails in memory at a time; they are compared with one listing. */
const MAX_MAILS = 10_000;

/** A page of known mails. */
export interface KnownMailsPage {
  /** By provider id. The caller deletes those that the provider still lists; the rest are missing. */
  readonly mails: Map<string, KnownMail>;
  /** Position of the next page; absent on the last page. */
  readonly next?: string;
}

/** Reads the next page of known mails to compare with the provider's listing; never all of them at once. */
export async function readKnownMails({ knownMails }: ListOptions, after: string): Promise<KnownMailsPage> {
  const mails = new Map<string, KnownMail>();
  if (knownMails === undefined) return { mails };
  for await (const mail of knownMails(after)) {
    mails.set(mail.providerId, mail);
    if (mails.size >= MAX_MAILS) return { mails, next: mail.position };
  }
  return { mails };
}
