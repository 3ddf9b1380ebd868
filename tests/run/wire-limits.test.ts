import { afterEach, describe, expect, test } from 'vitest';
import { sleep } from '../../engine/src/base/abort.ts';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import type { Models } from '../../engine/src/model/model.ts';
import { setStage, type Stage } from './harness.ts';

const LIMIT = 12;
const MINUTE_MS = 60_000;

let stage: Stage;
afterEach(() => stage.close());

/** Most requests that reached the server within any minute. */
function busiestMinute(arrivals: readonly number[]): number {
  return Math.max(...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + MINUTE_MS).length));
}

/** Models whose n-th request waits for `queueMs` before it is sent, as for a free slot, and takes `wireMs` to arrive. */
function slowModels(clock: SimulatedClock, arrivals: number[], queueMs: (n: number) => number, wireMs: number): Models {
  let asked = 0;
  return {
    open: () => ({
      async ask(request) {
        const number = asked++;
        await sleep(queueMs(number), { clock, signal: request.signal });
        await request.beforeSend?.();
        // Only the first requests open connections.
        await sleep(number < LIMIT ? wireMs : 1, { clock, signal: request.signal });
        arrivals.push(clock.now());
        return { message: { role: 'assistant', content: 'Done.' }, stop: 'stop', model: 'test', raw: '{}' };
      },
      available: async () => ({ ok: true }),
    }),
    close: async () => {},
  };
}

describe('a limit of requests per minute', () => {
  test.each<[string, (n: number) => number, number]>([
    ['where requests wait for a free slot', (n) => (n < LIMIT ? n * 5000 : 0), 0],
    ['where requests wait longer than a minute', (n) => (n < LIMIT ? 90_000 : 0), 0],
    ['where the first ones open connections', () => 0, 900],
  ])('holds on the wire, too, %s', async (_where, queueMs, wireMs) => {
    const clock = new SimulatedClock();
    const arrivals: number[] = [];
    const api = `id: main\nprovider: openai\nmodel: test\napiKey: \${env:KEY}\nlimits: { requestsPerMinute: ${LIMIT} }\n`;
    const files = { 'apis/main.yaml': api, 'settings.yaml': 'runs: { concurrency: 100 }\n' };
    stage = await setStage({ clock, models: slowModels(clock, arrivals, queueMs, wireMs), files });
    const ids: string[] = [];
    for (let n = 0; n < 3 * LIMIT; n++) ids.push(await stage.begin());
    for (let step = 0; arrivals.length < ids.length; step++) {
      if (step > 5000) throw new Error(`only ${arrivals.length} requests`);
      for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
      clock.advance(250);
    }
    for (const id of ids) expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    expect(busiestMinute(arrivals)).toBeLessThanOrEqual(LIMIT);
    // And it is not much slower than it may be.
    expect(arrivals.at(-1)! - arrivals[0]!).toBeLessThan(3 * MINUTE_MS + 100_000);
  });
});
