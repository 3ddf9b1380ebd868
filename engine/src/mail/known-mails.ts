import type { KnownMail, ListOptions } from './source.ts';

/** So many kept mails are held at a time, and compared with one listing. */
const MOST = 10_000;

/** Some of the kept mails. */
export interface KnownMailsPage {
  /** By the provider's id. Who compares deletes what is still there. */
  readonly mails: Map<string, KnownMail>;
  /** Where the next ones begin; absent where these are the last. */
  readonly next?: string;
}

/** The next kept mails that are to be compared with what lies at the source, never all in memory. */
export async function readKnownMails({ knownMails }: ListOptions, after: string): Promise<KnownMailsPage> {
  const mails = new Map<string, KnownMail>();
  if (knownMails === undefined) return { mails };
  for await (const mail of knownMails(after)) {
    mails.set(mail.providerId, mail);
    if (mails.size >= MOST) return { mails, next: mail.position };
  }
  return { mails };
}
