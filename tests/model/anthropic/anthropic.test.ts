import { describe, expect, test } from 'vitest';
import type { Model, FailedUsage } from '../../../engine/src/model/model.ts';
import { describeModel } from '../../contracts/model.ts';
import { type ChatServer, events, type Handler, sendEvents, sendJson, startServer } from '../chat-server.ts';
import { anthropicApi, KEY, lookUp, request, testModels } from '../fixtures.ts';

const usage = { input_tokens: 11, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 7 };
const toolUse = (id: string, input: object = { word: 'tea' }) => ({ type: 'tool_use', id, name: 'look_up', input });

/** A message as Anthropic answers it. */
function answer(content: readonly object[], stop = 'end_turn', more: object = {}): object {
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-test-1' };
  return { ...head, content, stop_reason: stop, stop_sequence: null, usage, ...more };
}

/** The same as a stream, texts and arguments in small pieces. */
function streamed(content: readonly object[], stop = 'end_turn'): string {
  return events(
    {
      type: 'message_start',
      message: { ...answer([]), stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    },
    { type: 'ping' },
    ...content.flatMap((block, index) => {
      const { text, input } = block as { text?: string; input?: object };
      const pieces = (text ?? JSON.stringify(input)).match(/.{1,5}/gsu) ?? [];
      return [
        {
          type: 'content_block_start',
          index,
          content_block: text === undefined ? { ...block, input: {} } : { ...block, text: '' },
        },
        ...pieces.map((piece) => ({
          type: 'content_block_delta',
          index,
          delta:
            text === undefined
              ? { type: 'input_json_delta', partial_json: piece }
              : { type: 'text_delta', text: piece },
        })),
        { type: 'content_block_stop', index },
      ];
    }),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  );
}

describeModel('anthropic', async () => {
  const models = testModels();
  const servers = await Promise.all([
    startServer((_, response) => sendJson(response, answer([{ type: 'text', text: 'Hello.' }]))),
    startServer((_, response) => sendEvents(response, streamed([toolUse('a'), toolUse('b')], 'tool_use'))),
    startServer(() => undefined),
  ]);
  const [say, calls, silent] = servers.map(({ origin }) => models.open(anthropicApi({ baseUrl: origin }))) as [
    Model,
    Model,
    Model,
  ];
  return {
    say,
    call: calls,
    silent: { model: silent, asked: () => servers[2].whenSeen(1) },
    async close() {
      await models.close();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
});

async function withServer(
  handle: Handler,
  work: (server: ChatServer, models: ReturnType<typeof testModels>) => Promise<void>,
  options?: Parameters<typeof testModels>[0],
): Promise<void> {
  const server = await startServer(handle);
  const models = testModels(options);
  try {
    await work(server, models);
  } finally {
    await models.close();
    await server.close();
  }
}

const hello: Handler = (_, response) => sendJson(response, answer([{ type: 'text', text: 'Hello.' }]));

describe('a request', () => {
  test('holds model, limit, messages and tools in the form of the Messages API', () =>
    withServer(hello, async (server, models) => {
      await models.open(anthropicApi({ baseUrl: server.origin })).ask(request({ tools: [lookUp] }));
      expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/v1/messages' });
      expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
        model: 'claude-test',
        max_tokens: 8192,
        stream: true,
        system: [{ type: 'text', text: 'You are the desk.' }],
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
        tools: [{ name: 'look_up', description: 'Looks a word up.', input_schema: lookUp.function.parameters }],
      });
    }));

  test('is signed as the SDK does it, and in the older way for servers that are not Anthropic', () =>
    withServer(hello, async (server, models) => {
      await models.open(anthropicApi({ baseUrl: server.origin })).ask(request());
      expect(server.seen[0]?.headers).toMatchObject({
        'authorization': `Bearer ${KEY}`,
        'x-api-key': KEY,
        'anthropic-version': expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        'content-type': 'application/json',
      });
    }));

  test('goes without a key to a server on this machine', () =>
    withServer(
      hello,
      async (server, models) => {
        await models.open(anthropicApi({ baseUrl: server.origin })).ask(request());
        expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
        expect(server.seen[0]?.headers).not.toHaveProperty('x-api-key');
      },
      { keys: {} },
    ));

  test('asks for a shorter answer where the request does', () =>
    withServer(hello, async (server, models) => {
      const model = models.open(anthropicApi({ baseUrl: `${server.origin}/v1/`, stream: false }));
      await model.ask(request({ maxTokens: 100 }));
      await model.ask(request({ maxTokens: 100_000 }));
      expect(server.seen.map(({ body }) => JSON.parse(body).max_tokens)).toEqual([100, 8192]);
      expect(JSON.parse(server.seen[0]?.body ?? '')).not.toHaveProperty('stream');
      expect(server.seen[0]?.path).toBe('/v1/messages');
    }));

  test('is made exactly once, also when the server is overloaded', () =>
    withServer(
      (_, response) =>
        sendJson(response, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 529),
      async (server, models) => {
        await expect(models.open(anthropicApi({ baseUrl: server.origin })).ask(request())).rejects.toMatchObject({
          code: 'MODEL_UNAVAILABLE',
          retryable: true,
          message: expect.stringContaining('answered 529: Overloaded'),
        });
        expect(server.seen).toHaveLength(1);
      },
    ));
});

describe('an answer', () => {
  const content = [{ type: 'text', text: 'I look it up: 🍵.' }, toolUse('a'), toolUse('b', {})];

  test.each<{ name: string; handle: Handler }>([
    { name: 'whole', handle: (_, response) => sendJson(response, answer(content, 'tool_use')) },
    { name: 'streamed', handle: (_, response) => sendEvents(response, streamed(content, 'tool_use')) },
  ])('that comes $name is the same', ({ handle }) =>
    withServer(handle, async (server, models) => {
      const call = (id: string, text: string) => ({
        id,
        type: 'function',
        function: { name: 'look_up', arguments: text },
      });
      expect(await models.open(anthropicApi({ baseUrl: server.origin })).ask(request())).toMatchObject({
        message: {
          role: 'assistant',
          content: 'I look it up: 🍵.',
          tool_calls: [call('a', '{"word":"tea"}'), call('b', '{}')],
        },
        stop: 'tool_calls',
        usage: { inputTokens: 16, outputTokens: 7, cachedInputTokens: 3 },
        model: 'claude-test-1',
      });
    }),
  );

  test.each([
    { reason: 'end_turn', stop: 'stop' },
    { reason: 'stop_sequence', stop: 'stop' },
    { reason: 'pause_turn', stop: 'stop' },
    { reason: 'max_tokens', stop: 'length' },
    { reason: 'model_context_window_exceeded', stop: 'length' },
  ])('that stopped for $reason says $stop', ({ reason, stop }) =>
    withServer(
      (_, response) => sendJson(response, answer([{ type: 'text', text: 'Hello.' }], reason)),
      async (server, models) => {
        expect(await models.open(anthropicApi({ baseUrl: server.origin })).ask(request())).toMatchObject({ stop });
      },
    ),
  );

  test.each([
    { name: 'its explanation', more: { stop_details: { explanation: 'Not this.' } }, refusal: 'Not this.' },
    { name: 'what was said', more: {}, refusal: 'I will' },
  ])('that was refused has no content and no calls, but $name', ({ more, refusal }) =>
    withServer(
      (_, response) => sendJson(response, answer([{ type: 'text', text: 'I will' }, toolUse('a')], 'refusal', more)),
      async (server, models) => {
        expect(await models.open(anthropicApi({ baseUrl: server.origin })).ask(request())).toMatchObject({
          message: { role: 'assistant', content: null, refusal },
          stop: 'refusal',
        });
      },
    ),
  );

  test('with thinking is its text alone', () =>
    withServer(
      (_, response) =>
        sendJson(
          response,
          answer([
            { type: 'thinking', thinking: 'Hm.' },
            { type: 'text', text: 'Hi.' },
          ]),
        ),
      async (server, models) => {
        const { message } = await models.open(anthropicApi({ baseUrl: server.origin })).ask(request());
        expect(message).toEqual({ role: 'assistant', content: 'Hi.' });
      },
    ));

  test('of nothing is an empty text', () =>
    withServer(
      (_, response) => sendJson(response, answer([])),
      async (server, models) => {
        const { message } = await models.open(anthropicApi({ baseUrl: server.origin })).ask(request());
        expect(message).toEqual({ role: 'assistant', content: '' });
      },
    ));
});

describe('an error', () => {
  const error = (type: string, message = 'No.') => ({ type: 'error', error: { type, message } });

  test.each([
    { status: 400, type: 'invalid_request_error', code: 'MODEL_BAD_REQUEST', retryable: false },
    { status: 401, type: 'authentication_error', code: 'MODEL_AUTH', retryable: false },
    { status: 402, type: 'billing_error', code: 'MODEL_RATE_LIMIT', retryable: false },
    { status: 403, type: 'permission_error', code: 'MODEL_AUTH', retryable: false },
    { status: 404, type: 'not_found_error', code: 'MODEL_NOT_FOUND', retryable: false },
    { status: 413, type: 'request_too_large', code: 'MODEL_BAD_REQUEST', retryable: false },
    { status: 429, type: 'rate_limit_error', code: 'MODEL_RATE_LIMIT', retryable: true },
    { status: 500, type: 'api_error', code: 'MODEL_UNAVAILABLE', retryable: true },
    { status: 504, type: 'timeout_error', code: 'MODEL_UNAVAILABLE', retryable: true },
    { status: 529, type: 'overloaded_error', code: 'MODEL_UNAVAILABLE', retryable: true },
  ])('$status is $code, in the middle of a stream as well', async ({ status, type, code, retryable }) => {
    const handlers: Handler[] = [
      (_, response) => sendJson(response, error(type), status),
      (_, response) => sendEvents(response, `${streamed([]).split('\n\n')[0]}\n\n${events(error(type))}`),
    ];
    for (const handle of handlers)
      await withServer(handle, async (server, models) => {
        await expect(models.open(anthropicApi({ baseUrl: server.origin })).ask(request())).rejects.toMatchObject({
          code,
          retryable,
          message: expect.stringMatching(/answered \d+: No\.$/),
        });
      });
  });

  test('429 says when to come back', () =>
    withServer(
      (_, response) => sendJson(response, error('rate_limit_error'), 429, { 'retry-after': '17' }),
      async (server, models) => {
        await expect(models.open(anthropicApi({ baseUrl: server.origin })).ask(request())).rejects.toMatchObject({
          retryAfterMs: 17_000,
        });
      },
    ));

  test('in the middle of a stream says what it has cost', () =>
    withServer(
      (_, response) => {
        const [head = ''] = streamed([]).split('\n\n');
        const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(40) } };
        const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
        sendEvents(response, `${head}\n\n${events(block, delta, error('overloaded_error'))}`);
      },
      async (server, models) => {
        const spent: FailedUsage[] = [];
        const pending = models
          .open(anthropicApi({ baseUrl: server.origin }))
          .ask(request({ onSpent: (one) => spent.push(one) }));
        await expect(pending).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
        expect(spent).toEqual([{ inputTokens: 16, outputTokens: 10, cachedInputTokens: 3, isEstimate: true }]);
      },
    ));
});

test('without a key the service is not available, and the variable is named', async () => {
  const model = testModels({ keys: {} }).open(anthropicApi());
  expect(await model.available({})).toEqual({ ok: false, why: '${env:ANTHROPIC_API_KEY} is not set' });
  await expect(model.ask(request())).rejects.toMatchObject({ code: 'MODEL_AUTH' });
});
