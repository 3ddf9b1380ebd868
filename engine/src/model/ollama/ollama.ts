import { isRecord } from '../../base/json.ts';
import type { OllamaApi } from '../../config/documents.gen.ts';
import { createHttpModel } from '../protocol/http-model.ts';
import type { EmbeddingModel } from '../embedding.ts';
import { createEmbeddings } from '../openai/embeddings.ts';
import { createCompletions } from '../openai/completions.ts';
import { foldChat } from '../openai/completions-stream.ts';
import { createSdkClient } from '../http/sdk-client.ts';
import type { Model } from '../model.ts';
import { readOllama } from './answer.ts';
import { createOllamaWriter } from './request.ts';
import { plainText } from './plain-text.ts';
import { foldOllama } from './stream.ts';
import { type Availability, createProbe } from '../http/probe.ts';
import type { HttpModelDeps, Protocol } from '../protocol/protocol.ts';

/** Models of the server that a message names. */
const MAX_NAMED = 8;

/**
 * A model on an Ollama server, by its own `POST /api/chat`. Only this API takes the size of the context; with the other,
 * Ollama cuts the input after 4,096 tokens without an error (ollama/ollama issues 2722 and 5356). A `baseUrl` that ends in
 * `/v1` selects the OpenAI-compatible API. The api is available if `GET /api/tags` answers within a second and lists the
 * model.
 */
export function createOllama(api: OllamaApi, deps: HttpModelDeps): Model {
  const address = api.baseUrl.replace(/\/+$/, '');
  const root = address.replace(/\/v1$/, '');
  return {
    ask: createHttpModel({
      ...deps,
      ...api.limits,
      apiId: api.id,
      model: api.model,
      baseUrl: root,
      protocol: address === root ? createNative(api, root, deps) : createCompatible(api, root, deps),
      key: () => 'ollama',
      keyHint: keyHintOf(root),
    }),
    available: createProbe({
      ...deps,
      url: `${root}/api/tags`,
      check: (status, text) => checkTags(api.model, root, status, text),
    }),
  };
}

/** An embedding model of an Ollama server, by its OpenAI-compatible API. */
export function createOllamaEmbeddings(api: OllamaApi, model: string, deps: HttpModelDeps): EmbeddingModel {
  const root = api.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const access = { key: () => 'ollama', keyHint: keyHintOf(root) };
  return createEmbeddings({ ...deps, ...api.limits, ...access, apiId: api.id, model, baseUrl: `${root}/v1` });
}

function keyHintOf(root: string): string {
  return `Ollama needs no key, so a proxy in front of ${root} must ask for one. Set baseUrl to the Ollama server itself.`;
}

function createNative(api: OllamaApi, root: string, { fetch }: HttpModelDeps): Protocol {
  const connection = { baseUrl: root, path: '/api/chat', timeoutMs: api.limits.timeoutSeconds * 1000, fetch };
  return {
    write: createOllamaWriter({ ...api, structuredOutput: api.structuredOutput ?? true }),
    connect: (apiKey) => createSdkClient({ ...connection, apiKey }),
    fold: foldOllama,
    read: readOllama,
  };
}

function createCompatible(api: OllamaApi, root: string, { fetch }: HttpModelDeps): Protocol {
  const { model, stream, limits, structuredOutput = true } = api;
  const body = { model, stream, structuredOutput, dialect: 'ollama' } as const;
  const options = { ...limits, ...body, baseUrl: `${root}/v1`, fetch };
  const fold: Protocol['fold'] = (onText) => foldChat(onText && plainText(onText));
  return { ...createCompletions(options), fold, read: readOllama };
}

function checkTags(model: string, root: string, status: number, text: string): Availability {
  if (status !== 200) return { ok: false, why: `${root}/api/tags answered ${status}; is it an Ollama server?` };
  const names = modelNames(text);
  if (names === undefined)
    return { ok: false, why: `${root}/api/tags answered without a list of models; is it an Ollama server?` };
  // A name without a tag means the tag `latest`.
  const wanted = model.includes(':') ? model : `${model}:latest`;
  if (names.includes(wanted) || names.includes(model)) return { ok: true };
  const list =
    names.length === 0 ? 'no models' : names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ', …' : '');
  return { ok: false, why: `Ollama at ${root} has ${list}, but not "${model}"; get it with: ollama pull ${model}` };
}

function modelNames(text: string): string[] | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(body) || !Array.isArray(body['models'])) return undefined;
  return body['models']
    .map((entry: unknown) => (isRecord(entry) ? (entry['name'] ?? entry['model']) : undefined))
    .filter((name) => typeof name === 'string');
}
