import type { Abortable } from '../base/abort.ts';
import type { MailFacts, ParsedMail } from './room.ts';

/** State of a found mail, kept between fetches so that nothing is read twice. */
export interface Seen {
  readonly size: number;
  readonly mtimeMs: number;
}

/** What the engine says of a mail before it is read; the source adds labels and the account. */
export type TakeFacts = Pick<MailFacts, 'id' | 'receivedAt'>;

/** A mail that lies at the source and has not been taken as it is now. */
export interface Found extends Seen {
  /** Stays the same while the mail lies there: what `Seen` is kept under. Content of the user's disk, so never a column. */
  readonly name: string;
  /** Reads it in a worker. Errors as in `MailRoom.parse`; after a retryable one the source announces itself again. */
  read(facts: TakeFacts, options?: Abortable): Promise<ParsedMail>;
}

export interface ListOptions extends Abortable {
  /** What was kept for a name, or undefined. */
  readonly seen: (name: string) => Seen | undefined | Promise<Seen | undefined>;
  /** True when a person waits for the answer: what may still be written to is waited for a moment, not left for later. */
  readonly isPatient?: boolean;
}

/** Where the mail of an account comes from. One a provider; a contract suite tests them all. */
export interface MailSource {
  /**
   * Everything that is there and not seen in its present state, in the order in which it is to be taken. Throws
   * `ACCOUNT_FAILED` (what is wrong and what to do) where the source cannot be read at all; rejects on abort.
   */
  list(options: ListOptions): AsyncIterable<Found>;
  /** Calls `onChange` soon after something may have changed, until the returned function has been called. Never throws. */
  watch(onChange: () => void): Promise<() => Promise<void>>;
}
