import type { Api } from '../config/config.ts';
import type { Abortable } from '../base/abort.ts';

/** A message of the canonical transcript: OpenAI's chat messages (seed 000, 3.2.0b). */
export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly ToolCall[];
      readonly refusal?: string;
      /** Encrypted reasoning behind the tool calls. OpenAI's Responses API expects it back with the calls. */
      readonly reasoning?: readonly Reasoning[];
      /** Kind of the text (`commentary`, `final_answer`), if the provider names it. The provider expects it back. */
      readonly phase?: string;
    }
  | {
      readonly role: 'tool';
      readonly tool_call_id: string;
      readonly content: string;
      /** In a transcript: the mark of the envelope in which models get the content. No request to a model has it. */
      readonly untrusted?: string;
    };

/** A call of a tool, as the model wrote it. */
export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is the text that the model wrote; it may be invalid JSON. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A piece of the model's reasoning, encrypted by the provider. */
export interface Reasoning {
  /** The encrypted text. */
  readonly sealed: string;
  /** Number of tool calls of the message that come before it. */
  readonly at: number;
}

/** A tool as the model sees it. */
export interface ToolSpec {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The form of a final answer that must be JSON. */
export interface OutputFormat {
  /** Names the form to the provider: letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Token counts of one answer. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

/** Usage of a request that failed. */
export interface FailedUsage extends Usage {
  /** True where the server sent no count: estimated from characters, four characters per token. */
  readonly isEstimate: boolean;
}

/** One request to a model. */
export interface ModelRequest extends Abortable {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** The kind of actor that asks; scripted rules can test it. */
  readonly role: 'director' | 'agent';
  /** Id of the director or agent that asks. */
  readonly actorId: string;
  /** Number of this request within its run or ask, from 1. */
  readonly turn: number;
  /** Set where the engine asks for a summary of a thread, and not for the next turn. A scripted model answers it by itself. */
  readonly purpose?: 'summary';
  /** The form of the answer, where it calls no tool. A server without such a mode does not get it: the engine checks every answer. */
  readonly output?: OutputFormat;
  /** Longest answer in tokens. Default: the server's limit; for Anthropic the api's `maxTokens`. */
  readonly maxTokens?: number;
  /**
   * The adapter awaits this right before it sends the request, after any wait for a free slot: limits count the request
   * from then on. Rejects on abort.
   */
  readonly beforeSend?: () => Promise<void>;
  /**
   * Called before `ask` rejects, with the usage of an answer that was cut short by an abort, the time limit, a lost
   * connection or an error in mid-stream. Called at most once, and only if a streamed answer had begun: the usage of
   * other failed requests is unknown.
   */
  readonly onSpent?: (spent: FailedUsage) => void;
  /**
   * Called with each piece of the answer's text as it arrives, in order: joined, they are the text of the answer, or its
   * beginning where the rest turned out to be something else. Only the answer counts. No reasoning, no refusal and no
   * arguments of calls. An answer that does not arrive in pieces is one piece. Must not throw and must not wait.
   */
  readonly onText?: OnText;
  /** How a command-line agent may work. Only adapters of provider `cli` read it. */
  readonly cli?: CliTurn;
}

/**
 * How a command-line agent may work in one turn. Missing: it answers with text alone, in a fresh empty folder, and every
 * permission that it asks for is refused.
 */
export interface CliTurn {
  /**
   * The folder in which it works, absolute, and how. `safe`: in the tool's read-only, sandbox or asking mode; `yolo`: without
   * asking. `hidden`: absolute paths of folders and files that a sandbox hides.
   */
  readonly roaming?: { readonly dir: string; readonly mode: 'safe' | 'yolo'; readonly hidden: readonly string[] };
  /** The session of the tool. Missing: a fresh one that the tool need not keep. */
  readonly session?: CliSession;
  /** Absolute paths that a sandbox hides also without roaming: the config and the data folder. */
  readonly hidden?: readonly string[];
  /**
   * Decides on a permission that the tool asks for. The time limit stands still meanwhile. Missing: every request is refused.
   * Rejects with the signal's reason on abort.
   */
  readonly onPermission?: (request: CliPermission, options: Abortable) => Promise<'allow' | 'deny'>;
}

/** The session of a command-line agent that outlives a turn. */
export interface CliSession {
  /** An empty folder to work in, since a session belongs to its folder. Missing: the session is not kept. */
  readonly dir?: string;
  /** The session to load, and what it reads then in place of the whole prompt. */
  readonly resume?: { readonly id: string; readonly prompt: string };
  /** Why the session is fresh, for the trace. */
  readonly whyFresh?: string;
  /** Called with the id of a session that can be loaded later, before `ask` resolves. */
  readonly onKept?: (id: string) => void;
}

/** A permission that a command-line agent asks for. */
export interface CliPermission {
  /** What the tool wants to do, in its own words. */
  readonly title: string;
  /** Kind of the action as the Agent Client Protocol names it: `read`, `edit`, `execute`, `fetch`, … */
  readonly kind: string;
  /** Exact input of the action. Missing: the tool did not tell it. */
  readonly input?: unknown;
}

/** Takes the next piece of a text. */
export type OnText = (piece: string) => void;

/** The answer to one request. */
export interface ModelAnswer {
  /** Each tool call has an id that is unique within the answer; missing, empty and repeated ids were replaced. */
  readonly message: Extract<Message, { role: 'assistant' }>;
  readonly stop: 'stop' | 'tool_calls' | 'length' | 'refusal';
  readonly usage?: Usage;
  /** Name of the model that answered, as the provider spells it. */
  readonly model: string;
  /** The provider's response as JSON text, for the trace. */
  readonly raw: string;
}

/**
 * The adapter of one api document. `ask` sends exactly one request; the state machine decides on retries. It rejects with
 * a `ModelError` that has a `MODEL_*` code, `retryable`, and `retryAfterMs` if the provider named a time. Abort stops the
 * request, even while it waits for a free slot, and rejects with the signal's reason. Messages and tools must not change
 * after the call: the adapter caches their JSON as long as the objects exist.
 */
export interface Model {
  ask(request: ModelRequest): Promise<ModelAnswer>;
  /** Whether the api can be used now: its key is set, or its server answers. Never rejects; `why` is for people. */
  available(options: Abortable): Promise<{ ok: true } | { ok: false; why: string }>;
  /**
   * Tries the key with a request that costs nothing, within five seconds. Never rejects; no text contains the key. Missing where
   * a provider has no keys, or where `available` asks the server anyway.
   */
  checkKey?(options: Abortable): Promise<KeyTrial>;
}

/** Result of trying a key; `none`: no key is set and none is needed; `untried`: the server has no request to try it with. */
export type KeyTrial =
  { readonly state: 'accepted' | 'none' | 'untried' } | { readonly state: 'refused' | 'unknown'; readonly why: string };

/** Opens adapters. Api documents with equal content share one adapter. */
export interface Models {
  open(api: Api): Model;
  close(): Promise<void>;
}
