import type { Api } from '../config/config.ts';
import { createAnthropicClient } from './anthropic-client.ts';
import { readMessage } from './anthropic-answer.ts';
import { createMessagesWriter } from './anthropic-wire.ts';
import { createChat } from './chat.ts';
import { foldMessages } from './fold-messages.ts';
import { createKey } from './key.ts';
import type { Model } from './model.ts';
import type { HttpTools } from './openai.ts';

/**
 * A model of Anthropic, by its Messages API. It is available when its key is set; a server on this machine may do without
 * one, and is available when it answers `GET /v1/models` with any status within a second.
 */
export function createAnthropic(api: Extract<Api, { provider: 'anthropic' }>, tools: HttpTools): Model {
  const baseUrl = api.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const { key, keyHint, available } = createKey({ ...tools, api, probeUrl: `${baseUrl}/v1/models` });
  const timeoutMs = api.limits.timeoutSeconds * 1000;
  return {
    ask: createChat({
      ...tools,
      ...api.limits,
      apiId: api.id,
      model: api.model,
      baseUrl,
      key,
      keyHint,
      protocol: {
        write: createMessagesWriter(api),
        connect: (apiKey) => createAnthropicClient({ apiKey, baseUrl, timeoutMs, fetch: tools.fetch }),
        fold: foldMessages,
        read: readMessage,
      },
    }),
    available,
  };
}
