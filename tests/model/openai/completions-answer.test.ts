import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../../engine/src/model/openai/completions-answer.ts';
import { foldChat } from '../../../engine/src/model/openai/completions-stream.ts';
import { parseBody } from '../../../engine/src/model/protocol/receive.ts';
import { completion } from '../chat-server.ts';
import { target } from '../fixtures.ts';

const read = (text: string, turn = 1, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  readAnswer(parseBody({ text, headers: { get: (name) => headers[name] ?? null } }, foldChat, target), {
    turn,
    target,
  });
const readMessage = (message: object, finish: string | null = 'stop') =>
  read(JSON.stringify(completion(message, finish)));
const call = (id: unknown, text: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name: 'look_up', arguments: text },
});

describe('the message', () => {
  test.each([
    { name: 'text', given: { content: 'Hello.' }, message: { content: 'Hello.' } },
    {
      name: 'text in parts',
      given: {
        content: [
          { type: 'text', text: 'Hel' },
          { type: 'output_text', text: 'lo.' },
        ],
      },
      message: { content: 'Hello.' },
    },
    { name: 'no content at all', given: {}, message: { content: '' } },
    { name: 'a refusal', given: { content: null, refusal: 'No.' }, message: { content: null, refusal: 'No.' } },
    {
      name: 'a refusal as a part',
      given: { content: [{ type: 'refusal', refusal: 'No.' }] },
      message: { content: null, refusal: 'No.' },
    },
    { name: 'an empty refusal', given: { content: 'Hello.', refusal: '' }, message: { content: 'Hello.' } },
    {
      name: 'fields of other makers',
      given: { content: 'Hello.', reasoning: 'Hm.', annotations: [] },
      message: { content: 'Hello.' },
    },
    { name: 'an empty list of calls', given: { content: 'Hello.', tool_calls: [] }, message: { content: 'Hello.' } },
  ])('is read from $name', ({ given, message }) => {
    expect(readMessage(given).message).toEqual({ role: 'assistant', ...message });
  });
});

describe('calls', () => {
  test('in parallel come back in their order, with ids, names and arguments untouched', () => {
    const calls = [call('call_b', '{"word": "tea"}'), call('call_a', '{"word":'), call('call_c', '')];
    expect(readMessage({ content: null, tool_calls: calls }, 'tool_calls')).toMatchObject({
      message: { content: null, tool_calls: calls },
      stop: 'tool_calls',
    });
  });

  test.each([
    { name: 'missing ids', given: [undefined, null], ids: ['call00700', 'call00701'] },
    { name: 'empty ids', given: ['', ''], ids: ['call00700', 'call00701'] },
    { name: 'repeated ids', given: ['a', 'a', 'a'], ids: ['a', 'call00701', 'call00702'] },
    { name: 'a made id that is taken', given: ['', 'call00700'], ids: ['call00701', 'call00700'] },
    { name: 'numbers', given: [1, 2], ids: ['1', '2'] },
    { name: 'an overlong id', given: ['x'.repeat(513), 'b'], ids: ['call00700', 'b'] },
  ])('with $name get ids that are unique and always the same', ({ given, ids }) => {
    const text = JSON.stringify(completion({ tool_calls: given.map((id) => call(id)) }, 'tool_calls'));
    const found = read(text, 7).message.tool_calls?.map(({ id }) => id);
    expect(found).toEqual(ids);
    expect(read(text, 7).message.tool_calls?.map(({ id }) => id)).toEqual(found);
  });

  test.each([
    { name: 'an object', given: { word: 'tea' }, text: '{"word":"tea"}' },
    { name: 'nothing', given: null, text: '' },
    { name: 'broken JSON', given: '{"word":', text: '{"word":' },
  ])('with $name as arguments keep them as text', ({ given, text }) => {
    expect(readMessage({ tool_calls: [call('a', given)] }).message.tool_calls?.[0]?.function.arguments).toBe(text);
  });

  test('of the old kind are read too', () => {
    const answer = readMessage({ content: null, function_call: { name: 'look_up', arguments: '{}' } }, 'function_call');
    expect(answer.message.tool_calls).toEqual([
      { id: 'call00100', type: 'function', function: { name: 'look_up', arguments: '{}' } },
    ]);
    expect(answer.stop).toBe('tool_calls');
  });
});

