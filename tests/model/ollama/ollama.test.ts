import { describe, expect, test } from 'vitest';
import type { Message, Model, FailedUsage } from '../../../engine/src/model/model.ts';
import { describeModel } from '../../contracts/model.ts';
import { completion, type Handler, type Seen, sendJson, startServer } from '../chat-server.ts';
import { lookUp, ollamaApi, openaiApi, request, testModels } from '../fixtures.ts';

const tags = { models: [{ name: 'qwen3:8b' }, { name: 'llama3:latest' }] };

/** An Ollama server that has two models and answers chats with `message`. */
const ollama =
  (message: object): Handler =>
  ({ path }, response) =>
    sendJson(response, path === '/api/tags' ? tags : completion(message, 'stop'));

const call = (index: number) => ({
  id: '',
  index,
  type: 'function',
  function: { name: 'look_up', arguments: { word: 'tea' } },
});

describeModel('ollama', async () => {
  const models = testModels();
  const servers = await Promise.all([
    startServer(ollama({ content: 'Hello.' })),
    startServer(ollama({ content: '', tool_calls: [call(0), call(1)] })),
    startServer(() => undefined),
  ]);
  const [say, calls, silent] = servers.map(({ origin }) => models.open(ollamaApi(origin))) as [Model, Model, Model];
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

async function withOllama(
  handle: Handler,
  work: (
    origin: string,
    body: () => string,
    models: ReturnType<typeof testModels>,
    seen: () => readonly Seen[],
  ) => Promise<void>,
) {
  const server = await startServer(handle);
  const models = testModels();
  try {
    await work(
      server.origin,
      () => server.seen[0]?.body ?? '',
      models,
      () => server.seen,
    );
  } finally {
    await models.close();
    await server.close();
  }
}

describe('a request', () => {
  test.each([
    { end: '', path: '/api/chat' },
    { end: '/', path: '/api/chat' },
    { end: '/v1', path: '/v1/chat/completions' },
    { end: '/v1/', path: '/v1/chat/completions' },
  ])('to a base address that ends in "$end" goes to $path', ({ end, path }) =>
    withOllama(ollama({ content: 'Hello.' }), async (origin, _, models, seen) => {
      await models.open(ollamaApi(`${origin}${end}`)).ask(request());
      expect(seen().map((one) => one.path)).toEqual([path]);
    }),
  );

  test('says how much the model may read, and how much it may write', () =>
    withOllama(ollama({ content: 'Hello.' }), async (origin, body, models) => {
      await models.open(ollamaApi(origin, { contextTokens: 32_768 })).ask(request({ tools: [lookUp], maxTokens: 100 }));
      expect(JSON.parse(body())).toEqual({
        model: 'qwen3:8b',
        stream: true,
        options: { num_ctx: 32_768, num_predict: 100 },
        messages: request().messages,
        tools: [lookUp],
      });
    }));

  const past: Message[] = [
    { role: 'user', content: 'Hello' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'look_up', arguments: '{"word":' } },
        { id: 'b', type: 'function', function: { name: 'look_up', arguments: '{"word":"tea"}' } },
        { id: 'c', type: 'function', function: { name: 'look_up', arguments: '' } },
      ],
    },
    { role: 'tool', tool_call_id: 'b', content: 'A drink.' },
  ];

  test('holds the arguments of past calls as objects, and results with the name of their tool', () =>
    withOllama(ollama({ content: 'Hello.' }), async (origin, body, models) => {
      await models.open(ollamaApi(origin)).ask(request({ messages: past }));
      const call = (id: string, args: object) => ({ id, function: { name: 'look_up', arguments: args } });
      expect(JSON.parse(body()).messages.slice(1)).toEqual([
        {
          role: 'assistant',
          content: '',
          tool_calls: [call('a', { invalid: '{"word":' }), call('b', { word: 'tea' }), call('c', {})],
        },
        { role: 'tool', tool_call_id: 'b', tool_name: 'look_up', content: 'A drink.' },
      ]);
    }));

  test('to /v1 wraps the arguments of a past call that are no JSON object, which Ollama would refuse', () =>
    withOllama(ollama({ content: 'Hello.' }), async (origin, body, models) => {
      await models.open(ollamaApi(`${origin}/v1`)).ask(request({ messages: past }));
      const sent = JSON.parse(body()).messages[1].tool_calls.map(
        (entry: { function: { arguments: string } }) => entry.function.arguments,
      );
      expect(sent).toEqual([JSON.stringify({ invalid: '{"word":' }), '{"word":"tea"}', '{}']);
    }));
});

