import type { Clock } from '../base/clock.ts';
import { canonicalJson } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Api } from '../config/config.ts';
import { createAnthropic } from './anthropic/anthropic.ts';
import type { Model, Models } from './model.ts';
import { createOllama } from './ollama/ollama.ts';
import { createOpenai, type HttpModelDeps } from './openai/openai.ts';
import { createScripted, type PatternTest } from './scripted/scripted.ts';
import { createKeepAliveFetch, type KeepAliveFetch } from './http/keep-alive-fetch.ts';

interface Options {
  /** The value behind `${env:NAME}` or `${secret:NAME}` at this moment, undefined where it is not set. */
  resolve: (reference: string) => string | undefined;
  redactor: Redactor;
  clock: Clock;
  log: Logger;
  /** Whether a text holds a match, for the `text` conditions of scripted rules. Default: the filters' regexes. */
  test?: PatternTest;
  /** Default: kept-alive connections of our own. */
  fetch?: KeepAliveFetch['fetch'];
}

/**
 * All adapters, opened when asked for and kept: documents of equal content share one, and with it the places of
 * `limits.concurrency`. `close` ends the connections; requests under way fail.
 */
export function createModels({ resolve, redactor, clock, log, test, fetch }: Options): Models {
  const pool = createKeepAliveFetch();
  const tools: HttpModelDeps = { resolve, redactor, clock, fetch: fetch ?? pool.fetch };
  const byDocument = new WeakMap<Api, Model>();
  const byContent = new Map<string, Model>();

  return {
    open(api) {
      let model = byDocument.get(api);
      if (model !== undefined) return model;
      const content = canonicalJson(api);
      model = byContent.get(content) ?? create(api, tools, test);
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

function create(api: Api, tools: HttpModelDeps, test: PatternTest | undefined): Model {
  switch (api.provider) {
    case 'openai':
      return createOpenai(api, tools);
    case 'anthropic':
      return createAnthropic(api, tools);
    case 'ollama':
      return createOllama(api, tools);
    case 'scripted':
      return createScripted(api, test);
    default:
      return api satisfies never;
  }
}
