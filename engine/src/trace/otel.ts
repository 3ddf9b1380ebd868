import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { Change } from '../store/store.ts';
import type { EntryScope } from './entries.ts';
import type { EntryBody } from './entry.ts';
import type { EventBody } from './provider-events.ts';
import { assistantMessages, toParts } from './otel-message.ts';

/**
 * Names of all attributes and events of our spans: OpenTelemetry's conventions for generative AI (semantic-conventions,
 * docs/gen-ai: spans, agent spans, execute-tool), and our own names under `callsheet.`.
 */
export const ATTRIBUTES = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  conversation: 'gen_ai.conversation.id',
  agentId: 'gen_ai.agent.id',
  agentName: 'gen_ai.agent.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  tool: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
  toolType: 'gen_ai.tool.type',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  errorType: 'error.type',
  run: 'callsheet.run.id',
  cycle: 'callsheet.fetch_cycle.id',
  api: 'callsheet.api.id',
  turn: 'callsheet.turn',
  attempt: 'callsheet.attempt',
  approval: 'callsheet.approval.requested',
} as const;

/** Changes that were committed for a run. */
export interface CommittedChanges {
  readonly scope: EntryScope;
  readonly changes: readonly Change[];
}

/** Creates spans from committed changes. No other part of the engine uses spans. */
export interface Telemetry {
  /** Updates the spans of a run. Never throws; errors go to `onError`. */
  record(committed: CommittedChanges): void;
  /** Ends all open spans; their runs continue in another process. */
  close(): void;
}

/** Options of `createTelemetry`. */
export interface TelemetryOptions {
  readonly tracer: Tracer;
  /**
   * Whether spans contain messages, arguments and results. These contain the text of mails, so it is off by default.
   */
  readonly hasContent: boolean;
  readonly onError?: (error: unknown) => void;
}

/** Open spans of one thread. */
interface ThreadSpans {
  readonly context: Context;
  /** The agent's span, which ends with its answer. The director's thread has none: its span is that of the run. */
  readonly span?: Span;
  request?: Span;
  /** Time of the newest answer: the start of the tool calls that follow it. */
  answeredAt?: number;
  readonly messages: unknown[];
}

interface RunSpans {
  readonly run: Span;
  readonly context: Context;
  readonly threads: Map<string, ThreadSpans>;
}

/**
 * Creates spans of runs (`invoke_agent`), model requests (`chat`) and tool calls (`execute_tool`) from committed
 * changes.
 */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  return new SpanFold(options);
}

class SpanFold implements Telemetry {
  readonly #tracer: Tracer;
  readonly #hasContent: boolean;
  readonly #onError: TelemetryOptions['onError'];
  readonly #runs = new Map<string, RunSpans>();

  constructor({ tracer, hasContent, onError }: TelemetryOptions) {
    this.#tracer = tracer;
    this.#hasContent = hasContent;
    this.#onError = onError;
  }

  record({ scope, changes }: CommittedChanges): void {
    try {
      this.#recordChanges(scope, changes);
    } catch (error) {
      this.#onError?.(error);
    }
  }

  close(): void {
    for (const spans of this.#runs.values()) {
      for (const thread of spans.threads.values()) endThread(thread);
      spans.run.end();
    }
    this.#runs.clear();
  }

  #recordChanges(scope: EntryScope, changes: readonly Change[]): void {
    const runAt = (at: number) => this.#runs.get(scope.runId) ?? this.#beginRun(scope, at);
    // The response event ends the span, and precedes the assistant's message in the list: so set the output first.
    if (this.#hasContent)
      for (const { thread, at, message } of assistantMessages(changes)) this.#recordOutput(runAt(at), thread, message);
    for (const change of changes) {
      if (change.op !== 'insert') continue;
      if (change.table === 'message' && this.#hasContent) {
        const { thread, at, body } = change.row;
        this.#threadOf(runAt(at), thread).messages.push(toParts(JSON.parse(body)));
      } else if (change.table === 'event') {
        const { thread, at, body } = change.row;
        this.#recordEvent(runAt(at), thread, at, JSON.parse(body) as EventBody);
      } else if (change.table === 'entry') {
        const { at, body } = change.row;
        this.#recordEntry(runAt(at), scope, at, JSON.parse(body) as EntryBody);
      }
    }
  }

