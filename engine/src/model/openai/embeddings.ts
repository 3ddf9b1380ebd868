import { isRecord } from '../../base/json.ts';
import { createConcurrency } from '../http/concurrency.ts';
import { startDeadline } from '../http/deadline.ts';
import { createSdkClient } from '../http/sdk-client.ts';
import type { EmbeddingAnswer, EmbeddingModel } from '../embedding.ts';
import { badAnswer, classifyThrown, type ModelTarget, quote, timeoutError } from '../protocol/classify-error.ts';
import { errorInBody } from '../protocol/error-in-body.ts';
import type { AnswerBody, HttpModelDeps } from '../protocol/protocol.ts';
import { parseBody } from '../protocol/receive.ts';
import { readUsage } from './completions-answer.ts';
import { foldChat } from './completions-stream.ts';

interface Options extends Pick<HttpModelDeps, 'clock' | 'redactor' | 'fetch'> {
  readonly apiId: string;
  readonly model: string;
  /** With the version part. */
  readonly baseUrl: string;
  readonly timeoutSeconds: number;
  readonly concurrency: number;
  /** The current key; undefined where the server needs none. Throws `MODEL_AUTH` where a key is needed and missing. */
  readonly key: () => string | undefined;
  readonly keyHint: string;
  readonly organization?: (() => string | undefined) | undefined;
}

/** OpenAI's `POST /embeddings`, which Ollama and many other servers support as well. */
export function createEmbeddings(options: Options): EmbeddingModel {
  const { model, baseUrl, fetch, clock, redactor, key } = options;
  const timeoutMs = options.timeoutSeconds * 1000;
  const slots = createConcurrency(options.concurrency);
  const target: ModelTarget = {
    ...{ apiId: options.apiId, model, keyHint: options.keyHint, server: new URL(baseUrl).origin },
    now: () => clock.now(),
    clean: (text) => redactor.text(text),
  };
  const exchange = async (texts: readonly string[], signal: AbortSignal): Promise<EmbeddingAnswer> => {
    const client = await createSdkClient({
      apiKey: key(),
      baseUrl,
      path: '/embeddings',
      timeoutMs,
      fetch,
      organization: options.organization,
    });
    // Other servers answer the SDK's default, base64, with numbers or an error.
    const response = await client.send(JSON.stringify({ model, input: texts, encoding_format: 'float' }), signal);
    const received = { text: await response.text(), headers: response.headers };
    return readEmbeddings(parseBody(received, foldChat, target), texts.length, target);
  };
  return {
    async embed(texts, { signal }) {
      const release = await slots.acquire({ signal });
      const deadline = startDeadline({ signal, clock, timeoutMs });
      try {
        return await exchange(texts, deadline.signal);
      } catch (error) {
        signal?.throwIfAborted();
        throw deadline.isOver ? timeoutError(timeoutMs, target, error) : classifyThrown(error, timeoutMs, target);
      } finally {
        deadline.end();
        release();
      }
    },
  };
}

/** Reads a list of embeddings (API reference, embedding object). `MODEL_BAD_ANSWER` where it is not as the request asked. */
function readEmbeddings({ json, raw, headers }: AnswerBody, count: number, target: ModelTarget): EmbeddingAnswer {
  if (json['error'] !== undefined && json['error'] !== null) throw errorInBody(json['error'], headers, target);
  const { data } = json;
  if (!Array.isArray(data) || data.length !== count) {
    const what = `answered ${count} texts without ${count} embeddings: ${quote(raw.slice(0, 300), target)}`;
    throw badAnswer(what, target, { retryable: false, hint: 'Name a model that makes embeddings.' });
  }
  const vectors = new Array<Float32Array | undefined>(count);
  data.forEach((entry: unknown, at) => {
    const { index = at, embedding } = isRecord(entry) ? entry : {};
    vectors[Number(index)] = readVector(embedding);
  });
  const usage = readUsage(json['usage']);
  const whole = vectors.filter((vector) => vector !== undefined && vector.length === vectors[0]?.length);
  if (whole.length !== count)
    throw badAnswer('answered with embeddings that are not lists of as many numbers each', target, {
      retryable: false,
    });
  return { vectors: whole.filter((vector) => vector !== undefined), ...(usage !== undefined && { usage }) };
}

/** Most components of a vector that is taken. */
const MAX_COMPONENTS = 16_384;

function readVector(value: unknown): Float32Array | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_COMPONENTS) return undefined;
  const vector = Float32Array.from(value as unknown[], Number);
  return vector.every(Number.isFinite) ? vector : undefined;
}
