import type Router from '@koa/router';
import { EngineError } from '../../../base/error.ts';
import { sha256 } from '../../../base/json.ts';
import { MARK } from '../../../base/redact.ts';
import { parseText } from '../../../config/parse/parse.ts';
import { type DocumentState, type Kind, KINDS, type ReadDocument } from '../../../config/config.ts';
import { compareOrder } from '../../../config/order.ts';
import type { RouteContext, AddRoutes, Services } from '../../api.ts';
import { bodyObject, flag, optional, readBody, texts } from '../../http/body.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { queryText } from '../../http/query.ts';
import { redacted } from '../../http/redacted.ts';

/** Kinds with a list of documents, and the name of their routes: that of the folder, but `/api/chats` are the chats themselves. */
const LISTED = (Object.entries(KINDS) as [Kind, string][])
  .filter(([, folder]) => folder !== '')
  .map(([kind, folder]) => [kind, kind === 'chat' ? 'chat-presets' : folder] as const);

/**
 * `GET /api/config`, and for each kind, by its folder (presets of chats: `chat-presets`), `GET|POST /api/<kind>` · `GET|PUT|DELETE /api/<kind>/:id` · `PUT
 * /api/<kind>/order` · `GET|PUT /api/settings` · `POST /api/agents/:id/activate`. A document is its keys with defaults; its
 * member `document` has the state of the file. A write is validated as an edit of the file.
 */
export const documentRoutes: AddRoutes = (router, services) => {
  const { config, deps } = services;
  router.get('/config', (ctx) => {
    send(ctx, services, {
      revision: config.current().revision,
      root: config.baseDir,
      documents: sortStates(config),
      problems: config.problems(),
    });
  });
  router.get('/settings', (ctx) => {
    send(ctx, services, settingsOf(config));
  });
  router.put('/settings', async (ctx) => {
    await config.write('settings', 'settings', input(ctx, services, 'settings', 'settings'), expected(ctx));
    send(ctx, services, settingsOf(config));
  });
  router.post('/agents/:id/activate', async (ctx) => {
    const { enabled } = readBody(ctx, { enabled: optional(flag) });
    const { value } = config.read('agent', idOf(ctx));
    if (value === undefined) throw invalid('agent', idOf(ctx));
    send(ctx, services, view(await config.write('agent', idOf(ctx), { ...value, enabled: enabled ?? true })));
  });
  for (const [kind, folder] of LISTED) kindRoutes(router, services, kind, folder);
  deps.log.debug('documents are served', { kinds: LISTED.length });
};

function kindRoutes(router: Router, services: Services, kind: Kind, folder: string): void {
  const { config } = services;
  router.get(`/${folder}`, (ctx) => {
    const page = readPage(ctx, folder, ['number']);
    const from = Number(page.after?.[0] ?? 0);
    const all = sortStates(config, kind);
    const rows = all.slice(from, from + page.limit + 1).map((state, i) => ({ state, place: from + i + 1 }));
    send(
      ctx,
      services,
      pageOf(
        folder,
        page,
        rows,
        ({ place }) => [place],
        (shown) => shown.map(({ state }) => view(config.read(kind, state.id))),
      ),
    );
  });
  router.post(`/${folder}`, async (ctx) => {
    const { id, ...value } = input(ctx, services, kind);
    if (typeof id !== 'string') throw new EngineError('BAD_REQUEST', '"id" must be a string: it becomes the file name');
    send(ctx, services, view(await config.create(kind, id, value), true));
    ctx.status = 201;
  });
  // Before `/:id`, which would match it.
  router.put(`/${folder}/order`, async (ctx) => {
    const { ids } = readBody(ctx, { ids: texts });
    await config.reorder(kind, ids);
    ctx.status = 204;
  });
  router.get(`/${folder}/:id`, (ctx) => {
    send(ctx, services, view(config.read(kind, idOf(ctx)), true));
  });
  router.put(`/${folder}/:id`, async (ctx) => {
    const { id = idOf(ctx), ...value } = input(ctx, services, kind, idOf(ctx));
    if (id !== idOf(ctx))
      throw new EngineError(
        'BAD_REQUEST',
        `the id of the body, "${String(id)}", differs from the id of the path, "${idOf(ctx)}"`,
        {
          hint: 'an id is the file name: create a new document and delete the old one',
        },
      );
    send(ctx, services, view(await config.write(kind, idOf(ctx), { id, ...value }, expected(ctx)), true));
  });
  router.delete(`/${folder}/:id`, async (ctx) => {
    await config.remove(kind, idOf(ctx));
    ctx.status = 204;
  });
}

