import { expect, test } from 'vitest';
import { plainText } from '../../../engine/src/model/ollama/plain-text.ts';

/** What people see of a text that arrives in pieces of one length. */
function shown(text: string, length: number): string {
  let seen = '';
  const take = plainText((piece) => void (seen += piece));
  for (let at = 0; at < text.length; at += length) take(text.slice(at, at + length));
  return seen;
}

test.each([
  { name: 'plain text', text: 'Tea is a drink.\n\nIt is hot.', want: 'Tea is a drink.\n\nIt is hot.' },
  { name: 'text after reasoning', text: ' <think>hm <b>\nyes</think>\n\nTea.', want: 'Tea.' },
  { name: 'reasoning without an end', text: '<thinking>hm, what is tea', want: '' },
  { name: 'a comparison', text: 'a < b, and [1] too', want: 'a < b, and [1] too' },
  { name: 'a call in marks', text: 'I look. <tool_call>{"name":"x"}</tool_call> done', want: 'I look. ' },
  { name: 'a call of Mistral', text: '[TOOL_CALLS]look_up[ARGS]{}', want: '' },
  { name: 'a call in a fenced block', text: 'So:\n```json\n{"name":"x"}\n```', want: 'So:\n' },
  { name: 'a bare call', text: ' {"name":"look_up","arguments":{}}', want: '' },
])('$name is shown without reasoning and calls, in whatever pieces it arrives', ({ text, want }) => {
  for (const length of [1, 2, 3, 7, 1000]) expect(shown(text, length)).toBe(want);
});
