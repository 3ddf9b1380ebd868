import type { Api } from '../config/config.ts';
import type { Abortable } from '../base/abort.ts';

/** The canonical transcript: OpenAI chat messages (seed 000, 3.2.0b). */
export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly ToolCall[];
      readonly refusal?: string;
      /** What the model thought on the way to its calls, sealed; OpenAI's Responses API wants it back with them. */
      readonly reasoning?: readonly Reasoning[];
      /** What the text is (`commentary`, `final_answer`), where the provider says it; it wants that back, too. */
      readonly phase?: string;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is the raw text that the model wrote, valid JSON or not. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A piece of a model's thinking that only its provider can read. */
export interface Reasoning {
  readonly sealed: string;
  /** How many calls of the message came before it. */
  readonly at: number;
}

/** A tool as a model is shown it. */
export interface ToolSpec {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

/** What a request has used up though no answer came of it. */
export interface FailedUsage extends Usage {
  /** True where the server did not say it: counted from characters, four of them a token. */
  readonly isEstimate: boolean;
}

export interface ModelRequest extends Abortable {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Who asks; scripted rules look at these. */
  readonly role: 'director' | 'agent';
  readonly actorId: string;
  /** Model requests of this run or ask so far, counted from 1. */
  readonly turn: number;
  /** Longest answer, in tokens. Default: what the server allows, for Anthropic the api's `maxTokens`. */
  readonly maxTokens?: number;
  /**
   * Told, before `ask` rejects, what an answer has cost that was cut short: by an abort, the time limit, a lost
   * connection or an error in mid-stream. At most once, and only where the answer was streamed and had begun: of any
   * other failed request nothing is known.
   */
  readonly onSpent?: (spent: FailedUsage) => void;
}

export interface ModelAnswer {
  /** Every call has an id that is unique within the answer; missing, empty and repeated ones were replaced. */
  readonly message: Extract<Message, { role: 'assistant' }>;
  readonly stop: 'stop' | 'tool_calls' | 'length' | 'refusal';
  readonly usage?: Usage;
  /** Model that answered, as the provider names it. */
  readonly model: string;
  /** The provider's response as JSON text, for the trace. */
  readonly raw: string;
}

/**
 * One adapter for one api document. `ask` makes exactly one request: retries are the machine's business. It throws
 * `ModelError` with a `MODEL_*` code, `retryable` set, and `retryAfterMs` where the provider said when to come back.
 * Abort stops the request, also one that waits for its turn, and rejects with the signal's reason. Messages and tools
 * must not change after they were handed in: their JSON is kept as long as the objects live.
 */
export interface Model {
  ask(request: ModelRequest): Promise<ModelAnswer>;
  /** Whether this api can be used now: its key is set, its server answers. Never throws; `why` is for people. */
  available(options: Abortable): Promise<{ ok: true } | { ok: false; why: string }>;
}

/** Opens adapters; the same api document (by content) gives the same adapter. */
export interface Models {
  open(api: Api): Model;
  close(): Promise<void>;
}
