import type { Abortable } from '../base/abort.ts';
import type { Account } from '../config/config.ts';
import type { MailFacts, ParsedMail } from './mail.ts';

/** State of a found mail, kept between fetches so that nothing is read twice. */
export interface SeenMail {
  readonly size: number;
  readonly mtimeMs: number;
  /** Absent for a mail that was taken before labels were kept here, or whose labels are part of its bytes. */
  readonly labels?: readonly string[];
}

/** What the engine says of a mail before it is read; the source adds labels, the account and the provider's thread. */
export type IngestFacts = Pick<MailFacts, 'id' | 'receivedAt'>;

/** A mail that lies at the source and has not been taken as it is now. */
export interface FoundMail {
  readonly kind: 'mail';
  /** Stays the same while the mail lies there. Content of the user's disk, so never a column. */
  readonly name: string;
  /**
   * Kept under `name` with the mail: what `seen` answers next time. A source without provider ids gives it, since by it a later
   * `RelabelledMail`, `GoneMail` or `PresentMails` finds the mail again.
   */
  readonly seen?: SeenMail;
  /**
   * Names the mail for as long as the account lives, wherever it is moved: a mail whose id is known is not even read. Absent
   * where the provider has no such id: it is the sha256 of the bytes then.
   */
  readonly providerId?: string;
  /** All labels that it has, where they are known before it is read: a mail that was taken before gets them without a reading. */
  readonly labels?: readonly string[];
  /**
   * Reads it in a worker. Errors as in `MailWorkers.parse`: the mail is left out and the others go on; after a retryable one the
   * source announces itself again. `ACCOUNT_FAILED` ends the look, and the place stays where it is.
   */
  read(facts: IngestFacts, options?: Abortable): Promise<ParsedMail>;
}

/**
 * A mail that was taken before has, or may have, other labels now. To be told twice, or of labels that it has already, changes
 * nothing; of a mail that was never taken nothing is kept, so that one which may not have been is given as `FoundMail` with labels.
 */
export interface RelabelledMail {
  readonly kind: 'labels';
  /** As in `FoundMail`. */
  readonly name: string;
  readonly providerId?: string;
  /** All that it has now. */
  readonly labels: readonly string[];
  /** False where this says nothing about whether the mail still lies there; else it does. */
  readonly isThere?: false;
}

/** A mail that was taken before lies at the source no more. What was taken is kept, and marked until it is given again. */
export interface GoneMail {
  readonly kind: 'gone';
  /** As in `FoundMail`. */
  readonly name: string;
  readonly providerId?: string;
}

/** All that lies at the source: what was kept under another name (with `seen`) is gone. */
export interface PresentMails {
  readonly kind: 'present';
  /** As in `FoundMail`; also those of mails that are not to be taken. */
  readonly names: ReadonlySet<string>;
}

/** All that was given before this has been dealt with: where to go on from. */
export interface CursorReached {
  readonly kind: 'reached';
  /**
   * The place to keep, a JSON value. `unread` are the names of mails given since the last one that could not be read: a
   * source that gives them again as long as they are there lets them be tried when the process starts anew.
   */
  cursor(unread: readonly string[]): unknown;
}

/** A mail that was taken and is not marked as gone. */
export interface KnownMail {
  /** Its place among the others, which never changes. */
  readonly position: string;
  readonly providerId: string;
  /** As they were told last. */
  readonly labels: readonly string[];
}

export interface ListOptions extends Abortable {
  /** What was kept for a name, or undefined. */
  readonly seen: (name: string) => SeenMail | undefined | Promise<SeenMail | undefined>;
  /**
   * The mails of this account that count as there, those after a place of theirs (`''`: from the first on), read little by little:
   * a source with provider ids that has lost its place compares them with what it lists anew. Default: none.
   */
  readonly knownMails?: (after: string) => AsyncIterable<KnownMail>;
  /** The place that was kept last, or undefined at the very first time. */
  readonly cursor?: unknown;
  /**
   * True for a mail that this process could not read; it is not to be given again, or after some minutes where it was the server
   * that failed at it. Default: never.
   */
  readonly isUnreadable?: (name: string) => boolean;
  /** Told how many mails this look is going to give, as soon as that is known. */
  readonly onTotal?: (mails: number) => void;
  /** True when a person waits for the answer: what may still be written to is waited for a moment, not left for later. */
  readonly isPatient?: boolean;
}

/** What a source tells of. */
export type SourceEvent = FoundMail | RelabelledMail | GoneMail | PresentMails | CursorReached;

/** Where the mail of an account comes from. One a provider; a contract suite tests them all. */
export interface MailSource {
  /**
   * Everything that is there and was not taken, in the order in which it is to be taken; a backlog newest first, never all of
   * it in memory. What it gives is asked for one by one; `RelabelledMail`, `GoneMail` and `PresentMails` are dealt with one at a time after
   * all that came before, and a `CursorReached` is stored only when all before it was dealt with. Throws
   * `ACCOUNT_FAILED` (what is wrong and what to do) where the source cannot be read at all; rejects on abort.
   */
  list(options: ListOptions): AsyncIterable<SourceEvent>;
  /** Calls `onChange` soon after something may have changed, until the returned function has been called. Never throws. */
  watch(onChange: () => void): Promise<() => Promise<void>>;
}

/** Opens the source of an account; `ACCOUNT_FAILED` where its provider is not built. */
export type OpenSource = (account: Account) => MailSource;

/** Looks at an account as a fetch would, up to the first thing that it gives, and takes nothing. Throws as `MailSource.list` does. */
export async function probeSource(source: MailSource, { signal }: Abortable = {}): Promise<void> {
  for await (const _first of source.list({ seen: () => undefined, signal })) return;
}
