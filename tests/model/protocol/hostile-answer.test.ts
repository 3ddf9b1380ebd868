import { describe, expect, test } from 'vitest';
import { errorBody } from '../../../engine/src/base/error.ts';
import { isTooDeep } from '../../../engine/src/base/json.ts';
import { readMessageUsage } from '../../../engine/src/model/anthropic/answer.ts';
import { readAnswer, readUsage } from '../../../engine/src/model/openai/completions-answer.ts';
import { foldChat } from '../../../engine/src/model/openai/completions-stream.ts';
import { findCalls } from '../../../engine/src/model/ollama/text-tool-calls.ts';
import { wireMessage } from '../../../engine/src/model/protocol/chat-format.ts';
import { parseBody } from '../../../engine/src/model/protocol/receive.ts';
import { startServer } from '../chat-server.ts';
import { openaiApi, target, testModels } from '../fixtures.ts';

const none = { get: () => null };
const MILLION = 1_000_000;
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const answer = (extra: string) =>
  `{"model":"m","choices":[{"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"extra":${extra}}`;

describe('a successful answer that is nested a million levels deep', () => {
  test('is a bad answer, and is not read', () => {
    const read = () => parseBody({ text: answer(deep(MILLION)), headers: none }, foldChat, target);
    expect(read).toThrow(expect.objectContaining({ code: 'MODEL_BAD_ANSWER', retryable: false }));
    expect(parseBody({ text: answer(deep(100)), headers: none }, foldChat, target).json).toHaveProperty('extra');
  });

  test('is one in an event of a stream, too', () => {
    const read = () => parseBody({ text: `data: ${answer(deep(MILLION))}\n\n`, headers: none }, foldChat, target);
    expect(read).toThrow(expect.objectContaining({ code: 'MODEL_BAD_ANSWER' }));
  });

  test('is no tool call where a small model writes it as text', () => {
    expect(findCalls(`{"name":"search","arguments":{"q":${deep(MILLION)}}}`, ['search'])).toBeUndefined();
  });

  test('is sent back to Ollama as text, in arguments of an earlier version', () => {
    const text = `{"q":${deep(MILLION)}}`;
    const call = { id: 'a', type: 'function' as const, function: { name: 'search', arguments: text } };
    const sent = wireMessage({ role: 'assistant', content: null, tool_calls: [call] }, 'ollama');
    expect(JSON.stringify(sent)).toContain('invalid');
  });
});

test.each([
  ['brackets in a text', `{"a":"${'['.repeat(1000)}"}`, false],
  ['brackets behind an escaped quote', `{"a":"\\"${'['.repeat(1000)}"}`, false],
  ['a text that ends in a backslash', `{"a":"\\\\","b":${deep(300)}}`, true],
  ['many lists beside each other', `[${'[],'.repeat(1000)}[]]`, false],
  ['200 levels', deep(200), false],
  ['201 levels', deep(201), true],
])('the depth of %s', (_name, text, expected) => {
  expect(isTooDeep(text)).toBe(expected);
});

test('a tool name of half a million letters is cut before it is stored', () => {
  const call = { id: 'a', function: { name: 'x'.repeat(500_000), arguments: '{}' } };
  const json = { choices: [{ message: { role: 'assistant', content: null, tool_calls: [call] } }] };
  const { message } = readAnswer({ json, raw: '', headers: none }, { turn: 1, target });
  expect(message.tool_calls?.[0]?.function.name).toBe('x'.repeat(128));
});

test.each([
  ['1e308', 1e308],
  ['a negative count', -1],
  ['an infinite count', Infinity],
  ['the text NaN', 'NaN'],
  ['not a number', NaN],
])('%s as a token count means that the usage is unknown', (_name, count) => {
  expect(readUsage({ prompt_tokens: 10, completion_tokens: count })).toBeUndefined();
  expect(readUsage({ input_tokens: count, output_tokens: 10 })).toBeUndefined();
  expect(
    readUsage({ prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: { cached_tokens: count } }),
  ).toBeUndefined();
  expect(readMessageUsage({ input_tokens: 10, output_tokens: count })).toBeUndefined();
  expect(readMessageUsage({ input_tokens: 1, output_tokens: 1, cache_read_input_tokens: count })).toBeUndefined();
});

test('token counts that a server sends with fractions are rounded', () => {
  expect(readUsage({ prompt_tokens: 10.4, completion_tokens: null })).toEqual({ inputTokens: 10, outputTokens: 0 });
});

test.each([400, 500])(
  'an error of status %i that is nested a million levels deep is an error of the model',
  async (status) => {
    const server = await startServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(`{"error":${deep(MILLION)}}`);
    });
    const models = testModels();
    const asking = models.open(openaiApi(`${server.origin}/v1`)).ask({
      ...{ messages: [{ role: 'user', content: 'hi' }], tools: [], role: 'director', actorId: 'boss', turn: 1 },
    });
    const error: unknown = await asking.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: expect.stringMatching(/^MODEL_/) });
    expect(() => JSON.stringify(errorBody(error))).not.toThrow();
    await models.close();
    await server.close();
  },
);
