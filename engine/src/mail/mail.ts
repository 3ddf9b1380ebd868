import type { Abortable } from '../base/abort.ts';

/** One mailbox address, RFC 5322 3.4; `name` is `''` where there is none. */
export interface Address {
  readonly name: string;
  readonly address: string;
}

export interface Attachment {
  /** Place in the mail, from 0; what `/api/emails/:id/attachments/:n` takes. */
  readonly index: number;
  readonly name: string;
  readonly mimeType: string;
  /** Decoded size in bytes. */
  readonly size: number;
  /** Hex SHA-256 of the decoded bytes. */
  readonly sha256: string;
  /** Without angle brackets; `''` where there is none. */
  readonly contentId: string;
  readonly inline: boolean;
}

/** What lists carry of a mail. Times are ISO 8601 in UTC; an absent text is `''`. */
export interface MailSummary {
  readonly id: string;
  readonly accountId: string;
  /** With angle brackets, as in the header. */
  readonly messageId: string;
  readonly inReplyTo: string;
  readonly references: readonly string[];
  /** Same for all mails of a thread: the provider's, else the first of References, In-Reply-To, Message-ID. */
  readonly threadId: string;
  readonly from: readonly Address[];
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly replyTo: readonly Address[];
  readonly subject: string;
  /** The Date header; `''` where it is missing or unreadable. */
  readonly date: string;
  /** The provider's labels; of a Maildir its flags, of another folder what was put on here. */
  readonly labels: readonly string[];
  readonly attachments: readonly Attachment[];
  /** RFC 3834: Auto-Submitted other than "no", an auto-reply, or a bounce. */
  readonly autoSubmitted: boolean;
  /** RFC 2919 and 2369: a List- header, or Precedence bulk/list/junk. */
  readonly list: boolean;
  /** From one of the account's own addresses. */
  readonly own: boolean;
  /** First 200 characters of what a reader would see, white space folded. */
  readonly snippet: string;
  readonly receivedAt: string;
}

/** What is kept apart from the summary, since lists never need it. */
export interface MailContent {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The text part, or `''`; never made from HTML. Cut at 2 MB with a mark that says so. */
  readonly text: string;
  /** The HTML part as it came, hostile or not; cut at 2 MB with a mark that says so. */
  readonly html: string;
  /**
   * What a reader would see, as text: the text part, else text made from the HTML, and messages forwarded inside this
   * one. First 256 K characters. Filters on Body and prompts read this.
   */
  readonly bodyText: string;
}

export interface Mail extends MailSummary, MailContent {}

/** What the mail itself does not say. */
export interface MailFacts {
  readonly id: string;
  readonly accountId: string;
  /** Addresses of the account: mail from one of them is own. */
  readonly ownAddresses: readonly string[];
  /** ISO 8601. */
  readonly receivedAt: string;
  /** Labels that the provider gave. */
  readonly labels: readonly string[];
  /** Also take labels from the headers of exported mail. */
  readonly readsLabelHeaders: boolean;
  /** The provider's thread, where it has one. */
  readonly threadId?: string;
}

/** Where the raw bytes of a mail are: in a file (which only the worker opens), or here. */
export type RawSource =
  | {
      readonly kind: 'file';
      readonly path: string;
      /** What the file was when it was found; another state means that somebody is writing it. */
      readonly size: number;
      readonly mtimeMs: number;
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** A mail that was read, in the form in which it is stored: the main loop never walks through it. */
export interface ParsedMail {
  /** JSON of `MailSummary`. */
  readonly summary: string;
  /** JSON of `MailContent`. */
  readonly content: string;
  /** JSON of the filter room's `Subject`: summary, headers, body text. Goes on to the judge as it is. */
  readonly subject: string;
  /** Hex SHA-256 of the raw bytes. */
  readonly sha256: string;
  readonly raw: Uint8Array;
  /** What intake needs at once, taken from the summary. */
  readonly facts: {
    readonly messageId: string;
    readonly inReplyTo: string;
    readonly references: readonly string[];
    readonly threadId: string;
    readonly subject: string;
    /** First From address, or `''`. */
    readonly from: string;
    readonly date: string;
    readonly autoSubmitted: boolean;
    readonly list: boolean;
    readonly own: boolean;
  };
  /** What a limit left out, in plain words. */
  readonly notes: readonly string[];
}

/** Reads raw MIME in a worker thread, within limits of time and memory. Rejects with the signal's reason on abort. */
export interface MailParser {
  /**
   * Reads raw MIME from a file or a buffer; `ParsedMail.raw` has its bytes. A mail that costs too much is read lightly:
   * headers and the start of its text, with a note. Errors: `MAIL_UNREADABLE` (no permission, a broken disk),
   * `MAIL_UNSETTLED` (retryable: somebody is writing the file, or it has another name now), `MAIL_TOO_COSTLY` (larger
   * than `maxBytes`, or too costly even to read lightly).
   */
  parse(source: RawSource, facts: MailFacts, options?: Abortable): Promise<ParsedMail>;
}
