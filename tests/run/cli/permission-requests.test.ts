import { afterEach, describe, expect, test, vi } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import type { PermissionRules } from '../../../engine/src/config/permissions.ts';
import type { Approval } from '../../../engine/src/guard/approval.ts';
import type { CliPermission, ModelRequest, Models } from '../../../engine/src/model/model.ts';
import type { CliTurns, CliWork } from '../../../engine/src/run/cli-work.ts';
import { type Desk, openDesk } from '../../api/harness.ts';
import { nextTry, PATIENCE_MS } from '../../next-try.ts';

const API = 'id: main\nprovider: cli\ncli: codex\n';
const RUN: CliPermission = { title: 'Run git push', kind: 'execute', input: { command: 'git push' } };

let desk: Desk;
afterEach(() => desk.close());

interface Tool {
  readonly rules?: PermissionRules | undefined;
  readonly ask?: (request: ModelRequest) => Promise<string>;
  readonly work?: Partial<CliWork>;
  readonly clock?: SimulatedClock;
}

/** What the tool was told, request after request, and what was done with its folder. */
const told: string[] = [];
/** A run whose model is a tool that works in a folder and asks whether it may run something. */
async function openTool({ rules, ask, work, clock }: Tool = {}): Promise<string> {
  told.length = 0;
  const permission = async ({ cli, signal }: ModelRequest) => {
    const answer = await cli?.onPermission?.(RUN, { signal });
    told.push(String(answer));
    return `I was told: ${String(answer)}`;
  };
  const models: Models = {
    open: () => ({
      async ask(request) {
        const content = await (ask ?? permission)(request);
        return { message: { role: 'assistant', content }, stop: 'stop', model: 'codex', raw: '{}' };
      },
      available: async () => ({ ok: true }),
    }),
    close: async () => {},
  };
  const cliTurns: CliTurns = {
    hidden: ['/data'],
    begin: async () => ({
      ...{ dir: '/tmp', mode: 'safe', isSandboxed: true, rules: async () => [rules] },
      finished: async () => [],
      failed: async (error) => error,
      end: async () => void told.push('end'),
      ...work,
    }),
  };
  const app = { models, cliTurns, ...(clock && { clock }) };
  desk = await openDesk({ files: { 'apis/main.yaml': API }, app });
  return desk.stage.begin();
}

const PATIENCE = { timeout: PATIENCE_MS };
const pending = () =>
  vi.waitFor(async () => {
    const [approval] = (await desk.get('/api/approvals?status=pending')).json.items;
    if (approval === undefined) throw new Error('nothing asks');
    return approval as unknown as Approval;
  }, PATIENCE);
const stored = async ({ id }: Approval) => (await desk.get(`/api/approvals/${id}`)).json as unknown as Approval;
const audit = async () => (await desk.get('/api/audit')).json.items;

