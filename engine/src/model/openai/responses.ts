import { createSdkClient } from '../http/sdk-client.ts';
import type { CompletionsOptions } from './completions.ts';
import { foldResponse } from './responses-stream.ts';
import type { Protocol } from '../protocol/protocol.ts';
import { readResponse } from './responses-answer.ts';
import { createResponsesWriter } from './responses-request.ts';

/** OpenAI's Responses API, which other servers speak, too. Nothing is kept on the server: each request is the whole. */
export function createResponses({
  baseUrl,
  timeoutSeconds,
  fetch,
  ...body
}: Omit<CompletionsOptions, 'dialect'>): Protocol {
  const way = { baseUrl, path: '/responses', timeoutMs: timeoutSeconds * 1000, fetch };
  return {
    write: createResponsesWriter(body),
    connect: (apiKey) => createSdkClient({ ...way, apiKey }),
    fold: foldResponse,
    read: readResponse,
  };
}
