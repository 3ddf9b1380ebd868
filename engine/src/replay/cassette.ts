import type { ErrorBody } from '../base/error.ts';
import { canonicalJson, type Json, sha256 } from '../base/json.ts';
import type { Api } from '../config/config.ts';
import { modelName } from '../model/models.ts';
import type { Message, ModelAnswer, ModelRequest, ToolSpec } from '../model/model.ts';
import type { GeneratedFile } from '../workspace/generated-file.ts';
import { shapeOf, timeless } from './shape.ts';

/**
 * How a cassette is used. `none`: it answers everything. `once`: an empty cassette records, any other one answers everything.
 * `new_episodes`: it answers what it knows, and records the rest. `all`: it records everything anew.
 */
export type RecordMode = 'none' | 'once' | 'new_episodes' | 'all';

/** A request to a model, as a cassette compares it. Ids are numbered (`shapeOf`). */
export interface TapedRequest {
  readonly provider: string;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** The settings of the api document that reach the model: temperature and the like. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A recorded request to a model with its answer or its error; without either, where the run ended before one came. */
export interface TapedAnswer {
  /** Id of the agent that asked; `''` for a director. */
  readonly agentId: string;
  readonly request: TapedRequest;
  /** In ids: the numbers of the request. */
  readonly answer?: Omit<ModelAnswer, 'raw'>;
  readonly error?: ErrorBody & { readonly retryable?: boolean; readonly retryAfterMs?: number };
  readonly latencyMs: number;
}

/** A recorded call of a tool with its result or its error; without either, where the run ended before one came. */
export interface TapedCall {
  readonly tool: string;
  /** Ids are numbered. */
  readonly arguments: Json;
  /** In ids: the numbers of the arguments. */
  readonly result?: Json;
  readonly error?: ErrorBody;
  /** The files that the call made, where its run kept them as items. */
  readonly files?: readonly GeneratedFile[];
  readonly latencyMs: number;
}

/** The answers of models and tools of a recording. */
export interface Cassette {
  /** When the recording began, ISO 8601: the clock of a play starts there. */
  readonly at: string;
  /** Apis that the recorded run passed over, since they could not be used then. */
  readonly unavailable: readonly string[];
  readonly answers: readonly TapedAnswer[];
  readonly calls: readonly TapedCall[];
}

/** A cassette without a recording. `at`: ISO 8601. */
export function emptyCassette(at: string): Cassette {
  return { at, unavailable: [], answers: [], calls: [] };
}

/** Whether a recorded request or call was never answered: the run ended first. */
export function isUnanswered(taped: TapedAnswer | TapedCall): boolean {
  const hasAnswer = 'answer' in taped ? taped.answer !== undefined : 'result' in taped && taped.result !== undefined;
  return !hasAnswer && taped.error === undefined;
}

/** A request or a call that a cassette could not answer. */
export interface Miss {
  readonly kind: 'model' | 'tool';
  /** Id of the agent; `''` for the director. */
  readonly agentId: string;
  /** The tool, or the model as `provider model`. */
  readonly name: string;
  /** What was asked now, and the recorded request that is most like it; absent where none is left. */
  readonly asked: Json;
  readonly recorded?: Json;
  /** The difference in one line. */
  readonly why: string;
}

/** Keys of an api document that do not change what a model reads: who it is, how it is reached, and what it costs. */
const NOT_SENT = new Set([
  ...['id', 'description', 'enabled', 'order', 'provider', 'model', 'apiKey', 'organization', 'baseUrl', 'protocol'],
  ...['structuredOutput', 'stream', 'limits', 'retry', 'price', 'fallback', 'locality', 'script', 'env', 'credentials'],
]);

/** The settings of an api document that reach its model. */
export function parametersOf(api: Api): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(api).filter(([name, value]) => !NOT_SENT.has(name) && value !== undefined));
}

/** A request as cassettes compare it, and the ids behind its numbers. */
export function tapeRequest(
  api: Api,
  { messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>,
): { readonly request: TapedRequest; readonly ids: readonly string[] } {
  const { value, ids } = shapeOf(inOrder(messages));
  const request = {
    provider: api.provider,
    model: modelName(api),
    messages: value,
    tools,
    parameters: parametersOf(api),
  };
  return { request, ids };
}

/** Results of one answer's calls in the order of their ids: in which order they arrived changes nothing. */
export function inOrder(messages: readonly Message[]): readonly Message[] {
  const sorted: Message[] = [];
  let results: Extract<Message, { role: 'tool' }>[] = [];
  const flush = () => {
    sorted.push(...results.sort((a, b) => (a.tool_call_id < b.tool_call_id ? -1 : 1)));
    results = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') results.push(message);
    else {
      flush();
      sorted.push(message);
    }
  }
  flush();
  return sorted;
}

/** Equal for equal requests: a hash of provider, model, messages, tools and parameters, without ids and times. */
export function requestKey(request: TapedRequest): string {
  return sha256(canonicalJson(timeless(JSON.parse(JSON.stringify(request)) as Json)));
}

/** Equal for equal calls: a hash of the tool and its arguments, without ids and times. */
export function callKey(tool: string, args: Json): string {
  return sha256(canonicalJson([tool, timeless(args)]));
}
