import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { sha256 } from '../../base/json.ts';

/** Better ones first. */
const ENCODINGS = ['br', 'gzip'] as const;

/** An encoding in which bodies are sent. */
export type BodyEncoding = (typeof ENCODINGS)[number];

/** Above this quality, Brotli takes several times as long for a few percent. */
const BROTLI_QUALITY = 5;
const ENCODERS: Readonly<Record<BodyEncoding, (body: string) => Promise<Buffer>>> = {
  br: promisify((body: string, done: (error: Error | null, result: Buffer) => void) =>
    brotliCompress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }, done),
  ),
  gzip: promisify<string, Buffer>(gzip),
};
/** Ends of the names of compressed files. */
const SUFFIXES: Readonly<Record<BodyEncoding, string>> = { br: '.br', gzip: '.gz' };

/** A body that is the same for everybody. */
export interface Served {
  readonly type: string;
  readonly etag: string;
  /** The body in an encoding, or as it is; made once. */
  readonly body: (encoding: BodyEncoding | undefined) => Promise<string | Buffer>;
}

/** The best encoding that the client takes; undefined for none. */
export function encodingFor(ctx: Context): BodyEncoding | undefined {
  return ENCODINGS.find((one) => ctx.acceptsEncodings(one, 'identity') === one);
}

/** Compresses a text outside the main thread. */
export function encode(body: string, encoding: BodyEncoding): Promise<Buffer> {
  return ENCODERS[encoding](body);
}

/** A text that is compressed when somebody asks for it. `type` without the charset. */
export function servedText(text: string, type: string): Served {
  const body = async (encoding: BodyEncoding | undefined) => (encoding === undefined ? text : encode(text, encoding));
  return { type: utf8(type), etag: sha256(text).slice(0, 24), body: once(body) };
}

/** A file that never changes under its name. Its compressed forms may lie beside it (`.br`, `.gz`). */
export function servedFile(path: string, { type, etag }: { readonly type: string; readonly etag: string }): Served {
  const plain = () => readFile(path, 'utf8');
  const packed = (encoding: BodyEncoding) =>
    readFile(path + SUFFIXES[encoding]).catch(async () => encode(await plain(), encoding));
  return { type: utf8(type), etag, body: once((encoding) => (encoding === undefined ? plain() : packed(encoding))) };
}

/** Answers with a body, or with 304 if the client has it. */
export async function answer(ctx: Context, served: Served, caching: string): Promise<void> {
  const encoding = encodingFor(ctx);
  ctx.status = 200;
  ctx.set('Cache-Control', caching);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Vary', 'Accept-Encoding');
  ctx.etag = encoding === undefined ? served.etag : `${served.etag}-${encoding}`;
  ctx.type = served.type;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
  ctx.body = await served.body(encoding);
}

const utf8 = (type: string) => `${type}; charset=utf-8`;

/** Keeps the body of each encoding. One that fails is made again. */
function once(make: Served['body']): Served['body'] {
  const made = new Map<BodyEncoding | undefined, Promise<string | Buffer>>();
  return (encoding) => {
    const known = made.get(encoding);
    if (known !== undefined) return known;
    const body = make(encoding);
    made.set(encoding, body);
    body.catch(() => made.delete(encoding));
    return body;
  };
}
