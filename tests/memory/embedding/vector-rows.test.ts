import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  listVectors,
  modelChange,
  storedModel,
  vectorChange,
  vectorIds,
} from '../../../engine/src/memory/embedding/vector-rows.ts';
import { openStage } from '../stage.ts';

const MODEL = { name: 'small', dimension: 2 };
const VECTOR = Float32Array.from([0.5, -1]);

let stage: ReturnType<typeof openStage>;
beforeEach(() => (stage = openStage()));
afterEach(() => stage.close());

test('stores the vector of a memory as it is', async () => {
  await stage.store.apply([vectorChange('a', 3, MODEL, VECTOR)]);
  expect(await listVectors(stage.store, MODEL, [{ id: 'a', revision: 3 }])).toEqual(new Map([['a', VECTOR]]));
});

test.each([
  ['model', { name: 'large', dimension: 2 }, 3],
  ['dimension', { name: 'small', dimension: 3 }, 3],
  ['revision', MODEL, 4],
])('takes no vector of another %s', async (_name, model, revision) => {
  await stage.store.apply([vectorChange('a', 3, MODEL, VECTOR)]);
  expect(await listVectors(stage.store, model, [{ id: 'a', revision }])).toEqual(new Map());
  expect(await vectorIds(stage.store, model, [{ id: 'a', revision }])).toEqual(new Set());
});

test('a memory has one vector: that of the newest model', async () => {
  const other = { name: 'large', dimension: 3 };
  await stage.store.apply([vectorChange('a', 3, MODEL, VECTOR)]);
  await stage.store.apply([vectorChange('a', 3, other, Float32Array.from([1, 2, 3]))]);
  expect(await vectorIds(stage.store, MODEL, [{ id: 'a', revision: 3 }])).toEqual(new Set());
  expect(await vectorIds(stage.store, other, [{ id: 'a', revision: 3 }])).toEqual(new Set(['a']));
});

test('notes the model of the newest vectors', async () => {
  expect(await storedModel(stage.store)).toBeUndefined();
  await stage.store.apply([modelChange(MODEL)]);
  expect(await storedModel(stage.store)).toEqual(MODEL);
});
