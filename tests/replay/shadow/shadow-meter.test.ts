import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { Api } from '../../../engine/src/config/config.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import type { FailedUsage, ModelRequest, Models } from '../../../engine/src/model/model.ts';
import { isTaken, type Shadow } from '../../../engine/src/replay/shadow/shadow.ts';
import { ShadowMeter } from '../../../engine/src/replay/shadow/shadow-meter.ts';
import { beginShadow, dropShadow, readProgress } from '../../../engine/src/replay/shadow/shadow-rows.ts';
import { setStage, type Stage } from '../../run/harness.ts';

const DAY_MS = 24 * 3_600_000;
const SHADOW: Shadow = {
  ...{ id: 'shadow_1', ref: 'next', commit: 'c', percent: 100, maxCostPerDay: 0.0051 },
  ...{ startedAt: '2026-11-28T10:00:00.000Z', warnings: [] },
};
const REQUEST: ModelRequest = { messages: [], tools: [], role: 'director', actorId: 'boss', turn: 1, maxTokens: 2000 };
let stage: Stage;
let clock: SimulatedClock;
let sent = 0;
let fails: Error | undefined;
let cut: FailedUsage | undefined;

const models: Models = {
  open: () => ({
    async ask({ onSpent }) {
      sent++;
      if (cut !== undefined) onSpent?.(cut);
      if (fails !== undefined) throw fails;
      const usage = { inputTokens: 1000, outputTokens: 500 };
      return { message: { role: 'assistant', content: 'yes' }, stop: 'stop', usage, model: 'm', raw: '{}' };
    },
    available: async () => ({ ok: true }),
  }),
  close: async () => {},
};

const api = (more: object) =>
  ({
    id: 'main',
    provider: 'openai',
    model: 'm',
    baseUrl: 'https://models.example.org/v1',
    limits: {},
    ...more,
  }) as Api;
const PRICED = api({ price: { inputPerMillion: 1, outputPerMillion: 1 } });

function meterOf(signal = new AbortController().signal): ShadowMeter {
  const progress = { spent: { day: '2026-11-28', cost: 0 }, cost: 0 };
  return new ShadowMeter(SHADOW, {
    store: stage.app.deps.store,
    clock,
    progress,
    models,
    ready: async () => {},
    signal,
  });
}

beforeEach(async () => {
  stage = await setStage();
  clock = new SimulatedClock(Date.parse(SHADOW.startedAt));
  [sent, fails, cut] = [0, undefined, undefined];
  await beginShadow(stage.app.deps.store, SHADOW);
});

afterEach(() => stage.close());

describe('the meter of a shadow', () => {
  test('stores what was spent, refuses what may exceed the limit, and begins anew the next day', async () => {
    const meter = meterOf();
    const { ask } = meter.models.open(PRICED);
    for (let i = 0; i < 3; i++) await ask(REQUEST);
    expect(await readProgress(stage.app.deps.store, SHADOW)).toMatchObject({ spent: { cost: 0.0045 }, cost: 0.0045 });
    await expect(ask(REQUEST)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect([meter.takeRefusal(), meter.takeRefusal(), sent]).toEqual([
      'the limit of $0.0051 a day is reached',
      undefined,
      3,
    ]);
    clock.advance(DAY_MS);
    await ask(REQUEST);
    expect(meter.progress).toMatchObject({ spent: { day: '2026-11-29', cost: 0.0015 }, cost: 0.006 });
  });

  test('counts requests at the same time together, so that they cannot exceed the limit', async () => {
    const { ask } = meterOf().models.open(PRICED);
    const done = await Promise.allSettled([1, 2, 3, 4].map(() => ask(REQUEST)));
    expect([done.filter(({ status }) => status === 'fulfilled').length, sent]).toEqual([2, 2]);
  });

  test.each([
    ['a model whose price is not known', api({}), /price of api main is not known/],
    ['a command-line agent', api({ provider: 'cli', command: 'claude' }), /command-line agent/],
  ])('refuses %s', async (_name, other, why) => {
    const meter = meterOf();
    await expect(meter.models.open(other).ask(REQUEST)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(meter.takeRefusal()).toMatch(why);
    expect(sent).toBe(0);
  });

  test('asks a local model, and scripted rules, without a price', async () => {
    const meter = meterOf();
    await meter.models.open(api({ locality: 'local' })).ask(REQUEST);
    await meter.models.open(api({ provider: 'scripted' })).ask(REQUEST);
    expect([sent, meter.progress.cost]).toEqual([2, 0]);
  });

  test('counts a request that timed out at its estimate, and none that was turned away', async () => {
    const meter = meterOf();
    const { ask } = meter.models.open(PRICED);
    fails = new ModelError('MODEL_AUTH', 'no', { retryable: false });
    await expect(ask(REQUEST)).rejects.toMatchObject({ code: 'MODEL_AUTH' });
    expect(meter.progress.cost).toBe(0);
    fails = new ModelError('MODEL_TIMEOUT', 'late', { retryable: true });
    await expect(ask(REQUEST)).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' });
    expect(meter.progress.cost).toBeGreaterThanOrEqual(0.002);
  });

  test('tells the run what an answer that was cut has used, and counts that', async () => {
    const meter = meterOf();
    fails = new ModelError('MODEL_TIMEOUT', 'late', { retryable: true });
    cut = { inputTokens: 100, outputTokens: 200, isEstimate: false };
    const heard: FailedUsage[] = [];
    const request = { ...REQUEST, onSpent: (usage: FailedUsage) => void heard.push(usage) };
    await expect(meter.models.open(PRICED).ask(request)).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' });
    expect([heard, meter.progress.cost]).toEqual([[cut], 0.0003]);
  });

  test('sends nothing once the shadow was dropped', async () => {
    const { ask } = meterOf().models.open(PRICED);
    await dropShadow(stage.app.deps.store);
    await expect(ask(REQUEST)).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
    expect(sent).toBe(0);
  });
});

describe('which mails a shadow takes', () => {
  const ids = Array.from({ length: 4000 }, (_, n) => `mail_${n}`);
  const taken = (percent: number) => ids.filter((id) => isTaken(id, percent));

  test('is about the share that was asked for, and the same at each try', () => {
    expect(taken(10).length).toBeGreaterThan(320);
    expect(taken(10).length).toBeLessThan(480);
    expect(taken(10)).toEqual(taken(10));
    expect([taken(100).length, taken(0).length]).toEqual([4000, 0]);
  });

  test('has every mail of a smaller share in a larger one', () => {
    const more = new Set(taken(30));
    expect(taken(10).filter((id) => !more.has(id))).toEqual([]);
  });
});
