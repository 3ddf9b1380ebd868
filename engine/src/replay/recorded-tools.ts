import { toCode } from '../base/error-code.ts';
import { EngineError } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import type { Tool, WorldContext, WorldTool } from '../tool/tool.ts';
import { diverged, type TranscriptDiff } from './transcript-diff.ts';
import type { OutcomeOrder, RecordedOutcome } from './outcome-order.ts';
import type { RecordedThread, Recording } from './recording.ts';

/** Error codes of calls that never reached the tool: the engine refuses them in the replay as well. */
const NEVER_RUN = new Set([
  'TOOL_ARGUMENTS',
  'TOOL_DENIED',
  'TOOL_UNKNOWN',
  'TOOL_CANCELLED',
  'TOOL_LIMIT',
  'TOOL_NEEDS_TIME',
  'TOOL_OUTCOME_UNKNOWN',
]);

/** The results that tools returned in a recorded run. */
export class RecordedTools {
  readonly #recording: Recording;
  readonly #order: OutcomeOrder;
  readonly #diff: TranscriptDiff;
  /**
   * Results by the caller (`''` is the director), the tool, and the id that the model gave the call; ids repeat from turn to turn.
   */
  readonly #results = new Map<string, RecordedOutcome[]>();

  constructor(recording: Recording, order: OutcomeOrder, diff: TranscriptDiff) {
    this.#recording = recording;
    this.#order = order;
    this.#diff = diff;
  }

  /** A stand-in for the tool: it returns the recorded results and has no effects. */
  standIn(tool: Tool): WorldTool {
    for (const thread of this.#recording.threads) this.#note(thread, tool.name);
    const run = (_args: unknown, { key, caller, signal }: WorldContext) => {
      // The key is `<machine>/<turn>/<call id>`; only the call id may contain a slash.
      const callId = /^[^/]+\/\d+\/(.*)$/s.exec(key)?.[1] ?? key;
      const outcome = this.#results.get(`${caller.origin.agent?.id ?? ''}/${tool.name}/${callId}`)?.shift();
      if (outcome === undefined)
        return Promise.reject(diverged(`"${tool.name}" is called once more than in the recorded run`));
      return this.#order.wait(outcome, signal);
    };
    const {
      name,
      family,
      description,
      parameters,
      trust = tool.effects === 'none' ? 'told' : 'untrusted',
      encloses,
    } = tool;
    const effects = tool.effects === 'none' ? 'read' : tool.effects;
    return {
      name,
      family,
      description,
      parameters,
      trust,
      ...(encloses !== undefined && { encloses }),
      effects,
      repeat: effects === 'read' ? 'free' : 'key',
      run,
    };
  }

  #note({ agentId, messages }: RecordedThread, tool: string): void {
    const called = new Map<string, string>();
    for (const { at, message } of messages) {
      if (message.role === 'assistant')
        for (const call of message.tool_calls ?? []) called.set(call.id, call.function.name);
      if (message.role !== 'tool' || called.get(message.tool_call_id) !== tool) continue;
      const { content } = message;
      if (NEVER_RUN.has(errorIn(content)?.code ?? '')) continue;
      const key = `${agentId}/${tool}/${message.tool_call_id}`;
      const own = this.#results.get(key) ?? [];
      this.#results.set(key, own);
      own.push(this.#order.add({ at, read: () => readResult(this.#diff.translate(content)) }));
    }
  }
}

/** The value that the tool returned, so that its message is the same to the letter; throws the recorded error. */
function readResult(content: string): unknown {
  const error = errorIn(content);
  if (error !== undefined) throw new EngineError(toCode(error.code), error.message, { hint: error.hint });
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return content;
  }
  // The engine wraps the result of a call whose arguments a person changed, and does so again in the replay.
  if (isRecord(value) && 'argumentsChangedTo' in value && 'result' in value) return value['result'];
  return JSON.stringify(value) === content && typeof value !== 'string' ? value : content;
}

function errorIn(content: string): { code: string; message: string; hint: string | undefined } | undefined {
  if (!content.startsWith('{"error":')) return undefined;
  const value: unknown = JSON.parse(content);
  const error = isRecord(value) ? value['error'] : undefined;
  if (!isRecord(error)) return undefined;
  const { code, message, hint } = error;
  return { code: String(code), message: String(message), hint: typeof hint === 'string' ? hint : undefined };
}
