import { isRecord } from '../../base/json.ts';
import type { ToolCall } from '../model.ts';

/**
 * The calls of an answer's message: `tool_calls`, or the old `function_call`. Arguments stay the text that the model
 * wrote; an object (some servers) becomes its JSON. A name that is no text becomes `''`, which the tool room refuses in
 * words. Ids are unique within the answer.
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
    const name = typeof fn['name'] === 'string' ? fn['name'] : '';
    return {
      id: ids[index]!,
      type: 'function',
      function: { name, arguments: argumentsText(fn['arguments'] ?? fn['input']) },
    };
  });
}

/** Calls without ids, with ids. */
export function uniqueCalls(calls: readonly ToolCall['function'][], turn: number): ToolCall[] {
  return calls.map((call, place) => ({ id: makeCallId(turn, place), type: 'function', function: call }));
}

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** `call` + turn + place: nine letters and digits, the form that Mistral insists on. */
export function makeCallId(turn: number, place: number): string {
  return `call${String(turn).padStart(3, '0')}${String(place).padStart(2, '0')}`;
}

/** Longer ids are made anew: they are part of keys in the store. */
const MAX_ID = 512;

/** Keeps the first use of each id; missing, empty, repeated and overlong ones are made. The same answer gives the same ids. */
function uniqueIds(given: readonly unknown[], turn: number): string[] {
  const texts = given.map((id) =>
    typeof id === 'string' && id.length <= MAX_ID ? id : typeof id === 'number' ? String(id) : '',
  );
  const taken = new Set(texts);
  const used = new Set<string>();
  return texts.map((text, index) => {
    let id = text;
    for (let place = index; id === '' || used.has(id); place++) {
      const made = makeCallId(turn, place);
      id = taken.has(made) ? '' : made;
    }
    used.add(id);
    return id;
  });
}
