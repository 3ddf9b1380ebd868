import { readAnswer } from './completions-answer.ts';
import { createSdkClient } from '../http/sdk-client.ts';
import { foldChat } from './completions-stream.ts';
import type { Protocol } from '../protocol/protocol.ts';
import type { HttpFetch } from '../http/keep-alive-fetch.ts';
import { createBodyWriter, type ChatDialect } from '../protocol/chat-format.ts';

/** Options of one chat completions API. */
export interface CompletionsOptions {
  readonly model: string;
  /** With the version part. */
  readonly baseUrl: string;
  readonly dialect: ChatDialect;
  readonly stream: boolean;
  readonly structuredOutput: boolean;
  readonly timeoutSeconds: number;
  readonly fetch: HttpFetch;
  readonly organization?: (() => string | undefined) | undefined;
}

/** The protocol of OpenAI's chat completions, which many other servers support. */
export function createCompletions({
  baseUrl,
  timeoutSeconds,
  fetch,
  organization,
  ...body
}: CompletionsOptions): Protocol {
  const connection = { baseUrl, path: '/chat/completions', timeoutMs: timeoutSeconds * 1000, fetch, organization };
  return {
    write: createBodyWriter(body),
    connect: (apiKey) => createSdkClient({ ...connection, apiKey }),
    fold: foldChat,
    read: readAnswer,
  };
}
