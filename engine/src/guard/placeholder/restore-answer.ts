import { EngineError } from '../../base/error.ts';
import { isRecord, isTooDeep, readJson } from '../../base/json.ts';
import type { Message, ToolCall } from '../../model/model.ts';
import type { EntityMap } from './entity-map.ts';

/** What puts values in place of placeholders. */
export type Restorer = Pick<EntityMap, 'restore'>;

type Answer = Extract<Message, { role: 'assistant' }>;

/** Whether a tool gets real values, and whether the text of the answer is to be JSON. */
export interface RestoreOptions {
  readonly restores: (toolName: string) => boolean;
  /** Whether a tool writes mail: with a placeholder in it the mail would be nonsense to who gets it. */
  readonly writesMail?: (toolName: string) => boolean;
  readonly isJson?: boolean;
}

/** A model's answer with real values. */
export interface RestoredAnswer {
  readonly message: Answer;
  /**
   * Why calls fail, by call of `message`: their arguments contain a placeholder that stands for nothing, or one that would stand in a
   * mail.
   */
  readonly faults: ReadonlyMap<ToolCall, EngineError>;
}

/**
 * Puts real values in place of the placeholders of an answer: in its text, and in the arguments of the calls for which `restores` says
 * so. A placeholder in the text that stands for nothing stays as it is. In a text that is JSON (`isJson`), values are put into its
 * strings, so that a quotation mark in one breaks nothing.
 */
export function restoreAnswer(map: Restorer, message: Answer, options: RestoreOptions): RestoredAnswer {
  const { restores, writesMail, isJson } = options;
  const faults = new Map<ToolCall, EngineError>();
  const calls = message.tool_calls?.map((call) => {
    const { name, arguments: text } = call.function;
    const restored = restoreArguments(map, text);
    const isDone = restores(name) && restored.faults.length === 0 && restored.hasPlaceholders;
    const next = isDone ? { ...call, function: { name, arguments: restored.text } } : call;
    const [fault] = restored.faults;
    if (fault !== undefined) faults.set(next, unknownPlaceholder(fault));
    else if (!isDone && restored.hasPlaceholders && writesMail?.(name) === true) faults.set(next, unrestoredMail(name));
    return next;
  });
  return {
    message: {
      ...message,
      content: message.content === null ? null : restoreText(map, message.content, isJson),
      ...(message.refusal !== undefined && { refusal: map.restore(message.refusal).text }),
      ...(calls !== undefined && { tool_calls: calls }),
    },
    faults,
  };
}

function restoreText(map: Restorer, text: string, isJson = false): string {
  if (isJson) {
    try {
      return JSON.stringify(restoreIn(readJson(text), (part) => map.restore(part).text));
    } catch {
      // No JSON: the model is told so.
    }
  }
  return map.restore(text).text;
}

/** Arguments with real values, and whether they had a placeholder. `faults`: what is written like one and stands for nothing. */
interface RestoredArguments {
  readonly text: string;
  readonly hasPlaceholders: boolean;
  readonly faults: readonly string[];
}

/** Restores the strings and names of arguments as values, so that a quotation mark in one breaks nothing. */
function restoreArguments(map: Restorer, text: string): RestoredArguments {
  if (isTooDeep(text)) return { text, hasPlaceholders: false, faults: [] };
  const faults: string[] = [];
  let hasPlaceholders = false;
  const restore = (part: string) => {
    const restored = map.restore(part);
    faults.push(...restored.faults);
    if (restored.text !== part) hasPlaceholders = true;
    return restored.text;
  };
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    return { text, hasPlaceholders, faults };
  }
  const restored = restoreIn(value, restore);
  return { text: JSON.stringify(restored), hasPlaceholders, faults };
}

function restoreIn(value: unknown, restore: (text: string) => string): unknown {
  if (typeof value === 'string') return restore(value);
  if (Array.isArray(value)) return value.map((one) => restoreIn(one, restore));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [restore(name), restoreIn(one, restore)]));
}

/** The text must not look like a placeholder itself: the model reads it. */
function unknownPlaceholder(written: string): EngineError {
  const words = written.replace(/&[a-z0-9#]+;|%3[ce]|\\u003[ce]/gi, ' ').replace(/[^\p{L}\p{N}]+/gu, ' ');
  return new EngineError(
    'PRIVACY_PLACEHOLDER',
    `the arguments contain "${words.trim()}" written like a placeholder, and no placeholder of this conversation is written so`,
    {
      hint: 'copy placeholders exactly as you got them, with angle brackets, capitals and underscore, and make none up; ask the user if you do not know a value',
    },
  );
}

function unrestoredMail(name: string): EngineError {
  return new EngineError(
    'PRIVACY_PLACEHOLDER',
    `"${name}" does not get the values of placeholders, so the mail would have the placeholders in it: privacy.restoreIn does not name it`,
    { hint: 'use a tool that gets the values, if you have one, or tell the user that this mail cannot be written so' },
  );
}
