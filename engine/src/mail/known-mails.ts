import type { KnownMail, ListOptions } from './source.ts';

/** So many kept mails are held at a time, and compared with one listing. */
const MOST = 10_000;

/** Some of the kept mails. */
export interface KnownMailsPage {
  /** By the provider's id. Who compares deletes what is still there. */
  readonly open: Map<string, KnownMail>;
  /** Where the next ones begin; absent where these are the last. */
  readonly next?: string;
}

/** The next kept mails that are to be compared with what lies at the source, never all in memory. */
export async function readKnownMails({ kept }: ListOptions, after: string): Promise<KnownMailsPage> {
  const open = new Map<string, KnownMail>();
  if (kept === undefined) return { open };
  for await (const mail of kept(after)) {
    open.set(mail.providerId, mail);
    if (open.size >= MOST) return { open, next: mail.at };
  }
  return { open };
}
