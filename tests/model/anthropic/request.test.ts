import { expect, test } from 'vitest';
import { createMessagesWriter } from '../../../engine/src/model/anthropic/request.ts';
import type { Message } from '../../../engine/src/model/model.ts';

const write = createMessagesWriter({ model: 'claude-test', maxTokens: 100, stream: false });
const tool = { type: 'function', function: { name: 'look_up', description: 'Looks up.', parameters: {} } } as const;
const sent = (...messages: readonly Message[]) => JSON.parse(write(messages, [tool])) as Record<string, unknown>;

const user = (content: string): Message => ({ role: 'user', content });
const said = (content: string | null, refusal?: string): Message => ({
  role: 'assistant',
  content,
  ...(refusal !== undefined && { refusal }),
});
const calling = (...calls: readonly (readonly [id: string, text: string])[]): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: calls.map(([id, text]) => ({ id, type: 'function', function: { name: 'look_up', arguments: text } })),
});
const result = (id: string, content: string): Message => ({ role: 'tool', tool_call_id: id, content });

const text = (content: string) => ({ type: 'text', text: content });
const use = (id: string, input: object = {}, name = 'look_up') => ({ type: 'tool_use', id, name, input });
const got = (id: string, content?: string) => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(content !== undefined && { content }),
});
const turn = (role: string, ...content: readonly object[]) => ({ role, content });

test.each<{ name: string; messages: readonly Message[]; turns: readonly object[] }>([
  {
    name: 'results of parallel calls stand together in one user turn, before text',
    messages: [
      user('Hi'),
      calling(['a', '{"word":"tea"}'], ['b', '{}']),
      result('a', 'A'),
      result('b', 'B'),
      user('Go'),
    ],
    turns: [
      turn('user', text('Hi')),
      turn('assistant', use('a', { word: 'tea' }), use('b')),
      turn('user', got('a', 'A'), got('b', 'B'), text('Go')),
    ],
  },
  {
    name: 'turns of one side that follow each other become one',
    messages: [user('One'), user('Two'), said('Three'), said('Four'), user('Five')],
    turns: [
      turn('user', text('One'), text('Two')),
      turn('assistant', text('Three'), text('Four')),
      turn('user', text('Five')),
    ],
  },
  {
    name: 'empty texts are left out',
    messages: [user(''), user('Hi'), said(' \n'), said(null), user('Go')],
    turns: [turn('user', text('Hi'), text('Go'))],
  },
  {
    name: 'arguments that are no JSON object are sent as one',
    messages: [
      user('Hi'),
      calling(['a', '{"word":'], ['b', ''], ['c', '[1]']),
      result('a', 'A'),
      result('b', ''),
      result('c', 'C'),
    ],
    turns: [
      turn('user', text('Hi')),
      turn('assistant', use('a', { invalid: '{"word":' }), use('b'), use('c', { invalid: '[1]' })),
      turn('user', got('a', 'A'), got('b'), got('c', 'C')),
    ],
  },
  {
    name: 'a call that never got a result gets a word about it',
    messages: [user('Hi'), calling(['a', '{}'], ['b', '{}']), result('b', 'B'), user('Go')],
    turns: [
      turn('user', text('Hi')),
      turn('assistant', use('a'), use('b')),
      turn('user', got('b', 'B'), got('a', 'This call has no result.'), text('Go')),
    ],
  },
  {
    name: 'a result that nobody asked for is text',
    messages: [user('Hi'), result('x', 'X')],
    turns: [turn('user', text('Hi'), text('Result of an earlier call: X'))],
  },
  {
    name: 'ids of other makers are made acceptable, and unique in the conversation',
    messages: [
      user('Hi'),
      calling(['call:1', '{}']),
      result('call:1', 'A'),
      calling(['call:1', '{}'], ['', '{}']),
      result('call:1', 'B'),
      result('', 'C'),
    ],
    turns: [
      turn('user', text('Hi')),
      turn('assistant', use('call_1')),
      turn('user', got('call_1', 'A')),
      turn('assistant', use('call_1__2'), use('call')),
      turn('user', got('call_1__2', 'B'), got('call', 'C')),
    ],
  },
  {
    name: 'a refusal is what the assistant said',
    messages: [user('Hi'), said(null, 'No.'), user('Please')],
    turns: [turn('user', text('Hi')), turn('assistant', text('No.')), turn('user', text('Please'))],
  },
  {
    name: 'a conversation that the assistant begins and ends is put between the words of a user',
    messages: [said('Hello')],
    turns: [turn('user', text('Begin.')), turn('assistant', text('Hello')), turn('user', text('Go on.'))],
  },
  { name: 'a conversation of nothing begins', messages: [], turns: [turn('user', text('Begin.'))] },
])('$name', ({ messages, turns }) => {
  expect(sent(...messages)['messages']).toEqual(turns);
});

test('system messages move to the top, wherever they stand', () => {
  expect(sent({ role: 'system', content: 'A' }, user('Hi'), { role: 'system', content: 'B' })).toMatchObject({
    system: [text('A'), text('B')],
    messages: [turn('user', text('Hi'))],
  });
});

test('a longer transcript begins with the same text, so that it can be cached', () => {
  const messages = [user('Hi'), calling(['a', '{}']), result('a', 'A')];
  const short = write(messages, []);
  const long = write([...messages, said('Tea.'), user('More')], []);
  expect(long.startsWith(short.slice(0, -']}'.length))).toBe(true);
});

test('a schema without a type is an object', () => {
  expect(sent(user('Hi'))['tools']).toEqual([
    { name: 'look_up', description: 'Looks up.', input_schema: { type: 'object' } },
  ]);
});
