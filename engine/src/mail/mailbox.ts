import type { Abortable } from '../base/abort.ts';
import type { Address } from './mail.ts';

/** A search; a mail matches where all given fields match. Days are `2026-11-25`, in UTC, `before` exclusive. */
export interface MailQuery {
  /** Words anywhere in the mail, in any order. */
  readonly text?: string;
  readonly from?: string;
  readonly to?: string;
  readonly subject?: string;
  readonly label?: string;
  readonly after?: string;
  readonly before?: string;
  readonly messageId?: string;
}

/** A mail in the account, ingested or not. Times are ISO 8601; a missing text is `''`. */
export interface MailEntry {
  /** Identifies the mail in this mailbox. */
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
  /** True where the mailbox holds it as sent by its owner. No header says that, since anybody can write one. */
  readonly isSent?: boolean;
}

/** An attachment of an outgoing mail. */
export interface OutgoingFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** An outgoing mail, complete as RFC 5322 bytes. */
export interface Outgoing {
  readonly mime: Uint8Array;
  /** With angle brackets, as in `mime`. Chosen before the first attempt, so that later attempts can search for it. */
  readonly messageId: string;
  /** Envelope: addresses alone; `to` includes Cc and Bcc. */
  readonly from: string;
  readonly to: readonly string[];
  /** The provider's thread of the mail. */
  readonly threadId?: string;
  /**
   * Composes the same mail under another Message-ID and without its files, for a provider that limits the size of a
   * request. Absent where the mail has no files.
   */
  readonly withoutFiles?: (messageId: string) => Promise<SeparateFiles>;
}

/** See `Outgoing.withoutFiles`. The files are named as in `mime`. */
export interface SeparateFiles {
  readonly mime: Uint8Array;
  readonly files: readonly OutgoingFile[];
}

/** A signature as the provider stores it. */
export interface Signature {
  readonly text: string;
  /** Unsanitised. */
  readonly html?: string;
}

export interface SendOptions extends Abortable {
  /**
   * The mailbox awaits this as soon as the mail is sent and before it does anything else, where sending and saving to
   * Sent are two steps, or where `findSent` finds less afterwards. From then on the mail must never be sent again.
   */
  readonly onSent?: (() => Promise<void>) | undefined;
}

/**
 * What the engine can do in an account besides fetching. One implementation per provider, all tested by one contract
 * suite. Every method throws `ACCOUNT_FAILED` and related errors as `MailSource` does, `NOT_FOUND` for an unknown `ref`
 * or thread, and rejects on abort; then it is unknown whether the request had an effect.
 */
export interface Mailbox {
  /**
   * The `ref` of an ingested mail, or undefined where the account no longer has it. Omitted where the `ref` is the
   * `providerId` that the source gave.
   */
  locate?(
    mail: { readonly providerId: string; readonly messageId: string },
    options?: Abortable,
  ): Promise<string | undefined>;
  /**
   * Signs in to the sending server, where that is not the server that mail is fetched from. Sends nothing. Throws as
   * `send`.
   */
  check?(options?: Abortable): Promise<void>;
  /** Returns matching mails, newest first. */
  search(query: MailQuery, options: Abortable & { readonly limit: number }): Promise<readonly MailEntry[]>;
  /** Returns the raw MIME and the entry of a mail. */
  read(ref: string, options?: Abortable): Promise<{ readonly mime: Uint8Array; readonly entry: MailEntry }>;
  /**
   * Mails that the mailbox holds as sent by its owner, or as drafts, newest first. Those from `since` (ISO 8601) on are among them, and
   * some that are older may be.
   */
  recent(
    place: 'sent' | 'drafts',
    options: Abortable & { readonly since: string; readonly limit: number },
  ): Promise<readonly MailEntry[]>;
  /** Returns all mails of a thread, oldest first, ingested or not; those that were sent are marked. */
  thread(threadId: string, options?: Abortable): Promise<readonly MailEntry[]>;
  /** Saves a draft in the provider's Drafts. */
  draft(mail: Outgoing, options?: Abortable): Promise<{ readonly ref: string }>;
  /** Finds the draft with this Message-ID. */
  findDraft(messageId: string, options?: Abortable): Promise<{ readonly ref: string } | undefined>;
  /** Deletes the draft with this Message-ID, if there is one. */
  discardDraft(messageId: string, options?: Abortable): Promise<void>;
  /**
   * Sends the mail and saves it in Sent. `note` says what failed although the mail was sent, such as a refused
   * recipient. The mail was certainly not sent after `MAIL_REFUSED` (the provider refuses this mail, or accepts it
   * later if `retryable`), `MAIL_NOT_SENT` (the mail was not handed over), an `ACCOUNT_FAILED` that is not retryable,
   * `ACCOUNT_NOT_CONNECTED`, `ACCOUNT_GRANT_LOST` and `ACCOUNT_SCOPE_MISSING`. After any other error, and on abort, the
   * caller uses `findSent`.
   */
  send(mail: Outgoing, options?: SendOptions): Promise<{ readonly ref?: string; readonly note?: string }>;
  /**
   * Saves the copy of a sent mail to Sent, unless it is there. Omitted where sending saves it in the same step; otherwise
   * the engine keeps the mail until its copy is saved.
   */
  saveSent?(
    mail: Pick<Outgoing, 'mime' | 'messageId'>,
    options?: Abortable,
  ): Promise<{ readonly ref?: string | undefined }>;
  /**
   * Deletes files that an ended process left beside outgoing mails. `isOver` tells whether a mail, by the first 40 hex
   * digits of the SHA-256 of its Message-ID, needs them no more; `ageMs` is their age. Omitted where there are none.
   */
  cleanUp?(isOver: (id: string, ageMs: number) => Promise<boolean>, options?: Abortable): Promise<void>;
  /**
   * Finds the sent mail with this Message-ID; undefined where it was certainly not sent. `TOOL_OUTCOME_UNKNOWN` where
   * it is not among the sent mails and may have been sent all the same; then a person has to decide.
   */
  findSent(messageId: string, options?: Abortable): Promise<{ readonly ref?: string } | undefined>;
  /** Adds and removes labels, and creates labels that do not exist. Idempotent. */
  label(
    ref: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
    options?: Abortable,
  ): Promise<{ readonly labels: readonly string[] }>;
  /** Moves the mail out of the inbox and keeps it. */
  archive(ref: string, options?: Abortable): Promise<void>;
  /** The signature that the provider stores for this account, or undefined. */
  signature(options?: Abortable): Promise<Signature | undefined>;
}
