import type { AddressInfo } from 'node:net';
import Koa from 'koa';

/** A file of a message. */
export interface PeerFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** A range that was sent, as its headers say. */
export interface Put {
  readonly range: string | undefined;
  readonly authorization: string | undefined;
  readonly size: number;
}

/**
 * What happens to one range: an answer in place of its own; half of it arrives and the connection breaks; all of it does and the
 * answer is lost; nobody ever answers.
 */
export type Mishap =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | 'cut'
  | 'cut late'
  | 'silence';

export interface UploadPeer {
  readonly origin: string;
  readonly puts: Put[];
  /** Status requests. */
  readonly gets: () => number;
  /** Opens a session; what `createUploadSession` answers. */
  open(size: number, onComplete: (bytes: Buffer) => void): Record<string, unknown>;
  /** Befalls the nth range from now, counted from one. */
  mishap(nth: number, mishap: Mishap): void;
  /** All sessions run out at the nth range from now. */
  expireAt(nth: number, status?: 404 | 410): void;
  /** It does not say how far a session has come, as nothing in the documentation of Outlook promises. */
  keepSilent(): void;
  sessions(): number;
  close(): Promise<void>;
}

interface Session {
  readonly size: number;
  readonly pieces: Buffer[];
  readonly onComplete: (bytes: Buffer) => void;
  next: number;
  isOver: boolean;
}

/**
 * What stands in for the host that takes large attachments: ranges in their order, 201 with the last one, no Authorization
 * ("Attach large files to Outlook messages or events").
 */
export async function startUploadPeer(): Promise<UploadPeer> {
  const sessions = new Map<string, Session>();
  const puts: Put[] = [];
  const mishaps = new Map<number, Mishap>();
  let expiry: { at: number; status: number } | undefined;
  let gone = 404;
  let isSilent = false;
  let gets = 0;
  let opened = 0;

  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    const pieces: Buffer[] = [];
    for await (const piece of ctx.req) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const fail = (status: number, code: string) => {
      ctx.body = { error: { code, message: `${ctx.href} is not taken` } };
      ctx.status = status;
    };
    let mishap: Mishap | undefined;
    if (ctx.method === 'PUT') {
      puts.push({ range: ctx.get('content-range'), authorization: ctx.headers.authorization, size: body.length });
      mishap = mishaps.get(puts.length);
      if (expiry !== undefined && puts.length === expiry.at) {
        for (const session of sessions.values()) session.isOver = true;
        gone = expiry.status;
      }
    } else gets++;
    if (ctx.headers.authorization !== undefined) return fail(401, 'InvalidAudience');
    if (mishap === 'silence') return new Promise<void>(() => {});
    if (typeof mishap === 'object') {
      ctx.set({ ...mishap.headers });
      fail(mishap.status, 'Mishap');
      if (mishap.body !== undefined) ctx.body = mishap.body;
      return;
    }
    const session = sessions.get(new URL(ctx.href).searchParams.get('authtoken') ?? '');
    if (session === undefined || session.isOver) return fail(gone, 'ErrorItemNotFound');
    const progress = () => ({ expirationDateTime: '2026-11-22T12:00:00Z', nextExpectedRanges: [String(session.next)] });
    if (ctx.method === 'GET') {
      if (isSilent) return fail(405, 'MethodNotAllowed');
      ctx.body = progress();
      return;
    }
    const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ctx.get('content-range')) ?? [];
    if (Number(total) !== session.size || Number(to) - Number(from) + 1 !== body.length)
      return fail(400, 'ErrorInvalidRange');
    if (Number(from) !== session.next) return fail(416, 'ErrorInvalidRange');
    const taken = mishap === 'cut' ? body.subarray(0, body.length / 2) : body;
    session.pieces.push(taken);
    session.next += taken.length;
    if (session.next === session.size) {
      session.isOver = true;
      session.onComplete(Buffer.concat(session.pieces));
      ctx.set('location', `${ctx.origin}/api/attachments('1')`);
      ctx.body = null;
      ctx.status = 201;
    } else ctx.body = progress();
    if (mishap !== undefined) ctx.req.socket.destroy();
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    puts,
    gets: () => gets,
    sessions: () => opened,
    open(size, onComplete) {
      const token = `secret-${++opened}`;
      sessions.set(token, { size, onComplete, pieces: [], next: 0, isOver: false });
      return {
        uploadUrl: `${origin}/api/gv1.0/users('a@b')/messages('m')/AttachmentSessions('${opened}')?authtoken=${token}`,
        expirationDateTime: '2026-11-22T12:00:00Z',
        nextExpectedRanges: ['0-'],
      };
    },
    mishap: (nth, mishap) => void mishaps.set(puts.length + nth, mishap),
    expireAt: (nth, status = 404) => void (expiry = { at: puts.length + nth, status }),
    keepSilent: () => (isSilent = true),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
