import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/src/base/error.ts';
import { isRecord } from '../../../engine/src/base/json.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { recordOf, entryScope } from '../../../engine/src/run/run.ts';
import { DISCOVERY_TOOLS } from '../../../engine/src/config/permissions.ts';
import { builtInTools, FAMILIES } from '../../../engine/src/tool/registry.ts';
import { listEntries } from '../../../engine/src/trace/entries.ts';
import type { OrchestrationEntry } from '../../../engine/src/trace/entry.ts';
import type { WorldTool } from '../../../engine/src/tool/tool.ts';
import { call, playModels, setStage, type Stage } from '../harness.ts';
import { toolServices } from '../../tool/tool-services.ts';

/** What an entry lacks of what seed 000, 3.2.0c requires of all of them. */
function entryFaults(entry: OrchestrationEntry): string[] {
  const faults: string[] = [];
  const texts = ['director', 'directorName', 'emailSummary', 'dirThreadId', 'runId', 'id'] as const;
  for (const field of texts)
    if (typeof entry[field] !== 'string' || entry[field] === '') faults.push(`${field} is missing`);
  for (const field of ['agent', 'agentName', 'fetchCycleId', 'agentThreadId'] as const)
    if (typeof entry[field] !== 'string') faults.push(`${field} is no text`);
  if ((entry.agent === '') !== (entry.agentThreadId === '')) faults.push('an agent without its thread, or the reverse');
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(entry.timestamp)) faults.push(`timestamp ${entry.timestamp}`);
  if (!['director', 'agent', 'tool', 'result'].includes(entry.phase)) faults.push(`phase ${entry.phase}`);
  if (!isRecord(entry.detail)) return [...faults, 'detail is missing'];
  if (entry.phase === 'tool') return [...faults, ...toolFaults(entry)];
  if (typeof entry.detail.action !== 'string') faults.push('detail.action is missing');
  if (entry.detail.action === 'agent_output' && entry.result === undefined)
    faults.push('agent_output without a result');
  return faults;
}

function toolFaults({ detail, result, error }: OrchestrationEntry): string[] {
  const faults: string[] = [];
  if (typeof detail.tool !== 'string' || detail.tool === '') faults.push('detail.tool is missing');
  if (detail.request === undefined) faults.push('detail.request is missing');
  const isAnswer = detail.action === undefined;
  if (isAnswer && result === undefined && error === undefined) faults.push('neither result nor error');
  // The result of an agent that failed holds what it did before.
  const isOfAgent = detail.tool?.startsWith('agent__') === true;
  if (isAnswer && !isOfAgent && result !== undefined && error !== undefined) faults.push('both result and error');
  return faults;
}

/** Arguments that a schema takes: what it requires, with a plain value of each type. */
function argumentsFor(schema: unknown): unknown {
  if (!isRecord(schema)) return 'x';
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(required.map((name: string) => [name, argumentsFor(properties[name])]));
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return 'x';
  }
}

const WORLD: WorldTool = {
  ...{ name: 'far_read', family: 'far', description: 'A tool of the world.', parameters: { type: 'object' } },
  ...{ effects: 'read', repeat: 'free', run: async () => ({ far: true }) },
};

describe('every tool of the registry', () => {
  let stage: Stage;
  let surface: string[] = [];
  const made: { name: string; id: string }[] = [];
  beforeEach(async () => {
    surface = [];
    made.length = 0;
    stage = await setStage({
      tools: [WORLD],
      models: playModels(({ role, turn, tools }) => {
        if (role === 'agent') return { content: 'as you say' };
        if (turn > 1) return { content: 'done' };
        surface = tools.map(({ function: { name } }) => name);
        const calls = tools.flatMap(({ function: { name, parameters } }, i) => [
          call(`right${i}`, name, argumentsFor(parameters)),
          call(`wrong${i}`, name, { thisIsNoArgument: true }),
          call(`broken${i}`, name, '{"'),
        ]);
        made.push(...calls.map(({ id, function: { name } }) => ({ id, name })));
        return { tool_calls: calls };
      }),
      files: {
        // Three calls of each tool are more than one answer may usually make.
        'settings.yaml': 'runs: { maxCallsPerAnswer: 500 }\nroots: { lab: ./lab }\n',
        'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [${FAMILIES.map(({ name }) => name).join(', ')}, far]\npermissions: { allow: ["*"] }\nscope: { notebooks: [lab], operations: [read, write, create, delete] }\n`,
      },
    });
  });
  afterEach(() => stage.close());

  const entries = async (): Promise<OrchestrationEntry[]> => {
    const { store } = stage.app.deps;
    const id = await stage.begin();
    // One of the tools asks the user.
    await stage.until(id, ({ waitingFor }) => waitingFor === 'answer');
    await stage.app.engine.message(id, { text: 'Monday', by: 'jane' });
    await stage.ended(id);
    const row = await store.get('run', { id });
    return row === undefined ? [] : listEntries(store, entryScope(recordOf(row)));
  };

  test('is one that a director may call', async () => {
    await entries();
    const all = [...DISCOVERY_TOOLS, 'agent__helper', ...stage.app.deps.tools.builtIn.keys()];
    expect(surface.toSorted()).toEqual(all.toSorted());
    expect(surface).toEqual(expect.arrayContaining(builtInTools(toolServices()).map(({ name }) => name)));
  });

  test('leaves an entry with all required fields for each call, right or wrong', async () => {
    const all = await entries();
    expect(
      all.flatMap((entry) => entryFaults(entry).map((fault) => `${JSON.stringify(entry.detail)}: ${fault}`)),
    ).toEqual([]);
    const answered = all
      .filter(({ phase, detail }) => phase === 'tool' && detail.action === undefined)
      .map(({ detail }) => `${detail.tool} ${String(detail['callId'])}`);
    expect(answered.toSorted()).toEqual(made.map(({ id, name }) => `${name} ${id}`).toSorted());
  });

  test('shows what was asked where it went wrong, too', async () => {
    const wrong = (await entries()).filter(({ detail }) => String(detail['callId']).startsWith('broken'));
    expect(wrong).toHaveLength(surface.length);
    for (const entry of wrong)
      expect(entry).toMatchObject({ error: { code: 'TOOL_ARGUMENTS' }, detail: { request: '{"' } });
  });

  test('anchors the thread of the agent that it talks to', async () => {
    const all = await entries();
    const anchor = all.find(({ detail, result }) => detail.tool === 'agent__helper' && result !== undefined);
    const output = all.find(({ detail }) => detail.action === 'agent_output');
    expect(anchor?.detail.sessionId).toBe(output?.agentThreadId);
    expect(output?.result).toBe('as you say');
  });
});

