import { afterEach, describe, expect, test } from 'vitest';
import { ModelError } from '../../engine/src/model/model-error.ts';
import type { WorldTool } from '../../engine/src/tool/tool.ts';
import { createMetrics, type Metrics } from '../../engine/src/trace/metrics.ts';
import { call, type Play, playModels, setStage, type Stage } from '../run/harness.ts';
import { parseExposition, type Sample } from './exposition.ts';

const open = () => createMetrics({ version: '1.2.3', hasProcess: false });

async function samplesOf(metrics: Metrics): Promise<readonly Sample[]> {
  return parseExposition(await metrics.text([])).samples;
}

/** The value of the one sample of this name and these labels, undefined where there is none. */
function valueOf(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}) {
  const fits = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  expect(fits.length, `${name} ${JSON.stringify(labels)}`).toBeLessThan(2);
  return fits[0]?.value;
}

describe('the text', () => {
  test('is valid for Prometheus with any characters in labels and help texts', async () => {
    const metrics = open();
    const model = 'a "quoted"\\ one\nwith a second line';
    metrics.record([{ kind: 'request', provider: 'openai', model, latencyMs: 300, cost: null }]);
    const figure = {
      name: 'callsheet_x',
      help: 'One\nline \\ more.',
      values: [{ labels: { a: '"\\\n' }, value: 0.5 }],
    };
    const text = await metrics.text([figure]);
    const { samples, types } = parseExposition(text);
    expect(valueOf(samples, 'callsheet_model_unpriced_requests_total', { model })).toBe(1);
    expect(valueOf(samples, 'callsheet_x', { a: '"\\\n' })).toBe(0.5);
    expect(text).toContain('# HELP callsheet_x One\\nline \\\\ more.\n');
    expect(types.get('callsheet_x')).toBe('gauge');
    expect(types.get('callsheet_model_request_duration_seconds')).toBe('histogram');
    expect(types.get('callsheet_model_errors_total')).toBe('counter');
  });

  test('counts measurements from before the first request', async () => {
    const metrics = open();
    metrics.record([{ kind: 'mail' }]);
    metrics.record([{ kind: 'mail' }]);
    expect(valueOf(await samplesOf(metrics), 'callsheet_mails_taken_total')).toBe(2);
    metrics.record([{ kind: 'mail' }]);
    expect(valueOf(await samplesOf(metrics), 'callsheet_mails_taken_total')).toBe(3);
  });

  test('has cumulative buckets', async () => {
    const metrics = open();
    for (const latencyMs of [50, 300, 300, 7000, 999_000])
      metrics.record([{ kind: 'request', provider: 'p', model: 'm', latencyMs, cost: 0 }]);
    const samples = await samplesOf(metrics);
    const name = 'callsheet_model_request_duration_seconds';
    const upTo = (le: string) => valueOf(samples, `${name}_bucket`, { le });
    expect(['0.1', '0.5', '10', '320', '+Inf'].map(upTo)).toEqual([1, 3, 4, 4, 5]);
    expect(valueOf(samples, `${name}_count`)).toBe(5);
    expect(valueOf(samples, `${name}_sum`)).toBeCloseTo(1006.65);
  });

  test('contains metrics of the process if the option is set', async () => {
    const { types } = parseExposition(await createMetrics({ version: '1', hasProcess: true }).text([]));
    const names = [
      ...['process_resident_memory_bytes', 'process_cpu_seconds_total', 'process_start_time_seconds'],
      ...['nodejs_eventloop_lag_p99_seconds', 'nodejs_heap_size_used_bytes'],
    ];
    for (const name of names) expect(types.has(name), name).toBe(true);
    const total = [...types].filter(([name]) => name.endsWith('_total')).map(([, type]) => type);
    expect(new Set(total)).toEqual(new Set(['counter']));
  });
});

