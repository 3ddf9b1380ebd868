import type { Abortable } from '../base/abort.ts';

/** One mailbox address, RFC 5322 3.4; `name` is `''` where it is missing. */
export interface Address {
  readonly name: string;
  readonly address: string;
}

export interface Attachment {
  /** Position in the mail, from 0: the `n` of `/api/emails/:id/attachments/:n`. */
  readonly index: number;
  readonly name: string;
  readonly mimeType: string;
  /** Decoded size in bytes. */
  readonly size: number;
  /** Hex SHA-256 of the decoded bytes. */
  readonly sha256: string;
  /** Without angle brackets; `''` where it is missing. */
  readonly contentId: string;
  readonly inline: boolean;
}

/** The fields of a mail that lists show. Times are ISO 8601 in UTC; a missing text is `''`. */
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
  /** The provider's labels; of a Maildir its flags, of another folder the labels that Callsheet added. */
  readonly labels: readonly string[];
  readonly attachments: readonly Attachment[];
  /** RFC 3834: Auto-Submitted other than "no", an auto-reply, or a bounce. */
  readonly autoSubmitted: boolean;
  /** RFC 2919 and 2369: a List- header, or Precedence bulk/list/junk. */
  readonly list: boolean;
  /** From one of the account's own addresses. */
  readonly own: boolean;
  /** First 200 characters of the readable text, white space folded. */
  readonly snippet: string;
  readonly receivedAt: string;
}

/** The fields of a mail that lists never show, stored apart from the summary. */
export interface MailContent {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The text part, or `''`; never derived from HTML. Cut at 2 MB with a mark that says so. */
  readonly text: string;
  /** The HTML part, unsanitised; cut at 2 MB with a mark that says so. */
  readonly html: string;
  /**
   * The readable text: the text part, else text derived from the HTML, and messages forwarded inside this one. First
   * 256 K characters. Filters on Body and prompts use it.
   */
  readonly bodyText: string;
  /** Whether the HTML names images of other servers, see `namesRemoteImages`. Absent in mail of earlier versions. */
  readonly remoteImages?: boolean;
}

export interface Mail extends MailSummary, MailContent {}

/** Facts about a mail that its bytes do not contain. */
export interface MailFacts {
  readonly id: string;
  readonly accountId: string;
  /** Addresses of the account: mail from one of them is own. */
  readonly ownAddresses: readonly string[];
  /** ISO 8601. */
  readonly receivedAt: string;
  /** Labels from the provider. */
  readonly labels: readonly string[];
  /** Whether to read labels from the headers of exported mail as well. */
  readonly readsLabelHeaders: boolean;
  /** The provider's thread; absent where it has none. */
  readonly threadId?: string;
}

/** The raw bytes of a mail, or the file that has them. Only the worker opens the file. */
export type RawSource =
  | {
      readonly kind: 'file';
      readonly path: string;
      /** State of the file when it was found. Another state means that some program is still writing it. */
      readonly size: number;
      readonly mtimeMs: number;
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** A parsed mail in its stored form, so that the main thread never walks through it. */
export interface ParsedMail {
  /** JSON of `MailSummary`. */
  readonly summary: string;
  /** JSON of `MailContent`. */
  readonly content: string;
  /** JSON of `Subject` of the filter room: summary, headers, body text. The filter worker gets it unchanged. */
  readonly subject: string;
  /** Hex SHA-256 of the raw bytes. */
  readonly sha256: string;
  readonly raw: Uint8Array;
  /** Fields of the summary that intake needs without parsing JSON. */
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

/** Parses raw MIME in a worker thread, within limits of time and memory. Rejects with the signal's reason on abort. */
export interface MailParser {
  /**
   * Parses raw MIME from a file or a buffer; `ParsedMail.raw` has its bytes. A mail above the limits of time or memory
   * is parsed lightly: headers and the start of its text, with a note. Errors: `MAIL_UNREADABLE` (no permission, a
   * broken disk), `MAIL_UNSETTLED` (retryable: some program is writing the file, or renamed it), `MAIL_TOO_COSTLY`
   * (larger than `maxBytes`, or above the limits even when parsed lightly).
   */
  parse(source: RawSource, facts: MailFacts, options?: Abortable): Promise<ParsedMail>;
}