test('the call of an agent that fails has its error, beside what the agent did', async () => {
  const stage = await setStage({
    models: playModels(({ role, turn }) => {
      if (role === 'agent') throw new EngineError('MODEL_BAD_REQUEST', 'the server refused it');
      return turn === 1 ? { tool_calls: [call('a', 'agent__helper', { input: 'x' })] } : { content: 'Done.' };
    }),
  });
  const { id } = await stage.ended(await stage.begin());
  const row = await stage.app.deps.store.get('run', { id });
  if (row === undefined) throw new Error('no run');
  const entries = await listEntries(stage.app.deps.store, entryScope(recordOf(row)));
  const asked = entries.find(({ detail }) => detail.tool === 'agent__helper');
  expect(asked?.error).toEqual({ code: 'MODEL_BAD_REQUEST', message: 'the server refused it' });
  expect(asked?.result).toMatchObject({ done: false, error: { code: 'MODEL_BAD_REQUEST' } });
  expect(asked?.detail.request).toEqual({ input: 'x' });
  await stage.close();
});

test('an entry holds no secret, in what was asked, returned or said of an error', async () => {
  const secret = 'hunter2-and-more';
  const redactor = createRedactor();
  redactor.add(secret);
  redactor.add('detail');
  const stage = await setStage({
    redactor,
    tools: [{ ...WORLD, run: async (args: unknown) => ({ echoed: args }) }],
    models: playModels(({ turn }) =>
      turn === 1
        ? { tool_calls: [call('a', 'far_read', { token: secret }), call('b', 'far_read', `{"${secret}`)] }
        : { content: 'done' },
    ),
    files: { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [far]\n' },
  });
  await stage.ended(await stage.begin());
  const rows = await stage.app.deps.store.list('entry');
  expect(rows.map(({ body }) => body).join()).not.toContain(secret);
  expect(rows.map(({ body }) => JSON.parse(body) as object)).toContainEqual(
    expect.objectContaining({
      detail: expect.objectContaining({ tool: 'far_read', request: { token: '[redacted]' } }) as object,
      result: { echoed: { token: '[redacted]' } },
    }),
  );
  await stage.close();
});

describe('the walk itself', () => {
  const good: OrchestrationEntry = {
    ...{ id: 'run_1.1', timestamp: '2026-11-21T10:00:00.000Z', runId: 'run_1', director: 'boss', directorName: 'Boss' },
    ...{ agent: '', agentName: '', emailSummary: 'Invoice', phase: 'tool', fetchCycleId: '', dirThreadId: 'th_1' },
    ...{ agentThreadId: '', detail: { tool: 'look', request: {} }, result: null },
  };
  test.each<[string, Partial<OrchestrationEntry>]>([
    ['no tool', { detail: { request: {} } }],
    ['no request', { detail: { tool: 'look' } }],
    ['neither result nor error', { result: undefined }],
    ['no director', { director: '' }],
    ['no summary', { emailSummary: '' }],
    ['an agent without a thread', { agent: 'helper' }],
    ['an unknown phase', { phase: 'other' as 'tool' }],
    ['a lifecycle entry without an action', { phase: 'director', detail: {} }],
    [
      'an output of an agent without its words',
      { phase: 'agent', detail: { action: 'agent_output' }, result: undefined },
    ],
  ])('finds fault with %s', (_name, patch) => {
    expect(entryFaults(good)).toEqual([]);
    expect(entryFaults({ ...good, ...patch })).not.toEqual([]);
  });
});