describe('why it stopped', () => {
  test.each([
    { name: 'the end', finish: 'stop', message: { content: 'x' }, stop: 'stop' },
    { name: 'the length', finish: 'length', message: { content: 'x' }, stop: 'length' },
    {
      name: 'the length in the middle of a call',
      finish: 'length',
      message: { tool_calls: [call('a', '{"wo')] },
      stop: 'length',
    },
    { name: 'the content filter', finish: 'content_filter', message: { content: '' }, stop: 'refusal' },
    { name: 'a refusal that says stop', finish: 'stop', message: { content: null, refusal: 'No.' }, stop: 'refusal' },
    { name: 'calls that say stop', finish: 'stop', message: { tool_calls: [call('a')] }, stop: 'tool_calls' },
    { name: 'calls without any', finish: 'tool_calls', message: { content: 'x' }, stop: 'stop' },
    { name: 'nothing said', finish: null, message: { content: 'x' }, stop: 'stop' },
  ])('is told for $name', ({ finish, message, stop }) => {
    expect(readMessage(message, finish).stop).toBe(stop);
  });
});

test('tokens, model and the raw text are kept', () => {
  const text = JSON.stringify(completion({ content: 'Hello.' }));
  expect(read(text)).toMatchObject({
    usage: { inputTokens: 11, outputTokens: 7, cachedInputTokens: 3 },
    model: 'test-model-1',
    raw: text,
  });
});

test('an answer without tokens or model does without', () => {
  const answer = read(JSON.stringify({ choices: [{ message: { content: 'Hello.' } }], usage: null }));
  expect(answer).not.toHaveProperty('usage');
  expect(answer.model).toBe('test-model');
});

describe('what is no completion is MODEL_BAD_ANSWER', () => {
  test.each([
    { name: 'nothing', text: '', retryable: true },
    { name: 'JSON that is cut off', text: '{"choices":[{"mess', retryable: true },
    { name: 'no choices', text: '{"choices":[]}', retryable: true },
    { name: 'a choice without a message', text: '{"choices":[{}]}', retryable: true },
    { name: 'a web page', text: '<!doctype html><title>Sign in</title>', retryable: false },
    { name: 'a list', text: '[]', retryable: false },
  ])('$name', ({ text, retryable }) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'MODEL_BAD_ANSWER', retryable }));
  });
});

describe('an error inside an answer of status 200', () => {
  test.each([
    { name: 'with a status', error: { code: 429, message: 'slow down' }, code: 'MODEL_RATE_LIMIT' },
    { name: 'without one', error: { message: 'upstream failed' }, code: 'MODEL_UNAVAILABLE' },
  ])('$name gets its own code', ({ error, code }) => {
    expect(() => read(JSON.stringify({ error }))).toThrow(expect.objectContaining({ code, retryable: true }));
  });
});

describe('a stream, though none was asked for,', () => {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c1', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const piece = (index: number, text: string, more: object = {}) => ({
    tool_calls: [{ index, ...more, function: { arguments: text } }],
  });

  test('is put together', () => {
    const text = [
      ': keep-alive\n\n',
      chunk({ role: 'assistant', content: 'Hel' }),
      chunk({ content: 'lo.' }, 'stop'),
      'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\n',
      'data: [DONE]\n\n',
    ].join('');
    const answer = read(text, 1, headers);
    expect(answer).toMatchObject({
      message: { content: 'Hello.' },
      stop: 'stop',
      model: 'm',
      usage: { inputTokens: 3, outputTokens: 2 },
    });
    expect(JSON.parse(answer.raw)).toMatchObject({ object: 'chat.completion' });
  });

  test('gives each call its own arguments', () => {
    const named = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '' } });
    const text = [
      chunk({ tool_calls: [{ index: 0, ...named('a', 'first') }] }),
      chunk({ tool_calls: [{ index: 1, ...named('b', 'second') }] }),
      chunk(piece(0, '{"x":')),
      chunk(piece(1, '{}')),
      chunk(piece(0, '1}'), 'tool_calls'),
      'data: [DONE]\n\n',
    ].join('');
    expect(read(text, 1, headers).message.tool_calls).toEqual([
      { id: 'a', type: 'function', function: { name: 'first', arguments: '{"x":1}' } },
      { id: 'b', type: 'function', function: { name: 'second', arguments: '{}' } },
    ]);
  });

  test.each([
    { name: 'broke off between two events', text: chunk({ content: 'Hel' }) },
    { name: 'broke off inside an event', text: `${chunk({ content: 'Hel' })}data: {"choi` },
    { name: 'holds nothing', text: ': keep-alive\n\n' },
  ])('that $name is MODEL_BAD_ANSWER', ({ text }) => {
    expect(() => read(text, 1, headers)).toThrow(
      expect.objectContaining({ code: 'MODEL_BAD_ANSWER', retryable: true }),
    );
  });

  test('with an error in it gets the code of the error', () => {
    const text = `${chunk({ content: 'Hel' })}data: {"error":{"code":503,"message":"overloaded"}}\n\n`;
    expect(() => read(text, 1, headers)).toThrow(expect.objectContaining({ code: 'MODEL_UNAVAILABLE' }));
  });
});
