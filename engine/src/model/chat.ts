import type { Clock } from '../base/clock.ts';
import { canonicalJson } from '../base/json.ts';
import type { Redactor } from '../base/redact.ts';
import { readAnswer } from './answer.ts';
import { type Asked, classifyThrown, timeoutError } from './classify.ts';
import { type Client, createClient } from './client.ts';
import { startDeadline } from './deadline.ts';
import type { Model, ModelAnswer, ModelRequest } from './model.ts';
import { createSlots } from './slots.ts';
import type { ThinFetch } from './thin-fetch.ts';
import { createBodyWriter, type Dialect } from './wire.ts';

interface Options {
  apiId: string;
  model: string;
  /** With the version part. */
  baseUrl: string;
  dialect: Dialect;
  timeoutSeconds: number;
  concurrency: number;
  /** The key of this moment; undefined where the server wants none. Throws where one is needed and missing. */
  key: () => string | undefined;
  keyHint: string;
  fetch: ThinFetch['fetch'];
  clock: Clock;
  redactor: Redactor;
}

/**
 * `ask` for every server that speaks OpenAI's chat completions, by the official client. One request each, never
 * repeated here; at most `concurrency` at a time, the others wait in order. The time limit counts from the moment the
 * request is sent, until the whole answer is there.
 */
export function createChat(options: Options): Model['ask'] {
  const { apiId, model, baseUrl, clock, redactor } = options;
  const timeoutMs = options.timeoutSeconds * 1000;
  const slots = createSlots(options.concurrency);
  const write = createBodyWriter(model, options.dialect);
  const server = serverOf(baseUrl);
  let client: { key: string | undefined; opened: Promise<Client> } | undefined;

  // Keys are live: a new one makes a new client at the next request.
  const clientNow = (): Promise<Client> => {
    const key = options.key();
    if (client === undefined || client.key !== key) {
      client = { key, opened: createClient({ apiKey: key, baseUrl, timeoutMs, fetch: options.fetch }) };
    }
    return client.opened;
  };

  const exchange = async (request: ModelRequest): Promise<ModelAnswer> => {
    const asked = (): Asked => ({
      apiId,
      model,
      server,
      keyHint: options.keyHint,
      nowMs: clock.now(),
      clean: (text) => redactor.text(text),
    });
    const deadline = startDeadline({ signal: request.signal, clock, timeoutMs });
    try {
      const { complete } = await clientNow();
      const answer = await complete(write(request.messages, request.tools), deadline.signal);
      const text = await answer.text();
      deadline.signal.throwIfAborted();
      return readAnswer({ text, headers: answer.headers, turn: request.turn }, asked());
    } catch (error) {
      request.signal?.throwIfAborted();
      throw deadline.isOver ? timeoutError(timeoutMs, asked(), error) : classifyThrown(error, timeoutMs, asked());
    } finally {
      deadline.end();
    }
  };

  return async (request) => {
    const release = await slots.take(request);
    try {
      return await exchange(request);
    } finally {
      release();
    }
  };
}

/** Scheme, host and port, for messages: a base address may carry a key in its query. */
function serverOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : canonicalJson(baseUrl);
}
