import type { Clock } from '../../base/clock.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Redactor } from '../../base/redact.ts';
import { createConcurrency } from '../http/concurrency.ts';
import { type Deadline, startDeadline } from '../http/deadline.ts';
import type { SdkClient } from '../http/sdk-client.ts';
import type { FailedUsage, Model, ModelAnswer, ModelRequest, OnText } from '../model.ts';
import { classifyThrown, type ModelTarget, timeoutError } from './classify-error.ts';
import { CHARACTERS_PER_TOKEN, type Protocol, type StreamFold } from './protocol.ts';
import { receive } from './receive.ts';

interface Options {
  readonly apiId: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly protocol: Protocol;
  readonly timeoutSeconds: number;
  readonly concurrency: number;
  /** The current key; undefined where the server needs none. Throws `MODEL_AUTH` where a key is needed and missing. */
  readonly key: () => string | undefined;
  readonly keyHint: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
}

/** What one exchange has sent and received so far. */
interface Progress {
  sent: string;
  stream?: StreamFold;
}

/**
 * `ask` for every server that is reached over HTTP. Each call sends one request and never repeats it. At most `concurrency`
 * requests run at a time; the others wait in order. The time limit runs from the sending of the request to the end of the
 * answer.
 */
export function createHttpModel(options: Options): Model['ask'] {
  const slots = createConcurrency(options.concurrency);
  const exchange = createExchange(options);
  return async (request) => {
    const release = await slots.acquire(request);
    try {
      await request.beforeSend?.();
      return await exchange(request);
    } finally {
      release();
    }
  };
}

function createExchange(options: Options): Model['ask'] {
  const { protocol, clock } = options;
  const timeoutMs = options.timeoutSeconds * 1000;
  const target = targetOf(options);
  const connect = createConnector(options);

  const send = async (request: ModelRequest, deadline: Deadline, progress: Progress): Promise<ModelAnswer> => {
    const { send } = await connect();
    progress.sent = protocol.write(request.messages, request.tools, request);
    const response = await send(progress.sent, deadline.signal);
    const onStream = (stream: StreamFold) => (progress.stream = stream);
    const report = reportTo(request.onText, deadline.signal);
    const body = await receive(response, { fold: () => protocol.fold(report?.onText), target, onStream });
    deadline.signal.throwIfAborted();
    const offered = request.tools.map((tool) => tool.function.name);
    const answer = protocol.read(body, { turn: request.turn, offered, target });
    report?.end(answer.message.content ?? '');
    return answer;
  };

  return async (request) => {
    const deadline = startDeadline({ signal: request.signal, clock, timeoutMs });
    const progress: Progress = { sent: '' };
    try {
      return await send(request, deadline, progress);
    } catch (error) {
      const spent = spentOn(progress);
      if (spent !== undefined) request.onSpent?.(spent);
      request.signal?.throwIfAborted();
      throw deadline.isOver ? timeoutError(timeoutMs, target, error) : classifyThrown(error, timeoutMs, target);
    } finally {
      deadline.end();
    }
  };
}

/** Reports the text of an answer until the request is aborted; `end` reports what was not reported yet. */
function reportTo(
  onText: OnText | undefined,
  signal: AbortSignal,
): { readonly onText: OnText; readonly end: (text: string) => void } | undefined {
  if (onText === undefined) return undefined;
  let reported = '';
  const report = (piece: string) => {
    if (piece === '' || signal.aborted) return;
    reported += piece;
    onText(piece);
  };
  return {
    onText: report,
    end(text) {
      if (text.startsWith(reported)) report(text.slice(reported.length));
    },
  };
}

/** Keys can change at any time: a new key opens a new client at the next request. */
function createConnector({ key: keyNow, protocol }: Options): () => Promise<SdkClient> {
  let client: { readonly key: string | undefined; readonly opened: Promise<SdkClient> } | undefined;
  return () => {
    const key = keyNow();
    if (client === undefined || client.key !== key) client = { key, opened: protocol.connect(key) };
    return client.opened;
  };
}

function targetOf({ apiId, model, baseUrl, keyHint, clock, redactor }: Options): ModelTarget {
  return {
    apiId,
    model,
    server: serverOf(baseUrl),
    keyHint,
    now: () => clock.now(),
    clean: (text) => redactor.text(text),
  };
}

/** Usage of an answer that was cut short, the request included. */
function spentOn({ stream, sent }: Progress): FailedUsage | undefined {
  const spent = stream?.spent();
  if (spent === undefined) return undefined;
  if (spent.inputTokens !== undefined) return { ...spent, inputTokens: spent.inputTokens };
  return { ...spent, inputTokens: Math.ceil(sent.length / CHARACTERS_PER_TOKEN), isEstimate: true };
}

/** Scheme, host and port, for messages: the query of a base address may contain a key. */
function serverOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : canonicalJson(baseUrl);
}
