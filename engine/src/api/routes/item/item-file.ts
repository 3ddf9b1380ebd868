import { EngineError } from '../../../base/error.ts';
import { type LinkedMail, mailtoLink } from '../../../mail/send/mailto.ts';
import type { WorkspaceItem } from '../../../workspace/item.ts';
import { readItem } from '../../../workspace/items.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { queryFlag } from '../../http/query.ts';
import { hasFileText, viewFileText } from '../mail/file-text.ts';
import { answered } from '../mail/reply.ts';
import { isMailFile, parseMailFile, viewMailFile } from '../mail/mail-file.ts';

const PATH = '/workspaces/:id/items/:itemId';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** Endings of files by type, the usual one first. Files of other types, which may be programs, end in `.bin`. */
const ENDINGS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'message/rfc822': ['eml'],
  'text/calendar': ['ics'],
  'text/markdown': ['md', 'markdown'],
  'text/plain': ['txt'],
  'text/html': ['html', 'htm'],
  'text/csv': ['csv'],
  'application/json': ['json'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  [`${OFFICE}.wordprocessingml.document`]: ['docx'],
  [`${OFFICE}.spreadsheetml.sheet`]: ['xlsx'],
  [`${OFFICE}.presentationml.presentation`]: ['pptx'],
};
const MAX_NAME = 100;

/**
 * `GET /api/workspaces/:id/items/:itemId/file` downloads an item with a name that programs know · `…/mailto` gives the link that opens a
 * mail, or a text as the reply to the mail of its run, in the mail program of the user; or the reason why there is none: then the file is the way · `…/mail` gives a mail as text, `…/text` that
 * of a PDF or DOCX file.
 */
export const itemFileRoutes: AddRoutes = (router, services) => {
  router.get(`${PATH}/file`, async (ctx) => {
    const item = await itemOf(services, ctx);
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.set('Cache-Control', 'private, no-store');
    const type = typeOf(item);
    ctx.type = ENDINGS[type] !== undefined && type !== 'text/html' ? type : 'application/octet-stream';
    ctx.attachment(fileName(item), { type: 'attachment' });
    ctx.body = bytesOf(item);
  });
  router.get(`${PATH}/mailto`, async (ctx) => {
    const item = await itemOf(services, ctx);
    if (isLetter(item)) {
      ctx.body = mailtoLink({
        ...(await addressed(services, item)),
        text: item.data ?? '',
        hasHtml: false,
        attachments: 0,
      });
      return;
    }
    const { summary, content } = await parseMailFile(services, mailBytes(item));
    const { to, cc, bcc, subject, attachments } = summary;
    const { text, html } = content;
    ctx.body = mailtoLink({ to, cc, bcc, subject, text, hasHtml: html !== '', attachments: attachments.length });
  });
  router.get(`${PATH}/mail`, async (ctx) => {
    ctx.body = await viewMailFile(services, mailBytes(await itemOf(services, ctx)));
  });
  router.get(`${PATH}/text`, async (ctx) => {
    const item = await itemOf(services, ctx);
    const { mimeType, revision } = item;
    if (!hasFileText(mimeType))
      throw new EngineError('BAD_REQUEST', `an item of type ${mimeType} is no PDF or DOCX file`);
    const key = ['item', String(ctx.params['id']), item.id, revision];
    ctx.body = await viewFileText(services, {
      key,
      bytes: new Uint8Array(bytesOf(item)),
      name: fileName(item),
      mimeType,
    });
  });
};

/** Whether an item is text that a person could send as a mail. */
function isLetter(item: WorkspaceItem): boolean {
  return item.encoding === 'utf8' && ['text/plain', 'text/markdown'].includes(typeOf(item));
}

/** Recipients and subject of a text: those of a reply to the mail of its run. Without one only its label is known. */
async function addressed(
  services: Services,
  { context: { email }, label = '' }: WorkspaceItem,
): Promise<Pick<LinkedMail, 'to' | 'cc' | 'bcc' | 'subject'>> {
  if (email === undefined) return { to: [], cc: [], bcc: [], subject: label };
  try {
    const { original, account } = await answered(services, email.id);
    const { recipientsOf, replySubject } = await import('../../../mail/send/reply.ts');
    return { ...recipientsOf(original, [account.email], false), bcc: [], subject: replySubject(original.subject) };
  } catch (error) {
    // The mail was deleted, or its account: the text is still worth opening.
    if (error instanceof EngineError && error.status === 404) return { to: [], cc: [], bcc: [], subject: label };
    throw error;
  }
}

function itemOf({ deps }: Services, ctx: RouteContext): Promise<WorkspaceItem> {
  const includeDeleted = queryFlag(ctx, 'includeDeleted') ?? false;
  return readItem(deps.store, String(ctx.params['id']), String(ctx.params['itemId']), { includeDeleted });
}

function typeOf({ mimeType }: WorkspaceItem): string {
  return mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
}

function bytesOf({ encoding, data = '' }: WorkspaceItem): Buffer {
  return Buffer.from(data, encoding === 'utf8' ? 'utf8' : 'base64');
}

/** The label as a file name, with the ending of the type. */
function fileName(item: WorkspaceItem): string {
  const label = (item.label ?? '')
    .replace(/[^\p{L}\p{N} ._-]+/gu, '_')
    .slice(0, MAX_NAME)
    .trim();
  const name = /[\p{L}\p{N}]/u.test(label) ? label : 'item';
  const endings = ENDINGS[typeOf(item)] ?? ['bin'];
  return endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`)) ? name : `${name}.${endings[0]}`;
}

/** The bytes of an item that is a mail. `BAD_REQUEST` for other types. */
function mailBytes(item: WorkspaceItem): Uint8Array {
  if (!isMailFile(item.mimeType))
    throw new EngineError('BAD_REQUEST', `an item of type ${item.mimeType} is no mail`, { hint: 'download its file' });
  return new Uint8Array(bytesOf(item));
}
