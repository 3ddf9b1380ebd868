import type { OpenaiApi } from '../../config/documents.gen.ts';
import { createHttpModel } from '../protocol/http-model.ts';
import { createCompletions } from './completions.ts';
import { createApiKey } from '../http/api-key.ts';
import type { Model } from '../model.ts';
import { createResponses } from './responses.ts';
import type { HttpModelDeps } from '../protocol/protocol.ts';

/**
 * OpenAI, or any server that speaks its chat completions, or its Responses API where `protocol` says so. Answers are
 * streamed where `stream` says so; where it says nothing, by the Responses API, and else from OpenAI itself and Azure: of
 * other servers some refuse `stream_options`, and some stream tool calls badly.
 *
 * It is available when its key is set; nothing is asked of the network, a provider that is down is a failed request
 * and not a reason for another model. A server on this machine may do without a key: it is available when it answers
 * `GET /models` with any status within a second.
 */
export function createOpenai(api: OpenaiApi, deps: HttpModelDeps): Model {
  const { hostname } = new URL(api.baseUrl);
  const isOpenai = /(^|\.)openai(\.azure)?\.com$/.test(hostname);
  const { key, keyHint, available } = createApiKey({ ...deps, api, probeUrl: modelsAddress(api.baseUrl) });
  const way = { ...api.limits, model: api.model, baseUrl: api.baseUrl, fetch: deps.fetch };
  return {
    ask: createHttpModel({
      ...deps,
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
