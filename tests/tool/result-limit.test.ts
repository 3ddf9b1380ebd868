import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../engine/src/base/redact.ts';
import { limitResult, MAX_RESULT_CHARACTERS } from '../../engine/src/tool/result-limit.ts';

const none = createRedactor();
const lengthOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).length;

describe('the limit of a tool result', () => {
  test('leaves a result below it as it is', () => {
    const value = { item: { data: 'x'.repeat(MAX_RESULT_CHARACTERS - 1000) } };
    expect(limitResult(value, none)).toBe(value);
  });

  test('cuts the long texts of a result, with a mark, and keeps its other fields', () => {
    const value = { item: { id: 'item_1', label: 'Log', data: 'a'.repeat(3_000_000) }, note: 'b'.repeat(2000) };
    const limited = limitResult(value, none) as { truncated: true; item: { id: string; data: string }; note: string };
    expect(lengthOf(limited)).toBeLessThanOrEqual(MAX_RESULT_CHARACTERS);
    expect(lengthOf(limited)).toBeGreaterThan(MAX_RESULT_CHARACTERS / 2);
    expect(limited).toMatchObject({ truncated: true, item: { id: 'item_1', label: 'Log' }, note: value.note });
    expect(limited.item.data).toMatch(/^a+\n\[truncated: the first \d+ of 3000000 characters\]$/);
  });

  test('cuts a text alone as a text', () => {
    const limited = limitResult('x'.repeat(1_000_000), none);
    expect(limited).toMatch(/^x{150000,}\n\[truncated: the first \d+ of 1000000 characters\]$/);
  });

  test.each([
    { name: 'many short items', value: { items: Array.from({ length: 50_000 }, (_, n) => ({ n, name: 'a "name"' })) } },
    { name: 'a text that JSON writes six times as long', value: { data: '\u0000'.repeat(900_000) } },
    { name: 'a list of long texts', value: Array.from({ length: 600 }, () => 'y'.repeat(5000)) },
  ])('bounds $name, and marks it', ({ value }) => {
    const limited = limitResult(value, none);
    expect(lengthOf(limited)).toBeLessThanOrEqual(MAX_RESULT_CHARACTERS);
    expect(JSON.stringify(limited)).toContain('truncated');
  });

  test('never cuts a character in half', () => {
    for (const max of [1000, 1001, 1002, 1003])
      expect(JSON.stringify(limitResult('😀'.repeat(5000), none, max))).not.toContain('\\ud');
  });

  test('leaves no part of a secret at the cut', () => {
    const redactor = createRedactor();
    redactor.add('sk-live-0123456789');
    const limited = limitResult({ data: 'sk-live-0123456789 '.repeat(50_000) }, redactor);
    expect(JSON.stringify(limited)).not.toMatch(/sk-l/);
  });
});
