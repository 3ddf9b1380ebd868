import { describe, expect, test } from 'vitest';
import type { Prompt } from '../../engine/src/config/config.ts';
import { renderPrompt } from '../../engine/src/config/prompt/render-prompt.ts';
import { createMessagesWriter } from '../../engine/src/model/anthropic/request.ts';
import type { ToolSpec } from '../../engine/src/model/model.ts';
import { createOllamaWriter } from '../../engine/src/model/ollama/request.ts';
import { createResponsesWriter } from '../../engine/src/model/openai/responses-request.ts';
import { createScripted } from '../../engine/src/model/scripted/scripted.ts';
import { createBodyWriter } from '../../engine/src/model/protocol/chat-format.ts';

const PROMPT: Prompt['messages'] = [
  { role: 'system', content: 'You plan.' },
  { role: 'user', content: 'Tuesday?' },
  { role: 'tool', name: 'calendar_read', arguments: { day: 2 }, content: 'nothing' },
  { role: 'assistant', content: 'Free.' },
];
const messages = renderPrompt({
  prompt: PROMPT,
  prompts: new Map(),
  actor: { name: 'A', description: '' },
  variables: {},
  trigger: { placedBy: ['message'], text: () => 'And Friday?' },
});
const tools: ToolSpec[] = [
  { type: 'function', function: { name: 'calendar_read', description: 'Reads.', parameters: { type: 'object' } } },
];
const id = 'call00000';
const fn = (args: unknown) => ({ name: 'calendar_read', arguments: args });
const text = (content: string) => ({ type: 'text', text: content });

const completions = [
  { role: 'system', content: 'You plan.' },
  { role: 'user', content: 'Tuesday?' },
  { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: fn('{"day":2}') }] },
  { role: 'tool', tool_call_id: id, content: 'nothing' },
  { role: 'assistant', content: 'Free.' },
  { role: 'user', content: 'And Friday?' },
];

describe('a prompt with the result of a tool', () => {
  test.each([
    {
      name: 'openai',
      body: createBodyWriter({ model: 'm', dialect: 'openai', stream: false, structuredOutput: true })(messages, tools),
      sent: { messages: completions },
    },
    {
      name: 'an openai-compatible server',
      body: createBodyWriter({ model: 'm', dialect: 'compatible', stream: false, structuredOutput: true })(
        messages,
        tools,
      ),
      sent: { messages: completions },
    },
    {
      name: 'openai responses',
      body: createResponsesWriter({ model: 'm', stream: false, structuredOutput: true })(messages, tools),
      sent: {
        input: [
          { role: 'system', content: 'You plan.' },
          { role: 'user', content: 'Tuesday?' },
          { type: 'function_call', call_id: id, ...fn('{"day":2}') },
          { type: 'function_call_output', call_id: id, output: 'nothing' },
          { role: 'assistant', content: 'Free.' },
          { role: 'user', content: 'And Friday?' },
        ],
      },
    },
    {
      name: 'anthropic',
      body: createMessagesWriter({ model: 'm', maxTokens: 9, stream: false })(messages, tools),
      sent: {
        messages: [
          { role: 'user', content: [text('Tuesday?')] },
          { role: 'assistant', content: [{ type: 'tool_use', id, name: 'calendar_read', input: { day: 2 } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'nothing' }] },
          { role: 'assistant', content: [text('Free.')] },
          { role: 'user', content: [text('And Friday?')] },
        ],
      },
    },
    {
      name: 'anthropic without tools, which accepts no results then',
      body: createMessagesWriter({ model: 'm', maxTokens: 9, stream: false })(messages, []),
      sent: {
        messages: [
          { role: 'user', content: [text('Tuesday?')] },
          { role: 'assistant', content: [text('Called calendar_read with {"day":2}')] },
          { role: 'user', content: [text('Result of an earlier call: nothing')] },
          { role: 'assistant', content: [text('Free.')] },
          { role: 'user', content: [text('And Friday?')] },
        ],
      },
    },
    {
      name: 'ollama',
      body: createOllamaWriter({ model: 'm', contextTokens: 9, stream: false, structuredOutput: true })(
        messages,
        tools,
      ),
      sent: {
        messages: [
          { role: 'system', content: 'You plan.' },
          { role: 'user', content: 'Tuesday?' },
          { role: 'assistant', content: '', tool_calls: [{ id, function: fn({ day: 2 }) }] },
          { role: 'tool', content: 'nothing', tool_call_id: id, tool_name: 'calendar_read' },
          { role: 'assistant', content: 'Free.' },
          { role: 'user', content: 'And Friday?' },
        ],
      },
    },
  ])('is sent to $name as a call and its result', ({ body, sent }) => {
    expect(JSON.parse(body)).toMatchObject(sent);
  });

  test('is no result that a scripted rule waits for', async () => {
    const model = createScripted({
      id: 'offline',
      provider: 'scripted',
      description: '',
      enabled: true,
      fallback: [],
      locality: 'local',
      script: [
        { when: { tool: 'calendar_read' }, say: 'wrong' },
        { when: { any: true }, say: 'I read {{lastUserText}}' },
      ],
    });
    const { message } = await model.ask({ messages, tools, role: 'agent', actorId: 'a', turn: 1 });
    expect(message.content).toBe('I read And Friday?');
  });
});
