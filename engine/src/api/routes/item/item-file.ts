import { EngineError } from '../../../base/error.ts';
import { isoTime } from '../../../base/clock.ts';
import type { MailContent, MailSummary } from '../../../mail/mail.ts';
import { mailtoLink } from '../../../mail/send/mailto.ts';
import type { WorkspaceItem } from '../../../workspace/item.ts';
import { readItem } from '../../../workspace/items.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';

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
 * mail in the mail program of the user, or the reason why there is none: then the file is the way.
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
    ctx.body = await mailto(services, await itemOf(services, ctx));
  });
};

function itemOf({ deps }: Services, ctx: RouteContext): Promise<WorkspaceItem> {
  return readItem(deps.store, String(ctx.params['id']), String(ctx.params['itemId']));
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

async function mailto({ mail, deps }: Services, item: WorkspaceItem): Promise<object> {
  if (typeOf(item) !== 'message/rfc822')
    throw new EngineError('BAD_REQUEST', `an item of type ${item.mimeType} is no mail`, { hint: 'download its file' });
  const facts = {
    ...{ id: item.id, accountId: '', ownAddresses: [], receivedAt: isoTime(deps.clock.now()) },
    ...{ labels: [], readsLabelHeaders: false },
  };
  const parsed = await mail.parse({ kind: 'bytes', bytes: new Uint8Array(bytesOf(item)) }, facts);
  const { to, cc, bcc, subject, attachments } = JSON.parse(parsed.summary) as MailSummary;
  const { text, html } = JSON.parse(parsed.content) as MailContent;
  return mailtoLink({ to, cc, bcc, subject, text, hasHtml: html !== '', attachments: attachments.length });
}
