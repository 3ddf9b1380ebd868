import { events } from '../chat-server.ts';

/** A message of the Responses API. */
export function said(text: string, more: object = {}): object {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content, ...more };
}

export function refused(refusal: string): object {
  return said('', { content: [{ type: 'refusal', refusal }] });
}

export function called(id: string, args = '{"word":"tea"}'): object {
  const item = { type: 'function_call', id: `fc_${id}`, call_id: id, name: 'look_up', status: 'completed' };
  return { ...item, arguments: args };
}

/** Thinking, sealed unless the server keeps it to itself. */
export function thought(sealed: string | null = 'gAAAA-1'): object {
  return { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: sealed };
}

export const usage = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 3 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 18,
};

/** A response as it comes whole; it repeats much of the request. */
export function response(output: readonly object[], more: object = {}): object {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_760_000_000,
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: null,
    model: 'test-model-1',
    output,
    tools: [{ type: 'function', name: 'look_up' }],
    usage,
    ...more,
  };
}

type Item = { type: string; arguments?: string; content?: { text?: string; refusal?: string }[] };

/** The events up to the end of the last item, texts and arguments in small pieces. */
export function begin(output: readonly object[]): string {
  return named([
    { type: 'response.created', response: response([], { status: 'in_progress', usage: null }) },
    { type: 'response.in_progress', response: response([], { status: 'in_progress', usage: null }) },
    ...(output as Item[]).flatMap((item, place) => {
      const { text, refusal } = item.content?.[0] ?? {};
      const kind = text !== undefined ? 'output_text' : refusal !== undefined ? 'refusal' : 'function_call_arguments';
      const pieces = (text ?? refusal ?? item.arguments ?? '').match(/.{1,5}/gsu) ?? [];
      const blank = { ...item, status: 'in_progress', ...(item.content ? { content: [] } : { arguments: '' }) };
      return [
        { type: 'response.output_item.added', output_index: place, item: blank },
        ...pieces.map((delta) => ({ type: `response.${kind}.delta`, output_index: place, content_index: 0, delta })),
        { type: 'response.output_item.done', output_index: place, item },
      ];
    }),
  ]);
}

/** The same answer as `response` gives, as a stream. */
export function streamed(output: readonly object[], more: object = {}): string {
  const whole = response(output, more) as { status: string };
  return begin(output) + named([{ type: `response.${whole.status}`, response: whole }]);
}

/** Events with their names, as OpenAI sends them. */
function named(list: readonly { readonly type: string; readonly [key: string]: unknown }[]): string {
  return list.map((event) => `event: ${event.type}\n${events(event)}`).join('');
}