  #threadOf(spans: RunSpans, threadId: string): ThreadSpans {
    const known = spans.threads.get(threadId);
    if (known !== undefined) return known;
    const thread: ThreadSpans = { context: spans.context, messages: [] };
    spans.threads.set(threadId, thread);
    return thread;
  }

  #beginRun({ runId, director, agent, dirThreadId, fetchCycleId }: EntryScope, at: number): RunSpans {
    const actor = agent ?? director;
    const run = this.#tracer.startSpan(
      `invoke_agent ${actor.name}`,
      {
        kind: SpanKind.INTERNAL,
        startTime: at,
        attributes: {
          [ATTRIBUTES.operation]: 'invoke_agent',
          [ATTRIBUTES.agentId]: actor.id,
          [ATTRIBUTES.agentName]: actor.name,
          [ATTRIBUTES.conversation]: agent?.threadId ?? dirThreadId,
          [ATTRIBUTES.run]: runId,
          ...(fetchCycleId !== '' && { [ATTRIBUTES.cycle]: fetchCycleId }),
        },
      },
      ROOT_CONTEXT,
    );
    const spans: RunSpans = { run, context: trace.setSpan(ROOT_CONTEXT, run), threads: new Map() };
    this.#runs.set(runId, spans);
    return spans;
  }

  #recordEvent(spans: RunSpans, threadId: string, at: number, body: EventBody): void {
    const thread = this.#threadOf(spans, threadId);
    if (body.kind === 'request') {
      thread.request = this.#tracer.startSpan(
        `chat ${body.model}`,
        { kind: SpanKind.CLIENT, startTime: at, attributes: requestAttributes(threadId, body) },
        thread.context,
      );
      if (this.#hasContent)
        thread.request.setAttribute(
          ATTRIBUTES.inputMessages,
          JSON.stringify(body.own?.map(toParts) ?? thread.messages),
        );
      return;
    }
    const span = thread.request;
    delete thread.request;
    if (body.kind === 'response') thread.answeredAt = at;
    if (span === undefined) return;
    if (body.kind === 'error') markFailed(span, body.error);
    else span.setAttributes(responseAttributes(body));
    span.end(at);
  }

  #recordEntry(spans: RunSpans, scope: EntryScope, at: number, body: EntryBody): void {
    const threadId = (body.agent ?? scope.agent)?.threadId ?? scope.dirThreadId;
    const { action, tool } = body.detail;
    // An agent that works for a person uses the span of the run.
    if (action === 'agent_start' && body.agent !== undefined && scope.agent === undefined) {
      const { id, name } = body.agent;
      const attributes = {
        [ATTRIBUTES.operation]: 'invoke_agent',
        [ATTRIBUTES.agentId]: id,
        [ATTRIBUTES.agentName]: name,
        [ATTRIBUTES.conversation]: threadId,
      };
      const span = this.#tracer.startSpan(`invoke_agent ${name}`, { startTime: at, attributes }, spans.context);
      const messages = spans.threads.get(threadId)?.messages ?? [];
      spans.threads.set(threadId, { span, context: trace.setSpan(spans.context, span), messages });
    } else if (action === 'agent_output') endThread(spans.threads.get(threadId), at, body.error);
    else if (action === 'approval_requested')
      spans.run.addEvent(ATTRIBUTES.approval, { [ATTRIBUTES.tool]: tool ?? '' }, at);
    else if (body.phase === 'tool' && tool !== undefined)
      this.#recordToolCall(this.#threadOf(spans, threadId), tool, at, body);
    else if (body.phase !== 'tool' && action !== undefined && RUN_ENDS.test(action))
      this.#endRun(spans, scope.runId, at, body.error);
  }

  #recordToolCall(thread: ThreadSpans, tool: string, at: number, { detail, result, error }: EntryBody): void {
    const attributes = {
      [ATTRIBUTES.operation]: 'execute_tool',
      [ATTRIBUTES.tool]: tool,
      [ATTRIBUTES.toolType]: 'function',
      [ATTRIBUTES.toolCall]: String(detail['callId'] ?? ''),
      ...(this.#hasContent && {
        [ATTRIBUTES.toolArguments]: JSON.stringify(detail.request ?? null),
        [ATTRIBUTES.toolResult]: JSON.stringify(result ?? null),
      }),
    };
    const span = this.#tracer.startSpan(
      `execute_tool ${tool}`,
      { kind: SpanKind.INTERNAL, startTime: thread.answeredAt ?? at, attributes },
      thread.context,
    );
    if (error !== undefined) markFailed(span, error);
    span.end(at);
  }

  #endRun(spans: RunSpans, runId: string, at: number, error?: { code: string; message: string }): void {
    for (const thread of spans.threads.values()) endThread(thread, at);
    if (error !== undefined) markFailed(spans.run, error);
    spans.run.end(at);
    this.#runs.delete(runId);
  }

  #recordOutput(spans: RunSpans, threadId: string, message: unknown): void {
    const span = spans.threads.get(threadId)?.request;
    if (span !== undefined) span.setAttribute(ATTRIBUTES.outputMessages, JSON.stringify([toParts(message)]));
  }
}

/** Actions of the entries that end a run. An agent that works for a director ends with `agent_output`. */
const RUN_ENDS = /^(director|agent)_(complete|failed|cancelled)$/;

function requestAttributes(threadId: string, body: EventBody) {
  return {
    [ATTRIBUTES.operation]: 'chat',
    [ATTRIBUTES.provider]: body.provider,
    [ATTRIBUTES.requestModel]: body.model,
    [ATTRIBUTES.conversation]: threadId,
    [ATTRIBUTES.api]: body.apiId,
    [ATTRIBUTES.turn]: body.turn,
    [ATTRIBUTES.attempt]: body.attempt,
  };
}

function responseAttributes({ model, usage, stop }: Extract<EventBody, { kind: 'response' }>) {
  return {
    [ATTRIBUTES.responseModel]: model,
    ...(stop !== undefined && { [ATTRIBUTES.finishReasons]: [stop] }),
    ...(usage !== undefined && {
      [ATTRIBUTES.inputTokens]: usage.inputTokens,
      [ATTRIBUTES.outputTokens]: usage.outputTokens,
    }),
    ...(usage?.cachedInputTokens !== undefined && { [ATTRIBUTES.cachedTokens]: usage.cachedInputTokens }),
  };
}

/** Records only the code: messages of providers may quote content. */
function markFailed(span: Span, { code }: { readonly code: string }): void {
  span.setAttribute(ATTRIBUTES.errorType, code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

function endThread(thread: ThreadSpans | undefined, at?: number, error?: { readonly code: string }): void {
  if (thread?.request !== undefined) {
    markFailed(thread.request, { code: 'cancelled' });
    thread.request.end(at);
    delete thread.request;
  }
  if (thread?.span === undefined) return;
  if (error !== undefined) markFailed(thread.span, error);
  thread.span.end(at);
}
