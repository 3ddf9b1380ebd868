import { EngineError } from '../../../base/error.ts';
import { machineZone } from '../../../base/time-zone.ts';
import { readContent, readRaw } from '../../../mail/mail-store.ts';
import { textToHtml } from '../../../mail/html/text-to-html.ts';
import { RASTER_TYPES } from '../../../mail/html/safe-headers.ts';
import type { RouteContext, AddRoutes } from '../../api.ts';
import { mailRow } from './emails.ts';
import { hasFileText, viewFileText } from './file-text.ts';
import { isMailFile, viewMailFile } from './mail-file.ts';
import { queryFlag } from '../../http/query.ts';
import { sendHtml } from '../../http/send-html.ts';

/**
 * `GET /api/emails/:id/body.html` · `/attachments/:n` · `/attachments/:n/events` (of a calendar file) · `/attachments/:n/mail` (of an
 * attached mail) · `/attachments/:n/text` (of a PDF or DOCX file): untrusted content, under policies that run no script and load nothing remote.
 */
export const emailBodyRoutes: AddRoutes = (router, services) => {
  const { store } = services.deps;
  const { mail, calendars, config } = services;
  const attachmentOf = async (ctx: RouteContext) => {
    const row = await mailRow(store, ctx);
    const index = String(ctx.params['n']);
    if (!/^\d{1,6}$/.test(index)) throw new EngineError('NOT_FOUND', `no attachment "${index}"`);
    return { index, ...(await mail.attachment(await readRaw(store, row.identity), Number(index))) };
  };
  router.get('/emails/:id/body.html', async (ctx) => {
    const row = await mailRow(store, ctx);
    const images = queryFlag(ctx, 'images') ?? false;
    const { html, text } = await readContent(store, row.id);
    const raw = /cid:/i.test(html) ? await readRaw(store, row.identity) : undefined;
    const source = html === '' ? textToHtml(text) : html;
    sendHtml(ctx, await mail.html(source, { images, ...(raw !== undefined && { raw }) }), images);
  });
  router.get('/emails/:id/attachments/:n', async (ctx) => {
    const { index, meta, bytes } = await attachmentOf(ctx);
    const type = meta.mimeType.toLowerCase();
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.set('Cache-Control', 'private, no-store');
    ctx.type = isInert(type) ? type : 'application/octet-stream';
    ctx.attachment(plainName(meta.name) || `attachment-${index}`, {
      type: RASTER_TYPES.has(type) ? 'inline' : 'attachment',
    });
    ctx.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  });
  router.get('/emails/:id/attachments/:n/events', async (ctx) => {
    const { meta, bytes } = await attachmentOf(ctx);
    if (meta.mimeType.toLowerCase() !== 'text/calendar')
      throw new EngineError('BAD_REQUEST', `an attachment of type ${meta.mimeType} contains no events`);
    const { timeZone = machineZone() } = config.current().settings.calendar;
    ctx.body = await calendars.preview(new TextDecoder().decode(bytes), timeZone);
  });
  router.get('/emails/:id/attachments/:n/mail', async (ctx) => {
    const { meta, bytes } = await attachmentOf(ctx);
    if (!isMailFile(meta.mimeType, meta.name))
      throw new EngineError('BAD_REQUEST', `an attachment of type ${meta.mimeType} is no mail`);
    ctx.body = await viewMailFile(services, bytes);
  });
  router.get('/emails/:id/attachments/:n/text', async (ctx) => {
    const { meta, bytes } = await attachmentOf(ctx);
    const { name, mimeType, sha256 } = meta;
    if (!hasFileText(mimeType, name))
      throw new EngineError('BAD_REQUEST', `an attachment of type ${mimeType} is no PDF or DOCX file`);
    ctx.body = await viewFileText(services, { key: ['attachment', sha256, name, mimeType], bytes, name, mimeType });
  });
};

/** A file name without characters that nobody sees: `invoice\u202efdp.exe` would be shown as `invoiceexe.pdf`. */
function plainName(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '_');
}

/** Types that no browser handles as a document or a script. */
function isInert(type: string): boolean {
  return /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/.test(type) && !/html|xml|svg|script|xsl|pdf/.test(type);
}
