import { isRecord } from '../base/json.ts';
import type { Api } from '../config/config.ts';
import { createChat } from './chat.ts';
import { createCompletions } from './completions.ts';
import type { Model } from './model.ts';
import type { HttpTools } from './openai.ts';
import { type Availability, createProbe } from './probe.ts';

/** How many of the models that a server has are named in a message. */
const MAX_NAMED = 8;

/**
 * A model on an Ollama server, reached through its OpenAI-compatible `/v1` (Ollama docs, OpenAI compatibility); the key
 * there is any word. It is available when `GET /api/tags` answers within a second and lists the model.
 */
export function createOllama(api: Extract<Api, { provider: 'ollama' }>, tools: HttpTools): Model {
  const root = api.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const probe = createProbe({
    ...tools,
    url: `${root}/api/tags`,
    judge: (status, text) => judgeTags(api.model, root, status, text),
  });
  return {
    ask: createChat({
      ...tools,
      ...api.limits,
      apiId: api.id,
      model: api.model,
      baseUrl: root,
      protocol: createCompletions({
        ...api.limits,
        model: api.model,
        baseUrl: `${root}/v1`,
        dialect: 'ollama',
        stream: false,
        fetch: tools.fetch,
      }),
      key: () => 'ollama',
      keyHint: `Ollama needs no key; something in front of ${root} asks for one.`,
    }),
    available: probe,
  };
}

function judgeTags(model: string, root: string, status: number, text: string): Availability {
  if (status !== 200) return { ok: false, why: `${root}/api/tags answered ${status}; is it an Ollama server?` };
  const names = modelNames(text);
  if (names === undefined)
    return { ok: false, why: `${root}/api/tags answered with no list of models; is it an Ollama server?` };
  // A name without a tag means its tag `latest`.
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
