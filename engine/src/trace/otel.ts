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
import { answersIn, asParts } from './otel-message.ts';

/**
 * All names that spans carry: OpenTelemetry's conventions for generative AI (semantic-conventions, docs/gen-ai: spans,
 * agent spans, execute-tool), and ours under `callsheet.`.
 */
export const NAMES = {
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

/** What was committed for a run, as telemetry reads it. */
export interface Committed {
  readonly scope: EntryScope;
  readonly changes: readonly Change[];
}

/** A fold over what is committed: nothing else in the engine knows of spans. */
export interface Telemetry {
  /** Never throws. */
  took(committed: Committed): void;
  /** Ends the spans of runs that go on in another process. */
  close(): void;
}

export interface TelemetryOptions {
  readonly tracer: Tracer;
  /** Whether messages, arguments and results are attached. They hold what is in the mail: off unless asked for. */
  readonly hasContent: boolean;
  readonly onError?: (error: unknown) => void;
}

/** What is open of one thread. */
interface Line {
  readonly context: Context;
  /** The agent's span, ended with its answer; none for the director's thread, whose span is the run's. */
  readonly span?: Span;
  request?: Span;
  /** Time of the newest answer: the calls that follow it were made then. */
  answeredAt?: number;
  readonly messages: unknown[];
}

interface Trace {
  readonly run: Span;
  readonly context: Context;
  readonly lines: Map<string, Line>;
}

/** Makes spans of runs (`invoke_agent`), model requests (`chat`) and tool calls (`execute_tool`) from what is committed. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  return new SpanFold(options);
}

class SpanFold implements Telemetry {
  readonly #tracer: Tracer;
  readonly #hasContent: boolean;
  readonly #onError: TelemetryOptions['onError'];
  readonly #traces = new Map<string, Trace>();

  constructor({ tracer, hasContent, onError }: TelemetryOptions) {
    this.#tracer = tracer;
    this.#hasContent = hasContent;
    this.#onError = onError;
  }

  took({ scope, changes }: Committed): void {
    try {
      this.#take(scope, changes);
    } catch (error) {
      this.#onError?.(error);
    }
  }

  close(): void {
    for (const own of this.#traces.values()) {
      for (const line of own.lines.values()) endLine(line);
      own.run.end();
    }
    this.#traces.clear();
  }

  #take(scope: EntryScope, changes: readonly Change[]): void {
    const traceAt = (at: number) => this.#traces.get(scope.runId) ?? this.#begin(scope, at);
    // The event of an answer is closed before its message stands in the list.
    if (this.#hasContent)
      for (const { thread, at, message } of answersIn(changes)) this.#takeOutput(traceAt(at), thread, message);
    for (const change of changes) {
      if (change.op !== 'insert') continue;
      if (change.table === 'message' && this.#hasContent) {
        const { thread, at, body } = change.row;
        this.#lineOf(traceAt(at), thread).messages.push(asParts(JSON.parse(body)));
      } else if (change.table === 'event') {
        const { thread, at, body } = change.row;
        this.#takeEvent(traceAt(at), thread, at, JSON.parse(body) as EventBody);
      } else if (change.table === 'entry') {
        const { at, body } = change.row;
        this.#takeEntry(traceAt(at), scope, at, JSON.parse(body) as EntryBody);
      }
    }
  }

  #lineOf(own: Trace, threadId: string): Line {
    const known = own.lines.get(threadId);
    if (known !== undefined) return known;
    const line: Line = { context: own.context, messages: [] };
    own.lines.set(threadId, line);
    return line;
  }

  #begin({ runId, director, agent, dirThreadId, fetchCycleId }: EntryScope, at: number): Trace {
    const who = agent ?? director;
    const run = this.#tracer.startSpan(
      `invoke_agent ${who.name}`,
      {
        kind: SpanKind.INTERNAL,
        startTime: at,
        attributes: {
          [NAMES.operation]: 'invoke_agent',
          [NAMES.agentId]: who.id,
          [NAMES.agentName]: who.name,
          [NAMES.conversation]: agent?.threadId ?? dirThreadId,
          [NAMES.run]: runId,
          ...(fetchCycleId !== '' && { [NAMES.cycle]: fetchCycleId }),
        },
      },
      ROOT_CONTEXT,
    );
    const own: Trace = { run, context: trace.setSpan(ROOT_CONTEXT, run), lines: new Map() };
    this.#traces.set(runId, own);
    return own;
  }

  #takeEvent(own: Trace, threadId: string, at: number, body: EventBody): void {
    const line = this.#lineOf(own, threadId);
    if (body.kind === 'request') {
      line.request = this.#tracer.startSpan(
        `chat ${body.model}`,
        { kind: SpanKind.CLIENT, startTime: at, attributes: requestFacts(threadId, body) },
        line.context,
      );
      if (this.#hasContent) line.request.setAttribute(NAMES.inputMessages, JSON.stringify(line.messages));
      return;
    }
    const span = line.request;
    delete line.request;
    if (body.kind === 'response') line.answeredAt = at;
    if (span === undefined) return;
    if (body.kind === 'error') fail(span, body.error);
    else span.setAttributes(answerFacts(body));
    span.end(at);
  }

  #takeEntry(own: Trace, scope: EntryScope, at: number, body: EntryBody): void {
    const threadId = (body.agent ?? scope.agent)?.threadId ?? scope.dirThreadId;
    const { action, tool } = body.detail;
    // An agent that works for a person has the run's own span.
    if (action === 'agent_start' && body.agent !== undefined && scope.agent === undefined) {
      const { id, name } = body.agent;
      const attributes = {
        [NAMES.operation]: 'invoke_agent',
        [NAMES.agentId]: id,
        [NAMES.agentName]: name,
        [NAMES.conversation]: threadId,
      };
      const span = this.#tracer.startSpan(`invoke_agent ${name}`, { startTime: at, attributes }, own.context);
      const messages = own.lines.get(threadId)?.messages ?? [];
      own.lines.set(threadId, { span, context: trace.setSpan(own.context, span), messages });
    } else if (action === 'agent_output') endLine(own.lines.get(threadId), at, body.error);
    else if (action === 'approval_requested') own.run.addEvent(NAMES.approval, { [NAMES.tool]: tool ?? '' }, at);
    else if (body.phase === 'tool' && tool !== undefined) this.#takeTool(this.#lineOf(own, threadId), tool, at, body);
    else if (body.phase !== 'tool' && action !== undefined && ENDS.test(action))
      this.#end(own, scope.runId, at, body.error);
  }

  #takeTool(line: Line, tool: string, at: number, { detail, result, error }: EntryBody): void {
    const attributes = {
      [NAMES.operation]: 'execute_tool',
      [NAMES.tool]: tool,
      [NAMES.toolType]: 'function',
      [NAMES.toolCall]: String(detail['callId'] ?? ''),
      ...(this.#hasContent && {
        [NAMES.toolArguments]: JSON.stringify(detail.request ?? null),
        [NAMES.toolResult]: JSON.stringify(result ?? null),
      }),
    };
    const span = this.#tracer.startSpan(
      `execute_tool ${tool}`,
      { kind: SpanKind.INTERNAL, startTime: line.answeredAt ?? at, attributes },
      line.context,
    );
    if (error !== undefined) fail(span, error);
    span.end(at);
  }

  #end(own: Trace, runId: string, at: number, error?: { code: string; message: string }): void {
    for (const line of own.lines.values()) endLine(line, at);
    if (error !== undefined) fail(own.run, error);
    own.run.end(at);
    this.#traces.delete(runId);
  }

  #takeOutput(own: Trace, threadId: string, message: unknown): void {
    const span = own.lines.get(threadId)?.request;
    if (span !== undefined) span.setAttribute(NAMES.outputMessages, JSON.stringify([asParts(message)]));
  }
}

/** The entries with which a run is over; an agent that works for a director ends with `agent_output`. */
const ENDS = /^(director|agent)_(complete|failed|cancelled)$/;

function requestFacts(threadId: string, body: EventBody) {
  return {
    [NAMES.operation]: 'chat',
    [NAMES.provider]: body.provider,
    [NAMES.requestModel]: body.model,
    [NAMES.conversation]: threadId,
    [NAMES.api]: body.apiId,
    [NAMES.turn]: body.turn,
    [NAMES.attempt]: body.attempt,
  };
}

function answerFacts({ model, usage, stop }: Extract<EventBody, { kind: 'response' }>) {
  return {
    [NAMES.responseModel]: model,
    ...(stop !== undefined && { [NAMES.finishReasons]: [stop] }),
    ...(usage !== undefined && { [NAMES.inputTokens]: usage.inputTokens, [NAMES.outputTokens]: usage.outputTokens }),
    ...(usage?.cachedInputTokens !== undefined && { [NAMES.cachedTokens]: usage.cachedInputTokens }),
  };
}

/** The code only: messages of providers may quote what was sent. */
function fail(span: Span, { code }: { readonly code: string }): void {
  span.setAttribute(NAMES.errorType, code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

function endLine(line: Line | undefined, at?: number, error?: { readonly code: string }): void {
  if (line?.request !== undefined) {
    fail(line.request, { code: 'cancelled' });
    line.request.end(at);
    delete line.request;
  }
  if (line?.span === undefined) return;
  if (error !== undefined) fail(line.span, error);
  line.span.end(at);
}
