import { isRecord, type Json } from '../../base/json.ts';
import type { Api, Snapshot } from '../../config/config.ts';
import type { Message, ModelAnswer, ToolSpec } from '../../model/model.ts';
import type { Run } from '../../run/run.ts';
import { ASK_USER } from '../../tool/person.ts';
import { AGENT_PREFIX } from '../../tool/toolset.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Reader } from '../../store/store.ts';
import type { EventBody, StoredRequest } from '../../trace/provider-events.ts';
import type { GeneratedFile } from '../../workspace/generated-file.ts';
import type { WorkspaceItem } from '../../workspace/item.ts';
import { shownMessages, windowedMessages } from '../../trace/windowed.ts';
import {
  type Cassette,
  inOrder,
  parametersOf,
  type TapedAnswer,
  type TapedCall,
  type TapedRequest,
} from '../cassette.ts';
import { numbered, shapeOf } from '../shape.ts';
import { readItems } from './recorded-items.ts';
import { errorIn, type RecordedCall, valueIn } from './recorded-calls.ts';
import type { RecordedMessage, RecordedThread } from './recorded-threads.ts';

/** Error codes of calls that never reached the tool: the engine refuses them in a play as well. */
const NEVER_RUN = new Set([
  ...['TOOL_ARGUMENTS', 'TOOL_DENIED', 'TOOL_UNKNOWN', 'TOOL_CANCELLED', 'TOOL_LIMIT'],
  ...['TOOL_NEEDS_TIME', 'TOOL_OUTCOME_UNKNOWN'],
]);

/** Everything that a stored run says about itself. `config`: that of its revision. */
export interface StoredRun {
  readonly run: Run;
  readonly config: Snapshot | undefined;
  readonly threads: readonly RecordedThread[];
  readonly calls: readonly RecordedCall[];
}

/** The cassette of stored runs: their answers and results in the order in which they arrived. Scripted answers are left out. */
export async function readCassette(reader: Reader, runs: readonly StoredRun[]): Promise<Cassette> {
  const toolsets = new Map<string, readonly ToolSpec[]>();
  const toolsOf = async (hash: string) => {
    const row = toolsets.has(hash) || hash === '' ? undefined : await reader.get('toolset', { hash });
    if (row !== undefined) toolsets.set(hash, bodyOf<readonly ToolSpec[]>('toolset', row));
    return toolsets.get(hash) ?? [];
  };
  const answers: Timed<TapedAnswer>[] = [];
  const calls: Timed<TapedCall>[] = [];
  for (const stored of runs) {
    for (const thread of stored.threads) answers.push(...(await answersOf(stored, thread, toolsOf)));
    const items = await readItems(reader, stored.run, stored.calls);
    calls.push(...stored.calls.flatMap((call) => callOf(call, items)));
  }
  const times = runs.map(({ run, threads }) => threads[0]?.messages[0]?.at ?? Date.parse(run.createdAt));
  return {
    at: new Date(Math.min(...times)).toISOString(),
    unavailable: [...new Set(runs.flatMap(passedOver))],
    answers: inTime(answers),
    calls: inTime(calls),
  };
}

interface Timed<T> {
  readonly at: number;
  readonly value: T;
}

function inTime<T>(all: Timed<T>[]): T[] {
  return all.sort((a, b) => a.at - b.at).map(({ value }) => value);
}

/** Apis that the run could have used and did not. */
function passedOver({ run }: StoredRun): string[] {
  const named = Object.keys(run.documents).flatMap((name) => (name.startsWith('apis/') ? [name.slice(5)] : []));
  return run.apis.length === 0 && run.error?.code !== 'MODEL_NONE_AVAILABLE'
    ? []
    : named.filter((id) => !run.apis.some((api) => api.id === id));
}

