import { afterEach, describe, expect, test } from 'vitest';
import type { HttpListener } from '../../engine/src/api/listen.ts';
import { listenForWorker } from '../../engine/src/api/worker-server.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { MetricsGauges } from '../../engine/src/api/metrics-gauges.ts';
import { createMetrics } from '../../engine/src/trace/metrics.ts';
import { call } from '../run/harness.ts';
import { parseExposition } from '../trace/exposition.ts';
import { type Desk, openDesk, send, TOKEN } from './harness.ts';

const counted = () => ({ app: { metrics: createMetrics({ version: '1.2.3', hasProcess: false }) } });

describe('GET /metrics', () => {
  let desk: Desk;
  afterEach(() => desk.close());

  const values = async () => {
    const { samples } = parseExposition((await desk.get('/metrics')).text);
    return Object.fromEntries(
      samples.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
    );
  };

  test('is for those with the token or a session, in the format of Prometheus', async () => {
    desk = await openDesk(counted());
    const { status, headers } = await desk.get('/metrics');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ]);
    expect((await desk.get('/metrics', { isSignedIn: false })).json.error.code).toBe('UNAUTHORIZED');
    const headersOf = (extra: Record<string, string>) => ({ isSignedIn: false, headers: extra });
    expect((await desk.get('/metrics', headersOf({ authorization: 'Bearer no' }))).status).toBe(401);
    const session = desk.services.sessions.open();
    const cookie = `vx.session=${session.cookie}`;
    expect((await desk.get('/metrics', headersOf({ cookie }))).status).toBe(401);
    expect((await desk.get(`/metrics?key=${session.key}`, headersOf({ cookie }))).status).toBe(200);
    expect((await desk.get('/metrics', { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  });

  test('takes nothing but GET', async () => {
    desk = await openDesk(counted());
    const { status, headers } = await desk.post('/metrics');
    expect([status, headers['allow']]).toEqual([405, 'GET']);
  });

  test('is not there where nobody counts', async () => {
    desk = await openDesk();
    expect((await desk.get('/metrics')).status).toBe(404);
  });

  test('tells what waits and what was taken, and nothing that stands in a mail', async () => {
    desk = await openDesk({
      ...counted(),
      files: {
        'directors/boss.yaml':
          'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\npermissions: { ask: [workspace_add_item] }\n',
      },
      play: () => ({
        tool_calls: [call('c1', 'workspace_add_item', { label: 'x', mimeType: 'text/plain', data: 'x' })],
      }),
    });
    desk.drop('a.eml', `From: ada@example.org\nTo: me@example.org\nSubject: nightingale\n\nhello\n`);
    await desk.fetch();
    const { text } = await desk.get('/metrics');
    expect(text).not.toMatch(/nightingale|example\.org|inbox/);
    expect(await values()).toMatchObject({
      'callsheet_mails_taken_total': 1,
      'callsheet_runs waiting': 1,
      'callsheet_runs running': 0,
      'callsheet_approvals_pending': 1,
      'callsheet_queue_jobs ready': 0,
      'callsheet_queue_oldest_age_seconds': 0,
      'callsheet_accounts idle': 1,
      'callsheet_runs_in_hand': 0,
      'callsheet_store_up': 1,
    });
  });

  test('tells how long the oldest run waits for a place', async () => {
    desk = await openDesk({
      ...counted(),
      files: { 'settings.yaml': 'runs: { concurrency: 1 }\n' },
      play: () => new Promise(() => {}),
    });
    await desk.stage.begin();
    await expect.poll(() => desk.stage.app.engine.load().working).toBe(1);
    const id = await desk.stage.begin();
    const { clock } = desk.stage.app.deps;
    const waitedMs = clock.now() - Date.parse((await desk.stage.run(id)).createdAt);
    const found = await values();
    expect(found['callsheet_queue_jobs ready']).toBe(1);
    expect(found['callsheet_queue_jobs active']).toBe(1);
    expect(found['callsheet_queue_oldest_age_seconds']).toBeGreaterThanOrEqual(waitedMs / 1000);
    expect(found['callsheet_queue_oldest_age_seconds']).toBeLessThan(60);
  });

  test('still tells what this process knows by itself while the store is away', async () => {
    const { app } = counted();
    desk = await openDesk({ app });
    await desk.stage.ended(await desk.stage.begin());
    const { deps, engine, fetcher } = desk.stage.app;
    const away = async () => {
      throw new EngineError('STORE_FAILED', 'away');
    };
    const store = Object.assign(Object.create(deps.store) as typeof deps.store, { count: away, list: away });
    const figures = new MetricsGauges({ deps: { ...deps, store }, engine, whole: { fetcher } });
    const { samples } = parseExposition(await app.metrics.text(await figures.read()));
    const find = (name: string) => samples.filter((sample) => sample.name === name).map(({ value }) => value);
    expect([find('callsheet_store_up'), find('callsheet_runs'), find('callsheet_runs_finished_total')]).toEqual([
      [0],
      [],
      [1, 0, 0],
    ]);
  });
});

describe('the pages of a worker', () => {
  let listening: HttpListener;
  let isAlive = true;
  afterEach(() => listening.close());
  const open = async () => {
    const metrics = async () => '# HELP a A.\n# TYPE a gauge\na 1\n';
    const pages = {
      version: '1.2.3',
      isAlive: () => isAlive,
      metrics,
      token: TOKEN,
      clock: systemClock,
      log: silentLogger,
    };
    listening = await listenForWorker(pages, { port: 0 });
    return (path: string, token: string | undefined, headers = {}) =>
      send(listening.port, token ?? '', 'GET', path, { isSignedIn: token !== undefined, headers });
  };

  test('are metrics for those with the token, and nothing else', async () => {
    const get = await open();
    expect((await get('/metrics', TOKEN)).text).toContain('a 1\n');
    expect((await get('/metrics', undefined)).status).toBe(401);
    expect((await get('/metrics', 'another')).status).toBe(401);
    expect((await get('/metrics', undefined, { cookie: 'vx.session=v1.a.b.c' })).status).toBe(401);
    expect((await get('/metrics', TOKEN, { host: 'evil.example' })).status).toBe(403);
    expect((await get('/api/runs', TOKEN)).status).toBe(404);
    expect((await get('/', TOKEN)).status).toBe(404);
  });

  test('say to anybody whether it lives: not any more once it has lost its store', async () => {
    const get = await open();
    expect(await get('/api/health', undefined)).toMatchObject({ status: 200, json: { status: 'ok' } });
    isAlive = false;
    expect(await get('/api/health', undefined)).toMatchObject({ status: 503, json: { status: 'away' } });
  });
});
