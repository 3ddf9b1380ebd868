import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reminderOf } from '../../engine/src/agenda/reminders.ts';
import { listMemories } from '../../engine/src/memory/memory-rows.ts';
import { RUN_LOGS, runLogId } from '../../engine/src/memory/run-log.ts';
import { notificationOf } from '../../engine/src/notification/notification-rows.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { isFull } from '../available.ts';
import {
  type Account,
  denied,
  doubled,
  isAboutUnknown,
  neverDone,
  offRecord,
  saidDone,
  takeAccount,
  unasked,
} from './effect-faults.ts';
import { brokenTranscripts, leftOpen, uncounted } from './faults.ts';
import { describeKills, drain, killCount, killLoop, type Kills, type Point, POINTS } from './kill-loop.ts';
import { World } from './outside-world.ts';

const KILLS = killCount(6, 200, isFull);
/** Each one falls on an effect. */
const CONTROL_KILLS = 2;

const permissions = 'permissions: { allow: [post, charge, fire, reminder_create, notify], ask: [pay] }\n';
const CONFIG: Readonly<Record<string, string>> = {
  'settings.yaml': 'runs: { concurrency: 10 }\nbudget: { maxTokensPerDay: 1000000000 }\n',
  'apis/main.yaml': 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\nretry: { attempts: 6 }\n',
  'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\nagents: [ann, bob]\ntools: [workspace_add_item, memory_add, reminder_create, notify, outside]\n${permissions}`,
  'agents/ann.yaml': `id: ann\nname: Ann\ndescription: Acts.\ntools: [workspace_add_item, memory_add, reminder_create, notify, outside]\n${permissions}`,
  'agents/bob.yaml': `id: bob\nname: Bob\ndescription: Acts too.\ntools: [outside]\n${permissions}`,
};

interface Outcome extends Account {
  readonly kills: Kills;
  /** Machines taken up, over all lives. */
  readonly recovered: number;
}

const roots: string[] = [];
const stores: Store[] = [];

/** Kills, drains, and reads what is left. */
async function endure(
  kills: number,
  points: readonly Point[],
  env: Record<string, string>,
  { maxPasses, isOnlyInside, fatalTool }: { maxPasses: number; isOnlyInside: boolean; fatalTool: string },
): Promise<Outcome> {
  const root = mkdtempSync(join(tmpdir(), 'callsheet-durable-crash-'));
  roots.push(root);
  for (const [name, text] of Object.entries(CONFIG)) {
    mkdirSync(dirname(join(root, 'config', name)), { recursive: true });
    writeFileSync(join(root, 'config', name), text);
  }
  const shared: Record<string, string> = { ROOT: root, LATENCY_MS: '15', ...env };
  const done = await killLoop({
    worker: 'durable-worker.ts',
    kills,
    env: shared,
    points,
    lifeMs: 900,
    maxPasses,
    isOnlyInside,
    provoked: { point: 'in-effect', env: { KILL_TOOL: fatalTool } },
    // More runs with every life, so that none is idle.
    onLife: (n) => (shared['RUNS'] = String((n + 1) * 4)),
  });
  await drain('durable-worker.ts', shared);
  const store = openSqlite({ dir: join(root, 'data') });
  stores.push(store);
  const lives = readFileSync(join(root, 'lives.jsonl'), 'utf8').trim().split('\n');
  const recovered = lives.reduce((sum, line) => sum + (JSON.parse(line) as { resumed: number }).resumed, 0);
  return { kills: done, recovered, ...(await takeAccount(store, new World(join(root, 'world')))) };
}

const count = <T>(values: Iterable<T>, holds: (value: T) => boolean) => [...values].filter(holds).length;

