import type { IncomingMessage } from 'node:http';
import type { Abortable } from '../base/abort.ts';

/** A request to a server of this machine. Default method: GET. */
export interface LocalRequest extends Abortable {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/**
 * Sends a request over a connection of its own and resolves with the head of the answer. It follows no redirect and uses no proxy,
 * so the token in the headers stays on this machine. An abort also ends an answer that is still being read. Node needs longer to
 * load the global `fetch` than a server to answer.
 */
export function sendLocal(
  url: string,
  { method = 'GET', headers, body, signal }: LocalRequest,
): Promise<IncomingMessage> {
  // An import of `node:http` reads all of its exports, and one of them loads what the global `fetch` is made of.
  const { request } = process.getBuiltinModule('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(url, { method, headers, agent: false, ...(signal && { signal }) }, resolve);
  sent.on('error', (error) => reject(signal?.aborted === true ? signal.reason : error));
  sent.end(body);
  return promise;
}

/** Whether the status of an answer is one of success. */
export function isOk({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** The whole body of an answer. Rejects if the connection breaks off before its end. */
export async function readText(answer: IncomingMessage): Promise<string> {
  let text = '';
  answer.setEncoding('utf8');
  for await (const part of answer) text += String(part);
  return text;
}
