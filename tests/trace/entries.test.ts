import { expect, test } from 'vitest';
import { createRedactor } from '../../engine/src/base/redact.ts';
import type { EntryBody } from '../../engine/src/trace/entry.ts';
import { entryChange } from '../../engine/src/trace/entries.ts';

const redactor = { text: (text: string) => text.replaceAll('sk-secret', '[redacted]') };
const entry = (data: string): EntryBody => ({
  phase: 'director',
  detail: { tool: 'workspace_add_item', request: { label: 'Report', data } },
});
const stored = (data: string): EntryBody => {
  const change = entryChange('run_1', 1, 0, entry(data), redactor);
  if (change.op !== 'insert' || change.table !== 'entry') throw new Error('not an entry');
  return JSON.parse(change.row.body) as EntryBody;
};

test('an entry of common length is stored whole', () => {
  expect(stored('x'.repeat(50_000))).toEqual(entry('x'.repeat(50_000)));
});

test('a large entry keeps the beginning of its long texts, and says how long they were', () => {
  const { detail } = stored(`sk-secret${'x'.repeat(500_000)}`);
  expect(detail.request).toMatchObject({ label: 'Report' });
  const { data } = detail.request as { data: string };
  expect(data).toMatch(/^\[redacted\]x+ … \[cut: 20000 of 500009 characters\]$/);
  expect(data.length).toBeLessThan(20_100);
});

test.each([
  { name: 'only digits', secret: '123456', result: { size: 9_123_456, at: 17, text: 'PIN 123456' } },
  { name: 'characters of JSON', secret: 'ab":"cd', result: { ab: 'cd', text: 'ab":"cd' } },
])('an entry is redacted and stored where a secret has $name', ({ secret, result }) => {
  const own = createRedactor();
  own.add(secret);
  const body: EntryBody = { phase: 'tool', detail: { tool: 'x', request: result }, result };
  const change = entryChange('run_1', 1, 0, body, own);
  if (change.op !== 'insert' || change.table !== 'entry') throw new Error('not an entry');
  const clean = { ...result, text: expect.stringMatching(/^(PIN )?\[redacted\]$/) as string };
  const number = 'size' in result ? { size: '9[redacted]' } : {};
  expect(JSON.parse(change.row.body)).toMatchObject({ result: { ...clean, ...number }, detail: { tool: 'x' } });
});
