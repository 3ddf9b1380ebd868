import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { HeldAnswer } from '../../../engine/src/run/held-answer.ts';
import { recordOf } from '../../../engine/src/run/run.ts';
import { readMessages } from '../../../engine/src/run/thread.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { leftOpen } from '../faults.ts';
import { drain, type Point, startWorker, workerOf } from '../kill-loop.ts';
import { planFaults } from '../plan-faults.ts';

const WORKER = 'plan/check-worker.ts';
const CONFIG: Readonly<Record<string, string>> = {
  'settings.yaml': 'calendar: { path: ./calendar, timeZone: Europe/Berlin }\n',
  'apis/main.yaml': 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\n',
  'directors/desk.yaml':
    'id: desk\nname: Desk\nmode: plan\napiConfigId: main\ntools: [calendar]\n' +
    'checks: [{ kind: claims, claim: meeting-scheduled, needs: calendar_add, otherwise: offer-free-times }]\n',
};

let root: string;
afterEach(() => rmSync(root, { recursive: true, force: true }));

function prepare(): void {
  root = mkdtempSync(join(tmpdir(), 'callsheet-plan-check-'));
  for (const [name, text] of Object.entries(CONFIG)) {
    mkdirSync(dirname(join(root, 'config', name)), { recursive: true });
    writeFileSync(join(root, 'config', name), text);
  }
}

/** What lies in the store while no process works. */
async function stored<T>(read: (store: Store) => Promise<T>): Promise<T> {
  const store = openSqlite({ dir: join(root, 'data') });
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}

const runOf = async (store: Store) => (await store.list('run')).map((row) => recordOf(row).run)[0];
const reads = async (store: Store) =>
  (await store.list('ledger')).map(({ state, body }) => ({ state, ...(JSON.parse(body) as { held?: HeldAnswer }) }));

describe('a process that dies while the last check of a plan reads the calendar', () => {
  test.each<{ moment: string; point: Point; after: number }>([
    { moment: 'before it has read', point: 'after-commit', after: 1 },
    { moment: 'after it has read, and before that is stored', point: 'after-effect', after: 2 },
    { moment: 'before the answer is stored', point: 'before-commit', after: 2 },
  ])('goes on when it dies $moment, and nothing is doubled', async ({ point, after }) => {
    prepare();
    const env = { ROOT: root };
    const child = startWorker(await workerOf(WORKER), { ...env, KILL_POINT: point, KILL_AFTER: String(after) });
    expect(await child.exit, child.output()).toMatchObject({ signal: 'SIGKILL' });
    await stored(async (store) => {
      expect(await reads(store)).toMatchObject([{ state: 'intended', held: { message: { role: 'assistant' } } }]);
      expect(await runOf(store)).toMatchObject({ status: 'running' });
    });
    await drain(WORKER, env);
    await stored(async (store) => {
      const run = await runOf(store);
      expect(run).toMatchObject({ status: 'completed', usage: { turns: 3 } });
      expect((await reads(store)).map(({ state }) => state)).toEqual(['done']);
      const answers = (await readMessages(store, run?.dirThreadId ?? '')).filter(({ role }) => role === 'assistant');
      expect(answers.map(({ content }) => content)).toEqual([expect.stringContaining('These times are free')]);
      expect(answers[0]?.content).not.toContain('is scheduled');
      expect(await planFaults(store)).toEqual([]);
      expect(await leftOpen(store)).toEqual([]);
    });
    const asked = readFileSync(join(root, 'asked'), 'utf8').trim().split('\n');
    expect(asked).toEqual(['planner', 'executor', 'synthesis']);
  });
});