afterAll(async () => {
  for (const store of stores) await store.close();
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

describe(`a process that is killed ${KILLS} times while its runs act on the world`, () => {
  let outcome: Outcome;

  beforeAll(
    async () => {
      outcome = await endure(KILLS, POINTS, {}, { maxPasses: 25, isOnlyInside: false, fatalTool: 'fire' });
      const { kills, store, world, calls, approvals, recovered } = outcome;
      const runs = await store.list('run');
      process.stderr.write(
        `durability loop: ${describeKills(kills)}; ${runs.length} runs, ` +
          `${count(runs, ({ status }) => status === 'cancelled')} of them cancelled; ${calls.size} calls, ` +
          `${world.length} effects, ${approvals.length} approvals, ${count(approvals, isAboutUnknown)} of them because ` +
          `the outcome was unknown; ${recovered} machines recovered\n`,
      );
    },
    KILLS * 6000 + 120_000,
  );

  test('has done no effect twice', () => {
    expect(doubled(outcome.world)).toEqual([]);
  });

  test('has done every effect that it says it did', () => {
    expect(neverDone(outcome)).toEqual([]);
    expect(saidDone(outcome).length).toBeGreaterThan(0);
  });

  test('has put every effect on record before it happened, with the arguments that it happened with', () => {
    expect(offRecord(outcome)).toEqual([]);
  });

  test('has stored every memory that a model was told of, and no other, and a log of each run that is complete', async () => {
    const messages = await outcome.store.list('message');
    const told = messages.flatMap(({ body }) => {
      const { role, content } = JSON.parse(body) as { role: string; content: string | null };
      return role === 'tool' ? (/^\{"memory":\{.*?"content":"[^"]*?(c\d+_\d+)/.exec(content ?? '')?.[1] ?? []) : [];
    });
    const memories = await listMemories(outcome.store, { now: 0 });
    const stored = memories.filter(({ agentId }) => agentId !== RUN_LOGS);
    expect(stored.map(({ text }) => text).toSorted()).toEqual(told.toSorted());
    expect(told.length).toBeGreaterThan(0);
    const completed = await outcome.store.list('run', { where: [['status', '=', 'completed']] });
    const logs = memories.filter(({ agentId }) => agentId === RUN_LOGS).map(({ id }) => id);
    expect(logs.toSorted()).toEqual(completed.map(({ id }) => runLogId(id)).toSorted());
  });

  test('has stored one reminder and one notification for each call, and notified once of each reminder and approval', async () => {
    const { store, calls, approvals } = outcome;
    const reminders = (await store.list('reminder')).map(reminderOf);
    const notifications = (await store.list('notification')).map(notificationOf);
    const messages = notifications.flatMap(({ kind, title }) => (kind === 'message' ? [title] : []));
    const said = (name: string, argument: string) =>
      [...calls.values()].flatMap(({ tool, state, arguments: args }) =>
        tool === name && state === 'done' ? [String(args[argument])] : [],
      );
    const texts = reminders.map(({ text }) => text);
    expect([texts, messages].map((made) => made.length - new Set(made).size)).toEqual([0, 0]);
    expect(said('reminder_create', 'text').filter((text) => !texts.includes(text))).toEqual([]);
    expect(said('notify', 'title').filter((title) => !messages.includes(title))).toEqual([]);
    expect(reminders.map(({ status }) => status)).toEqual(reminders.map(() => 'fired'));
    const about = (kind: string) => notifications.filter((one) => one.kind === kind);
    expect(
      about('reminder')
        .map(({ reminderId }) => reminderId)
        .toSorted(),
    ).toEqual(reminders.map(({ id }) => id).toSorted());
    expect(
      about('approval')
        .map(({ approvalId }) => approvalId)
        .toSorted(),
    ).toEqual(approvals.map(({ id }) => id).toSorted());
    expect([reminders.length, messages.length].filter((count) => count === 0)).toEqual([]);
  });

  test('has kept each edit of a person, once', async () => {
    const { store, approvals } = outcome;
    const edits = (await store.list('draftEdit')).map(({ id }) => id);
    const isEdited = (approval: (typeof approvals)[number]) =>
      String(approval.arguments['what']).startsWith('edited ') && !isAboutUnknown(approval);
    const edited = approvals.filter(isEdited).map(({ id }) => id);
    expect(edits.toSorted()).toEqual(edited.toSorted());
    // A short loop may have none.
    if (isFull) expect(edits.length).toBeGreaterThan(0);
  });

  test('never says of what happened that it did not', async () => {
    expect(await denied(outcome)).toEqual([]);
  });

  test('has asked a person where it could not know', () => {
    expect(unasked(outcome)).toEqual([]);
    expect(count(outcome.approvals, isAboutUnknown)).toBeGreaterThan(0);
  });

  test('has valid transcripts, with every call answered once', async () => {
    expect(await brokenTranscripts(outcome.store)).toEqual([]);
  });

  test('has counted for the day at least what its runs have used', async () => {
    expect(await uncounted(outcome.store)).toBeLessThanOrEqual(0);
  });

  test('has nothing left to do', async () => {
    expect(await leftOpen(outcome.store)).toEqual([]);
  });
});

test('the loop finds effects that happen twice where the far side does not dedupe and look-ups lie', async () => {
  const { world } = await endure(
    CONTROL_KILLS,
    ['in-effect'],
    { NO_DEDUPE: '1' },
    { maxPasses: 3, isOnlyInside: true, fatalTool: 'post' },
  );
  expect(doubled(world).length).toBeGreaterThan(0);
}, 120_000);