describe('a permission request of a tool that works in a folder', () => {
  test('that no rule names becomes an approval with its exact input, and its answer reaches the tool', async () => {
    const run = await openTool();
    const approval = await pending();
    expect(approval).toMatchObject({
      ...{ kind: 'permission', runId: run, tool: 'cli_execute', arguments: { command: 'git push' } },
      reason: 'Run git push: no rule of its permissions names cli_execute',
    });
    expect(JSON.parse(approval.preview.data)).toEqual({
      ...{ kind: 'command', argv: ['git push'], cwd: '/tmp', isSandboxed: true },
    });
    expect((await desk.post(`/api/approvals/${approval.id}`, { decision: 'allow' })).status).toBe(200);
    await desk.stage.ended(run);
    expect(told).toEqual(['allow', 'end']);
    expect(await audit()).toMatchObject([
      { actionType: 'cli_execute', wasAllowed: true, approvalId: approval.id, target: 'Run git push' },
    ]);
    const again = await desk.post(`/api/approvals/${approval.id}`, { decision: 'deny' });
    expect(again.json.error.code).toBe('APPROVAL_DECIDED');
  });

  test('is denied by a person', async () => {
    const run = await openTool();
    await desk.post(`/api/approvals/${(await pending()).id}`, { decision: 'deny' });
    await desk.stage.ended(run);
    expect(told).toEqual(['deny', 'end']);
    expect(await audit()).toMatchObject([{ wasAllowed: false }]);
  });

  test.each<[string, PermissionRules, string]>([
    ['allowed', { allow: ['cli_execute(command=git *)'] }, 'allow'],
    ['denied', { deny: ['cli_execute'] }, 'deny'],
  ])('is %s by a rule, with an audit line and no approval', async (_name, rules, answer) => {
    const run = await openTool({ rules });
    await desk.stage.ended(run);
    expect(told).toEqual([answer, 'end']);
    expect(await audit()).toMatchObject([
      { wasAllowed: answer === 'allow', why: expect.stringContaining('cli_execute') },
    ]);
    expect((await desk.get('/api/approvals')).json.items).toEqual([]);
  });

  test('takes no edited arguments and no lasting answer, and stays pending', async () => {
    await openTool();
    const approval = await pending();
    for (const more of [{ arguments: { command: 'ls' } }, { remember: 'run' }]) {
      const { json } = await desk.post(`/api/approvals/${approval.id}`, { decision: 'allow', ...more });
      expect(json.error.code).toBe('BAD_REQUEST');
    }
    expect((await stored(approval)).status).toBe('pending');
  });

  test('waits on where the store cannot be read for a moment', async () => {
    const clock = new SimulatedClock();
    const refused = () => Promise.reject(new EngineError('STORE_FAILED', 'the store is away', { retryable: true }));
    let reads = 0;
    // The rules of a chat are read from the store, before a person is asked and after the answer.
    const rules = async () => (++reads === 2 ? refused() : []);
    const run = await openTool({ clock, work: { rules } });
    const approval = await pending();
    const { store, live } = desk.stage.app.deps;
    const get = store.get.bind(store);
    const refusal = Promise.withResolvers<void>();
    const spy = vi.spyOn(store, 'get').mockImplementation((table, key) => {
      if (table !== 'approval') return get(table, key);
      spy.mockRestore();
      refusal.resolve();
      return refused();
    });
    live.publish('approval', { id: approval.id, status: 'pending', runId: run });
    await refusal.promise;
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([]);
    expect((await desk.post(`/api/approvals/${approval.id}`, { decision: 'allow' })).status).toBe(200);
    await vi.waitFor(() => {
      clock.advance(1000);
      expect(told).toEqual(['allow', 'end']);
    }, PATIENCE);
    expect(await desk.stage.ended(run)).toMatchObject({ status: 'completed' });
  });

  test('lapses when the run is cancelled, and the folder is removed', async () => {
    const run = await openTool();
    const approval = await pending();
    await desk.post(`/api/runs/${run}/cancel`);
    expect((await stored(approval)).status).toBe('lapsed');
    await vi.waitFor(() => expect(told).toEqual(['end']), PATIENCE);
  });

  test('lapses at a restart: the tool begins again and asks again', async () => {
    const run = await openTool();
    const first = await pending();
    await desk.restart('another-token-for-tests-0123456789');
    const second = await vi.waitFor(async () => {
      const found = await pending();
      expect(found.id).not.toBe(first.id);
      return found;
    }, PATIENCE);
    expect((await stored(first)).status).toBe('lapsed');
    await desk.post(`/api/approvals/${second.id}`, { decision: 'allow' });
    await desk.stage.ended(run);
    expect(told).toContain('allow');
  });

  test('expires after 30 minutes, in which the time limit of the run stands still', async () => {
    const clock = new SimulatedClock(Date.UTC(2026, 10, 23, 12));
    const run = await openTool({ clock });
    const approval = await pending();
    for (let minute = 0; minute < 29; minute++) {
      clock.advance(60_000);
      await nextTry(0);
    }
    expect((await stored(approval)).status).toBe('pending');
    expect((await desk.stage.run(run)).status).toBe('running');
    await vi.waitFor(() => {
      clock.advance(5000);
      expect(told).toEqual(['deny', 'end']);
    }, PATIENCE);
    expect((await stored(approval)).status).toBe('expired');
    expect((await desk.stage.ended(run)).status).toBe('completed');
  });
});

describe('a tool that works in a folder', () => {
  test('gives its answer though the store cannot be read at the moment in which it ends', async () => {
    const clock = new SimulatedClock();
    let asked = 0;
    const ask = async () => {
      asked++;
      const { store } = desk.stage.app.deps;
      const list = store.list.bind(store);
      const spy = vi.spyOn(store, 'list').mockImplementation((table, query) => {
        if (table !== 'approval') return list(table, query);
        spy.mockRestore();
        return Promise.reject(new EngineError('STORE_FAILED', 'the store is away', { retryable: true }));
      });
      return 'Done.';
    };
    const run = await openTool({ clock, ask });
    expect(await desk.stage.ended(run)).toMatchObject({ status: 'completed', summary: 'Done.' });
    expect([asked, told]).toEqual([1, ['end']]);
  });

  test('and insists on a prompt answers without the folder, and the answer says so', async () => {
    const seen: boolean[] = [];
    const run = await openTool({
      ask: async ({ cli }) => {
        seen.push(cli?.roaming !== undefined);
        if (cli?.roaming !== undefined)
          throw new EngineError('MODEL_TOOL_PROMPT', 'it wants to be asked at a terminal');
        return 'A text.';
      },
    });
    const { dirThreadId } = await desk.stage.ended(run);
    const last = (await desk.stage.messages(dirThreadId)).at(-1);
    expect(last?.content).toBe(
      '> This answer was given without the folder: it wants to be asked at a terminal\n\nA text.',
    );
    expect(seen).toEqual([true, false]);
  });
});
