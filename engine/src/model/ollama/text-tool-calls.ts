import { isRecord, isTooDeep } from '../../base/json.ts';

/** A tool call that a model wrote as text. */
export interface TextCall {
  readonly name: string;
  /** As JSON text. */
  readonly arguments: string;
}

/** Marks before a call in a text: of Hermes and Qwen, Mistral, Llama, Phi, and a fenced block. */
const OPENING =
  /<(tool_call|function_call)>|\[TOOL_CALLS\]|<\|(?:python_tag|tool_call)\|>|```(?:json|tool_call|tool_code)?[ \t]*\r?\n/g;
const CLOSING = /^\s*(?:<\/(?:tool_call|function_call)>|<\|\/tool_call\|>|```)/;
/** Mistral's newer form: `[TOOL_CALLS]name[ARGS]{…}`. */
const NAMED = /^\s*([A-Za-z0-9_-]{1,64})\s*(?:\[ARGS\])?\s*(?=\{)/;
const NAME_KEYS = ['name', 'tool', 'tool_name', 'function', 'function_name'];
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input'];
const KEYS = new Set([...NAME_KEYS, ...ARGUMENT_KEYS, 'id', 'type']);

/**
 * Finds tool calls that a model wrote as text: `<tool_call>{…}</tool_call>`, a fenced block of JSON, `[TOOL_CALLS]`, or only
 * JSON. A piece of text counts only if all of it is calls of `offered` tools. `rest` is the text without the calls.
 * Undefined if there are none.
 */
export function findCalls(text: string, offered: readonly string[]): { calls: TextCall[]; rest: string } | undefined {
  const calls: TextCall[] = [];
  let rest = '';
  let at = 0;
  const opening = new RegExp(OPENING);
  for (let mark = opening.exec(text); mark !== null; mark = opening.exec(text)) {
    const found = callsAt(text, opening.lastIndex, offered);
    // Skip what was read, so that many marks take no more time than the length of the text.
    opening.lastIndex = Math.max(opening.lastIndex, found.end);
    if (found.calls.length === 0) continue;
    calls.push(...found.calls);
    rest += text.slice(at, mark.index);
    at = found.end;
  }
  if (calls.length > 0) return { calls, rest: (rest + text.slice(at)).trim() };
  if (!/^\s*[[{]/.test(text)) return undefined;
  const found = callsAt(text, 0, offered);
  // With other text around it, the answer only quotes a call.
  return found.calls.length > 0 && text.slice(found.end).trim() === '' ? { calls: found.calls, rest: '' } : undefined;
}

/** Reads the calls that begin at `from` and the index after their closing mark; no calls if something else begins there. */
function callsAt(text: string, from: number, offered: readonly string[]): { calls: TextCall[]; end: number } {
  const named = NAMED.exec(text.slice(from, from + 200));
  const calls: TextCall[] = [];
  let end = from + (named?.[0].length ?? 0);
  let isCalls = true;
  for (let value = valueAt(text, end); value !== undefined; value = valueAt(text, end)) {
    end = value.end;
    const read =
      named !== null && isRecord(value.json)
        ? [{ name: named[1]!, arguments: JSON.stringify(value.json) }]
        : readCalls(value.json);
    if (read === undefined || !read.every(({ name }) => offered.includes(name))) isCalls = false;
    else calls.push(...read);
    if (named !== null) break;
  }
  const closing = CLOSING.exec(text.slice(end, end + 200));
  return { calls: isCalls ? calls : [], end: end + (closing?.[0].length ?? 0) };
}

/**
 * Reads the JSON object or list that begins at `from`, after blanks and separators. `json` is undefined if it is invalid.
 * A value without an end reaches to the end of the text.
 */
function valueAt(text: string, from: number): { json: unknown; end: number } | undefined {
  let start = from;
  while (start < text.length && /[\s,;]/.test(text[start]!)) start++;
  if (text[start] !== '{' && text[start] !== '[') return undefined;
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (isText) {
      if (letter === '\\') at++;
      else if (letter === '"') isText = false;
    } else if (letter === '"') isText = true;
    else if (letter === '{' || letter === '[') depth++;
    else if ((letter === '}' || letter === ']') && --depth === 0)
      return { json: parse(text.slice(start, at + 1)), end: at + 1 };
  }
  return { json: undefined, end: text.length };
}

function parse(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a value as calls; undefined if any part of it is not a call. */
function readCalls(value: unknown): TextCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map(readCall);
    return calls.every((call) => call !== undefined) ? calls : undefined;
  }
  const call = readCall(value);
  return call === undefined ? undefined : [call];
}

function readCall(value: unknown): TextCall | undefined {
  if (!isRecord(value) || !Object.keys(value).every((key) => KEYS.has(key))) return undefined;
  // OpenAI's form: { type: "function", function: { name, arguments } }.
  const inner = value['function'];
  if (isRecord(inner)) return isRecord(inner['function']) ? undefined : readCall(inner);
  const name = NAME_KEYS.map((key) => value[key]).find((one) => typeof one === 'string');
  const args = ARGUMENT_KEYS.map((key) => value[key]).find((one) => one !== undefined);
  if (typeof name !== 'string' || args === undefined) return undefined;
  return { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) };
}
