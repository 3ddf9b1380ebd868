import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openAgenda } from '../../../engine/src/agenda/open-agenda.ts';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { idempotencyKey } from '../../../engine/src/run/ledger.ts';
import { builtInTools } from '../../../engine/src/tool/registry.ts';
import type { WorldTool } from '../../../engine/src/tool/tool.ts';
import { call, playModels, setStage, type Stage } from '../../run/harness.ts';
import { toolServices } from '../tool-services.ts';

const SETTINGS = 'calendar: { timeZone: Europe/Berlin }\n';
const EVENT = { title: 'Call', start: '2026-11-25T14:00', end: '2026-11-25T14:30' };

let stage: Stage | undefined;

afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

/** A run of a director with these rules who makes one call and is done; its answer as the model reads it. */
async function callOnce(name: string, args: object, director: string): Promise<{ status: string; answer: unknown }> {
  stage = await setStage({
    files: {
      'settings.yaml': SETTINGS,
      'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\n${director}\n`,
    },
    models: playModels(({ turn }) => (turn === 1 ? { tool_calls: [call('a', name, args)] } : { content: 'done' })),
  });
  const id = await stage.begin();
  const run = await stage.until(id, ({ status }) => ['completed', 'failed', 'waiting'].includes(status));
  const answer = (await stage.messages(run.dirThreadId)).find(({ role }) => role === 'tool')?.content;
  return { status: run.status, answer: typeof answer === 'string' ? (JSON.parse(answer) as unknown) : undefined };
}

const files = () =>
  readdirSync(stage?.root ?? '').includes('calendar') ? readdirSync(join(stage?.root ?? '', 'calendar')) : [];

/** A tool of the running app, with the context of one call. */
function toolOf(name: string) {
  const tool = stage?.app.deps.tools.builtIn.get(name) as WorldTool;
  const caller = { runId: 'r', workspaceId: 'r', threadId: 't', origin: {} } as unknown as Parameters<
    WorldTool['run']
  >[1]['caller'];
  return (args: object, key = 'k') =>
    tool.run(args as Record<string, unknown>, { caller, key: idempotencyKey('m', key) });
}

/** The agenda of the app that runs now. */
function here() {
  if (stage === undefined) throw new Error('there is no stage');
  const { app, root } = stage;
  return openAgenda({
    config: () => app.config.current(),
    baseDir: root,
    store: app.deps.store,
    clock: systemClock,
    workers: app.calendarWorkers,
    tokensOf: (accountId) => app.connections.tokensOf(accountId),
  });
}

describe('the calendar of a run', () => {
  test('is read without asking, by the names of seed 000', async () => {
    const args = { provider: 'local', dateRange: { start: '2026-11-25', end: '2026-11-25' } };
    expect(await callOnce('calendar_read', args, 'tools: [calendar]')).toEqual({
      status: 'completed',
      answer: { timeZone: 'Europe/Berlin', events: [] },
    });
  });

  test('takes an event that a rule allows, into the folder beside the config', async () => {
    const { answer } = await callOnce(
      'calendar_add',
      { event: EVENT },
      'tools: [calendar]\npermissions: { allow: [calendar_add] }',
    );
    expect(answer).toMatchObject({ timeZone: 'Europe/Berlin', event: { start: '2026-11-25T14:00:00+01:00' } });
    expect(files()).toHaveLength(1);
  });

  test('asks a person before an event is added', async () => {
    const { status } = await callOnce('calendar_add', { event: EVENT }, 'tools: [calendar]');
    expect(status).toBe('waiting');
    expect(files()).toEqual([]);
  });

  test.each([
    ['calendar_add', { event: { ...EVENT, end: '2026-11-25T13:00' } }, 'it ends at'],
    ['calendar_add', { accountId: 'nobody', event: EVENT }, 'there is no account'],
    ['todo_add', { task: { title: 'x', due: '2026-02-30' } }, 'is no day'],
    ['todo_add', { provider: 'google', task: { title: 'x' } }, "no account with Google's"],
  ])('asks nobody about %s %j, which cannot be', async (name, args, message) => {
    const { status, answer } = await callOnce(name, args, 'tools: [calendar, todo]');
    expect([status, JSON.stringify(answer)]).toEqual(['completed', expect.stringContaining(message)]);
  });

  test('is known by the names of seed 003 in the config, and shown to models by its own', async () => {
    const director = 'tools: [list_events, create_event]\npermissions: { allow: [create_event] }';
    const { answer } = await callOnce('calendar_add', { event: EVENT }, director);
    expect(answer).toMatchObject({ event: { title: 'Call' } });
    expect(stage?.app.config.problems()).toEqual([]);
    expect(stage?.app.config.current().directors.get('boss')?.tools).toEqual(['calendar_read', 'calendar_add']);
  });

  test('of an account or a provider that there is not is refused by name', async () => {
    const dateRange = { start: '2026-11-25', end: '2026-11-25' };
    const { answer } = await callOnce('calendar_read', { accountId: 'nobody', dateRange }, 'tools: [calendar]');
    expect(answer).toMatchObject({ error: { code: 'TOOL_ARGUMENTS', message: 'there is no account "nobody"' } });
    await expect(toolOf('calendar_read')({ provider: 'gmail', dateRange })).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS',
      message: "there is no account with Google's calendar and list",
    });
  });
});

