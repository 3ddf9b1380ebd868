import { describe, expect, test } from 'vitest';
import type { Message, Model } from '../../engine/src/model/model.ts';
import { describeModel } from '../contracts/model.ts';
import { completion, type Handler, sendJson, startServer } from './chat-server.ts';
import { ollamaApi, request, testModels } from './fixtures.ts';

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
  work: (origin: string, seen: () => string, models: ReturnType<typeof testModels>) => Promise<void>,
) {
  const server = await startServer(handle);
  const models = testModels();
  try {
    await work(server.origin, () => server.seen[0]?.body ?? '', models);
  } finally {
    await models.close();
    await server.close();
  }
}

describe('a request', () => {
  test.each(['', '/', '/v1', '/v1/'])(
    'finds the chat completions from a base address that ends in "%s"',
    async (end) => {
      const server = await startServer(ollama({ content: 'Hello.' }));
      const models = testModels();
      await models.open(ollamaApi(`${server.origin}${end}`)).ask(request());
      expect(server.seen.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
      await models.close();
      await server.close();
    },
  );

  test('wraps the arguments of a past call that are no JSON object, which Ollama would refuse', () =>
    withOllama(ollama({ content: 'Hello.' }), async (origin, body, models) => {
      const messages: Message[] = [
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
      ];
      await models.open(ollamaApi(origin)).ask(request({ messages }));
      const sent = JSON.parse(body()).messages[1].tool_calls.map(
        (entry: { function: { arguments: string } }) => entry.function.arguments,
      );
      expect(sent).toEqual([JSON.stringify({ invalid: '{"word":' }), '{"word":"tea"}', '{}']);
    }));
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
    { name: 'a web page', handle: (_, response) => sendJson(response, '<html></html>'), why: 'no list of models' },
  ])('$name is not available, with the reason', ({ handle, why }) =>
    withOllama(handle, async (origin, _, models) => {
      expect(await models.open(ollamaApi(origin)).available({})).toEqual({
        ok: false,
        why: expect.stringContaining(why),
      });
    }),
  );
});
