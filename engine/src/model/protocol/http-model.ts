import type { Clock } from '../../base/clock.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Redactor } from '../../base/redact.ts';
import { type ModelTarget, classifyThrown, timeoutError } from './classify-error.ts';
import type { SdkClient } from '../http/sdk-client.ts';
import { startDeadline } from '../http/deadline.ts';
import type { Model, ModelAnswer, ModelRequest, FailedUse } from '../model.ts';
import { CHARACTERS_PER_TOKEN, type StreamFold, type Protocol } from './protocol.ts';
import { receive } from './receive.ts';
import { createConcurrency } from '../http/concurrency.ts';

interface Options {
  apiId: string;
  model: string;
  baseUrl: string;
  protocol: Protocol;
  timeoutSeconds: number;
  concurrency: number;
  /** The key of this moment; undefined where the server wants none. Throws where one is needed and missing. */
  key: () => string | undefined;
  keyHint: string;
  clock: Clock;
  redactor: Redactor;
}

/**
 * `ask` for every server that is reached over HTTP. One request each, never repeated here; at most `concurrency` at a
 * time, the others wait in order. The time limit counts from the moment the request is sent, until the whole answer is
 * there.
 */
export function createHttpModel(options: Options): Model['ask'] {
  const { apiId, model, protocol, clock, redactor } = options;
  const timeoutMs = options.timeoutSeconds * 1000;
  const slots = createConcurrency(options.concurrency);
  const server = serverOf(options.baseUrl);
  let client: { key: string | undefined; opened: Promise<SdkClient> } | undefined;

  // Keys are live: a new one makes a new client at the next request.
  const clientNow = (): Promise<SdkClient> => {
    const key = options.key();
    if (client === undefined || client.key !== key) client = { key, opened: protocol.connect(key) };
    return client.opened;
  };

  const exchange = async (request: ModelRequest): Promise<ModelAnswer> => {
    const asked: ModelTarget = {
      apiId,
      model,
      server,
      keyHint: options.keyHint,
      now: () => clock.now(),
      clean: (text) => redactor.text(text),
    };
    const deadline = startDeadline({ signal: request.signal, clock, timeoutMs });
    let sent = '';
    let stream: StreamFold | undefined;
    try {
      const { complete } = await clientNow();
      sent = protocol.write(request.messages, request.tools, request);
      const answer = await complete(sent, deadline.signal);
      const body = await receive(answer, { fold: protocol.fold, asked, onStream: (begun) => (stream = begun) });
      deadline.signal.throwIfAborted();
      const offered = request.tools.map((tool) => tool.function.name);
      return protocol.read(body, { turn: request.turn, offered, asked });
    } catch (error) {
      const spent = spentOn(stream, sent);
      if (spent !== undefined) request.onSpent?.(spent);
      request.signal?.throwIfAborted();
      throw deadline.isOver ? timeoutError(timeoutMs, asked, error) : classifyThrown(error, timeoutMs, asked);
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

/** What an answer has used up that was cut short, the request included. */
function spentOn(stream: StreamFold | undefined, sent: string): FailedUse | undefined {
  const spent = stream?.spent();
  if (spent === undefined) return undefined;
  if (spent.inputTokens !== undefined) return { ...spent, inputTokens: spent.inputTokens };
  return { ...spent, inputTokens: Math.ceil(sent.length / CHARACTERS_PER_TOKEN), isEstimate: true };
}

/** Scheme, host and port, for messages: a base address may carry a key in its query. */
function serverOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : canonicalJson(baseUrl);
}