async function answersOf(
  { config }: StoredRun,
  { agentId, messages, events }: RecordedThread,
  toolsOf: (hash: string) => Promise<readonly ToolSpec[]>,
): Promise<Timed<TapedAnswer>[]> {
  const found: Timed<TapedAnswer>[] = [];
  for (const [n, { at, body }] of events.entries()) {
    const next = events[n + 1];
    if (body.kind !== 'request' || body.provider === 'scripted' || next?.body.kind === 'request') continue;
    const { value: sent, ids } = shapeOf(inOrder(sentOf(body, messages)));
    const api = config?.apis.get(body.apiId);
    const request: TapedRequest = {
      ...{ provider: body.provider, model: body.model, messages: sent, tools: await toolsOf(body.toolset) },
      parameters: api === undefined ? {} : parametersOf(api as Api),
    };
    if (next === undefined) {
      found.push({ at, value: { agentId, request, latencyMs: 0 } });
      continue;
    }
    const answer = answerOf(next.body, messages[body.upTo], ids);
    if (answer !== undefined)
      found.push({ at: next.at, value: { agentId, request, ...answer, latencyMs: next.body.latencyMs } });
  }
  return found;
}

function sentOf(
  { upTo, window, own, isRedacted }: StoredRequest,
  messages: readonly RecordedMessage[],
): readonly Message[] {
  if (own !== undefined) return own as readonly Message[];
  const all = messages
    .slice(0, upTo)
    .map(({ message, redacted }) => (isRedacted === true ? (redacted ?? message) : message));
  return window === undefined ? shownMessages(all) : windowedMessages(all, window);
}

/** The answer is the message of the transcript that follows the request. */
function answerOf(
  body: Exclude<EventBody, { kind: 'request' }>,
  next: RecordedMessage | undefined,
  ids: readonly string[],
): Pick<TapedAnswer, 'answer' | 'error'> | undefined {
  if (body.kind === 'error') {
    const { error, retryable, retryAfterMs } = body;
    return {
      error: {
        ...error,
        ...(retryable !== undefined && { retryable }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      },
    };
  }
  const { model, usage, summary, stop } = body;
  const counted = { model, ...(usage !== undefined && { usage }) };
  if (summary !== undefined)
    return {
      answer: numbered(
        { message: { role: 'assistant', content: summary } as const, stop: 'stop' as const, ...counted },
        ids,
      ),
    };
  const message = next?.redacted ?? next?.message;
  if (message?.role !== 'assistant') return undefined;
  const known = STOPS.find((one) => one === stop) ?? guessStop(message);
  return { answer: numbered({ message, stop: known, ...counted }, ids) };
}

const STOPS = ['stop', 'tool_calls', 'length', 'refusal'] as const;

function guessStop(message: Extract<Message, { role: 'assistant' }>): ModelAnswer['stop'] {
  if (message.refusal !== undefined) return 'refusal';
  return message.tool_calls === undefined ? 'stop' : 'tool_calls';
}

function callOf(
  { tool, arguments: args, row, result, at }: RecordedCall,
  items: readonly WorkspaceItem[],
): Timed<TapedCall>[] {
  // Other calls without a row worked on the store of the run, as they do in a play; agents and persons answer there, too.
  const isLocal = row === undefined && !tool.startsWith('memory_');
  if (result === undefined || isLocal || tool === ASK_USER || tool.startsWith(AGENT_PREFIX)) return [];
  const error = errorIn(result.content);
  const isCut = row?.state === 'cancelled' && row.decided !== undefined;
  if (!isCut && error !== undefined && NEVER_RUN.has(error.code)) return [];
  const { value, ids } = shapeOf(args);
  // It ran when the run ended.
  if (isCut) return [{ at: result.at, value: { tool, arguments: value, latencyMs: 0 } }];
  const latencyMs = Math.max(0, result.at - (row?.decided?.at ?? at));
  const outcome = error === undefined ? { result: numbered(valueIn(result.content), ids) } : { error };
  const files = filesIn(tool, valueIn(result.content), items);
  const made = files.length > 0 ? { files } : {};
  return [{ at: result.at, value: { tool, arguments: value, ...outcome, ...made, latencyMs } }];
}

/** The files that a call made: its result names their items. Of two files in one item both have what the run left there. */
function filesIn(tool: string, value: Json, items: readonly WorkspaceItem[]): GeneratedFile[] {
  const named = isRecord(value) && Array.isArray(value['items']) ? value['items'] : [];
  return named.flatMap((entry: unknown) => {
    const item = isRecord(entry) ? items.find(({ id }) => id === entry['id']) : undefined;
    if (!isRecord(entry) || item?.context.tool !== tool || item.encoding === 'binary') return [];
    const { data = '', encoding, mimeType } = item;
    return [{ label: String(entry['label']), mimeType, encoding, data }];
  });
}
