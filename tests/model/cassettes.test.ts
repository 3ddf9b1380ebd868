import { join } from 'node:path';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isRecord } from '../../engine/src/base/json.ts';
import type { ModelAnswer, Models, Usage } from '../../engine/src/model/model.ts';
import { corpora } from '../available.ts';
import {
  baseUrlOf,
  type Interaction,
  isResponses,
  messagesOf,
  outputOf,
  providerOf,
  readCassettes,
  toolsOf,
} from './cassettes.ts';
import { anthropicApi, ollamaApi, openaiApi, request, testModels } from './fixtures.ts';

const cassettes = corpora === undefined ? [] : readCassettes(join(corpora, 'llm-cassettes'));

/** Error code of each status, and whether another attempt may help. */
const CODES: Record<number, string> = {
  400: 'MODEL_BAD_REQUEST',
  401: 'MODEL_AUTH',
  403: 'MODEL_AUTH',
  404: 'MODEL_NOT_FOUND',
  408: 'MODEL_TIMEOUT',
  429: 'MODEL_RATE_LIMIT',
};
/** An error under status 200: in Ollama's way, in OpenAI's two ways, in Anthropic's. */
const FAILED = /^(event: (error|response\.failed)|(data: )?\{"(error"|type": ?"(error|response\.failed)"))/m;
const codeOf = (status: number) => CODES[status] ?? (status >= 500 ? 'MODEL_UNAVAILABLE' : 'MODEL_BAD_REQUEST');

describe.skipIf(corpora === undefined)('recorded answers (left out without the corpora)', () => {
  beforeAll(() => nock.disableNetConnect());
  afterEach(() => nock.cleanAll());
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  test('there are some', () => {
    expect(cassettes.length).toBeGreaterThan(5);
  });

  describe.each(cassettes)('$name', ({ interactions }) => {
    test.each(interactions.map((interaction, index) => ({ interaction, index })))(
      'exchange $index gives the recorded calls, text, reason to stop or error',
      async ({ interaction }) => {
        const { response } = interaction;
        const { outcome, sent, reported } = await replay(interaction);
        if (FAILED.test(response.sse ?? response.text ?? '')) {
          expect(outcome).toMatchObject({ code: expect.stringMatching(/^MODEL_/) });
          return;
        }
        if (response.status >= 400) {
          expect(outcome).toMatchObject({ code: codeOf(response.status) });
          return;
        }
        expect(outcome).toMatchObject(expectedOf(response));
        expect(reported).toBe((outcome as ModelAnswer).message.content ?? '');
        const { request: recorded } = interaction;
        const again = { url: recorded.url, json: sent };
        expect(sent['model']).toBe(recorded.json['model']);
        expect(messagesOf(again)).toEqual(messagesOf(recorded));
        expect(toolsOf(again)).toEqual(toolsOf(recorded));
        expect(outputOf(again)).toMatchObject(outputOf(recorded) ?? {});
      },
    );
  });
});

/** Asks with the recorded messages and tools, the recorded answer coming back. */
async function replay({ request: recorded, response }: Interaction) {
  const { origin } = new URL(recorded.url);
  let sent: Record<string, unknown> = {};
  nock(origin)
    .post(
      (path) => path.split('?')[0] === new URL(recorded.url).pathname,
      (body) => {
        sent = body as Record<string, unknown>;
        return true;
      },
    )
    .query(true)
    .reply(response.status, response.sse ?? response.text ?? JSON.stringify(response.json), response.headers);
  const models = testModels();
  const output = outputOf(recorded);
  let reported = '';
  const outcome = await open(models, recorded)
    .ask(
      request({
        messages: messagesOf(recorded),
        tools: toolsOf(recorded),
        ...(output !== undefined && { output }),
        onText: (piece) => void (reported += piece),
      }),
    )
    .catch((error: unknown) => error);
  await models.close();
  return { outcome, sent, reported };
}

function open(models: Models, recorded: Interaction['request']) {
  const model = String(recorded.json['model']);
  const baseUrl = baseUrlOf(recorded.url);
  switch (providerOf(recorded)) {
    case 'anthropic':
      return models.open(anthropicApi({ baseUrl, model }));
    case 'ollama':
      return models.open(ollamaApi(baseUrl, { model }));
    default:
      return models.open(openaiApi(baseUrl, { model, protocol: isResponses(recorded) ? 'responses' : 'chat' }));
  }
}

/** What a recorded answer says, read by code that shares nothing with the adapter's. */
function expectedOf(response: Interaction['response']): Partial<ModelAnswer> {
  const { content, calls, finish, refusal, model, usage } = plainOf(response);
  const reasons: Record<string, ModelAnswer['stop']> = {
    length: 'length',
    max_tokens: 'length',
    max_output_tokens: 'length',
    refusal: 'refusal',
    content_filter: 'refusal',
    tool_calls: 'tool_calls',
  };
  return {
    message: {
      role: 'assistant',
      content,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } })),
      }),
      ...(refusal !== undefined && { refusal }),
    },
    stop: refusal !== undefined ? 'refusal' : calls.length > 0 ? 'tool_calls' : (reasons[finish] ?? 'stop'),
    model,
    ...(usage !== undefined && { usage }),
  };
}

