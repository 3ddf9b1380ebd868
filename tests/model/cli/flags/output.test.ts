import { expect, test } from 'vitest';
import { type FlagsReading, lineReaders } from '../../../../engine/src/model/cli/flags/output.ts';

const LONG = 'x'.repeat(1_000_000);

test.each([
  [
    'claude',
    {
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 'u', name: 'Write', input: { content: LONG } }] },
    },
  ],
  ['codex', { type: 'item.completed', item: { id: 'i', type: 'command_execution', command: LONG } }],
  ['gemini', { type: 'tool_use', tool_id: 'u', tool_name: 'write_file', parameters: { content: LONG } }],
] as const)('of a call of %s with a whole file the trace keeps the beginning', (name, line) => {
  const reading: FlagsReading = { text: undefined, toolCalls: new Map() };
  lineReaders[name](reading, line);
  const [call] = reading.toolCalls.values();
  expect(call?.input).toMatch(/x \[truncated: 9\d{5} more characters\]$/);
  expect(JSON.stringify(call).length).toBeLessThan(25_000);
});
