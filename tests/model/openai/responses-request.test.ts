import { describe, expect, test } from 'vitest';
import type { Message } from '../../../engine/src/model/model.ts';
import { createResponsesWriter } from '../../../engine/src/model/openai/responses-request.ts';
import { lookUp } from '../fixtures.ts';

const write = createResponsesWriter({ model: 'test-model', stream: true, structuredOutput: true });
const sent = (messages: readonly Message[], ...rest: [limits?: { maxTokens?: number }]) =>
  JSON.parse(write(messages, [], ...rest)) as Record<string, unknown>;

const hello: Message = { role: 'user', content: 'Grüße "an" alle\u2028' };
const call = (id: string, name = 'look_up') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: '{"word":' },
});
const item = (id: string, name = 'look_up') => ({ type: 'function_call', call_id: id, name, arguments: '{"word":' });
const thinking: Message = {
  role: 'assistant',
  content: 'First I look.',
  tool_calls: [call('a'), call('b')],
  reasoning: [
    { sealed: 'gAAAA-1', at: 0 },
    { sealed: 'gAAAA-2', at: 1 },
  ],
};
const results: Message[] = [
  { role: 'tool', tool_call_id: 'a', content: 'tea' },
  { role: 'tool', tool_call_id: 'b', content: 'cup' },
];
const outputs = [
  { type: 'function_call_output', call_id: 'a', output: 'tea' },
  { type: 'function_call_output', call_id: 'b', output: 'cup' },
];
const thought = (sealed: string) => ({ type: 'reasoning', summary: [], encrypted_content: sealed });

describe('a message becomes', () => {
  test.each<{ name: string; message: Message; items: readonly object[] }>([
    {
      name: 'an item of its role, from the system',
      message: { role: 'system', content: 'You are the desk.' },
      items: [{ role: 'system', content: 'You are the desk.' }],
    },
    { name: 'an item of its role, from the user', message: hello, items: [hello] },
    {
      name: 'an item, as an answer',
      message: { role: 'assistant', content: 'Hello' },
      items: [{ role: 'assistant', content: 'Hello' }],
    },
    {
      name: 'an item with its phase where the server named one',
      message: { role: 'assistant', content: 'Hello', phase: 'final_answer' },
      items: [{ role: 'assistant', content: 'Hello', phase: 'final_answer' }],
    },
    {
      name: 'an item of its words, as a refusal',
      message: { role: 'assistant', content: null, refusal: 'No.' },
      items: [{ role: 'assistant', content: 'No.' }],
    },
    { name: 'nothing, as an answer of nothing', message: { role: 'assistant', content: '' }, items: [] },
    {
      name: 'an item for each call, with arguments as they were written',
      message: { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
      items: [item('a'), item('b')],
    },
    {
      name: 'a call of a name that is taken',
      message: { role: 'assistant', content: null, tool_calls: [call('a', 'mail.send now')] },
      items: [item('a', 'mail_send_now')],
    },
    { name: 'an item that names its call, as a result', message: results[0]!, items: [outputs[0]!] },
  ])('$name', ({ message, items }) => {
    expect(sent([message])['input']).toEqual(items);
  });
});

describe('sealed thinking', () => {
  test('goes back in front of what came of it', () => {
    expect(sent([hello, thinking, ...results])['input']).toEqual([
      hello,
      thought('gAAAA-1'),
      { role: 'assistant', content: 'First I look.' },
      item('a'),
      thought('gAAAA-2'),
      item('b'),
      ...outputs,
    ]);
  });

  test('stays out when the user has spoken since, also where it was sent before', () => {
    sent([hello, thinking, ...results]);
    expect(sent([hello, thinking, ...results, hello])['input']).toEqual([
      hello,
      { role: 'assistant', content: 'First I look.' },
      item('a'),
      item('b'),
      ...outputs,
      hello,
    ]);
  });
});

describe('the body', () => {
  test('asks the server to keep nothing, and for a stream', () => {
    expect(sent([hello])).toEqual({ model: 'test-model', stream: true, store: false, input: [hello] });
  });

  test('asks for no stream where none is wanted', () => {
    const whole = createResponsesWriter({ model: 'test-model', stream: false, structuredOutput: true });
    expect(JSON.parse(whole([hello], []))).toEqual({ model: 'test-model', store: false, input: [hello] });
  });

  test('describes tools whose schema is not strict', () => {
    const { name, description, parameters } = lookUp.function;
    expect(JSON.parse(write([hello], [lookUp]))).toMatchObject({
      tools: [{ type: 'function', name, description, parameters, strict: false }],
    });
  });

  test.each([
    { name: 'as given', maxTokens: 500, limit: 500 },
    { name: 'as the least that is taken', maxTokens: 3, limit: 16 },
  ])('limits the answer $name', ({ maxTokens, limit }) => {
    expect(sent([hello], { maxTokens })).toMatchObject({ max_output_tokens: limit });
  });

  test('begins like the one before it, so that the server can reuse what it read', () => {
    const before = write([hello, thinking, ...results], []);
    const after = write([hello, thinking, ...results, { role: 'assistant', content: 'Tea and cup.' }], []);
    expect(after.startsWith(before.slice(0, -2))).toBe(true);
  });
});
