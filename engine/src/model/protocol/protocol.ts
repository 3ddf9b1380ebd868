import type { Clock } from '../../base/clock.ts';
import type { Redactor } from '../../base/redact.ts';
import type { HttpFetch } from '../http/keep-alive-fetch.ts';
import type { ModelTarget } from './classify-error.ts';
import type { SdkClient } from '../http/sdk-client.ts';
import type { ModelAnswer, FailedUsage } from '../model.ts';
import type { HeaderReader } from '../http/retry-after.ts';
import type { BodyWriter } from './chat-format.ts';

/** What the adapters that speak HTTP are given. */
export interface HttpModelDeps {
  /** The value behind `${env:NAME}` or `${secret:NAME}` at this moment, undefined where it is not set. */
  readonly resolve: (reference: string) => string | undefined;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly fetch: HttpFetch;
}

/** How one kind of server is spoken to. Everything else (places, time limit, abort, errors) is the same for all. */
export interface Protocol {
  /** The body of a request. */
  readonly write: BodyWriter;
  /** A way to the server with this key. */
  connect(key: string | undefined): Promise<SdkClient>;
  /** Starts to put a streamed answer together. */
  readonly fold: () => StreamFold;
  /** Reads an answer that came whole, or was put together. Throws `ModelError`. */
  read(body: AnswerBody, context: ReadContext): ModelAnswer;
}

/** What was asked, for reading the answer. */
export interface ReadContext {
  readonly turn: number;
  /** Names of the tools that the model was shown. */
  readonly offered: readonly string[];
  readonly target: ModelTarget;
}

/** An answer as it came over the wire. */
export interface AnswerBody {
  readonly json: Record<string, unknown>;
  /** The same as text, for the trace. */
  readonly raw: string;
  readonly headers: HeaderReader;
}

/** A streamed answer, put together into the shape of one that came whole, so that both are read by the same code. */
export interface StreamFold {
  /** Takes the next event. Throws `SyntaxError` where it is no JSON. */
  add(data: string): void;
  /** The server said that nothing follows; its connection may stay open. */
  readonly isOver: boolean;
  /** Nothing that an answer needs is missing; the count of tokens may still come. */
  readonly isWhole: boolean;
  /** Undefined where nothing came. */
  json(): Record<string, unknown> | undefined;
  /** What has been used up so far, for an answer that is cut short; undefined before anything came. */
  spent(): PartialUsage | undefined;
}

/** `inputTokens` is missing where the server has not said it yet. */
export type PartialUsage = Omit<FailedUsage, 'inputTokens'> & { readonly inputTokens?: number };

/** OpenAI's rule of thumb (help centre, "What are tokens"): a token is about four characters of English. */
export const CHARACTERS_PER_TOKEN = 4;