interface Plain {
  content: string | null;
  calls: { id: string; name: string; args: string }[];
  finish: string;
  refusal: string | undefined;
  model: string;
  usage?: Usage;
}

function plainOf({ json, sse, text, headers }: Interaction['response']): Plain {
  const response = sse === undefined ? json : responseIn(sse);
  if (isRecord(response) && response['object'] === 'response') return fromResponse(response);
  if (text !== undefined && /ndjson/.test(headers['content-type'] ?? '')) return fromLines(text);
  if (sse !== undefined) return sse.includes('message_start') ? fromMessageEvents(sse) : fromEvents(sse);
  return isRecord(json) && json['type'] === 'message'
    ? fromMessage(json)
    : isRecord(json) && isRecord(json['message'])
      ? fromLines(JSON.stringify(json))
      : fromJson(json);
}

/** Ollama's own stream. */
function fromLines(text: string): Plain {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const calls = lines.flatMap(({ message }) => message?.tool_calls ?? []);
  return {
    content: lines.map(({ message }) => message?.content ?? '').join('') || (calls.length > 0 ? null : ''),
    calls: calls.map(({ id, function: fn }, place) => ({
      id: id ?? `call0010${place}`,
      name: fn.name,
      args: JSON.stringify(fn.arguments),
    })),
    finish: lines.at(-1)?.done_reason ?? '',
    refusal: undefined,
    model: lines[0]?.model ?? '',
  };
}

interface Line {
  model: string;
  message?: { content?: string; tool_calls?: { id?: string; function: { name: string; arguments: object } }[] };
  done_reason?: string;
}

function fromMessage(json: unknown): Plain {
  const { content, stop_reason: finish, model } = json as { content: Block[]; stop_reason: string; model: string };
  const texts = content.filter(({ type }) => type === 'text').map(({ text }) => text ?? '');
  const uses = content.filter(({ type }) => type === 'tool_use');
  return {
    content: texts.length > 0 ? texts.join('') : uses.length > 0 ? null : '',
    calls: uses.map(({ id, name, input }) => ({
      id: id ?? '',
      name: name ?? '',
      args: typeof input === 'string' ? input : JSON.stringify(input),
    })),
    finish,
    refusal: undefined,
    model,
  };
}

interface Block {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
}

/** Anthropic's stream, put together in the plainest way. */
function fromMessageEvents(sse: string): Plain {
  const blocks: Block[] = [];
  let [finish, model] = ['', ''];
  for (const [, data] of sse.matchAll(/^data: (\{.*\})\r?$/gm)) {
    const event = JSON.parse(data!) as {
      index: number;
      message?: { model: string };
      content_block?: Block;
      delta?: { text?: string; partial_json?: string; stop_reason?: string };
    };
    model ||= event.message?.model ?? '';
    finish = event.delta?.stop_reason ?? finish;
    if (event.content_block !== undefined) blocks[event.index] = { ...event.content_block };
    const block = blocks[event.index];
    if (block !== undefined && event.delta?.text !== undefined) block.text = (block.text ?? '') + event.delta.text;
    if (block !== undefined && event.delta?.partial_json !== undefined && event.delta.partial_json !== '')
      block.input = (typeof block.input === 'string' ? block.input : '') + event.delta.partial_json;
  }
  return fromMessage({ content: blocks, stop_reason: finish, model });
}

