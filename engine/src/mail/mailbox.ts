import type { Abortable } from '../base/abort.ts';
import type { Address } from './mail.ts';

/** What is looked for; all that is given must hold. Days are `2026-11-25`, in UTC, `before` exclusive. */
export interface MailQuery {
  /** Words anywhere in the mail. */
  readonly text?: string;
  readonly from?: string;
  readonly to?: string;
  readonly subject?: string;
  readonly label?: string;
  readonly after?: string;
  readonly before?: string;
  readonly messageId?: string;
}

/** A mail in the account, whether it was fetched or not. Times are ISO 8601; an absent text is `''`. */
export interface MailEntry {
  /** Names it to this mailbox. */
  readonly ref: string;
  /** The provider's thread; absent where it has none. */
  readonly threadId?: string;
  readonly labels: readonly string[];
  readonly messageId: string;
  readonly from: readonly Address[];
  readonly to: readonly Address[];
  readonly subject: string;
  readonly date: string;
  readonly snippet: string;
}

/** A file that goes along. */
export interface OutgoingFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** A mail that is to go out, complete as RFC 5322 bytes. */
export interface Outgoing {
  readonly mime: Uint8Array;
  /** With angle brackets, as in `mime`; chosen before the first attempt, so that later ones can look for it. */
  readonly messageId: string;
  /** Envelope: addresses alone, Bcc among `to`. */
  readonly from: string;
  readonly to: readonly string[];
  /** The provider's thread that it belongs to. */
  readonly threadId?: string;
  /**
   * The same mail under another Message-ID and without its files, and the files, named as in `mime`: for a provider that takes
   * no large request. Absent where there are none.
   */
  readonly withoutFiles?: (messageId: string) => Promise<SeparateFiles>;
}

/** See `Outgoing.apart`. */
export interface SeparateFiles {
  readonly mime: Uint8Array;
  readonly files: readonly OutgoingFile[];
}

/** A signature as the provider keeps it. */
export interface Signature {
  readonly text: string;
  /** Not sanitised. */
  readonly html?: string;
}

export interface SendOptions extends Abortable {
  /**
   * Awaited once the mail is out and before anything else is done, where sending and keeping it are two things, or where
   * `findSent` sees less once it was awaited: from then on it must never be sent again.
   */
  readonly onSent?: (() => Promise<void>) | undefined;
}

/**
 * What can be done in an account besides fetching; one a provider, and a contract suite tests them all. Every method throws
 * `ACCOUNT_FAILED` and its kin as `MailSource` does, `NOT_FOUND` for a `ref` or thread that is not there, and rejects on abort:
 * then it is not known whether it happened.
 */
export interface Mailbox {
  /**
   * The `ref` of a mail that was fetched, or undefined where it lies there no more. Left out where it is the `providerId` that
   * the source gave.
   */
  locate?(
    mail: { readonly providerId: string; readonly messageId: string },
    options?: Abortable,
  ): Promise<string | undefined>;
  /**
   * Signs in to what sends, where that is another server than the one that is fetched from; nothing is sent. Throws as `send`.
   */
  check?(options?: Abortable): Promise<void>;
  /** Newest first. */
  search(query: MailQuery, options: Abortable & { readonly limit: number }): Promise<readonly MailEntry[]>;
  /** Raw MIME. */
  read(ref: string, options?: Abortable): Promise<{ readonly mime: Uint8Array; readonly entry: MailEntry }>;
  /** All mails of a thread, oldest first, also those that were never fetched. */
  thread(threadId: string, options?: Abortable): Promise<readonly MailEntry[]>;
  /** Puts a draft into the provider's Drafts. */
  draft(mail: Outgoing, options?: Abortable): Promise<{ readonly ref: string }>;
  /** The draft with that Message-ID, or undefined. */
  findDraft(messageId: string, options?: Abortable): Promise<{ readonly ref: string } | undefined>;
  /**
   * Sends it, and leaves it in Sent; `note` says what of that did not work though the mail is out, such as a recipient who was
   * refused. It is certain that nothing was sent after `MAIL_REFUSED` (the provider does not take this mail, or takes it later
   * if `retryable`), `MAIL_NOT_SENT` (it was not even handed over), an `ACCOUNT_FAILED` that is not retryable,
   * `ACCOUNT_NOT_CONNECTED`, `ACCOUNT_GRANT_LOST` and `ACCOUNT_SCOPE_MISSING`. After any other error, and on abort, `findSent`
   * is asked.
   */
  send(mail: Outgoing, options?: SendOptions): Promise<{ readonly ref?: string; readonly note?: string }>;
  /**
   * The mail with that Message-ID among what was sent, or undefined where it is certain that there is none.
   * `TOOL_OUTCOME_UNKNOWN` where it is not among them and may have gone out all the same: then a person is asked.
   */
  findSent(messageId: string, options?: Abortable): Promise<{ readonly ref?: string } | undefined>;
  /** Puts labels on and takes labels off; what is so already stays. A label that does not exist yet is made. */
  label(
    ref: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
    options?: Abortable,
  ): Promise<{ readonly labels: readonly string[] }>;
  /** Takes it out of the inbox and keeps it. */
  archive(ref: string, options?: Abortable): Promise<void>;
  /** What the provider keeps for this account, or undefined where it keeps none. */
  signature(options?: Abortable): Promise<Signature | undefined>;
}
