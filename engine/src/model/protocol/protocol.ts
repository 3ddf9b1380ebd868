import type { Clock } from '../../base/clock.ts';
import type { Redactor } from '../../base/redact.ts';
import type { ResolveReference } from '../../config/reference.ts';
import type { HttpFetch } from '../http/keep-alive-fetch.ts';
import type { ModelTarget } from './classify-error.ts';
import type { SdkClient } from '../http/sdk-client.ts';
import type { ModelAnswer, FailedUsage, OnText } from '../model.ts';
import type { HeaderReader } from '../http/retry-after.ts';
import type { BodyWriter } from './chat-format.ts';

/** Dependencies of the adapters that use HTTP. */
export interface HttpModelDeps {
  /** Current value of `${env:NAME}` or `${secret:NAME}`; undefined if it is not set. */
  readonly resolve: ResolveReference;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly fetch: HttpFetch;
}

/**
 * The protocol of one kind of server. Everything else (concurrency, time limit, abort, errors) is the same for all and is
 * in `http-model.ts`.
 */
export interface Protocol {
  /** Writes the body of a request. */
  readonly write: BodyWriter;
  /** Opens a client with this key. */
  connect(key: string | undefined): Promise<SdkClient>;
  /** Starts to assemble a streamed answer; `onText` gets its text piece by piece. */
  readonly fold: (onText?: OnText) => StreamFold;
  /** Reads a complete or assembled answer. Throws `ModelError`. */
  read(body: AnswerBody, context: ReadContext): ModelAnswer;
}

/** Facts about the request that reading its answer needs. */
export interface ReadContext {
  readonly turn: number;
  /** Names of the tools that the request offered. */
  readonly offered: readonly string[];
  readonly target: ModelTarget;
}

/** An answer as the server sent it. */
export interface AnswerBody {
  readonly json: Record<string, unknown>;
  /** The same as JSON text, for the trace. */
  readonly raw: string;
  readonly headers: HeaderReader;
}

/** Assembles a streamed answer into the shape of a complete one, so that the same code reads both. */
export interface StreamFold {
  /** Adds the data of the next event. Throws `SyntaxError` if it is not JSON. */
  add(data: string): void;
  /** True if the server has announced the end. Its connection may stay open. */
  readonly isOver: boolean;
  /** True if the answer is complete. The token counts may still be missing. */
  readonly isWhole: boolean;
  /** The answer so far; undefined before the first event. */
  json(): Record<string, unknown> | undefined;
  /** Usage so far, for an answer that is cut short; undefined before the first event. */
  spent(): PartialUsage | undefined;
}

/** Usage without `inputTokens` if the server has not sent that count yet. */
export type PartialUsage = Omit<FailedUsage, 'inputTokens'> & { readonly inputTokens?: number };

/** OpenAI's rule of thumb (help centre, "What are tokens"): a token is about four characters of English. */
export const CHARACTERS_PER_TOKEN = 4;
