import { isRecord } from '../base/json.ts';

/**
 * A streamed chat completion (server-sent events of `chat.completion.chunk`, WHATWG HTML 9.2) folded into the shape of
 * one that came whole, so that both are read by the same code. Undefined where the text holds no chunk; `isWhole` is
 * false where the stream broke off. Throws `SyntaxError` on a chunk that is no JSON.
 */
export function foldStream(text: string): { body: Record<string, unknown>; isWhole: boolean } | undefined {
  const message: Folded = { calls: new Map() };
  let body: Record<string, unknown> | undefined;
  let isWhole = false;
  for (const event of events(text)) {
    if (event === '[DONE]') {
      isWhole = true;
      break;
    }
    const chunk: unknown = JSON.parse(event);
    if (!isRecord(chunk)) continue;
    // An error in mid-stream is an event of its own (OpenAI, OpenRouter).
    if (isRecord(chunk['error'])) return { body: chunk, isWhole: true };
    body ??= { id: chunk['id'], object: 'chat.completion', created: chunk['created'], model: chunk['model'] };
    if (isRecord(chunk['usage'])) body['usage'] = chunk['usage'];
    const choice: unknown = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined;
    if (isRecord(choice)) addChoice(message, choice);
  }
  if (body === undefined) return undefined;
  const { calls, finish, ...fields } = message;
  const assistant = {
    role: 'assistant',
    content: null,
    ...fields,
    ...(calls.size > 0 && { tool_calls: [...calls.values()] }),
  };
  return {
    body: { ...body, choices: [{ index: 0, message: assistant, finish_reason: finish ?? null }] },
    isWhole: isWhole || finish !== undefined,
  };
}

interface Folded {
  content?: string;
  refusal?: string;
  finish?: string;
  calls: Map<string, { id: string; type: 'function'; function: { name: string; arguments: string } }>;
}

/** The data of each event. */
function* events(text: string): Generator<string> {
  let data: string[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    else if (line === '' && data.length > 0) {
      yield data.join('\n');
      data = [];
    }
  }
  // A last event without an empty line after it is cut off, by the standard; servers that forget the line are many.
  if (data.length > 0) yield data.join('\n');
}

function addChoice(message: Folded, choice: Record<string, unknown>): void {
  if (typeof choice['finish_reason'] === 'string') message.finish = choice['finish_reason'];
  const delta = choice['delta'];
  if (!isRecord(delta)) return;
  if (typeof delta['content'] === 'string') message.content = (message.content ?? '') + delta['content'];
  if (typeof delta['refusal'] === 'string') message.refusal = (message.refusal ?? '') + delta['refusal'];
  const calls: unknown = delta['tool_calls'];
  if (Array.isArray(calls)) for (const call of calls) if (isRecord(call)) addCall(message, call);
  if (isRecord(delta['function_call'])) addCall(message, { index: 'legacy', function: delta['function_call'] });
}

/** Pieces of one call share its index; servers that leave it out send each call whole. */
function addCall(message: Folded, piece: Record<string, unknown>): void {
  const key = piece['index'] === undefined ? `#${message.calls.size}` : String(piece['index']);
  let call = message.calls.get(key);
  if (call === undefined) {
    call = { id: '', type: 'function', function: { name: '', arguments: '' } };
    message.calls.set(key, call);
  }
  if (typeof piece['id'] === 'string' && piece['id'] !== '') call.id = piece['id'];
  const fn = piece['function'];
  if (!isRecord(fn)) return;
  // The name comes whole; some servers repeat it in every piece.
  if (typeof fn['name'] === 'string' && call.function.name === '') call.function.name = fn['name'];
  const args = fn['arguments'];
  if (args !== undefined && args !== null)
    call.function.arguments += typeof args === 'string' ? args : JSON.stringify(args);
}
