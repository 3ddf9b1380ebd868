import type { Abortable } from '../base/abort.ts';
import type { MailFacts, ParsedMail } from './room.ts';

/** State of a found file, kept between fetches so that nothing is read twice. */
export interface Seen {
  readonly size: number;
  readonly mtimeMs: number;
}

/** What the engine says of a mail before it is read; the source adds labels, the account and the provider's thread. */
export type TakeFacts = Pick<MailFacts, 'id' | 'receivedAt'>;

/** A mail that lies at the source and has not been taken as it is now. */
export interface Found {
  readonly kind: 'mail';
  /** Stays the same while the mail lies there. Content of the user's disk, so never a column. */
  readonly name: string;
  /** Kept under `name` with the mail, for a source that has no place: what `seen` answers next time. */
  readonly seen?: Seen;
  /**
   * Names the mail for as long as the account lives, wherever it is moved: a mail whose id is known is not even read. Absent
   * where the provider has no such id: it is the sha256 of the bytes then.
   */
  readonly providerId?: string;
  /**
   * Reads it in a worker. Errors as in `MailRoom.parse`: the mail is left out and the others go on; after a retryable one the
   * source announces itself again. `ACCOUNT_FAILED` ends the look, and the place stays where it is.
   */
  read(facts: TakeFacts, options?: Abortable): Promise<ParsedMail>;
}

/** All that was given before this has been dealt with: where to go on from. */
export interface Reached {
  readonly kind: 'reached';
  /**
   * The place to keep, a JSON value. `unread` are the names of mails given since the last one that could not be read: a
   * source that gives them again as long as they are there lets them be tried when the process starts anew.
   */
  place(unread: readonly string[]): unknown;
}

export interface ListOptions extends Abortable {
  /** What was kept for a name, or undefined. */
  readonly seen: (name: string) => Seen | undefined | Promise<Seen | undefined>;
  /** The place that was kept last, or undefined at the very first time. */
  readonly place?: unknown;
  /** True for a mail that this process could not read; it is not to be given again. Default: never. */
  readonly isUnreadable?: (name: string) => boolean;
  /** Told how many mails this look is going to give, as soon as that is known. */
  readonly onTotal?: (mails: number) => void;
  /** True when a person waits for the answer: what may still be written to is waited for a moment, not left for later. */
  readonly isPatient?: boolean;
}

/** Where the mail of an account comes from. One a provider; a contract suite tests them all. */
export interface MailSource {
  /**
   * Everything that is there and was not taken, in the order in which it is to be taken; a backlog newest first, never all of
   * it in memory. What it gives is asked for one by one, and a `Reached` is stored only when all before it was taken. Throws
   * `ACCOUNT_FAILED` (what is wrong and what to do) where the source cannot be read at all; rejects on abort.
   */
  list(options: ListOptions): AsyncIterable<Found | Reached>;
  /** Calls `onChange` soon after something may have changed, until the returned function has been called. Never throws. */
  watch(onChange: () => void): Promise<() => Promise<void>>;
}
