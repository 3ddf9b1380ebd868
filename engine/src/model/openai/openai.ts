import type { Clock } from '../../base/clock.ts';
import type { Redactor } from '../../base/redact.ts';
import type { Api } from '../../config/config.ts';
import { createHttpModel } from '../protocol/http-model.ts';
import { createCompletions } from './completions.ts';
import { createKey } from '../http/api-key.ts';
import type { Model } from '../model.ts';
import { createResponses } from './responses.ts';
import type { KeepAliveFetch } from '../http/keep-alive-fetch.ts';

/** What the adapters that speak HTTP are given. */
export interface HttpModelDeps {
  /** The value behind `${env:NAME}` or `${secret:NAME}` at this moment, undefined where it is not set. */
  readonly resolve: (reference: string) => string | undefined;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly fetch: KeepAliveFetch['fetch'];
}

/**
 * OpenAI, or any server that speaks its chat completions, or its Responses API where `protocol` says so. Answers are
 * streamed where `stream` says so; where it says nothing, by the Responses API, and else from OpenAI itself and Azure: of
 * other servers some refuse `stream_options`, and some stream tool calls badly.
 *
 * It is available when its key is set; nothing is asked of the network, a provider that is down is a failed request
 * and not a reason for another model. A server on this machine may do without a key: it is available when it answers
 * `GET /models` with any status within a second.
 */
export function createOpenai(api: Extract<Api, { provider: 'openai' }>, tools: HttpModelDeps): Model {
  const { hostname } = new URL(api.baseUrl);
  const isOpenai = /(^|\.)openai(\.azure)?\.com$/.test(hostname);
  const { key, keyHint, available } = createKey({ ...tools, api, probeUrl: modelsAddress(api.baseUrl) });
  const way = { ...api.limits, model: api.model, baseUrl: api.baseUrl, fetch: tools.fetch };
  return {
    ask: createHttpModel({
      ...tools,
      ...api.limits,
      apiId: api.id,
      model: api.model,
      baseUrl: api.baseUrl,
      key,
      keyHint,
      protocol:
        api.protocol === 'responses'
          ? createResponses({ ...way, stream: api.stream ?? true })
          : createCompletions({
              ...way,
              dialect: isOpenai ? 'openai' : 'compatible',
              stream: api.stream ?? isOpenai,
            }),
    }),
    available,
  };
}

function modelsAddress(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/models`;
  return url.toString();
}
