import { createSdkClient } from '../http/sdk-client.ts';
import type { CompletionsOptions } from './completions.ts';
import { foldResponse } from './responses-stream.ts';
import type { Protocol } from '../protocol/protocol.ts';
import { readResponse } from './responses-answer.ts';
import { createResponsesWriter } from './responses-request.ts';

/** The protocol of OpenAI's Responses API. The server stores nothing: each request sends the whole transcript. */
export function createResponses({
  baseUrl,
  timeoutSeconds,
  fetch,
  organization,
  ...body
}: Omit<CompletionsOptions, 'dialect'>): Protocol {
  const connection = { baseUrl, path: '/responses', timeoutMs: timeoutSeconds * 1000, fetch, organization };
  return {
    write: createResponsesWriter(body),
    connect: (apiKey) => createSdkClient({ ...connection, apiKey }),
    fold: foldResponse,
    read: readResponse,
  };
}
