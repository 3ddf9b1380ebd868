import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Embedder } from '../../../engine/src/memory/embedding/embedder.ts';
import { mayBeEnglish } from '../../../engine/src/memory/embedding/english.ts';
import { createLocalEmbedder } from '../../../engine/src/memory/embedding/local-embedder.ts';

let embedder: Embedder;
beforeEach(() => {
  const created = createLocalEmbedder();
  if (created === undefined) throw new Error('the packages of the local model are development dependencies');
  embedder = created;
});
afterEach(() => embedder.close());

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

test('texts of one meaning are nearer than others, without a network', async () => {
  const { vectors } = await embedder.embed(
    ['When does the accountant want the bills?', 'The tax consultant needs receipts by Friday.', 'The cat is asleep.'],
    {},
  );
  const [question, answer, other] = vectors as [Float32Array, Float32Array, Float32Array];
  expect(question).toHaveLength(512);
  expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.2);
});

test('stops waiting on abort', async () => {
  const controller = new AbortController();
  const waiting = embedder.embed(['text'], { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test.each([
  ['Which attorney handles our rental contract?', true],
  ['tax consultant', true],
  ['Anna Weber', true],
  ['Wie erreiche ich Yusuf Demir am schnellsten?', false],
  ['Rechnung', false],
  ['réunion avec Paul demain matin', false],
])('%j may be English: %s', async (text, expected) => {
  expect(await mayBeEnglish(text)).toBe(expected);
});
