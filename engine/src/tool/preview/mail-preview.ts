import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { canonicalJson, sha256 } from '../../base/json.ts';
import type { Address } from '../../mail/mail.ts';
import type { Letter } from '../../mail/send/compose.ts';
import { type MailService, type WriteRequest, writeLetter } from '../../mail/send/mail-service.ts';
import type { MailPreview } from '../preview.ts';

/** The mail of a call, made by the code that sends it. Errors as of `mail_send`, before anything is sent. */
export async function previewMail(
  mailService: MailService,
  action: MailPreview['action'],
  request: WriteRequest,
  { signal }: Abortable,
): Promise<MailPreview> {
  return viewOf(await writeLetter(mailService, request, { signal }), action, request);
}

/**
 * What tells whether a mail is the one that a person saw: of other arguments, which a person may have chosen since, it tells
 * nothing.
 */
export function mailMark(args: object, { letter, request }: { letter: Letter; request: WriteRequest }): string {
  return markOf(args, viewOf(letter, 'send', request));
}

/** The mark of a preview of these arguments. */
export function markOf(args: object, preview: MailPreview): string {
  return `${sha256(canonicalJson(args))} ${sha256(canonicalJson(preview))}`;
}

/** Throws `APPROVAL_LAPSED` where the mail of the same arguments is another one than the person saw. */
export function expectSeen(seen: string | undefined, mark: string): void {
  if (seen === undefined || seen === mark || seen.split(' ')[0] !== mark.split(' ')[0]) return;
  throw new EngineError(
    'APPROVAL_LAPSED',
    'the mail would no longer be the one that a person has allowed: its signature, its quotation or a file has changed',
    { hint: 'make the call again, so that a person sees the mail as it is now' },
  );
}

function viewOf(letter: Letter, action: MailPreview['action'], request: Pick<WriteRequest, 'account'>): MailPreview {
  const { from, to, cc, bcc, subject, inReplyTo, text, html, attachments } = letter;
  const headers: MailPreview['headers'] = [
    { name: 'From', values: [from] },
    { name: 'To', values: to.map(line) },
    { name: 'Cc', values: cc.map(line) },
    { name: 'Bcc', values: bcc.map(line) },
    { name: 'Subject', values: [subject] },
    { name: 'In-Reply-To', values: inReplyTo === undefined ? [] : [inReplyTo] },
  ];
  return {
    ...{ kind: 'mail', action, accountId: request.account.id },
    headers: headers.filter(({ values }) => values.length > 0),
    text,
    ...(html !== undefined && { html }),
    attachments: attachments.map(({ name, mimeType, bytes }) => ({
      ...{ name, mimeType, bytes: bytes.byteLength, sha256: sha256(bytes) },
    })),
  };
}

const line = ({ name, address }: Address) => (name === '' ? address : `${name} <${address}>`);
