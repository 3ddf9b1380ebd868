import { canonicalJson } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import type { Api } from '../config/config.ts';
import { createAnthropic } from './anthropic/anthropic.ts';
import { anthropicPrices } from './anthropic/prices.ts';
import { createCli } from './cli/cli.ts';
import { toolLabel } from './cli/tool.ts';
import type { EmbeddingModel, EmbeddingModels } from './embedding.ts';
import { createKeepAliveFetch } from './http/keep-alive-fetch.ts';
import type { Model, Models } from './model.ts';
import { createOllama, createOllamaEmbeddings } from './ollama/ollama.ts';
import { createOpenai, createOpenaiEmbeddings } from './openai/openai.ts';
import { openaiPrices } from './openai/prices.ts';
import type { Price } from './prices.ts';
import type { HttpModelDeps } from './protocol/protocol.ts';
import { createScripted, type PatternTest } from './scripted/scripted.ts';

type Provider = Api['provider'];
type ApiOf<P extends Provider> = Extract<Api, { provider: P }>;

/** What the adapters of all providers get. */
interface ModelDeps extends HttpModelDeps {
  /** Whether a text contains a match, for the `text` conditions of scripted rules. Default: the filters' regexes. */
  readonly test?: PatternTest | undefined;
  /** A variable of Callsheet's own environment, for command-line agents. Default: none is set. */
  readonly env?: ((name: string) => string | undefined) | undefined;
  readonly log: Logger;
}

/** One provider of models. */
interface ModelProvider<A extends Api> {
  /** Opens an adapter for one api document. Sends nothing. */
  readonly create: (api: A, deps: ModelDeps) => Model;
  /** Opens an embedding model of the provider. Missing: it has none. */
  readonly embed?: (api: A, model: string, deps: ModelDeps) => EmbeddingModel;
  /** The provider's own prices, for api documents without a `price`. Missing: the price is unknown. */
  readonly prices?: (api: A, answeredBy?: string) => Price | null;
}

/** Every provider of models, by its name in schemas/api.schema.json. A new provider is one folder and one row here. */
export const modelProviders: { readonly [P in Provider]: ModelProvider<ApiOf<P>> } = {
  openai: { create: createOpenai, embed: createOpenaiEmbeddings, prices: openaiPrices },
  anthropic: { create: createAnthropic, prices: anthropicPrices },
  ollama: { create: createOllama, embed: createOllamaEmbeddings },
  cli: { create: (api, { env = () => undefined, ...deps }) => createCli({ ...deps, api, env }) },
  scripted: {
    create: (api, { test }) => createScripted(api, test),
    prices: () => ({ inputPerMillion: 0, outputPerMillion: 0 }),
  },
};

interface Options extends Omit<ModelDeps, 'fetch'> {
  /** Default: our own pool of kept-alive connections. */
  readonly fetch?: ModelDeps['fetch'];
}

/**
 * Opens adapters on demand and keeps them. Documents of equal content share one adapter, and so its
 * `limits.concurrency`. `close` closes the connections; requests in progress fail.
 */
export function createModels({ fetch, ...deps }: Options): Models {
  const pool = createKeepAliveFetch();
  const { log } = deps;
  const modelDeps: ModelDeps = { ...deps, fetch: fetch ?? pool.fetch };
  const byDocument = new WeakMap<Api, Model>();
  const byContent = new Map<string, Model>();

  return {
    open(api) {
      let model = byDocument.get(api);
      if (model !== undefined) return model;
      const content = canonicalJson(api);
      model = byContent.get(content) ?? create(api.provider, api, modelDeps);
      if (!byContent.has(content)) log.debug('model opened', { api: api.id, provider: api.provider });
      byContent.set(content, model);
      byDocument.set(api, model);
      return model;
    },
    async close() {
      pool.close();
    },
  };
}

/** Whether the provider of an api has embeddings. */
export function hasEmbeddings({ provider }: Pick<Api, 'provider'>): boolean {
  return modelProviders[provider].embed !== undefined;
}

/** Opens embedding models. `close` closes their connections; requests in progress fail. */
export function createEmbeddingModels({ fetch, ...deps }: Options): EmbeddingModels {
  const pool = createKeepAliveFetch();
  const modelDeps: ModelDeps = { ...deps, fetch: fetch ?? pool.fetch };
  return {
    open: (api, model) => embed(api.provider, api, model, modelDeps),
    async close() {
      pool.close();
    },
  };
}

/** Name of the model that an api asks; `scripted` for an api of rules, the tool for a command-line agent. */
export function modelName(api: Api): string {
  if (api.provider === 'cli') return toolLabel(api);
  return 'model' in api ? api.model : api.provider;
}

/**
 * The price of a model: the `price` of its api document, else the provider's own price for `answeredBy` (the model that
 * answered, if known) or for the document's model. Null where the price is unknown, which never means 0. Scripted
 * answers cost nothing.
 */
export function priceOf(api: Api, answeredBy?: string): Price | null {
  const own = 'price' in api ? api.price : undefined;
  return own ?? listPrice(api.provider, api, answeredBy);
}

/** The price of an embedding model of an api; the api's own price only where it is the api's model. Null if unknown. */
export function embeddingPriceOf(api: Api, model: string): Price | null {
  if (!('model' in api)) return null;
  if (api.model === model) return priceOf(api);
  const { price: _ofAnotherModel, ...rest } = api;
  return priceOf({ ...rest, model } as Api);
}

// TypeScript relates a row to its document only through a type parameter.
function create<P extends Provider>(provider: P, api: ApiOf<P>, deps: ModelDeps): Model {
  return modelProviders[provider].create(api, deps);
}

function embed<P extends Provider>(provider: P, api: ApiOf<P>, model: string, deps: ModelDeps) {
  return modelProviders[provider].embed?.(api, model, deps);
}

function listPrice<P extends Provider>(provider: P, api: ApiOf<P>, answeredBy: string | undefined): Price | null {
  return modelProviders[provider].prices?.(api, answeredBy) ?? null;
}
