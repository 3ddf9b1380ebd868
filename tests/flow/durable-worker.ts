/**
 * The process that the durability loop kills: runs with agents that share sessions, a model that answers at random, fails
 * and limits, tools that act on a world outside, a person who decides, and somebody who cancels.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../engine/src/base/error.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { openApp } from '../../engine/src/cli/app.ts';
import { ModelError } from '../../engine/src/model/model-error.ts';
import type { ModelRequest, ToolCall } from '../../engine/src/model/model.ts';
import type { ApprovalRecord } from '../../engine/src/run/approval.ts';
import { createRun } from '../../engine/src/run/create.ts';
import { OPEN_STATUSES } from '../../engine/src/run/run.ts';
import { call, playModels } from '../run/harness.ts';
import { doomedProbe, given, someTime } from './doomed.ts';
import { readWorld, worldTools } from './outside-world.ts';

const root = given('ROOT');
const latencyMs = Number(given('LATENCY_MS'));
const isControl = process.env['NO_DEDUPE'] === '1';
const isLastLife = process.env['DRAIN'] === '1';
const probe = doomedProbe(process.env);
const world = join(root, 'world.jsonl');

const chance = (probability: number) => Math.random() < probability;
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;
let calls = 0;

function randomCall({ tools, messages }: ModelRequest): ToolCall {
  const { name } = pick(tools).function;
  const id = `c${process.pid}_${calls++}`;
  if (chance(0.04)) return call(id, name, '{"broken');
  if (name.startsWith('agent__')) {
    const sessions = messages.flatMap(({ content }) => /"sessionId":"(th_\w+)"/.exec(content ?? '')?.[1] ?? []);
    const sessionId = chance(0.4) ? pick([...sessions, 'th_none']) : undefined;
    return call(id, name, { input: `ask ${id}`, ...(sessionId !== undefined && { sessionId }) });
  }
  if (name === 'workspace_add_item') return call(id, name, { label: id, data: 'x' });
  return call(id, name, name === 'list_agents' || name === 'list_tools' ? {} : { what: id });
}

const models = playModels(async (request) => {
  await someTime(latencyMs);
  if (!isControl && chance(0.06))
    throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 10 + Math.random() * 60 });
  if (!isControl && chance(0.06))
    throw new ModelError('MODEL_UNAVAILABLE', 'busy', { retryable: true, retryAfterMs: 5 + Math.random() * 20 });
  const { role, turn } = request;
  const isLast = turn > (role === 'director' ? 4 : 2) || (turn > 1 && chance(0.2));
  if (isLast) return { content: `${role} is done` };
  return { tool_calls: Array.from({ length: Math.ceil(Math.random() * 3) }, () => randomCall(request)) };
});

const app = await openApp({
  configDir: join(root, 'config'),
  dataDir: join(root, 'data'),
  env: () => 'sk-test-key',
  log: silentLogger,
  watch: false,
  models,
  probe,
  tools: worldTools({
    file: world,
    dedupes: !isControl,
    latencyMs,
    // In the control every death must fall on an effect that is taken twice; `fire` never is.
    happened: (tool) => void (isControl && tool === 'fire' ? undefined : probe('in-effect')),
  }),
});
const { store } = app.parts;
const resumed = await app.engine.start();
appendFileSync(join(root, 'lives.jsonl'), `${JSON.stringify({ resumed })}\n`);
process.stdout.write('ready\n');

/** Runs that are over, or decided meanwhile, are no fault of whoever cancels or decides. */
async function perhaps(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof EngineError && ['APPROVAL_DECIDED', 'RUN_NOT_ACTIVE'].includes(error.code))) throw error;
  }
}

/** A person: looks at the world before saying anything about an effect whose outcome nobody knows. */
async function decideSome(): Promise<void> {
  for (const row of await store.list('approval', { where: [['status', '=', 'pending']] })) {
    if (chance(0.3)) continue;
    const { id, machine, call: asked } = JSON.parse(row.body) as ApprovalRecord;
    const state = (await store.get('ledger', { machine, call: asked }))?.state;
    const key = `${machine}/${asked}`;
    const isAllowed = state === 'ambiguous' ? !readWorld(world).some((one) => one.key === key) : chance(0.7);
    const edited = state !== 'ambiguous' && chance(0.4) ? { arguments: { what: `edited ${asked}` } } : {};
    const decision = isAllowed ? { decision: 'allow' as const, ...edited } : { decision: 'deny' as const };
    await perhaps(app.engine.decide(id, { ...decision, by: 'jane' }));
  }
}

async function cancelOne(): Promise<void> {
  const open = await store.list('run', { where: [['status', 'in', [...OPEN_STATUSES]]] });
  if (open.length > 0) await perhaps(app.engine.cancel(pick(open).id));
}

async function beginRuns(total: number): Promise<void> {
  for (let count = await store.count('run'); count < total; count++) {
    const { changes } = await createRun(app.parts, {
      config: app.config.current(),
      directorId: 'boss',
      trigger: { kind: 'message', message: `job ${count}` },
      startedBy: 'test',
    });
    await store.apply(changes);
    app.engine.queued();
    await someTime(20);
  }
}

const began = beginRuns(Number(given('RUNS')));
for (;;) {
  await someTime(25);
  await decideSome();
  if (!isControl && !isLastLife && chance(0.12)) await cancelOne();
  if (!isLastLife) continue;
  await began;
  if ((await store.count('run', [['status', 'in', [...OPEN_STATUSES]]])) === 0) break;
}
// What was cancelled may still happen outside: wait for it, so that all is on record.
await someTime(4 * latencyMs);
await app.close();
