import { expect, test } from 'vitest';
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
