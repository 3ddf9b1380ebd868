import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import bodyParser from '@koa/bodyparser';
import Koa from 'koa';

/** A mail as the peer keeps it. */
export interface PeerMail {
  readonly id: string;
  readonly threadId: string;
  labelIds: string[];
  /** Epoch milliseconds. */
  readonly internalDate: number;
  raw: Buffer;
}

/** What one request is answered with instead of what it asks for. */
export interface PeerFault {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Change {
  readonly at: number;
  readonly kind: 'messagesAdded' | 'messagesDeleted' | 'labelsAdded' | 'labelsRemoved';
  readonly message: { id: string; threadId: string; labelIds: string[] };
  readonly labelIds?: string[];
}

/**
 * A Gmail on loopback for what the emulator lacks: profiles, history that is forgotten, empty pages of it, faults, and a Message-ID
 * that is replaced as a mail is sent. Its page tokens are offsets, so that pages shift when mails leave a label.
 */
export class GmailPeer {
  readonly mails = new Map<string, PeerMail>();
  readonly drafts = new Map<string, string>();
  readonly labels = new Map([['Label_1', 'Orders']]);
  /** Requests so far: `GET /messages`. */
  readonly asked: string[] = [];
  sendAs: unknown[] = [];
  /** Looked at before each request; a fault is the answer, and `after` lets the request happen first. */
  fault: (request: string, query: URLSearchParams) => (PeerFault & { readonly isAfter?: boolean }) | undefined = () =>
    undefined;
  /** History before it is forgotten. */
  oldest = 0;
  /** Labels do not come along with history, as Gmail's documentation allows. */
  isTerse = false;
  /** The labels that come along are those before the change: nobody promises the contrary. */
  isBehind = false;
  /** Each page of history is preceded by an empty one. */
  hasEmptyPages = false;
  /** Gives what is sent a Message-ID of its own. */
  renames = false;
  now = 1_700_000_000_000;
  #history: Change[] = [];
  #clock = 1000;
  #count = 0;
  #app = new Koa();
  #server = this.#app
    .use(async (ctx, next) => {
      if (ctx.is('multipart/related')) ctx.request.body = uploaded(await buffer(ctx.req));
      await next();
    })
    // As Gmail, which refuses more.
    .use(bodyParser({ jsonLimit: '5mb' }))
    .use((ctx) => this.#serve(ctx));
  #listening: ReturnType<Koa['listen']> | undefined;

  async start(): Promise<string> {
    this.#listening = this.#server.listen(0, '127.0.0.1');
    await once(this.#listening, 'listening');
    return `http://127.0.0.1:${(this.#listening.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#listening?.closeAllConnections();
    await new Promise((resolve) => this.#listening?.close(resolve));
  }

  /** A mail arrives, a second after the last one. */
  deliver(raw: Uint8Array | string, labelIds: string[] = ['INBOX', 'UNREAD'], threadId?: string): string {
    const id = `18b0${(0x10000000 + this.#count++).toString(16)}`;
    this.now += 1000;
    const mail = { id, threadId: threadId ?? id, labelIds, internalDate: this.now, raw: Buffer.from(raw) };
    this.mails.set(id, mail);
    this.#note('messagesAdded', mail);
    return id;
  }

  modify(id: string, add: readonly string[], remove: readonly string[]): void {
    const mail = this.mails.get(id)!;
    const added = add.filter((label) => !mail.labelIds.includes(label));
    const removed = remove.filter((label) => mail.labelIds.includes(label));
    const before = { ...mail };
    mail.labelIds = [...mail.labelIds.filter((label) => !remove.includes(label)), ...added];
    if (added.length > 0) this.#note('labelsAdded', this.isBehind ? before : mail, added);
    if (removed.length > 0) this.#note('labelsRemoved', this.isBehind ? before : mail, removed);
  }

  remove(id: string): void {
    const mail = this.mails.get(id)!;
    this.mails.delete(id);
    this.#note('messagesDeleted', mail);
  }

  /** Forgets all history so far. */
  forget(): void {
    this.oldest = ++this.#clock;
  }

  /** Mails with a label, newest first. */
  having(label: string): PeerMail[] {
    return [...this.mails.values()]
      .filter(({ labelIds }) => labelIds.includes(label))
      .sort((a, b) => b.internalDate - a.internalDate);
  }

  #note(kind: Change['kind'], { id, threadId, labelIds }: PeerMail, changed?: string[]): void {
    const message = { id, threadId, labelIds: [...labelIds] };
    this.#history.push({ at: ++this.#clock, kind, message, ...(changed !== undefined && { labelIds: changed }) });
  }

  #serve(ctx: Koa.Context): void {
    const path = ctx.path.replace(/^(\/upload)?\/gmail\/v1\/users\/me/, '');
    const request = `${ctx.method} ${path}`;
    this.asked.push(request);
    const query = new URL(ctx.url, 'http://x').searchParams;
    const fault = this.fault(request, query);
    const answer = () => this.#answer(ctx.method, path.split('/').slice(1), query, ctx.request.body);
    if (fault !== undefined) {
      if (fault.isAfter === true) answer();
      ctx.set(fault.headers ?? {});
      ctx.status = fault.status;
      ctx.body = fault.body ?? {};
      return;
    }
    const body = answer();
    if (typeof body === 'number') {
      ctx.status = body;
      ctx.body = said(body, body === 404 ? 'notFound' : 'invalidArgument', 'Requested entity was not found.');
    } else ctx.body = body as object;
  }

  #answer(method: string, [kind, id, verb]: string[], query: URLSearchParams, body: unknown): unknown {
    const asked = body as Record<string, unknown> | undefined;
    switch (kind) {
      case 'profile':
        return { emailAddress: 'team@example.org', historyId: String(this.#clock) };
      case 'history':
        return this.#historyPage(query);
      case 'settings':
        return { sendAs: this.sendAs };
      case 'labels':
        return this.#labelsAnswer(method, id, asked);
      case 'threads': {
        const messages = [...this.mails.values()].filter(({ threadId }) => threadId === id);
        return messages.length === 0 ? 404 : { id, messages: messages.map((mail) => shown(mail, 'metadata')) };
      }
      case 'drafts':
        return this.#draftsAnswer(method, id, query, asked);
      case 'messages': {
        if (id === undefined) return this.#messagesPage(query);
        const mail = this.mails.get(id);
        if (mail === undefined) return 404;
        if (verb === 'modify') this.modify(id, list(asked?.['addLabelIds']), list(asked?.['removeLabelIds']));
        return shown(mail, query.get('format') ?? 'full');
      }
      default:
        return 404;
    }
  }

  #messagesPage(query: URLSearchParams): unknown {
    const labels = query.getAll('labelIds');
    const isHidden = ({ labelIds }: PeerMail) =>
      query.get('includeSpamTrash') !== 'true' && (labelIds.includes('TRASH') || labelIds.includes('SPAM'));
    const found = [...this.mails.values()]
      .filter((mail) => !isHidden(mail) && labels.every((label) => mail.labelIds.includes(label)))
      .filter((mail) => matches(mail, query.get('q') ?? ''))
      .sort((a, b) => b.internalDate - a.internalDate);
    return page(query, found, 'messages', ({ id, threadId }) => ({ id, threadId }));
  }

  #historyPage(query: URLSearchParams): unknown {
    const since = Number(query.get('startHistoryId'));
    if (since < this.oldest) return 404;
    const token = query.get('pageToken');
    const historyId = String(this.#clock);
    if (this.hasEmptyPages && token === null) return { historyId, nextPageToken: '0' };
    const records = this.#history.filter(({ at }) => at > since);
    return {
      ...page(query, records, 'history', ({ at, kind, message: { labelIds: all, ...message }, labelIds }) => ({
        id: String(at),
        [kind]: [{ message: this.isTerse ? message : { ...message, labelIds: all }, ...(labelIds && { labelIds }) }],
      })),
      historyId,
    };
  }

  #labelsAnswer(method: string, id: string | undefined, asked: Record<string, unknown> | undefined): unknown {
    if (method === 'POST') {
      if ([...this.labels.values()].includes(String(asked?.['name']))) return 409;
      const made = `Label_${this.labels.size + 1}`;
      this.labels.set(made, String(asked?.['name']));
      return { id: made, name: asked?.['name'], type: 'user' };
    }
    if (id !== undefined) return { id, messagesTotal: this.having(id).length };
    const system = ['INBOX', 'UNREAD', 'SENT', 'DRAFT', 'TRASH', 'SPAM', 'STARRED', 'IMPORTANT', 'CATEGORY_PROMOTIONS'];
    const made = [...this.labels].map(([label, name]) => ({ id: label, name, type: 'user' }));
    return { labels: [...system.map((name) => ({ id: name, name, type: 'system' })), ...made] };
  }

  #draftsAnswer(
    method: string,
    id: string | undefined,
    query: URLSearchParams,
    asked: Record<string, unknown> | undefined,
  ): unknown {
    if (method === 'GET') {
      const mails = this.having('DRAFT').filter((mail) => matches(mail, query.get('q') ?? ''));
      const idOf = (ref: string) => [...this.drafts].find(([, mail]) => mail === ref)?.[0];
      return page(query, mails, 'drafts', (mail) => ({ id: idOf(mail.id), message: { id: mail.id } }));
    }
    if (method === 'DELETE') {
      this.remove(this.drafts.get(id ?? '') ?? '');
      this.drafts.delete(id ?? '');
      return {};
    }
    if (id === 'send') {
      const draftId = String(asked?.['id']);
      const ref = this.drafts.get(draftId);
      if (ref === undefined) return 404;
      const { raw, threadId } = this.mails.get(ref)!;
      this.drafts.delete(draftId);
      this.remove(ref);
      const sent = this.renames
        ? String(raw).replace(/^Message-ID: .*$/im, 'Message-ID: <its-own@mail.gmail.com>')
        : raw;
      return { id: this.deliver(sent, ['SENT'], threadId), threadId };
    }
    const { raw, threadId } = (asked?.['message'] ?? {}) as { raw: string; threadId?: string };
    if (threadId !== undefined && ![...this.mails.values()].some((mail) => mail.threadId === threadId)) return 404;
    const ref = this.deliver(Buffer.from(raw, 'base64url'), ['DRAFT'], threadId);
    const draftId = `r-${ref}`;
    this.drafts.set(draftId, ref);
    return { id: draftId, message: { id: ref } };
  }
}

/** A mail that comes as the second part of an upload, as if it had come as JSON. */
function uploaded(body: Buffer): unknown {
  const end = body.indexOf('\r\n');
  const boundary = body.subarray(0, end);
  const second = body.indexOf(boundary, end);
  const json = body.subarray(body.indexOf('\r\n\r\n'), second).toString();
  const mime = body.subarray(body.indexOf('\r\n\r\n', second) + 4, body.lastIndexOf(boundary) - 2);
  const { message } = JSON.parse(json) as { message: object };
  return { message: { ...message, raw: mime.toString('base64url') } };
}

/** An error as Google writes it. */
export function said(code: number, reason: string, message = reason, details: readonly unknown[] = []): unknown {
  return { error: { code, message, errors: [{ message, domain: 'global', reason }], status: reason, details } };
}

function page<T, K extends string>(query: URLSearchParams, all: readonly T[], key: K, show: (one: T) => unknown) {
  const start = Number(query.get('pageToken') ?? 0);
  const end = start + Number(query.get('maxResults') ?? 100);
  return {
    ...(all.length > 0 && { [key]: all.slice(start, end).map(show) }),
    ...(end < all.length && { nextPageToken: String(end) }),
  };
}

function shown({ id, threadId, labelIds, internalDate, raw }: PeerMail, format: string): unknown {
  const about = {
    id,
    threadId,
    labelIds,
    internalDate: String(internalDate),
    snippet: 'It&#39;s Gmail&amp;Co',
    historyId: '7',
  };
  if (format === 'raw') return { ...about, raw: raw.toString('base64url') };
  if (format === 'minimal') return about;
  const lines = raw
    .toString('utf8')
    .split(/\r?\n\r?\n/)[0]!
    .split(/\r?\n(?![ \t])/);
  const headers = lines.map((line) => ({ name: line.split(':')[0], value: line.slice(line.indexOf(':') + 1).trim() }));
  return { ...about, payload: { mimeType: 'text/plain', headers } };
}

/** As much of Gmail's search as the tests need. */
function matches({ raw }: PeerMail, q: string): boolean {
  const terms = q.match(/\S*"[^"]*"|\S+/g) ?? [];
  const text = raw.toString('utf8').toLowerCase();
  return terms.every((term) => {
    const [, key, value = ''] = /^(?:([a-z0-9]+):)?"?(.*?)"?$/i.exec(term.toLowerCase()) ?? [];
    if (key === undefined) return text.includes(value);
    if (key === 'after' || key === 'before') return true;
    const name = key === 'rfc822msgid' ? 'message-id' : key;
    return text.split('\r\n').some((line) => line.startsWith(`${name}:`) && line.includes(value));
  });
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
