import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reminderOf } from '../../engine/src/agenda/reminders.ts';
import { storedModel, vectorIds } from '../../engine/src/memory/embedding/vector-rows.ts';
import { listMemories } from '../../engine/src/memory/memory-rows.ts';
import { RUN_LOGS, runLogId } from '../../engine/src/memory/run-log.ts';
import { notificationOf } from '../../engine/src/notification/notification-rows.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { WorkspaceItem } from '../../engine/src/workspace/item.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { readList } from '../../engine/src/tool/mcp/tool-list-store.ts';
import type { Entity } from '../../engine/src/guard/placeholder/entity-map.ts';
import { isFull, root as repository } from '../available.ts';
import { type ChatServer, sendJson, startServer } from '../model/chat-server.ts';
import {
  type Account,
  denied,
  doubled,
  isAboutUnknown,
  neverDone,
  offRecord,
  saidDone,
  takeAccount,
  unallowed,
  unasked,
} from './effect-faults.ts';
import { auditLines } from '../trace/audit-lines.ts';
import { auditFaults, brokenTranscripts, leftOpen, taskFaults, uncounted } from './faults.ts';
import { describeKills, drain, killCount, killLoop, type Kills, type Point, POINTS } from './kill-loop.ts';
import { World } from './outside-world.ts';
import { planFaults, plansDone } from './plan-faults.ts';
import { deskOf } from './plan-model.ts';

const KILLS = killCount(6, 200, isFull);
/** Each one falls on an effect. */
const CONTROL_KILLS = 2;

const permissions = 'permissions: { allow: [post, charge, fire, reminder_create, notify, odd__*], ask: [pay] }\n';
const ODD_SERVER = join(repository, 'tests/tool/mcp/odd-server.ts');
/** An approval expires after a quarter of a second: mostly while no process lives. */
const CONFIG: Readonly<Record<string, string>> = {
  'tools/odd.yaml': `id: odd\nkind: mcp\ncommand: ${process.execPath}\nargs: [${ODD_SERVER}]\nallow: [echo, grow, grown]\neffects: read\n`,
  'apis/main.yaml': 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\nretry: { attempts: 6 }\n',
  'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\nagents: [ann, bob]\ntools: [workspace_add_item, memory_add, reminder_create, notify, outside, odd]\nprivacy: { restoreIn: ['*'] }\nschedule: { cron: '0 0 1 1 *', message: job 0 }\n${permissions}`,
  'directors/desk.yaml': deskOf(
    'tools: [workspace_add_item, memory_add, reminder_create, notify, outside]\n',
    `privacy: { restoreIn: ['*'] }\n${permissions}`,
  ),
  'agents/ann.yaml': `id: ann\nname: Ann\ndescription: Acts.\ntools: [workspace_add_item, memory_add, reminder_create, notify, outside]\n${permissions}`,
  'agents/bob.yaml': `id: bob\nname: Bob\ndescription: Acts too.\ntools: [outside]\n${permissions}output: { schema: { type: object, required: [done] } }\n`,
};

/** Embedding models: each life has another one than the life before. */
const MODELS = ['small', 'large'] as const;

const settings = (n: number) =>
  'runs: { concurrency: 10 }\nbudget: { maxTokensPerDay: 1000000000 }\napprovals: { expireAfterDays: 0.000003 }\n' +
  `memory: { embeddings: { apiConfigId: vectors, model: ${MODELS[n % MODELS.length]} } }\n`;

