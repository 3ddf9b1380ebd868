import { afterEach, describe, expect, test } from 'vitest';
import type { ApprovalRecord } from '../../../engine/src/guard/approval.ts';
import type { WorldTool } from '../../../engine/src/tool/tool.ts';
import { call, type Play, playModels, setStage, type Stage, transcriptFaults } from '../harness.ts';
import { PATIENCE_MS } from '../../next-try.ts';

let stage: Stage;
afterEach(() => stage.close());

const director = (permissions: string) =>
  `id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [outside]\npermissions: ${permissions}\n`;
const ALLOWED = { 'directors/boss.yaml': director('{ allow: [act] }') };

/** Calls `act` once, then ends. */
const acts: Play = ({ turn }) =>
  turn === 1 ? { tool_calls: [call('a', 'act', { what: 'x' })] } : { content: 'Done.' };

/** A tool whose calls stay open until the test lets them go. */
function slowTool(repeat: WorldTool['repeat'], more: Partial<WorldTool> = {}) {
  const keys: string[] = [];
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const tool: WorldTool = {
    name: 'act',
    family: 'outside',
    effects: repeat === 'free' ? 'read' : 'write',
    repeat,
    description: 'Acts.',
    parameters: { type: 'object', properties: { what: { type: 'string' } }, additionalProperties: false },
    run: (_args, { key }) => {
      keys.push(key);
      return promise;
    },
    ...more,
  };
  return { tool, keys, finish: resolve };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const began = Date.now(); !(await holds());) {
    if (Date.now() - began > PATIENCE_MS) throw new Error('it never came to that');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A run whose one call of `act` is under way. */
async function underWay(repeat: WorldTool['repeat'], more: Partial<WorldTool> = {}) {
  const slow = slowTool(repeat, more);
  stage = await setStage({ models: playModels(acts), files: ALLOWED, tools: [slow.tool] });
  const id = await stage.begin();
  await until(() => slow.keys.length === 1);
  return { ...slow, id };
}

const rows = () => stage.app.deps.store.list('ledger');
const stateOf = async () => (await rows())[0]?.state;

async function pending(): Promise<ApprovalRecord | undefined> {
  const found = await stage.app.deps.store.list('approval', { where: [['status', '=', 'pending']] });
  return found.map((row) => JSON.parse(row.body) as ApprovalRecord)[0];
}

async function asked(id: string): Promise<ApprovalRecord> {
  await stage.until(id, ({ status }) => status === 'waiting');
  const approval = await pending();
  if (approval === undefined) throw new Error('nothing asks');
  return approval;
}

async function answerOf(id: string): Promise<string> {
  const messages = await stage.messages((await stage.run(id)).dirThreadId);
  expect(transcriptFaults(messages)).toEqual([]);
  const answers = messages.filter(({ role }) => role === 'tool');
  expect(answers).toHaveLength(1);
  return String(answers[0]?.content);
}

describe('a call that is cancelled while it runs', () => {
  test('is answered with an unknown outcome when it writes; what happens later is on record, and answered once', async () => {
    const { id, finish } = await underWay('key');
    await stage.app.engine.cancel(id);
    expect(await answerOf(id)).toContain('TOOL_OUTCOME_UNKNOWN');
    expect(await stateOf()).toBe('cancelled');
    finish({ did: 'it' });
    await until(async () => (await stateOf()) === 'done');
    expect(await answerOf(id)).toContain('TOOL_OUTCOME_UNKNOWN');
    const entries = await stage.app.deps.store.list('entry');
    expect(entries.map(({ body }) => body).join()).toContain('outcome_after_cancel');
    expect(await stage.run(id)).toMatchObject({ status: 'cancelled' });
  });

  test('is answered as cancelled when it only reads', async () => {
    const { id } = await underWay('free');
    await stage.app.engine.cancel(id);
    expect(await answerOf(id)).toContain('TOOL_CANCELLED');
  });

  test('is answered as cancelled when a person has not allowed it yet', async () => {
    const { tool } = slowTool('key');
    const files = { 'directors/boss.yaml': director('{ ask: [act] }') };
    stage = await setStage({ models: playModels(acts), files, tools: [tool] });
    const id = await stage.begin();
    await asked(id);
    await stage.app.engine.cancel(id);
    expect(await answerOf(id)).toContain('TOOL_CANCELLED');
  });

  test('is answered with an unknown outcome when an earlier process may have done it', async () => {
    const { id } = await underWay('once');
    await stage.restart();
    await asked(id);
    await stage.app.engine.cancel(id);
    expect(await answerOf(id)).toContain('TOOL_OUTCOME_UNKNOWN');
    expect(await stateOf()).toBe('cancelled');
  });
});

describe('a call that was under way when the process ended', () => {
  test('is made again under the same key where the far side knows keys', async () => {
    const { id, keys, finish } = await underWay('key');
    await stage.restart();
    await until(() => keys.length === 2);
    finish('done');
    await stage.ended(id);
    expect(keys[0]).toBe(keys[1]);
    expect(await answerOf(id)).toBe('done');
  });

  test.each([
    ['a value', { did: 'it' }, '{"did":"it"}'],
    ['null', null, 'null'],
  ])('is not made again where the look-up finds %s', async (_name, found, answer) => {
    const { id, keys } = await underWay('lookup', { reconcile: async () => found });
    await stage.restart();
    await stage.ended(id);
    expect(keys).toHaveLength(1);
    expect(await answerOf(id)).toBe(answer);
  });

  test('goes to a person where the look-up fails, and is looked up again when it is allowed', async () => {
    let isReachable = false;
    const reconcile = async () => {
      if (!isReachable) throw new Error('no route');
      return { did: 'it' };
    };
    const { id, keys } = await underWay('lookup', { reconcile });
    await stage.restart();
    const approval = await asked(id);
    expect(approval.reason).toContain('finding out failed: no route');
    expect(await stateOf()).toBe('ambiguous');
    isReachable = true;
    await stage.app.engine.decide(approval.id, { decision: 'allow', by: 'jane' });
    await stage.ended(id);
    expect(keys).toHaveLength(1);
    expect(await answerOf(id)).toContain('{"did":"it"}');
  });

  test('goes to a person where the far side cannot be reached again under its key', async () => {
    let attempts = 0;
    const run = () => {
      attempts++;
      if (attempts === 1) return new Promise(() => {});
      return attempts === 2 ? Promise.reject(new Error('no route')) : Promise.resolve('done');
    };
    const { tool } = slowTool('key', { run });
    stage = await setStage({ models: playModels(acts), files: ALLOWED, tools: [tool] });
    const id = await stage.begin();
    await until(() => attempts === 1);
    await stage.restart();
    const approval = await asked(id);
    expect(approval.reason).toContain('finding out failed: no route');
    await stage.app.engine.decide(approval.id, { decision: 'allow', by: 'jane' });
    await stage.ended(id);
    expect(await answerOf(id)).toContain('done');
  });

  test('goes to a person where nobody can know, and is made again only when that is allowed', async () => {
    const { id, keys, finish } = await underWay('once');
    await stage.restart();
    const approval = await asked(id);
    expect(approval.reason).toContain('it may have happened');
    expect(await stateOf()).toBe('ambiguous');
    expect(keys).toHaveLength(1);
    finish('done');
    await stage.app.engine.decide(approval.id, { decision: 'allow', by: 'jane' });
    await stage.ended(id);
    expect(keys).toHaveLength(2);
    expect(await stateOf()).toBe('done');
  });

  test('is closed as unknown when the person leaves it as it is', async () => {
    const { id, keys } = await underWay('once');
    await stage.restart();
    const approval = await asked(id);
    await stage.app.engine.decide(approval.id, { decision: 'deny', by: 'jane' });
    await stage.ended(id);
    expect(keys).toHaveLength(1);
    expect(await answerOf(id)).toContain('TOOL_OUTCOME_UNKNOWN');
    expect(await stateOf()).toBe('denied');
  });

  test('keeps the arguments that a person allowed, and does not ask again', async () => {
    const whats: unknown[] = [];
    const never = slowTool('key', {
      run: (args) => {
        whats.push(args['what']);
        return whats.length === 1 ? new Promise(() => {}) : Promise.resolve('done');
      },
    });
    const files = { 'directors/boss.yaml': director('{ ask: [act] }') };
    stage = await setStage({ models: playModels(acts), files, tools: [never.tool] });
    const id = await stage.begin();
    const approval = await asked(id);
    await stage.app.engine.decide(approval.id, { decision: 'allow', arguments: { what: 'y' }, by: 'jane' });
    await until(() => whats.length === 1);
    await stage.restart();
    await stage.ended(id);
    expect(whats).toEqual(['y', 'y']);
    expect(await pending()).toBeUndefined();
  });

  test('is not made again when its tool was denied meanwhile, and nobody says that it was not made', async () => {
    const { id, keys } = await underWay('key');
    stage.write({ 'directors/boss.yaml': director('{ deny: [act] }') });
    await stage.restart();
    await stage.ended(id);
    expect(keys).toHaveLength(1);
    expect(await answerOf(id)).toContain('TOOL_OUTCOME_UNKNOWN');
  });

  test('goes to a person when its tool asks now', async () => {
    const { id, keys } = await underWay('key');
    stage.write({ 'directors/boss.yaml': director('{ ask: [act] }') });
    await stage.restart();
    const approval = await asked(id);
    expect(approval.reason).toContain('permissions.ask has "act"');
    expect(keys).toHaveLength(1);
  });
});

describe('an orderly stop', () => {
  test('lets a write end, so that nobody has to be asked about it', async () => {
    const { id, keys, finish } = await underWay('once');
    const stopping = stage.app.engine.stop({ graceMs: 10_000 });
    finish('done');
    await stopping;
    expect(await stateOf()).toBe('done');
    await stage.restart();
    await stage.ended(id);
    expect(keys).toHaveLength(1);
    expect(await answerOf(id)).toBe('done');
  });

  test('does not wait longer than it should for a write that does not end', async () => {
    const { id } = await underWay('once');
    await stage.app.engine.stop({ graceMs: 20 });
    await stage.restart();
    expect((await asked(id)).reason).toContain('it may have happened');
  });
});
