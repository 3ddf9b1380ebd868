import { isoTime } from '../../../base/clock.ts';
import { EngineError } from '../../../base/error.ts';
import { examine, type UploadFacts } from '../../../file/upload/upload.ts';
import { deleteUpload, readUpload, storeUpload } from '../../../file/upload/upload-store.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { personOf } from '../../auth/person.ts';
import { bytesOf } from '../../http/body.ts';
import { queryText } from '../../http/query.ts';

/**
 * `POST /api/uploads?name=offer.pdf`, the body is the file (`application/octet-stream`, at most 20 MB): stores a file for a
 * question. `GET|DELETE /api/uploads/:id`. `FILE_UNREADABLE` for a file whose text cannot be read, such as a broken PDF.
 */
export const uploadRoutes: AddRoutes = (router, services) => {
  router.post('/uploads', async (ctx) => {
    ctx.body = await upload(services, ctx);
    ctx.status = 201;
  });
  router.get('/uploads/:id', async (ctx) => {
    const { facts, run } = await readUpload(services.deps.store, String(ctx.params['id']));
    ctx.body = { ...facts, ...(run !== '' && { runId: run }) };
  });
  router.delete('/uploads/:id', async (ctx) => {
    await deleteUpload(services.deps.store, String(ctx.params['id']));
    ctx.status = 204;
  });
};

async function upload({ deps, files }: Services, ctx: RouteContext): Promise<UploadFacts> {
  const { store, ids, clock } = deps;
  const given = queryText(ctx, 'name');
  if (given === undefined) throw new EngineError('BAD_REQUEST', '"name" is missing in the query: ?name=offer.pdf');
  const bytes = bytesOf(ctx);
  const examined = examine(given, bytes);
  const { name, mimeType, sha256 } = examined;
  // Read at once, so that the person who attaches a broken file hears of it, and not the model. The worker takes its copy away.
  const source = async () => ({ bytes: new Uint8Array(bytes), name, mimeType });
  const key = JSON.stringify(['upload', sha256, name, mimeType]);
  const { form, text, pages, note } = await files.textOf(key, source).catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error;
    const { code, message } = error;
    throw new EngineError(code, `"${name}" cannot be attached: ${message}`, {
      hint: 'attach PDF, DOCX, HTML, CSV or text that can be opened',
      cause: error,
    });
  });
  const facts = {
    ...{ id: ids.next('upl'), ...examined, by: personOf(ctx).id, createdAt: isoTime(clock.now()) },
    ...{ form, characters: text.length, ...(pages !== undefined && { pages }), ...(note !== undefined && { note }) },
  };
  await storeUpload(store, facts, bytes);
  return facts;
}
