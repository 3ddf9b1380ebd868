import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import type { HttpListener } from '../../engine/src/api/listen.ts';
import { listen } from '../../engine/src/api/server.ts';
import type { Services } from '../../engine/src/api/api.ts';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { createRedactor } from '../../engine/src/base/redact.ts';
import type { AppOptions } from '../../engine/src/app/app.ts';
import { type ServiceOptions, servicesOf } from '../../engine/src/app/api-services.ts';
import type { RunUsage } from '../../engine/src/run/run.ts';
import { type Play, playModels, setStage, type Stage } from '../run/harness.ts';

export const TOKEN = 'a-token-for-tests-0123456789';

/** An account `inbox` whose mail goes to `boss`, but for mail about nothing. */
const MAIL: Readonly<Record<string, string>> = {
  'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'filters/all.yaml': 'id: all\nnot: { field: Subject, regex: ^nothing }\ndirectorId: [boss]\n',
};

/** Members of all the answers that tests look at; those of another route are undefined. */
export interface Reply {
  readonly error: ErrorBody;
  readonly nextCursor: string | null;
  readonly items: readonly (Reply & Record<string, unknown>)[];
  readonly id: string;
  readonly user: object;
  readonly status: string;
  readonly subject: string;
  readonly runs: readonly (Reply & Record<string, unknown>)[];
  readonly revision: number | string;
  readonly data: string;
  readonly deleted: readonly string[];
  readonly workspaceId: string;
  readonly dirThreadId: string;
  readonly usage: RunUsage;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly document: { readonly state: string; readonly fileHash: string; readonly text: string };
  readonly agents: unknown;
  readonly directors: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON, as a test expects it; empty where it is none. */
  readonly json: Reply;
}

export interface Ask {
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** False sends no token. */
  readonly isSignedIn?: boolean;
}

export interface Desk {
  readonly stage: Stage;
  readonly services: Services;
  readonly url: string;
  readonly port: number;
  ask(method: string, path: string, options?: Ask): Promise<Answer>;
  get(path: string, options?: Ask): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  /** Puts a mail into the inbox; it is taken by the next fetch. */
  drop(name: string, text: string): void;
  /** Fetches, and waits until no run works any more. */
  fetch(): Promise<void>;
  /** Waits until no run is queued or running. */
  rest(): Promise<void>;
  /** Closes everything and opens it anew on the same folders, with another token. */
  restart(token: string, port?: number): Promise<void>;
  close(): Promise<void>;
}

/** A whole app behind its HTTP edge on a loopback port, with models that play. */
export async function openDesk(
  options: {
    play?: Play;
    files?: Readonly<Record<string, string>>;
    app?: Partial<AppOptions>;
    patch?: Partial<Services>;
    /** The sign-in and the address of the server. */
    serve?: ServiceOptions;
  } = {},
): Promise<Desk> {
  const stage = await setStage({
    models: playModels(options.play ?? (() => ({ content: 'done' }))),
    files: { ...MAIL, ...options.files },
    ...options.app,
  });
  const inbox = join(stage.root, 'inbox');
  mkdirSync(inbox, { recursive: true });
  let dropped = 0;
  let services: Services;
  let listening: HttpListener;
  const open = async (token: string, port = 0) => {
    services = {
      ...(await servicesOf(stage.app, { redactor: createRedactor() }, token, options.serve)),
      ...options.patch,
    };
    listening = await listen(services, { port });
  };
  await open(TOKEN);
  const desk: Desk = {
    stage,
    get services() {
      return services;
    },
    get url() {
      return listening.url;
    },
    get port() {
      return listening.port;
    },
    ask: (method, path, ask = {}) => send(listening.port, services.sessions.token, method, path, ask),
    get: (path, ask) => desk.ask('GET', path, ask),
    post: (path, body) => desk.ask('POST', path, body === undefined ? {} : { body }),
    drop(name, text) {
      const file = join(inbox, name);
      writeFileSync(file, text.replace(/\r?\n/g, '\r\n'));
      // A file that was written just now may still be written to, and would not be taken yet.
      const time = Date.now() / 1000 - 1000 + ++dropped;
      utimesSync(file, time, time);
    },
    async fetch() {
      await desk.post('/api/fetcher/fetch');
      await desk.rest();
    },
    async rest() {
      for (const status of ['queued', 'running'] as const) {
        const { json } = await desk.get(`/api/runs?status=${status}&limit=200`);
        for (const { id } of json.items)
          await stage.until(id, (run) => run.status !== 'queued' && run.status !== 'running');
      }
    },
    async restart(token, port) {
      await listening.close();
      await stage.restart();
      await open(token, port);
    },
    async close() {
      await listening.close();
      await stage.close();
    },
  };
  return desk;
}

/** node:http, since fetch allows neither Host nor Origin. */
export function send(port: number, token: string, method: string, path: string, ask: Ask): Promise<Answer> {
  const payload = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
  const headers = {
    ...(ask.isSignedIn !== false && { authorization: `Bearer ${token}` }),
    ...(ask.body !== undefined && { 'content-type': 'application/json' }),
    ...(payload !== undefined && { 'content-length': String(Buffer.byteLength(payload)) }),
    ...ask.headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
      });
    });
    request.on('error', reject);
    request.end(payload);
  });
}

function parse(text: string): Reply {
  try {
    return JSON.parse(text) as Reply;
  } catch {
    return {} as Reply;
  }
}

/** A mail as a folder holds it. */
export function letter(subject: string, body = 'Hello.', more = ''): string {
  return `From: Ada Ray <ada@example.org>\nTo: me@example.org\nSubject: ${subject}\nMessage-ID: <${subject.replace(/\W/g, '')}@example.org>\nDate: Sat, 21 Nov 2026 10:00:00 +0000\n${more}\n${body}\n`;
}
