import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { EngineError } from '../../../base/error.ts';
import type { AnswerPiece } from '../../../trace/live-answers.ts';
import type { LiveEvent } from '../../../trace/live-bus.ts';
import type { AddRoutes, OpenSession } from '../../api.ts';
import { sessionOf } from '../../auth/login.ts';

/** Interval of comments, which keep an idle connection open. */
const HEARTBEAT_MS = 15_000;
/** Largest number of listeners; each browser tab is one. */
const MAX_LISTENERS = 100;
/** A listener with more unread bytes is disconnected; the browser reconnects and resumes. */
const MAX_BEHIND_BYTES = 1024 * 1024;
/** Delay before the browser reconnects. */
const RETRY_MS = 1000;
/** Ids of a process start at a random number below this, so that ids of two processes practically never meet. */
const MAX_BASE = 2 ** 47;

/**
 * `GET /api/stream`: server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). First `hello`
 * with version and storage, then the events of the live bus, each with an id; a comment every 15 s. `Last-Event-ID` resumes. If
 * events are lost, or the id is of another process, `reset` asks the client to reload everything. `BUSY` above 100 listeners.
 * Answers come as `answer` while they arrive, without an id: a client that connects late gets what is there so far.
 * The stream of a browser ends with its session, and when the settings no longer name its person. Aborting `closing` ends all streams.
 */
export const streamRoutes: AddRoutes = (router, { version, storage, sessions, users, deps: { live } }, closing) => {
  // Ids of the bus start at 1 in each process; a random base keeps them apart from those of another process.
  const base = randomInt(MAX_BASE);
  const last = live.since(0)?.at(-1)?.id ?? 0;
  /** Each with the session of its browser; undefined for a client with the token. */
  const listeners = new Map<PassThrough, OpenSession | undefined>();
  let newest = base + last;
  const endSignedOut = () => {
    for (const [stream, session] of listeners) {
      const isOpen = session === undefined || (sessions.isOpen(session) && users.known(session.person) !== undefined);
      if (!isOpen) stream.end();
    }
  };
  const stopListening = live.subscribe((event) => {
    // The settings may no longer name somebody.
    if (event.name === 'config') endSignedOut();
    newest = base + event.id;
    const text = format(event, newest);
    for (const stream of listeners.keys()) send(stream, text);
  });
  const sendPiece = (piece: AnswerPiece) => {
    const text = formatAnswer(piece);
    for (const stream of listeners.keys()) send(stream, text);
  };
  /** Unsubscribes from answers. No answer is prepared for nobody. */
  let stopAnswers: (() => void) | undefined;
  const remove = (stream: PassThrough) => {
    listeners.delete(stream);
    if (listeners.size > 0) return;
    stopAnswers?.();
    stopAnswers = undefined;
  };
  const stopWatching = sessions.onEnd(endSignedOut);
  // A session can also expire.
  const heartbeat = setInterval(() => {
    endSignedOut();
    for (const stream of listeners.keys()) send(stream, ': alive\n\n');
  }, HEARTBEAT_MS);
  heartbeat.unref();
  closing.addEventListener('abort', () => {
    stopListening();
    stopAnswers?.();
    stopWatching();
    clearInterval(heartbeat);
    for (const stream of listeners.keys()) stream.end();
  });

  router.get('/stream', (ctx) => {
    if (listeners.size >= MAX_LISTENERS || closing.aborted)
      throw new EngineError('BUSY', 'too many listeners', { hint: 'close some tabs', retryable: true });
    ctx.type = 'text/event-stream; charset=utf-8';
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Accel-Buffering', 'no');
    ctx.status = 200;
    if (ctx.method === 'HEAD') return;
    const stream = new PassThrough();
    ctx.body = stream;
    const hello = `event: hello\ndata: ${JSON.stringify({ version, storage })}\n\n`;
    stream.write(`retry: ${RETRY_MS}\nid: ${newest}\n${hello}`);
    const missed = missedSince(ctx.get('Last-Event-ID'), base, (id) => live.since(id));
    if (missed === 'lost') stream.write('event: reset\ndata: {}\n\n');
    else for (const event of missed) stream.write(format(event, base + event.id));
    for (const answer of live.answers.open) stream.write(formatAnswer(answer));
    listeners.set(stream, sessionOf(ctx));
    stopAnswers ??= live.answers.subscribe(sendPiece);
    onceClosed(stream, ctx.req, () => remove(stream));
  });
};

function format({ name, data }: LiveEvent, id: number): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function formatAnswer(piece: AnswerPiece): string {
  return `event: answer\ndata: ${JSON.stringify(piece)}\n\n`;
}

function missedSince(
  lastId: string,
  base: number,
  since: (id: number) => readonly LiveEvent[] | undefined,
): readonly LiveEvent[] | 'lost' {
  if (lastId === '') return [];
  const id = /^\d{1,16}$/.test(lastId) ? Number(lastId) - base : -1;
  return id < 0 ? 'lost' : (since(id) ?? 'lost');
}

function send(stream: PassThrough, text: string): void {
  if (stream.writableEnded) return;
  if (stream.writableLength + stream.readableLength > MAX_BEHIND_BYTES) stream.destroy();
  else stream.write(text);
}

function onceClosed(stream: PassThrough, request: IncomingMessage, onEnd: () => void): void {
  const end = () => {
    onEnd();
    stream.destroy();
  };
  request.once('close', end);
  stream.once('close', end);
}
