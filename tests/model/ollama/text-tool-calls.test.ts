import { describe, expect, test } from 'vitest';
import { findCalls } from '../../../engine/src/model/ollama/text-tool-calls.ts';
import { growthOf } from '../../cpu-time.ts';

const OFFERED = ['look_up', 'agent__x'];
const tea = { name: 'look_up', arguments: '{"word":"tea"}' };
const none = { name: 'agent__x', arguments: '{}' };
const fence = '```';

describe('calls in a text', () => {
  test.each([
    {
      name: 'between tags',
      text: '<tool_call>\n{"name": "look_up", "arguments": {"word": "tea"}}\n</tool_call>',
      calls: [tea],
    },
    {
      name: 'several between tags',
      text: '<tool_call>{"name":"look_up","arguments":{"word":"tea"}}</tool_call>\n<tool_call>{"name":"agent__x","arguments":{}}</tool_call>',
      calls: [tea, none],
    },
    { name: 'a tag that is never closed', text: '<tool_call>{"name":"agent__x","arguments":{}}', calls: [none] },
    {
      name: 'words around a tag',
      text: 'I look it up. <tool_call>{"name":"look_up","arguments":{"word":"tea"}}</tool_call> One moment.',
      calls: [tea],
      rest: 'I look it up.  One moment.',
    },
    {
      name: 'a fenced block',
      text: `Let me see:\n${fence}json\n{"name": "look_up", "parameters": {"word": "tea"}}\n${fence}`,
      calls: [tea],
      rest: 'Let me see:',
    },
    {
      name: 'a fenced list',
      text: `${fence}\n[{"name":"look_up","arguments":{"word":"tea"}},{"name":"agent__x","arguments":{}}]\n${fence}`,
      calls: [tea, none],
    },
    { name: "Mistral's list", text: '[TOOL_CALLS] [{"name":"look_up","arguments":{"word":"tea"}}]', calls: [tea] },
    { name: "Mistral's newer form", text: '[TOOL_CALLS]look_up[ARGS]{"word":"tea"}', calls: [tea] },
    {
      name: "Llama's mark, several",
      text: '<|python_tag|>{"name":"look_up","parameters":{"word":"tea"}}; {"name":"agent__x","parameters":{}}',
      calls: [tea, none],
    },
    { name: 'nothing but JSON', text: ' {"name":"look_up","arguments":{"word":"tea"}}\n', calls: [tea] },
    {
      name: "OpenAI's form",
      text: '{"id":"x","type":"function","function":{"name":"look_up","arguments":"{\\"word\\":\\"tea\\"}"}}',
      calls: [tea],
    },
    {
      name: 'braces and quotes within arguments',
      text: '<tool_call>{"name":"look_up","arguments":{"word":"a } \\" {"}}</tool_call>',
      calls: [{ name: 'look_up', arguments: '{"word":"a } \\" {"}' }],
    },
  ])('are found: $name', ({ text, calls, rest = '' }) => {
    expect(findCalls(text, OFFERED)).toEqual({ calls, rest });
  });

  test.each([
    { name: 'a tool that was not offered', text: '<tool_call>{"name":"mail_send","arguments":{}}</tool_call>' },
    {
      name: 'one of several that was not',
      text: '[{"name":"look_up","arguments":{}},{"name":"mail_send","arguments":{}}]',
    },
    { name: 'JSON that is something else', text: '{"name":"look_up","price":3,"arguments":{}}' },
    { name: 'a name without arguments', text: '{"name":"look_up"}' },
    { name: 'JSON with words after it', text: '{"name":"look_up","arguments":{}} is what I would call.' },
    { name: 'JSON with words before it', text: 'I would call {"name":"look_up","arguments":{}}' },
    { name: 'broken JSON', text: '<tool_call>{"name":"look_up","arguments":{"word":</tool_call>' },
    { name: 'plain words', text: 'Hello.' },
    { name: 'nothing', text: '' },
  ])('are not seen in $name', ({ text }) => {
    expect(findCalls(text, OFFERED)).toBeUndefined();
  });

  test('among others that were not offered are found, and the others stay text', () => {
    const other = '<tool_call>{"name":"mail_send","arguments":{}}</tool_call>';
    const text = `${other}<tool_call>{"name":"agent__x","arguments":{}}</tool_call>`;
    expect(findCalls(text, OFFERED)).toEqual({ calls: [none], rest: other });
  });

  test('take time in proportion to a text of marks and braces', () => {
    const work = (size: number) => expect(findCalls('<tool_call>{'.repeat(size), OFFERED)).toBeUndefined();
    expect(growthOf(work, { small: 2000, large: 20_000 })).toBeLessThan(40);
  });
});