/** A peer of the embeddings API. The vectors of its two models differ in length. */
const startEmbeddings = (): Promise<ChatServer> =>
  startServer((request, response) => {
    const { input, model } = JSON.parse(request.body) as { readonly input: readonly string[]; readonly model: string };
    const vector = (text: string) =>
      Array.from({ length: model === 'small' ? 4 : 6 }, (_, i) => text.charCodeAt(i) || 1);
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vector(text) }));
    sendJson(response, { object: 'list', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
  });

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
  const embeddings = await startEmbeddings();
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, 'config', name)), { recursive: true });
    writeFileSync(join(root, 'config', name), text);
  };
  for (const [name, text] of Object.entries(CONFIG)) write(name, text);
  write(
    'apis/vectors.yaml',
    `id: vectors\nprovider: openai\nmodel: small\nbaseUrl: ${embeddings.origin}/v1\napiKey: \${env:KEY}\n`,
  );
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
    onLife: (n) => {
      shared['RUNS'] = String((n + 1) * 4);
      write('settings.yaml', settings(n));
    },
  });
  write('settings.yaml', settings(kills));
  // The last life has runs of its own, and what each life does for certain is done in it.
  shared['RUNS'] = String((kills + 1) * 4);
  await drain('durable-worker.ts', shared);
  await embeddings.close();
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

  test('has one vector of each memory, of the newest embedding model, and of nothing else', async () => {
    const { store } = outcome;
    const memories = await listMemories(store, { now: 0 });
    const model = await storedModel(store);
    if (model === undefined) throw new Error('no memory was embedded');
    expect(model.name).toContain(MODELS[KILLS % MODELS.length]);
    const current = await vectorIds(store, model, memories);
    expect([...current].toSorted()).toEqual(memories.map(({ id }) => id).toSorted());
    expect(await store.count('memoryVector')).toBe(memories.length);
  });

  test('has shown no job to a model, and keeps one map for each run, with every message that was sent', async () => {
    const { store } = outcome;
    expect(roots.filter((root) => existsSync(join(root, 'leaks')))).toEqual([]);
    const entities = (await store.list('entity')).map(({ conversation, body }) => ({
      conversation,
      ...(JSON.parse(body) as Entity),
    }));
    const runs = new Map((await store.list('run')).map((row) => [row.id, recordOf(row).run]));
    // A plan also reads the logs of earlier runs, and hides the names in them.
    const jobs = entities.filter(
      ({ kind, conversation }) => kind === 'person' && runs.get(conversation)?.mode !== 'plan',
    );
    expect(
      jobs.filter(
        (job) => job.number !== 1 || job.value !== runs.get(job.conversation)?.trigger.message?.replace('Task: ', ''),
      ),
    ).toEqual([]);
    expect(jobs.length).toBeGreaterThan(0);
    expect(new Set(entities.map(({ conversation, kind, number }) => `${conversation} ${kind} ${number}`)).size).toBe(
      entities.length,
    );
    const redacted = new Set((await store.list('redactedMessage')).map(({ thread, seq }) => `${thread} ${seq}`));
    // The answer of a plan is put together from one that a model gave, and is redacted when a model reads it.
    const plans = new Set(Array.from(runs.values(), ({ mode, dirThreadId }) => (mode === 'plan' ? dirThreadId : '')));
    const answers = (await store.list('message')).filter(
      ({ body, thread }) => body.startsWith('{"role":"assistant"') && !plans.has(thread),
    );
    expect(answers.filter(({ thread, seq }) => !redacted.has(`${thread} ${seq}`))).toEqual([]);
  });

  test('has every list of tools that a run keeps', async () => {
    const { store } = outcome;
    const kept = (await store.list('run')).flatMap((row) => Object.values(recordOf(row).run.toolLists ?? {}));
    const names = async (hash: string) => (await readList(store, hash))?.tools.map(({ name }) => name);
    const lists = new Map(
      await Promise.all([...new Set(kept)].map(async (hash) => [hash, await names(hash)] as const)),
    );
    expect([...lists].filter(([, tools]) => tools?.includes('echo') !== true)).toEqual([]);
    const answered = [...outcome.calls.values()].filter(({ tool, state }) => tool === 'odd__echo' && state === 'done');
    expect([lists.size, answered.length].filter((found) => found === 0)).toEqual([]);
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
    expect(Math.min(reminders.length, messages.length)).toBeGreaterThan(0);
  });

  test('has one item of what an agent with a form of its answers said in a run, as its director got it last', async () => {
    const rows = await outcome.store.list('item');
    const items = rows.map(({ body, revision }) => ({ ...(JSON.parse(body) as WorkspaceItem), revision }));
    const outputs = items.filter(({ tags }) => tags?.includes('output'));
    const keys = outputs.map(({ context: { runId, agentId } }) => `${runId} ${agentId}`);
    expect(keys.length - new Set(keys).size).toBe(0);
    const messages = await outcome.store.list('message');
    const told = messages.flatMap(({ body }) => {
      const { role, content } = JSON.parse(body) as { role: string; content: string | null };
      return role === 'tool' ? (/"output":\{"done":"(\w+)"\}/.exec(content ?? '')?.[1] ?? []) : [];
    });
    const kept = outputs.map(({ data }) => (JSON.parse(data ?? '') as { done: string }).done);
    expect(kept.filter((done) => !told.includes(done))).toEqual([]);
    const revisions = outputs.reduce((sum, { revision }) => sum + revision, 0);
    expect(revisions).toBe(told.length);
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

  test('has done nothing that asks without a person who allowed it, or the same for the run', async () => {
    expect(await unallowed(outcome)).toEqual([]);
    // Whether anybody allows a payment in a short loop is chance.
    if (!isFull) return;
    expect(outcome.world.filter(({ tool }) => tool === 'pay').length).toBeGreaterThan(0);
    const runs = (await outcome.store.list('run')).map((row) => recordOf(row).run);
    expect(runs.filter(({ allowed = [] }) => allowed.length > 0).length).toBeGreaterThan(0);
  });

  test('has done nothing whose approval expired, and keeps no approval that expired', async () => {
    const { world, approvals } = outcome;
    const ended = approvals.filter((one) => one.status === 'expired' && !isAboutUnknown(one));
    const keys = new Set(ended.map(({ machine, call }) => `${machine}/${call}`));
    expect(world.filter(({ key }) => keys.has(key))).toEqual([]);
    expect(approvals.filter(({ expiresAt }) => expiresAt === undefined)).toEqual([]);
    expect(approvals.filter(({ status }) => status === 'expired').length).toBeGreaterThan(0);
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

  test('has one audit line of every call that was answered', async () => {
    expect(await auditFaults(outcome.store)).toEqual([]);
    expect((await auditLines(outcome.store)).length).toBeGreaterThan(0);
  });

  test('has counted for the day at least what its runs have used', async () => {
    expect(await uncounted(outcome.store)).toBeLessThanOrEqual(0);
  });

  test('has started each task once', async () => {
    expect(await taskFaults(outcome.store)).toEqual([]);
    expect(await outcome.store.count('task')).toBeGreaterThan(0);
  });

  test('has tried each step of its plans as often as they say, and answered each wish once', async () => {
    expect(await planFaults(outcome.store)).toEqual([]);
    expect(await plansDone(outcome.store)).toBeGreaterThan(0);
  });

  test('has started one run each time that the schedule moved on', async () => {
    const [row] = await outcome.store.list('schedule');
    const runs = (await outcome.store.list('run')).map((one) => recordOf(one).run);
    const scheduled = runs.filter(({ trigger }) => trigger.kind === 'date');
    const { lastRunId } = JSON.parse(row?.body ?? '{}') as { readonly lastRunId?: string };
    expect(
      scheduled
        .map(({ id }) => id)
        .toSorted()
        .at(-1),
    ).toBe(lastRunId);
    // The row begins at 1.
    expect(scheduled.length).toBe((row?.rev ?? 0) - 1);
    expect(scheduled.length).toBeGreaterThan(0);
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