/** The last response of a stream of the Responses API, with the items that it may leave out itself. */
function responseIn(sse: string): Record<string, unknown> | undefined {
  const events = [...sse.matchAll(/^data: (\{.*\})\r?$/gm)].map(([, data]) => JSON.parse(data!) as StreamEvent);
  const whole = events.findLast(({ response }) => response !== undefined)?.response;
  const done = events.filter(({ type }) => type === 'response.output_item.done');
  const items = done.toSorted((a, b) => a.output_index - b.output_index).map(({ item }) => item);
  return whole === undefined || (whole['output'] as unknown[]).length > 0 ? whole : { ...whole, output: items };
}

interface StreamEvent {
  type?: string;
  output_index: number;
  item?: unknown;
  response?: Record<string, unknown>;
}

function fromResponse(response: object): Plain {
  const body = response as {
    model: string;
    incomplete_details?: { reason: string } | null;
    usage?: { input_tokens: number; output_tokens: number; input_tokens_details?: { cached_tokens: number } } | null;
    output: {
      type: string;
      content?: { text?: string; refusal?: string }[];
      call_id: string;
      name: string;
      arguments?: string;
      input?: string;
    }[];
  };
  const parts = body.output.flatMap(({ type, content }) => (type === 'message' ? (content ?? []) : []));
  const texts = parts.flatMap(({ text }) => text ?? []);
  const refusals = parts.flatMap(({ refusal }) => refusal ?? []);
  const calls = body.output.filter(({ type }) => /^(function|custom_tool)_call$/.test(type));
  return {
    content: texts.length > 0 ? texts.join('') : calls.length + refusals.length > 0 ? null : '',
    calls: calls.map((call) => ({ id: call.call_id, name: call.name, args: call.arguments ?? call.input ?? '' })),
    finish: body.incomplete_details?.reason ?? '',
    refusal: refusals.length > 0 ? refusals.join('') : undefined,
    model: body.model,
    ...(body.usage && {
      usage: {
        inputTokens: body.usage.input_tokens,
        outputTokens: body.usage.output_tokens,
        ...(body.usage.input_tokens_details && {
          cachedInputTokens: body.usage.input_tokens_details.cached_tokens,
        }),
      },
    }),
  };
}

function fromJson(json: unknown): Plain {
  const body = json as { model: string; choices: { finish_reason: string; message: Record<string, unknown> }[] };
  const { finish_reason: finish, message } = body.choices[0]!;
  const calls = (message['tool_calls'] ?? []) as { id: string; function: { name: string; arguments: string } }[];
  return {
    content: (message['content'] as string | null | undefined) ?? (calls.length > 0 || message['refusal'] ? null : ''),
    calls: calls.map(({ id, function: fn }) => ({ id, name: fn.name, args: fn.arguments })),
    finish,
    refusal: (message['refusal'] as string | null | undefined) ?? undefined,
    model: body.model,
  };
}

function fromEvents(sse: string): Plain {
  const plain: Plain = { content: null, calls: [], finish: '', refusal: undefined, model: '' };
  for (const [, data] of sse.matchAll(/^data: (\{.*\})\r?$/gm)) {
    const chunk = JSON.parse(data!) as {
      model: string;
      choices: { delta: Record<string, unknown>; finish_reason: string | null }[];
    };
    plain.model ||= chunk.model;
    const choice = chunk.choices[0];
    if (choice === undefined) continue;
    plain.finish = choice.finish_reason ?? plain.finish;
    const { content, tool_calls: pieces } = choice.delta;
    if (typeof content === 'string') plain.content = `${plain.content ?? ''}${content}`;
    for (const piece of (pieces ?? []) as {
      index: number;
      id?: string;
      function?: { name?: string; arguments?: string };
    }[]) {
      const call = (plain.calls[piece.index] ??= { id: '', name: '', args: '' });
      call.id ||= piece.id ?? '';
      call.name ||= piece.function?.name ?? '';
      call.args += isRecord(piece.function) ? (piece.function.arguments ?? '') : '';
    }
  }
  if (plain.calls.length === 0) plain.content ??= '';
  return plain;
}
