import type { AnthropicApi } from '../../config/documents.gen.ts';
import { createAnthropicClient, keyHeaders } from './client.ts';
import { readMessage } from './answer.ts';
import { createMessagesWriter } from './request.ts';
import { createHttpModel } from '../protocol/http-model.ts';
import { foldMessages } from './stream.ts';
import { createApiKey } from '../http/api-key.ts';
import { createKeyCheck } from '../http/key-check.ts';
import type { Model } from '../model.ts';
import type { HttpModelDeps } from '../protocol/protocol.ts';

/** Version of the API that the list of models is asked by: the one that the SDK sends with model requests. */
const API_VERSION = '2026-10-21';

/**
 * A model of Anthropic, by its Messages API. The api is available if its key is set. A server on this machine needs no key:
 * it is available if it answers `GET /v1/models` with any status within a second.
 */
export function createAnthropic(api: AnthropicApi, deps: HttpModelDeps): Model {
  const baseUrl = api.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const { key, keyHint, available } = createApiKey({ ...deps, api, probeUrl: `${baseUrl}/v1/models` });
  const timeoutMs = api.limits.timeoutSeconds * 1000;
  return {
    ask: createHttpModel({
      ...deps,
      ...api.limits,
      apiId: api.id,
      model: api.model,
      baseUrl,
      key,
      keyHint,
      protocol: {
        write: createMessagesWriter(api),
        connect: (apiKey) => createAnthropicClient({ apiKey, baseUrl, timeoutMs, fetch: deps.fetch }),
        fold: foldMessages,
        read: readMessage,
      },
    }),
    available,
    checkKey: createKeyCheck({
      ...deps,
      url: `${baseUrl}/v1/models?limit=1`,
      key,
      headers: (value) => ({ ...keyHeaders(value, baseUrl), 'anthropic-version': API_VERSION }),
    }),
  };
}
