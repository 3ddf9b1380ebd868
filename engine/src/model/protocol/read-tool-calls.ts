import { isRecord } from '../../base/json.ts';
import type { ToolCall } from '../model.ts';

/**
 * Reads the tool calls of an answer's message: `tool_calls`, or the old `function_call`. Arguments stay the text that the
 * model wrote; some servers send an object, which becomes JSON text. A name that is not a string becomes `''`, a longer
 * one than `MAX_NAME` is cut, and the tool room then answers with an error. Ids are unique within the answer.
 */
export function readCalls(message: Record<string, unknown>, turn: number): ToolCall[] {
  const given: unknown[] = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  const entries = given.filter(isRecord);
  if (entries.length === 0 && isRecord(message['function_call'])) entries.push({ function: message['function_call'] });
  const ids = uniqueIds(
    entries.map((entry) => entry['id']),
    turn,
  );
  return entries.map((entry, index) => {
    const fn = isRecord(entry['function']) ? entry['function'] : isRecord(entry['custom']) ? entry['custom'] : entry;
    const name = typeof fn['name'] === 'string' ? fn['name'].slice(0, MAX_NAME) : '';
    return {
      id: ids[index]!,
      type: 'function',
      function: { name, arguments: argumentsText(fn['arguments'] ?? fn['input']) },
    };
  });
}

/** Adds ids to calls that have none. */
export function uniqueCalls(calls: readonly ToolCall['function'][], turn: number): ToolCall[] {
  return calls.map((call, index) => ({ id: makeCallId(turn, index), type: 'function', function: call }));
}

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** `call`, turn and index: nine letters and digits, the form that Mistral requires. */
export function makeCallId(turn: number, index: number): string {
  return `call${String(turn).padStart(3, '0')}${String(index).padStart(2, '0')}`;
}

/** Longest tool name that is kept, in characters; no tool has one. The name is repeated in errors, entries and messages. */
const MAX_NAME = 128;
/** Longest id that is kept, in characters. Longer ids are replaced, since ids are part of keys in the store. */
const MAX_ID = 512;

/** Keeps the first use of each id and replaces missing, empty, repeated and overlong ids. Deterministic. */
function uniqueIds(given: readonly unknown[], turn: number): string[] {
  const texts = given.map((id) =>
    typeof id === 'string' && id.length <= MAX_ID ? id : typeof id === 'number' ? String(id) : '',
  );
  const taken = new Set(texts);
  const used = new Set<string>();
  return texts.map((text, index) => {
    let id = text;
    for (let next = index; id === '' || used.has(id); next++) {
      const made = makeCallId(turn, next);
      id = taken.has(made) ? '' : made;
    }
    used.add(id);
    return id;
  });
}
