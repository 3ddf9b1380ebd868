import { describe, expect, test } from 'vitest';
import type { Message } from '../../../engine/src/model/model.ts';
import { createBodyWriter, isValidToolName, wireMessage } from '../../../engine/src/model/protocol/chat-format.ts';
import { lookUp } from '../fixtures.ts';

const calling = (name: string, text = '{}', content: string | null = null): Message => ({
  role: 'assistant',
  content,
  tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: text } }],
});

describe('a message is sent as it is', () => {
  test.each<{ name: string; message: Message }>([
    { name: 'a system message', message: { role: 'system', content: 'You are the desk.' } },
    { name: 'a user message', message: { role: 'user', content: 'Hello' } },
    { name: 'an answer', message: { role: 'assistant', content: 'Hello' } },
    { name: 'a call', message: calling('look_up') },
    { name: 'a call with broken arguments', message: calling('look_up', '{"word":') },
    { name: 'a tool result', message: { role: 'tool', tool_call_id: 'a', content: 'tea' } },
  ])('when it is $name', ({ message }) => {
    expect(wireMessage(message, 'openai')).toEqual(message);
  });
});

describe('what a server would refuse is put in another form', () => {
  test.each<{ name: string; message: Message; sent: object }>([
    { name: 'a call of an odd name', message: calling('mail.send now'), sent: calling('mail_send_now') },
    { name: 'a call of no name', message: calling(''), sent: calling('unnamed') },
    {
      name: 'an answer of nothing',
      message: { role: 'assistant', content: null },
      sent: { role: 'assistant', content: '' },
    },
    {
      name: 'a refusal',
      message: { role: 'assistant', content: null, refusal: 'No.' },
      sent: { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    },
    {
      name: 'a refusal with text',
      message: { role: 'assistant', content: 'Sorry', refusal: 'No.' },
      sent: { role: 'assistant', content: 'Sorry' },
    },
  ])('$name', ({ message, sent }) => {
    expect(wireMessage(message, 'openai')).toEqual(sent);
  });

  test('a refusal becomes plain text for servers that know no parts', () => {
    expect(wireMessage({ role: 'assistant', content: null, refusal: 'No.' }, 'compatible')).toEqual({
      role: 'assistant',
      content: 'No.',
    });
  });
});

test('the body is the JSON of model, messages and tools, also when messages were written before', () => {
  const write = createBodyWriter({ model: 'test-model', dialect: 'openai', stream: false, structuredOutput: true });
  const messages: Message[] = [{ role: 'user', content: 'Grüße "an" alle\u2028' }];
  write(messages, [lookUp]);
  messages.push(calling('look_up'));
  expect(JSON.parse(write(messages, [lookUp]))).toEqual({ model: 'test-model', messages, tools: [lookUp] });
});

test.each([
  ['look_up', true],
  ['agent__x-1', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['mail.send', false],
  ['mail send', false],
  ['größe', false],
  ['', false],
])('OpenAI takes the name "%s": %s', (name, isTaken) => {
  expect(isValidToolName(name)).toBe(isTaken);
});