describe('an answer', () => {
  const line = (message: object, more: object = {}) =>
    `${JSON.stringify({ model: 'qwen3:8b', message: { role: 'assistant', ...message }, done: false, ...more })}\n`;
  const counts = { done: true, done_reason: 'stop', prompt_eval_count: 11, eval_count: 7 };
  const lines =
    (text: string): Handler =>
    (_, response) =>
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(text);

  test('that is streamed is put together', () =>
    withOllama(
      lines(
        line({ content: '', thinking: 'Hm.' }) +
          line({ content: 'I look ' }) +
          line({ content: 'it up.' }) +
          line({ content: '', tool_calls: [{ function: { name: 'look_up', arguments: { word: 'tea' } } }] }) +
          line({ content: '' }, counts),
      ),
      async (origin, _, models) => {
        expect(await models.open(ollamaApi(origin)).ask(request())).toMatchObject({
          message: {
            content: 'I look it up.',
            tool_calls: [{ id: 'call00100', function: { name: 'look_up', arguments: '{"word":"tea"}' } }],
          },
          stop: 'tool_calls',
          usage: { inputTokens: 11, outputTokens: 7 },
          model: 'qwen3:8b',
        });
      },
    ));

  test('that comes whole is the same', () =>
    withOllama(
      (_, response) =>
        sendJson(response, { model: 'qwen3:8b', message: { role: 'assistant', content: 'Hi.' }, ...counts }),
      async (origin, _, models) => {
        expect(await models.open(ollamaApi(origin, { stream: false })).ask(request())).toMatchObject({
          message: { role: 'assistant', content: 'Hi.' },
          stop: 'stop',
          usage: { inputTokens: 11, outputTokens: 7 },
        });
      },
    ));

  test.each([
    {
      name: 'an error in mid-stream',
      text: line({ content: 'Hi' }) + '{"error":"model runner has stopped"}\n',
      code: 'MODEL_UNAVAILABLE',
    },
    { name: 'an end that comes too soon', text: line({ content: 'Hi' }), code: 'MODEL_BAD_ANSWER' },
    {
      name: 'half a line',
      text: line({ content: 'Hi' }) + line({ content: '' }, counts).slice(0, 40),
      code: 'MODEL_BAD_ANSWER',
    },
  ])('that is cut short by $name is $code, and says what it has used up', ({ text, code }) =>
    withOllama(lines(text), async (origin, _, models) => {
      const spent: FailedUsage[] = [];
      await expect(
        models.open(ollamaApi(origin)).ask(request({ onSpent: (one) => spent.push(one) })),
      ).rejects.toMatchObject({ code, retryable: true });
      expect(spent).toMatchObject([{ outputTokens: 1, isEstimate: true }]);
    }),
  );

  test('that holds a call as text is that call, if the tool was offered', () =>
    withOllama(
      ollama({
        content: '<think>\nHm.\n</think>\n\n<tool_call>\n{"name":"look_up","arguments":{"word":"tea"}}\n</tool_call>',
      }),
      async (origin, _, models) => {
        const model = models.open(ollamaApi(origin));
        const call = { id: 'call00100', type: 'function', function: { name: 'look_up', arguments: '{"word":"tea"}' } };
        expect(await model.ask(request({ tools: [lookUp] }))).toMatchObject({
          message: { role: 'assistant', content: null, tool_calls: [call] },
          stop: 'tool_calls',
        });
        const { message } = await model.ask(request());
        expect(message).toEqual({ role: 'assistant', content: expect.stringMatching(/^<tool_call>/) });
      },
    ));

  test('that holds a call as text is left as it is at other providers', async () => {
    const content = '<tool_call>{"name":"look_up","arguments":{}}</tool_call>';
    await withOllama(
      (_, response) => sendJson(response, completion({ content })),
      async (origin, _, models) => {
        const { message } = await models.open(openaiApi(`${origin}/v1`)).ask(request({ tools: [lookUp] }));
        expect(message).toEqual({ role: 'assistant', content });
      },
    );
  });

  test('of a model without tools says what to do', () =>
    withOllama(
      (_, response) => sendJson(response, { error: 'registry.ollama.ai/library/gemma:2b does not support tools' }, 400),
      async (origin, _, models) => {
        await expect(models.open(ollamaApi(origin)).ask(request())).rejects.toMatchObject({
          code: 'MODEL_BAD_REQUEST',
          retryable: false,
          message: expect.stringMatching(/answered 400: registry.*tools$/),
          hint: expect.stringContaining('Choose one that can'),
        });
      },
    ));
});

describe('availability', () => {
  test.each([
    { name: 'a model that the server has', model: 'qwen3:8b', answer: { ok: true } },
    { name: 'a name without a tag, which means latest', model: 'llama3', answer: { ok: true } },
    {
      name: 'a model that it has not',
      model: 'mistral',
      answer: { ok: false, why: expect.stringContaining('has qwen3:8b, llama3:latest, but not "mistral"') },
    },
  ])('of $name is told from the list of models', ({ model, answer }) =>
    withOllama(ollama({ content: '' }), async (origin, _, models) => {
      expect(await models.open(ollamaApi(origin, { model })).available({})).toEqual(answer);
    }),
  );

  test.each<{ name: string; handle: Handler; why: string }>([
    { name: 'no models at all', handle: (_, response) => sendJson(response, { models: [] }), why: 'has no models' },
    { name: 'another server', handle: (_, response) => sendJson(response, 'not found', 404), why: 'answered 404' },
    {
      name: 'a web page',
      handle: (_, response) => sendJson(response, '<html></html>'),
      why: 'without a list of models',
    },
  ])('$name is not available, with the reason', ({ handle, why }) =>
    withOllama(handle, async (origin, _, models) => {
      expect(await models.open(ollamaApi(origin)).available({})).toEqual({
        ok: false,
        why: expect.stringContaining(why),
      });
    }),
  );
});
