import { once } from 'node:events';
import type { Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { marked } from 'marked';
import { viewItem } from '../../../engine/src/api/routes/mail/mail-view.ts';
import { viewerFiles } from '../../../engine/src/api/viewer/viewer-files.ts';
import { bundledViewer } from './bundled-viewer.ts';
import { viewOf } from '../../../ui/mail/state/filter.ts';
import type { LiveEvents } from '../../../ui/http/live.ts';
import type { FileTextView, MailFileView, Todo, WorkspaceItem } from '../../../ui/http/api-types.ts';
import { addReply, makeItem, makeMail, type World } from './fixtures.ts';
import { fail, page } from './answers.ts';
import { addApprovalRoutes } from './approval-routes.ts';
import { addConfigRoutes } from './config-routes.ts';
import { addChatRoutes } from './chat-routes.ts';
import { addNoticeRoutes } from './notice-routes.ts';
import { addObjectiveRoutes } from './objective-routes.ts';
import { addPageRoutes } from './page-routes.ts';
import { addRunRoutes } from './run-routes.ts';
import { addStateRoutes } from './state-routes.ts';
import { addTaskRoutes } from './task-routes.ts';
import { agentTrace, findTrace, withoutTraces } from './traces.ts';
import { makeWorld } from './world.ts';

export interface FakeApi {
  readonly url: string;
  readonly world: World;
  /** Every API request seen, as `GET /api/emails?limit=50`. */
  readonly requests: string[];
  /** Bodies of POST and PUT requests. */
  readonly bodies: { line: string; body: unknown }[];
  /** Answers 401 to everything under /api from now on. */
  signOut(): void;
  emit<N extends keyof LiveEvents>(name: N, event: LiveEvents[N]): void;
  /** Breaks all open streams, as a lost connection would. */
  breakStreams(): void;
  /** Resets the world, the session and the list of requests: one server serves many tests, for the browser's cache. */
  reset(): void;
  close(): Promise<void>;
}

/** Sends untrusted HTML with its CSP (design.md, Safety). The fake does not sanitise: frame and CSP have to suffice. */
function sendHtml(ctx: Context, body: string): void {
  const images = ctx.query['images'] === '1' ? 'data: https:' : 'data:';
  ctx.set(
    'Content-Security-Policy',
    `default-src 'none'; img-src ${images}; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox`,
  );
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('X-DNS-Prefetch-Control', 'off');
  ctx.set('Cache-Control', 'private, no-store');
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = body;
}

const STYLE =
  '<style>body{font:14px/1.55 system-ui,sans-serif;margin:18px;color:#1a1e25;max-width:72ch}table{border-collapse:collapse}td,th{border:1px solid #d5d9e0;padding:3px 9px}code,pre{font-size:12.5px}</style>';

/** Serves the API from a world in memory, and the real viewer files. Listens on loopback. */
export async function startFakeApi(world: World = makeWorld()): Promise<FakeApi> {
  const app = new Koa();
  const streams = new Set<PassThrough>();
  const requests: string[] = [];
  const bodies: { line: string; body: unknown }[] = [];
  let isSignedOut = false;
  let eventId = 0;
  const emit = (name: string, event: unknown) => {
    eventId++;
    for (const stream of streams) stream.write(`id: ${eventId}\nevent: ${name}\ndata: ${JSON.stringify(event)}\n\n`);
  };

  // A closed page breaks its stream, which is no error.
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') console.error(error);
  });
  app.use(bodyParser());
  app.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/api/')) return next();
    const line = `${ctx.method} ${ctx.url}`;
    requests.push(line);
    if (ctx.method === 'POST' || ctx.method === 'PUT') bodies.push({ line, body: ctx.request.body });
    if (isSignedOut) return fail(ctx, 401, 'UNAUTHORIZED', 'no session');
    await next();
  });
  const router = routes(world);
  router.get('/api/stream', (ctx) => {
    const stream = new PassThrough();
    streams.add(stream);
    ctx.req.once('close', () => streams.delete(stream));
    ctx.type = 'text/event-stream';
    ctx.body = stream;
    const { version, storage } = world;
    stream.write(`retry: 200\nid: ${eventId}\nevent: hello\ndata: ${JSON.stringify({ version, storage })}\n\n`);
  });
  app.use(router.routes());
  app.use(viewerFiles({ uiDir: await bundledViewer() }));

  const server: Server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    world,
    requests,
    bodies,
    signOut: () => (isSignedOut = true),
    emit,
    breakStreams: () => streams.forEach((stream) => stream.destroy()),
    reset() {
      Object.assign(world, makeWorld());
      requests.length = 0;
      bodies.length = 0;
      isSignedOut = false;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function routes(world: World): Router {
  const router = new Router();
  const ids = (ctx: Context) => (typeof ctx.query['ids'] === 'string' ? ctx.query['ids'].split(',') : undefined);
  const drop = (gone: readonly string[]) => (world.mails = world.mails.filter((mail) => !gone.includes(mail.id)));
  router.get('/api/emails/:id/reply', (ctx) => {
    const from = ['Ada Ray <ray@example.org>'];
    const cc = ctx.query['all'] === 'true' ? ['bo@example.org'] : [];
    ctx.body = {
      ...{ accountId: 'support', from: 'support@example.com', to: from, cc, subject: 'Re: Invoice' },
      signature: 'Best,\nSupport',
    };
  });
  router.post('/api/emails/:id/reply', (ctx) => {
    const { mode, text = '', allowGaps } = ctx.request.body as { mode: string; text?: string; allowGaps?: boolean };
    if (mode !== 'draft' && allowGaps !== true && text.includes('['))
      return fail(ctx, 422, 'REPLY_HAS_GAPS', 'the reply still has gaps: [time]');
    if (mode !== 'check' && text.includes('impossible'))
      return fail(ctx, 502, 'MAIL_NOT_SENT', 'the server cannot be reached');
    if (mode === 'send') addReply(world, String(ctx.params['id']), text);
    ctx.body = { mode, accountId: 'archive', messageId: '<x@example.org>' };
  });
  router.get('/api/emails', (ctx) => {
    const wanted = ids(ctx);
    const { q, routed, threadId, view } = ctx.query;
    const all = world.mails.filter(
      (mail) =>
        (wanted === undefined || wanted.includes(mail.id)) &&
        (threadId === undefined || mail.threadId === threadId) &&
        (view === undefined || viewOf(String(view)).has(mail, Date.now())) &&
        (q === undefined || mail.subject.toLowerCase().includes(String(q).toLowerCase())) &&
        (routed === undefined || String(mail.routed) === routed),
    );
    ctx.body = page(ctx, all);
  });
  addStateRoutes(router, world);
  router.delete('/api/emails', (ctx) => {
    drop(ids(ctx) ?? []);
    ctx.status = 204;
  });
  router.delete('/api/emails/:id', (ctx) => {
    drop([String(ctx.params['id'])]);
    ctx.status = 204;
  });
  const mailOf = (ctx: Context & { params: Record<string, string> }) =>
    world.mails.find((mail) => mail.id === ctx.params['id']);
  router.get('/api/emails/:id', (ctx) => {
    const mail = mailOf(ctx);
    if (mail === undefined) fail(ctx, 404, 'NOT_FOUND', 'no such e-mail');
    else ctx.body = { ...mail, replies: world.fullReplies ?? mail.replies };
  });
  router.get('/api/emails/:id/body.html', (ctx) => sendHtml(ctx, mailOf(ctx)?.html ?? ''));
  router.get('/api/emails/:id/attachments/:n', (ctx) => {
    ctx.attachment('file.bin');
    ctx.body = Buffer.from('attachment');
  });

  const itemsOf = (ctx: { params: Record<string, string> }) => world.items.get(ctx.params['id'] ?? '') ?? [];
  const itemOf = (ctx: { params: Record<string, string> }) =>
    itemsOf(ctx).find((item) => item.id === ctx.params['item']);
  const sync = (runId: string) => {
    world.mails = world.mails.map((mail) => ({
      ...mail,
      runs: mail.runs.map((run) =>
        run.id === runId
          ? { ...run, items: (world.items.get(runId) ?? []).filter(({ deleted }) => !deleted).map(viewItem) }
          : run,
      ),
    }));
  };
  router.get('/api/workspaces/:id/items', (ctx) => {
    const { mimeType, tag, author, includeDeleted } = ctx.query;
    const all = itemsOf(ctx).filter(
      (item) =>
        (!item.deleted || includeDeleted === 'true') &&
        (mimeType === undefined || item.mimeType === mimeType) &&
        (tag === undefined || item.tags?.includes(String(tag))) &&
        (author === undefined || item.context.agent?.id === author),
    );
    ctx.body = page(ctx, all);
  });
  const replace = (ctx: { params: Record<string, string> }, change: Partial<WorkspaceItem>) => {
    const id = String(ctx.params['id']);
    world.items.set(
      id,
      itemsOf(ctx).map((item) => (item.id === ctx.params['item'] ? { ...item, ...change } : item)),
    );
    sync(id);
  };
  router.post('/api/workspaces/:id/items', (ctx) => {
    const id = String(ctx.params['id']);
    world.items.set(id, [...itemsOf(ctx), makeItem('item-new', ctx.request.body as Partial<WorkspaceItem>)]);
    sync(id);
    ctx.status = 201;
    ctx.body = itemsOf(ctx).at(-1);
  });
  router.post('/api/workspaces/:id/items/:item/restore', (ctx) => {
    replace(ctx, { deleted: false });
    ctx.body = itemOf(ctx);
  });
  router.get('/api/workspaces/:id/items/:item', (ctx) => {
    const item = itemOf(ctx);
    if (item === undefined) fail(ctx, 404, 'ITEM_NOT_FOUND', 'no such item');
    else ctx.body = item;
  });
  router.get('/api/workspaces/:id/items/:item/mailto', (ctx) => {
    ctx.body =
      itemOf(ctx)?.label === 'Styled' ? { reason: 'the mail is HTML' } : { link: 'mailto:ann@example.org?subject=Hi' };
  });
  router.put('/api/workspaces/:id/items/:item', (ctx) => {
    const item = itemOf(ctx);
    const { expectedRevision, ...change } = ctx.request.body as { expectedRevision: number };
    if (item?.revision !== expectedRevision)
      return fail(ctx, 409, 'ITEM_REVISION', `the item is at revision ${item?.revision}`);
    const next = { ...item, ...change, revision: expectedRevision + 1, updated: new Date().toISOString() };
    world.items.set(
      String(ctx.params['id']),
      itemsOf(ctx).map((entry) => (entry === item ? next : entry)),
    );
    sync(String(ctx.params['id']));
    ctx.body = next;
  });
  router.delete('/api/workspaces/:id/items/:item', (ctx) => {
    replace(ctx, { deleted: true });
    ctx.status = 204;
  });
  router.get('/api/workspaces/:id/items/:item/body.html', async (ctx) => {
    const item = itemOf(ctx);
    const data = item?.data ?? '';
    sendHtml(ctx, STYLE + (item?.mimeType === 'text/markdown' ? await marked.parse(data) : data));
  });

  router.get(['/api/workspaces/:id/items/:item/events', '/api/emails/:id/attachments/2/events'], (ctx) => {
    ctx.body = {
      timeZone: 'Europe/Berlin',
      events: [
        {
          ...{ id: 'a', title: 'Call with <b>Ada</b>', location: 'Room 5', description: 'Bring:\n- the proofs' },
          ...{ start: '2026-11-25T14:00:00+01:00', end: '2026-11-25T14:30:00+01:00', repeats: true },
        },
        { id: 'b', title: 'Fair', start: '2026-11-25', end: '2026-11-26', allDay: true, cancelled: true },
      ],
    };
  });

  router.get(['/api/workspaces/:id/items/:item/mail', '/api/emails/:id/attachments/:n/mail'], (ctx) => {
    const body: MailFileView = {
      ...makeMail('inner', { subject: 'The <b>offer</b>', cc: [{ name: '', address: 'cc@example.org' }] }),
      attachments: [{ name: 'offer.pdf', mimeType: 'application/pdf', size: 48_213 }],
      notes: ['text beyond 2 MB was left out'],
      bodyText: 'Dear Ann,\nyes.',
    };
    if (itemOf(ctx)?.label === 'Broken') fail(ctx, 413, 'MAIL_TOO_COSTLY', 'the mail needs too much time');
    else ctx.body = body;
  });

  router.get(['/api/workspaces/:id/items/:item/text', '/api/emails/:id/attachments/:n/text'], (ctx) => {
    const body: FileTextView = {
      ...{ form: 'pdf', pages: 2, text: 'The price is <b>9</b> euros.' },
      note: 'only the first 500000 characters are shown',
    };
    if (itemOf(ctx)?.label === 'Broken') fail(ctx, 422, 'FILE_UNREADABLE', 'the file is damaged');
    else ctx.body = body;
  });

  addRunRoutes(router, world);
  addNoticeRoutes(router, world);
  addObjectiveRoutes(router, world);
  addTaskRoutes(router, world);
  addChatRoutes(router, world);
  addPageRoutes(router, world);
  router.get('/api/conversations/:id', (ctx) => {
    ctx.body = world.threads.get(String(ctx.params['id'])) ?? {
      id: ctx.params['id'],
      kind: 'director',
      status: 'ongoing',
      messages: [],
    };
  });
  addApprovalRoutes(router, world);
  router.get('/api/todos', (ctx) => {
    const { status } = ctx.query;
    const ofStatus = world.todos.filter((todo) => status === undefined || todo.status === status);
    ctx.body = page(ctx, ofStatus);
  });
  router.put('/api/todos/:id', (ctx) => {
    const { status } = ctx.request.body as Pick<Todo, 'status'>;
    if (!world.todos.some(({ id }) => id === ctx.params['id'])) return fail(ctx, 404, 'NOT_FOUND', 'no such to-do');
    world.todos = world.todos.map((todo) => (todo.id === ctx.params['id'] ? { ...todo, status } : todo));
    ctx.body = world.todos.find((todo) => todo.id === ctx.params['id']);
  });
  router.delete('/api/todos/:id', (ctx) => {
    world.todos = world.todos.filter((todo) => todo.id !== ctx.params['id']);
    ctx.status = 204;
  });
  router.get('/api/diagnostics/unified', (ctx) => {
    const { runId } = ctx.query;
    ctx.body = page(ctx, runId === undefined ? world.traces : runId === 'run-invoice' ? [agentTrace()] : []);
  });
  router.get('/api/diagnostics/unified/:id', (ctx) => {
    const node = findTrace(world.traces, String(ctx.params['id']));
    if (node === undefined) return fail(ctx, 404, 'NOT_FOUND', 'no such node');
    const about = { id: node.id, detail: { tool: node.title, request: { to: 'ray' } } };
    ctx.body = { ...node, detail: node.kind === 'entry' ? { entry: { ...about, result: { answer: 42 } } } : about };
  });
  const forget = (gone: readonly string[]) => (world.traces = withoutTraces(world.traces, gone));
  router.delete('/api/diagnostics', (ctx) => {
    forget(ids(ctx) ?? []);
    ctx.body = { deleted: ids(ctx) };
  });
  router.delete('/api/diagnostics/:id', (ctx) => {
    forget([String(ctx.params['id'])]);
    ctx.status = 204;
  });
  router.post('/api/config/try', (ctx) => (ctx.body = world.trial));
  router.get('/api/config', (ctx) => (ctx.body = world.config));
  addConfigRoutes(router, world);
  router.post('/api/secrets/:name/hosts', (ctx) => {
    world.config = { ...world.config, problems: [] };
    ctx.body = { name: ctx.params['name'], hosts: [] };
  });
  router.get('/api/connections', (ctx) => (ctx.body = { items: world.connections }));
  router.get('/api/accounts/:id/test', (ctx) => (ctx.body = world.probe));
  let fetcher = 'running';
  router.get(
    '/api/fetcher/status',
    (ctx) => (ctx.body = { state: fetcher, isFetching: false, everySeconds: 60, accounts: world.accounts }),
  );
  router.post('/api/fetcher/start', (ctx) => {
    fetcher = 'running';
    ctx.body = {};
  });
  router.post('/api/fetcher/stop', (ctx) => {
    fetcher = 'stopped';
    ctx.body = {};
  });
  router.post('/api/fetcher/fetch', (ctx) => (ctx.body = { mails: 0 }));
  return router;
}
