import { readAnswer } from './completions-answer.ts';
import { createSdkClient } from '../http/sdk-client.ts';
import { foldChat } from './completions-stream.ts';
import type { Protocol } from '../protocol/protocol.ts';
import type { HttpFetch } from '../http/keep-alive-fetch.ts';
import { createBodyWriter, type ChatDialect } from '../protocol/chat-format.ts';

export interface CompletionsOptions {
  readonly model: string;
  /** With the version part. */
  readonly baseUrl: string;
  readonly dialect: ChatDialect;
  readonly stream: boolean;
  readonly timeoutSeconds: number;
  readonly fetch: HttpFetch;
}

/** OpenAI's chat completions, as its own servers and many others speak them. */
export function createCompletions({ baseUrl, timeoutSeconds, fetch, ...body }: CompletionsOptions): Protocol {
  const way = { baseUrl, path: '/chat/completions', timeoutMs: timeoutSeconds * 1000, fetch };
  return {
    write: createBodyWriter(body),
    connect: (apiKey) => createSdkClient({ ...way, apiKey }),
    fold: foldChat,
    read: readAnswer,
  };
}
