import type { Clock } from '../base/clock.ts';
import type { Redactor } from '../base/redact.ts';
import type { Api } from '../config/config.ts';
import { createChat } from './chat.ts';
import { createCompletions } from './completions.ts';
import { createKey } from './key.ts';
import type { Model } from './model.ts';
import type { ThinFetch } from './thin-fetch.ts';

/** What the adapters that speak HTTP are given. */
export interface HttpTools {
  /** The value behind `${env:NAME}` or `${secret:NAME}` at this moment, undefined where it is not set. */
  readonly resolve: (reference: string) => string | undefined;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly fetch: ThinFetch['fetch'];
}

/**
 * OpenAI, or any server that speaks its chat completions. Answers are streamed where `stream` says so; where it says
 * nothing, from OpenAI itself and Azure: of other servers some refuse `stream_options`, and some stream tool calls badly.
 *
 * It is available when its key is set; nothing is asked of the network, a provider that is down is a failed request
 * and not a reason for another model. A server on this machine may do without a key: it is available when it answers
 * `GET /models` with any status within a second.
 */
export function createOpenai(api: Extract<Api, { provider: 'openai' }>, tools: HttpTools): Model {
  const { hostname } = new URL(api.baseUrl);
  const isOpenai = /(^|\.)openai(\.azure)?\.com$/.test(hostname);
  const { key, keyHint, available } = createKey({ ...tools, api, probeUrl: modelsAddress(api.baseUrl) });
  return {
    ask: createChat({
      ...tools,
      ...api.limits,
      apiId: api.id,
      model: api.model,
      baseUrl: api.baseUrl,
      key,
      keyHint,
      protocol: createCompletions({
        ...api.limits,
        model: api.model,
        baseUrl: api.baseUrl,
        dialect: isOpenai ? 'openai' : 'compatible',
        stream: api.stream ?? isOpenai,
        fetch: tools.fetch,
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