test('a zone that there is not is a problem of the settings', async () => {
  stage = await setStage({ files: { 'settings.yaml': 'calendar: { timeZone: Europe/Berln }\n' } });
  expect(stage.app.config.problems()).toMatchObject([
    {
      code: 'CONFIG_VALUE',
      path: '/calendar/timeZone',
      message: '"Europe/Berln" is not a time zone; did you mean "Europe/Berlin"?',
    },
  ]);
});

describe('the list of to-dos', () => {
  test('holds a to-do once for a key, also after a restart', async () => {
    stage = await setStage();
    const task = { title: 'Send the proofs', due: '2026-11-25' };
    const first = await toolOf('todo_add')({ task });
    await stage.restart();
    expect(await toolOf('todo_add')({ task })).toEqual(first);
    await toolOf('todo_add')({ task: { title: 'Another' } }, 'k2');
    const listed = (await toolOf('todo_list')({})) as { tasks: { title: string }[] };
    expect(listed.tasks.map(({ title }) => title).sort()).toEqual(['Another', 'Send the proofs']);
    expect(listed.tasks).toContainEqual({
      ...{ id: expect.stringMatching(/^todo_/) as string, ...task, status: 'open' },
      createdAt: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    });
    expect(await toolOf('todo_list')({ status: 'done' })).toEqual({ tasks: [] });
    expect(await toolOf('todo_list')({ status: 'all', limit: 1 })).toMatchObject({ tasks: [{}] });
  });

  test('refuses a day that there is not', async () => {
    stage = await setStage();
    await expect(toolOf('todo_add')({ task: { title: 'x', due: '2026-02-30' } })).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS',
      message: 'task.due: "2026-02-30" is no day',
    });
  });
});

test.each([
  { name: 'calendar_add', args: { event: EVENT }, rows: () => files().length },
  {
    ...{ name: 'todo_add', args: { task: { title: 'Once' } } },
    rows: async () => (await stage?.app.deps.store.list('todo'))?.length,
  },
])(
  '$name adds nothing twice when the process dies between the effect and its outcome',
  async ({ name, args, rows }) => {
    let isDead = false;
    let die = () => {};
    const died = new Promise<void>((resolve) => (die = resolve));
    const models = playModels(({ turn }) =>
      turn === 1 ? { tool_calls: [call('a', name, args)] } : { content: 'done' },
    );
    const family = name.split('_')[0] ?? '';
    stage = await setStage({
      models,
      files: {
        'settings.yaml': SETTINGS,
        'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\ntools: [${family}]\npermissions: { allow: [${name}] }\n`,
      },
    });
    const tool = builtInTools(toolServices({ agenda: here })).find((one) => one.name === name) as WorldTool;
    // The effect happens, and what it came to is lost.
    const lossy: WorldTool = {
      ...tool,
      async run(given, context) {
        const value = await tool.run(given, context);
        if (isDead) return value;
        isDead = true;
        die();
        return new Promise(() => {});
      },
    };
    await stage.restart({ tools: [lossy] });
    const id = await stage.begin();
    await died;
    expect(await rows()).toBe(1);
    await stage.restart({ tools: [] });
    expect((await stage.ended(id)).status).toBe('completed');
    expect(await rows()).toBe(1);
  },
);
