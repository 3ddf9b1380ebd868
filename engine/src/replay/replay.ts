import { type ErrorCode, toCode } from '../base/error-code.ts';
import { EngineError } from '../base/error.ts';
import type { Message, ModelAnswer, ModelRequest, Models } from '../model/model.ts';
import { ModelError } from '../model/model-error.ts';
import type { EventBody, StoredRequest } from '../trace/provider-events.ts';
import { shownMessages, windowedMessages } from '../trace/windowed.ts';
import type { LocalTool, Tool } from '../tool/tool.ts';
import { diverged, TranscriptDiff } from './transcript-diff.ts';
import { OutcomeOrder, type RecordedOutcome } from './outcome-order.ts';
import { RecordedTools } from './recorded-tools.ts';
import type { Recording } from './recording.ts';

/** A recorded model request; without an outcome where the run ended before the answer arrived. */
interface Attempt {
  readonly sent: readonly Message[];
  readonly outcome: RecordedOutcome | undefined;
}

/** Models and tools that repeat a recorded run. */
export interface Replay {
  /** Models that return the recorded answers in the recorded order. */
  readonly models: Models;
  /** Replaces tools with external effects by stand-ins that return the recorded results and have no effects. */
  tools(tools: Iterable<Tool>): Tool[];
  /** Number of outcomes that were not delivered yet: 0 after a complete replay. */
  remaining(): number;
}

/**
 * Replays a finished run from its provider events: the same answers, errors and tool results, in the recorded order.
 * Ids that the engine generates anew are translated (`TranscriptDiff`). A request that differs from the recorded one
 * fails with `CONFLICT`, and its message names the difference. The caller repeats the persons' decisions in
 * `recording.decisions`. A request without a recorded outcome is pending until it is aborted. Tests use this today; the
 * command `callsheet replay` will.
 */
export function createReplay(recording: Recording): Replay {
  const diff = new TranscriptDiff();
  const order = new OutcomeOrder();
  const attempts = attemptsOf(recording, order, diff);
  const results = new RecordedTools(recording, order, diff);

  const ask = async (request: ModelRequest): Promise<ModelAnswer> => {
    request.signal?.throwIfAborted();
    const who = request.role === 'director' ? '' : request.actorId;
    const attempt = attempts.get(who)?.shift();
    if (attempt === undefined) throw diverged(`${who || 'the director'} sends one request more than the recorded run`);
    const fault = compareAll(diff, attempt.sent, request.messages);
    if (fault !== undefined) throw diverged(fault);
    return (await order.wait(attempt.outcome, request.signal)) as ModelAnswer;
  };
  return {
    models: {
      open: () => ({ ask, available: async () => ({ ok: true }) }),
      close: async () => {},
    },
    tools: (tools) => [...tools].map((tool) => (hasOwnResult(tool) ? tool : results.standIn(tool))),
    remaining: () => order.remaining,
  };
}

/** Whether a tool finds in a replay what it found in the recorded run: what it reads was made by the run itself. */
function hasOwnResult(tool: Tool): tool is LocalTool {
  return tool.effects === 'none' && tool.family !== 'memory' && !('answeredBy' in tool);
}

/** Requests by agent (`''` is the director), in order: the sessions of an agent follow each other within a run. */
function attemptsOf({ threads }: Recording, order: OutcomeOrder, diff: TranscriptDiff): Map<string, Attempt[]> {
  const attempts = new Map<string, Attempt[]>();
  for (const thread of threads) {
    const messages = thread.messages.map(({ message }) => message);
    const own = attempts.get(thread.agentId) ?? [];
    attempts.set(thread.agentId, own);
    thread.events.forEach(({ body }, i) => {
      if (body.kind !== 'request') return;
      const next = thread.events[i + 1];
      const isAnswered = next !== undefined && next.body.kind !== 'request';
      const read = isAnswered ? answerReader(next.body, messages[body.upTo], diff) : undefined;
      own.push({
        sent: sentOf(body, messages),
        outcome: read && next && order.add({ at: next.at, read }),
      });
    });
  }
  return attempts;
}

function sentOf({ upTo, window, own }: StoredRequest, messages: readonly Message[]): readonly Message[] {
  if (own !== undefined) return own as readonly Message[];
  const all = messages.slice(0, upTo);
  return window === undefined ? shownMessages(all) : windowedMessages(all, window);
}

/** The answer is the message of the transcript that follows the request. */
function answerReader(body: EventBody, message: Message | undefined, diff: TranscriptDiff): () => ModelAnswer {
  return () => {
    if (body.kind === 'error') throw revive(body);
    if (body.kind === 'response' && body.summary !== undefined)
      return {
        message: { role: 'assistant', content: body.summary },
        stop: 'stop',
        ...(body.usage !== undefined && { usage: body.usage }),
        ...{ model: body.model, raw: body.payload },
      };
    if (body.kind !== 'response' || message?.role !== 'assistant')
      throw diverged('the recorded transcript lacks an answer');
    const stop = STOPS.find((known) => known === body.stop) ?? guessStop(message);
    return {
      message: diff.translate(message),
      stop,
      ...(body.usage !== undefined && { usage: body.usage }),
      model: body.model,
      raw: body.payload,
    };
  };
}

const STOPS = ['stop', 'tool_calls', 'length', 'refusal'] as const;

function guessStop(message: Extract<Message, { role: 'assistant' }>): ModelAnswer['stop'] {
  if (message.refusal !== undefined) return 'refusal';
  return message.tool_calls === undefined ? 'stop' : 'tool_calls';
}

function revive({ error, retryable, retryAfterMs }: Extract<EventBody, { kind: 'error' }>): Error {
  const { code, message, hint } = error;
  const known = toCode(code);
  if (!isModelCode(known)) return new EngineError(known, message, { hint, retryable });
  return new ModelError(known, message, {
    hint,
    retryable: retryable ?? false,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function isModelCode(code: ErrorCode): code is ErrorCode & `MODEL_${string}` {
  return code.startsWith('MODEL_');
}

function compareAll(diff: TranscriptDiff, sent: readonly Message[], now: readonly Message[]): string | undefined {
  if (sent.length !== now.length) return `the recorded request has ${sent.length} messages, this one ${now.length}`;
  for (const [i, message] of sent.entries()) {
    const other = now[i];
    const fault = other === undefined ? 'missing' : diff.compare(message, other);
    if (fault !== undefined) return `message ${i + 1}: ${fault}`;
  }
  return undefined;
}
