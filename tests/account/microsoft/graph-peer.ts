import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import type { AccountTokens } from '../../../engine/src/account/account.ts';
import { type PeerFile, startUploadPeer, type UploadPeer } from './upload-peer.ts';

/** A message as the peer keeps it. */
export interface PeerMail {
  id: string;
  folder: string;
  raw: Buffer;
  categories: string[];
  flag: string;
  isDraft: boolean;
  isRead: boolean;
  received: string;
  version: number;
  internetMessageId: string;
  conversationId: string;
  bcc: string[];
  /** What was attached to it since it was made. */
  files: (PeerFile & { readonly id: string })[];
}

/** Graph takes so much in one request, and a session wants more than this. */
const MOST_IN_ONE_BYTES = 4 * 1024 * 1024;
const LEAST_UPLOADED_BYTES = 3 * 1024 * 1024;

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is JSON. */
  readonly body?: unknown;
}

/** A request, also one that stood in a batch. */
export interface Asked {
  readonly method: string;
  /** Below `/v1.0`, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly isInBatch: boolean;
}

/** Answers in place of the peer; undefined lets it answer. */
export type Interceptor = (asked: Asked) => Answer | undefined;

export interface GraphPeer {
  readonly api: string;
  readonly tokens: AccountTokens;
  /** All requests in their order, those in batches after the batch. */
  readonly asked: Asked[];
  /** Tokens that were asked for. */
  readonly tokensAsked: { scopes: readonly string[]; refused: string | undefined }[];
  readonly mails: Map<string, PeerMail>;
  /** Takes large attachments. */
  readonly uploads: UploadPeer;
  /** Most requests that were under way at a time. */
  mostAtOnce(): number;
  /** The token that is taken now; any other is answered 401. */
  acceptOnly(token: string): void;
  intercept(interceptor: Interceptor): void;
  /** Breaks off at the nth request from now, counted from one: before it is done, or after it and before its answer. */
  breakAt(nth: number, when: 'before' | 'after'): void;
  /** Puts a mail into the inbox; returns its id. */
  deliver(raw: Uint8Array, more?: Partial<PeerMail>): string;
  /** Changes a mail as a person would. */
  change(id: string, change: Partial<PeerMail>): void;
  remove(id: string): void;
  /** Sends a draft. */
  leave(id: string): void;
  /** Forgets all places of delta queries. */
  forgetPlaces(): void;
  /** Exchange chooses a Message-ID of its own for what is made from MIME. */
  ignoreMessageIds(): void;
  close(): Promise<void>;
}

/** What stands in for Microsoft Graph: one mailbox on loopback, as far as this project asks it. */
export async function startGraphPeer({ latencyMs = 0 } = {}): Promise<GraphPeer> {
  const mails = new Map<string, PeerMail>();
  const uploads = await startUploadPeer();
  const asked: Asked[] = [];
  const tokensAsked: GraphPeer['tokensAsked'] = [];
  const log: { folder: string; id: string; isGone: boolean }[] = [];
  const rounds = new Map<string, readonly { id: string; isGone: boolean }[]>();
  let interceptors: Interceptor[] = [];
  let accepted = 'token-1';
  let keepsMessageIds = true;
  let toBreak: { at: number; when: 'before' | 'after' } | undefined;
  let count = 0;
  let era = 0;
  let underWay = 0;
  let most = 0;

  const note = (folder: string, id: string, isGone: boolean) => log.push({ folder, id, isGone });

  function put(raw: Uint8Array, more: Partial<PeerMail>): PeerMail {
    const headers = headersOf(raw);
    const parent = headers.get('references')?.split(/\s+/)[0] ?? headers.get('in-reply-to');
    const id = `AAk-${String(++count).padStart(6, '0')}=`;
    const internetMessageId = keepsMessageIds ? (headers.get('message-id') ?? '') : `<exchange-${count}@peer.example>`;
    const sentAt = Date.parse(headers.get('date') ?? '');
    const mail: PeerMail = {
      ...{
        id,
        folder: 'inbox',
        raw: Buffer.from(raw),
        categories: [],
        flag: 'notFlagged',
        isDraft: false,
        isRead: false,
      },
      received: new Date(Number.isNaN(sentAt) ? Date.UTC(2026, 10, 1) + count * 1000 : sentAt)
        .toISOString()
        .replace('.000', ''),
      ...{ version: 1, internetMessageId, conversationId: `conv:${parent ?? internetMessageId}`, bcc: [], files: [] },
      ...more,
    };
    mails.set(id, mail);
    note(mail.folder, id, false);
    return mail;
  }

  function change(id: string, what: Partial<PeerMail>): void {
    const mail = mails.get(id);
    if (mail === undefined) throw new Error(`no mail ${id}`);
    const before = mail.folder;
    Object.assign(mail, what, { version: mail.version + 1 });
    if (before !== mail.folder) note(before, id, true);
    note(mail.folder, id, false);
  }

  /** Exchange makes a copy in Sent Items, with an id of its own, and deletes the draft. */
  function leave({ id, raw, internetMessageId, conversationId, bcc, files }: PeerMail): void {
    mails.delete(id);
    note('drafts', id, true);
    put(raw, { folder: 'sentitems', internetMessageId, conversationId, bcc, files });
  }

  function itemOf(mail: PeerMail, select: readonly string[]): Record<string, unknown> {
    const headers = headersOf(mail.raw);
    const all: Record<string, unknown> = {
      ...{ id: mail.id, categories: mail.categories, flag: { flagStatus: mail.flag }, isDraft: mail.isDraft },
      ...{ receivedDateTime: mail.received, sentDateTime: isoOf(headers.get('date')) ?? mail.received },
      ...{ conversationId: mail.conversationId, internetMessageId: mail.internetMessageId },
      subject: headers.get('subject') ?? '',
      bodyPreview: textOf(mail.raw).slice(0, 255),
      from: recipientsOf(headers.get('from'))[0],
      toRecipients: recipientsOf(headers.get('to')),
      ccRecipients: recipientsOf(headers.get('cc')),
      bccRecipients: mail.bcc.map((address) => ({ emailAddress: { name: address, address } })),
      hasAttachments: /^content-type: multipart\/mixed/im.test(mail.raw.toString('latin1')),
      isRead: mail.isRead,
      parentFolderId: folderIdOf(mail.folder),
    };
    const picked = select.length === 0 ? all : Object.fromEntries(select.map((name) => [name, all[name]]));
    return { '@odata.etag': `W/"${mail.version}"`, 'id': mail.id, ...picked };
  }

  function answer(one: Asked): Answer {
    asked.push(one);
    for (const interceptor of interceptors) {
      const taken = interceptor(one);
      if (taken !== undefined) return taken;
    }
    if (one.body.length > MOST_IN_ONE_BYTES) return { status: 413, body: problem('RequestEntityTooLarge') };
    const url = new URL(one.path, 'http://peer');
    const select = url.searchParams.get('$select')?.split(',') ?? [];
    const steps = url.pathname.split('/').slice(1).map(decodeURIComponent);
    const [, first, id = '', last] = steps;
    if (one.method === 'POST' && url.pathname === '/$batch') return batch(one);
    if (first === 'mailFolders') {
      const inFolder = [...mails.values()].filter(({ folder }) => folder === id);
      if (steps[4] === 'delta') return delta(id, url, one, select);
      if (last === 'messages') return list(inFolder, url, select);
      return { status: 200, body: { id: folderIdOf(id), totalItemCount: inFolder.length } };
    }
    if (first !== 'messages') return { status: 404, body: problem('ResourceNotFound') };
    if (id === '') {
      if (one.method === 'GET') return list([...mails.values()], url, select);
      const made = put(Buffer.from(one.body, 'base64'), { folder: 'drafts', isDraft: true });
      return { status: 201, body: itemOf(made, []) };
    }
    const mail = mails.get(id);
    if (mail === undefined) return { status: 404, body: problem('ErrorItemNotFound') };
    if (last === '$value') return { status: 200, headers: { 'content-type': 'text/plain' }, body: mail.raw };
    if (last === 'move') {
      change(id, { folder: String(jsonOf(one.body)['destinationId']) });
      return { status: 201, body: itemOf(mail, []) };
    }
    if (one.method === 'DELETE') {
      change(id, { folder: 'deleteditems' });
      return { status: 204 };
    }
    if (last === 'attachments') return attach(mail, one, steps[4]);
    if (last === 'send') {
      if (!mail.isDraft) return { status: 404, body: problem('ErrorItemNotFound') };
      leave(mail);
      return { status: 202 };
    }
    if (one.method === 'PATCH') return patch(mail, one);
    return { status: 200, body: itemOf(mail, select) };
  }

  function attach(mail: PeerMail, { method, body }: Asked, step: string | undefined): Answer {
    if (method === 'GET') {
      const size = ({ bytes }: PeerFile) => Math.round(bytes.length * 1.05);
      const value = mail.files.map((file) => ({ id: file.id, name: file.name, size: size(file) }));
      return { status: 200, body: { value } };
    }
    const add = (file: PeerFile) => mail.files.push({ ...file, id: `file-${++count}` });
    if (step === 'createUploadSession') {
      const {
        name,
        size,
        contentType = '',
      } = jsonOf(body)['AttachmentItem'] as {
        name: string;
        size: number;
        contentType?: string;
      };
      if (size < LEAST_UPLOADED_BYTES)
        return { status: 400, body: problem('ErrorAttachmentSizeShouldNotBeLessThanMinimumSize') };
      return { status: 201, body: uploads.open(size, (bytes) => add({ name, contentType, bytes })) };
    }
    const { name, contentType, contentBytes } = jsonOf(body) as Record<string, string>;
    add({ name: name ?? '', contentType: contentType ?? '', bytes: Buffer.from(contentBytes ?? '', 'base64') });
    return { status: 201, body: { id: `file-${count}`, name } };
  }

  function patch(mail: PeerMail, { body, headers }: Asked): Answer {
    if (headers['if-match'] !== undefined && headers['if-match'] !== `W/"${mail.version}"`)
      return { status: 412, body: problem('ErrorIrresolvableConflict') };
    const { categories, flag, internetMessageId, bccRecipients } = jsonOf(body) as {
      categories?: string[];
      flag?: { flagStatus: string };
      internetMessageId?: string;
      bccRecipients?: { emailAddress: { address: string } }[];
    };
    change(mail.id, {
      ...(categories && { categories }),
      ...(flag && { flag: flag.flagStatus }),
      ...(internetMessageId && mail.isDraft && { internetMessageId }),
      ...(bccRecipients && { bcc: bccRecipients.map(({ emailAddress }) => emailAddress.address) }),
    });
    return { status: 200, body: itemOf(mail, []) };
  }

  function delta(folder: string, url: URL, { headers }: Asked, select: readonly string[]): Answer {
    const size = Number(/odata\.maxpagesize=(\d+)/.exec(headers['prefer'] ?? '')?.[1] ?? 10);
    const token = url.searchParams.get('$skiptoken') ?? url.searchParams.get('$deltatoken');
    const [tokenEra, kind, place, offset = '0', fields = select.join()] = token?.split('!') ?? [
      String(era),
      'start',
      '',
    ];
    if (tokenEra !== String(era)) return { status: 410, body: problem('SyncStateNotFound') };
    let round = place ?? '';
    if (kind !== 'skip') {
      round = String(rounds.size);
      const inFolder = [...mails.values()].filter((mail) => mail.folder === folder);
      const since = log.slice(kind === 'delta' ? Number(place) : log.length).filter((entry) => entry.folder === folder);
      const newestFirst = inFolder.toSorted((a, b) => b.received.localeCompare(a.received) || b.id.localeCompare(a.id));
      // Without an order that is asked for, there is none to rely on.
      const first = url.searchParams.get('$orderby') === 'receivedDateTime desc' ? newestFirst : inFolder;
      rounds.set(round, kind === 'delta' ? since : first.map(({ id }) => ({ id, isGone: false })));
      rounds.set(`end of ${round}`, [{ id: String(log.length), isGone: false }]);
    }
    const all = rounds.get(round) ?? [];
    const start = Number(offset);
    const value = all.slice(start, start + size).flatMap(({ id, isGone }) => {
      const mail = mails.get(id);
      if (isGone || mail === undefined || mail.folder !== folder)
        return [{ id, '@removed': { reason: mail === undefined ? 'deleted' : 'changed' } }];
      return [itemOf(mail, fields.split(',').filter(Boolean))];
    });
    const base = `${api}/v1.0/me/mailFolders/${folder}/messages/delta`;
    const next = start + size;
    const end = rounds.get(`end of ${round}`)?.[0]?.id ?? '0';
    return {
      status: 200,
      body: {
        value,
        ...(next < all.length
          ? { '@odata.nextLink': `${base}?$skiptoken=${era}!skip!${round}!${next}!${fields}` }
          : { '@odata.deltaLink': `${base}?$deltatoken=${era}!delta!${end}!0!${fields}` }),
      },
    };
  }

  function list(from: readonly PeerMail[], { pathname, searchParams }: URL, select: readonly string[]): Answer {
    const query = (name: string) => searchParams.get(name) ?? undefined;
    const [search, filter, orderby] = [query('$search'), query('$filter'), query('$orderby')];
    if (search !== undefined && (filter ?? orderby) !== undefined)
      return { status: 400, body: problem('SearchWithFilter') };
    const by = orderby?.split(' ')[0];
    if (filter !== undefined && by !== undefined && !filter.startsWith(by))
      return { status: 400, body: problem('InefficientFilter') };
    const found = from
      .filter((mail) => search === undefined || isFound(mail, search))
      .filter((mail) => filter === undefined || isLetThrough(mail, filter))
      .toSorted((a, b) => a.received.localeCompare(b.received));
    if (search !== undefined || orderby?.endsWith(' desc') === true) found.reverse();
    const skip = Number(query('$skip') ?? 0);
    const top = Number(query('$top') ?? 10);
    const rest = new URLSearchParams(
      ['$search', '$filter', '$orderby', '$select', '$top'].flatMap((name) => {
        const value = query(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    rest.set('$skip', String(skip + top));
    return {
      status: 200,
      body: {
        value: found.slice(skip, skip + top).map((mail) => itemOf(mail, select)),
        ...(skip + top < found.length && { '@odata.nextLink': `${api}/v1.0${pathname}?${rest}` }),
      },
    };
  }

  function batch({ body }: Asked): Answer {
    const { requests } = JSON.parse(body) as {
      requests: { id: string; method: string; url: string; headers?: Record<string, string>; body?: unknown }[];
    };
    if (requests.length > 20) return { status: 400, body: problem('MaximumValueExceeded') };
    const responses = requests.map((part) => {
      const headers = Object.fromEntries(
        Object.entries(part.headers ?? {}).map(([key, value]) => [key.toLowerCase(), value]),
      );
      const text = part.body === undefined ? '' : JSON.stringify(part.body);
      const one = answer({ method: part.method, path: part.url, headers, body: text, isInBatch: true });
      const content = Buffer.isBuffer(one.body) ? one.body.toString('base64') : one.body;
      return { id: part.id, status: one.status, headers: one.headers ?? {}, body: content };
    });
    return { status: 200, body: { responses: responses.toReversed() } };
  }

  const app = new Koa();
  // Who asks breaks connections off on purpose.
  app.silent = true;
  app.use(async (ctx) => {
    underWay++;
    most = Math.max(most, underWay);
    try {
      const pieces: Buffer[] = [];
      for await (const piece of ctx.req) pieces.push(piece as Buffer);
      const body = Buffer.concat(pieces).toString();
      // Outlook works on four parts of a batch at a time.
      const turns = ctx.path === '/v1.0/$batch' ? Math.ceil((body.match(/"url":/g) ?? []).length / 4) : 1;
      if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs * turns));
      const headers = ctx.headers as Record<string, string | undefined>;
      const path = ctx.url.replace(/^\/v1\.0/, '');
      const isBreaking = toBreak !== undefined && --toBreak.at === 0;
      const ask = (): Answer => {
        if (headers['authorization'] !== `Bearer ${accepted}`)
          return { status: 401, body: problem('InvalidAuthenticationToken') };
        return answer({ method: ctx.method, path, headers, body, isInBatch: false });
      };
      const given = isBreaking && toBreak?.when === 'before' ? undefined : ask();
      if (isBreaking || given === undefined) {
        ctx.req.socket.destroy();
        return;
      }
      ctx.set({ ...given.headers, 'request-id': 'req-1' });
      ctx.body = given.body ?? null;
      // Koa makes a 204 of an empty body.
      ctx.status = given.status;
    } finally {
      underWay--;
    }
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let given = 1;

  return {
    api,
    asked,
    tokensAsked,
    mails,
    uploads,
    tokens: {
      async accessToken({ scopes, refused, signal }) {
        signal?.throwIfAborted();
        tokensAsked.push({ scopes, refused });
        if (refused === `token-${given}`) given++;
        return `token-${given}`;
      },
    },
    mostAtOnce: () => most,
    acceptOnly: (token) => (accepted = token),
    intercept: (interceptor) => interceptors.push(interceptor),
    breakAt: (at, when) => void (toBreak = { at, when }),
    deliver: (raw, more = {}) => put(raw, more).id,
    change,
    remove(id) {
      const mail = mails.get(id);
      mails.delete(id);
      if (mail !== undefined) note(mail.folder, id, true);
    },
    leave(id) {
      const mail = mails.get(id);
      if (mail !== undefined) leave(mail);
    },
    forgetPlaces: () => void era++,
    ignoreMessageIds: () => (keepsMessageIds = false),
    async close() {
      interceptors = [];
      await uploads.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An error as Graph words it. */
export function problem(code: string, message = 'so it is'): unknown {
  return { error: { code, message, innerError: { 'request-id': 'req-1' } } };
}

/** Well-known names are no ids. */
function folderIdOf(folder: string): string {
  return `AQM-${folder}=`;
}

function isFound(mail: PeerMail, search: string): boolean {
  const headers = headersOf(mail.raw);
  const all = [headers.get('subject'), headers.get('from'), textOf(mail.raw)].join('\n').toLowerCase();
  return search
    .replace(/^"|"$/g, '')
    .split(' AND ')
    .every((term) => {
      const [, name, word = ''] = /^(from|to|subject|received[<>]=):?(.*)$/.exec(term) ?? [];
      if (name === undefined) return all.includes(term);
      if (name.startsWith('received'))
        return name.includes('>') ? mail.received >= word : mail.received.slice(0, 10) <= word;
      return (headers.get(name) ?? '').toLowerCase().includes(word);
    });
}

function isLetThrough(mail: PeerMail, filter: string): boolean {
  return filter.split(' and ').every((clause) => {
    const [, name, op, text = '', bare = ''] = /^(\S+?) (eq|ge|gt|lt) (?:'(.*)'|(\S+))$/.exec(clause) ?? [];
    const value = (text || bare).replaceAll("''", "'");
    if (name === 'receivedDateTime') {
      const [have, want] = [Date.parse(mail.received), Date.parse(value)];
      return op === 'ge' ? have >= want : op === 'gt' ? have > want : have < want;
    }
    if (name === 'internetMessageId') return mail.internetMessageId === value;
    if (name === 'conversationId') return mail.conversationId === value;
    if (name === 'flag/flagStatus') return mail.flag === value;
    const category = /^categories\/any\(c:c eq '(.*)'\)$/.exec(clause)?.[1];
    if (category !== undefined) return mail.categories.includes(category.replaceAll("''", "'"));
    throw new Error(`the peer knows no filter ${clause}`);
  });
}

function headersOf(raw: Uint8Array): ReadonlyMap<string, string> {
  const head = Buffer.from(raw).toString('latin1').split('\r\n\r\n')[0] ?? '';
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

function textOf(raw: Uint8Array): string {
  return Buffer.from(raw).toString('utf8').split('\r\n\r\n').slice(1).join('\r\n\r\n');
}

function recipientsOf(header = ''): { emailAddress: { name: string; address: string } }[] {
  return header.split(',').flatMap((one) => {
    const [, name = '', address = one.trim()] = /^\s*(.*?)\s*<(.*)>\s*$/.exec(one) ?? [];
    return address === '' ? [] : [{ emailAddress: { name: name || address, address } }];
  });
}

function isoOf(date: string | undefined): string | undefined {
  const ms = Date.parse(date ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function jsonOf(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}