describe('the counters of a run', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  const world = (name: string, repeat: WorldTool['repeat'], run: WorldTool['run']): WorldTool => {
    const parameters = { type: 'object', properties: {}, additionalProperties: true };
    return { name, family: name, description: 'Pokes.', parameters, effects: 'write', repeat, run };
  };
  const boss = (permissions: string) => ({
    'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\ntools: [poke, prod]\npermissions: ${permissions}\n`,
  });

  async function measured(play: Play, files = boss('{ allow: [poke, prod] }')) {
    const metrics = open();
    const tools = [
      world('poke', 'key', async () => 'poked'),
      world('prod', 'key', async () => {
        throw new Error('no');
      }),
    ];
    stage = await setStage({ models: playModels(play), tools, files, metrics });
    return { metrics, id: await stage.begin() };
  }

  const both: Play = ({ turn }) =>
    turn === 1
      ? { tool_calls: [call('a', 'poke', { text: 'nightingale' }), call('b', 'prod', {})] }
      : { content: 'done' };

  test('count its requests, its tokens, its effects by outcome, and its end', async () => {
    const { metrics, id } = await measured(both);
    await stage.ended(id);
    const text = await metrics.text([]);
    const { samples } = parseExposition(text);
    const about = { provider: 'openai', model: 'test' };
    expect(valueOf(samples, 'callsheet_model_request_duration_seconds_count', { ...about, outcome: 'answered' })).toBe(
      2,
    );
    expect(valueOf(samples, 'callsheet_model_input_tokens_total', about)).toBe(20);
    expect(valueOf(samples, 'callsheet_model_output_tokens_total', about)).toBe(2);
    expect(valueOf(samples, 'callsheet_model_unpriced_requests_total', about)).toBe(2);
    expect(valueOf(samples, 'callsheet_effects_total', { tool: 'poke', outcome: 'done' })).toBe(1);
    expect(valueOf(samples, 'callsheet_effects_total', { tool: 'poke', outcome: 'failed' })).toBe(0);
    expect(valueOf(samples, 'callsheet_effects_total', { tool: 'prod', outcome: 'failed' })).toBe(1);
    expect(valueOf(samples, 'callsheet_runs_finished_total', { status: 'completed' })).toBe(1);
    expect(valueOf(samples, 'callsheet_runs_finished_total', { status: 'failed' })).toBe(0);
    expect(text).not.toMatch(/nightingale|do it/);
  });

  test('add its cost if the price is known', async () => {
    const api =
      'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\nprice: { inputPerMillion: 1000000, outputPerMillion: 500000 }\n';
    const { metrics, id } = await measured(() => ({ content: 'done' }), {
      ...boss('{ allow: [poke] }'),
      'apis/main.yaml': api,
    } as ReturnType<typeof boss>);
    await stage.ended(id);
    const samples = await samplesOf(metrics);
    expect(valueOf(samples, 'callsheet_model_cost_dollars_total')).toBe(10.5);
    expect(valueOf(samples, 'callsheet_model_unpriced_requests_total')).toBeUndefined();
  });

  test('count each failed request by its error code', async () => {
    const { metrics, id } = await measured(() => {
      throw new ModelError('MODEL_AUTH', 'the key of jane@example.org is wrong', { retryable: false });
    });
    expect((await stage.ended(id)).status).toBe('failed');
    const text = await metrics.text([]);
    const { samples } = parseExposition(text);
    expect(valueOf(samples, 'callsheet_model_errors_total', { code: 'MODEL_AUTH' })).toBe(1);
    expect(valueOf(samples, 'callsheet_model_request_duration_seconds_count', { outcome: 'failed' })).toBe(1);
    expect(valueOf(samples, 'callsheet_runs_finished_total', { status: 'failed' })).toBe(1);
    expect(text).not.toContain('jane');
  });

  test('count denied and cancelled effects', async () => {
    const { metrics, id } = await measured(both, boss('{ ask: [poke, prod] }'));
    await stage.until(id, ({ status }) => status === 'waiting');
    const approvals = await stage.app.deps.store.list('approval', { order: [['id', 'asc']] });
    await stage.app.engine.decide(approvals[0]!.id, { decision: 'deny', by: 'jane' });
    await stage.app.engine.cancel(id);
    const samples = await samplesOf(metrics);
    expect(valueOf(samples, 'callsheet_effects_total', { tool: 'poke', outcome: 'denied' })).toBe(1);
    expect(valueOf(samples, 'callsheet_effects_total', { tool: 'prod', outcome: 'cancelled' })).toBe(1);
    expect(valueOf(samples, 'callsheet_runs_finished_total', { status: 'cancelled' })).toBe(1);
  });
});