/** The documents of a kind, or of all kinds one after the other, by `order` and id. */
function sortStates(config: Services['config'], only?: Kind): DocumentState[] {
  const states = config.documents().filter(({ kind }) => only === undefined || kind === only);
  const kinds = [...new Set(states.map(({ kind }) => kind))];
  const orderOf = ({ kind, id }: DocumentState) => {
    const value = config.read(kind, id).value;
    return value !== undefined && 'order' in value ? value.order : undefined;
  };
  return states
    .map((state) => ({ state, id: state.id, order: orderOf(state) }))
    .sort((a, b) => kinds.indexOf(a.state.kind) - kinds.indexOf(b.state.kind) || compareOrder(a, b))
    .map(({ state }) => state);
}

function idOf(ctx: RouteContext): string {
  return String(ctx.params['id']);
}

/**
 * The document to write: the body without `document` and `isRedacted`, so that a client can send back what it read. `BAD_REQUEST`
 * where the mark of a hidden secret would replace the secret itself.
 */
function input(
  ctx: RouteContext,
  { config, deps }: Services,
  kind: Kind,
  id?: string,
): Readonly<Record<string, unknown>> {
  const { document: _state, isRedacted, ...value } = bodyObject(ctx);
  if (!JSON.stringify(value).includes(MARK)) return value;
  const stored = config.documents().some((known) => known.kind === kind && known.id === id)
    ? config.read(kind, id ?? '').text
    : '';
  if (isRedacted !== true && deps.redactor.text(stored) === stored) return value;
  throw new EngineError('BAD_REQUEST', `the document has ${MARK} where a secret stands in the file`, {
    hint: 'store the value as a secret and write ${secret:NAME} there, or change the file in an editor',
  });
}

/** `?expectedHash=`: the `fileHash` that the client read. */
function expected(ctx: RouteContext): { expectedHash?: string } {
  const expectedHash = queryText(ctx, 'expectedHash');
  return expectedHash === undefined ? {} : { expectedHash };
}

/** The settings that run; `document` is the state of their file, if there is one. */
function settingsOf(config: Services['config']): object {
  const { settings } = config.current();
  const hasFile = config.documents().some(({ kind }) => kind === 'settings');
  return hasFile ? { ...view(config.read('settings', 'settings'), true), ...settings } : settings;
}

/** A document as its keys. An invalid document without a last good version has only an id. */
function view({ value, state, text }: ReadDocument, hasText = false): object {
  const keys = value ?? { id: state.id };
  const whole = hasText && { text, written: writtenIn(text, state.file) };
  return { ...keys, document: { ...state, fileHash: sha256(text), ...whole } };
}

/** The keys that a file spells, for forms; undefined where its syntax is broken. */
function writtenIn(text: string, file: string): unknown {
  const { value, findings } = parseText(text, file);
  if (findings.length > 0) return undefined;
  return value ?? {};
}

/** Redacts secrets that were written into a file by mistake. */
function send(ctx: RouteContext, { deps }: Services, value: object): void {
  ctx.body = redacted(deps.redactor, value);
}

function invalid(kind: Kind, id: string): EngineError {
  return new EngineError('CONFIG_INVALID', `${kind} "${id}" is not valid and cannot be changed here`, {
    hint: 'fix its file first',
  });
}
