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
