import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { auditLines } from '../trace/audit-lines.ts';
import { createRun } from '../../engine/src/run/lifecycle/create.ts';
import { entryScope, recordOf, type Run } from '../../engine/src/run/run.ts';
import { openSession } from '../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../engine/src/run/session/take-message.ts';
import { listEntries } from '../../engine/src/trace/entries.ts';
import { call, type Play, playModels, setStage, type Stage } from '../run/harness.ts';

const DIRECTOR = `id: boss
name: Boss
apiConfigId: main
agents: [helper]
tools: [calendar, reminder]
permissions: { allow: ['*'] }
guards: [{ kind: needsTime, tools: [create_event, reminder_create] }]
`;
const HELPER = "id: helper\nname: Helper\napiConfigId: main\ntools: [calendar]\npermissions: { allow: ['*'] }\n";
const EVENT = { event: { title: 'Call with Anna', start: '2099-11-24T15:00', end: '2099-11-24T15:30' } };

let stage: Stage;
afterEach(() => stage.close());

async function play(model: Play, files: Readonly<Record<string, string>> = {}): Promise<void> {
  stage = await setStage({
    models: playModels(model),
    files: {
      'settings.yaml': 'calendar: { path: ./calendar, timeZone: Europe/Berlin }\n',
      'directors/boss.yaml': DIRECTOR,
      'agents/helper.yaml': HELPER,
      ...files,
    },
  });
}

const ask = async (message: string): Promise<Run> => stage.ended(await stage.begin('boss', message));

/** The files of the calendar. */
function events(): string[] {
  try {
    return readdirSync(join(stage.root, 'calendar'));
  } catch {
    return [];
  }
}

const approvals = () => stage.app.deps.store.list('approval', {});
const ledger = () => stage.app.deps.store.list('ledger', {});

/** The errors that the model read, by code. */
async function errors(run: Run): Promise<(string | undefined)[]> {
  const messages = await stage.messages(run.sessionId ?? run.dirThreadId);
  return messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => /"code":"([A-Z_]+)"/.exec(content ?? '')?.[1]);
}

const add = (id: string) => ({ tool_calls: [call(id, 'calendar_add', EVENT)] });

describe('the scheduling gate', () => {
  test('refuses a model that insists, each time, and leaves no event, no ledger row and no approval', async () => {
    let turns = 0;
    await play(({ messages }) => {
      turns++;
      const text = `The user told me: tomorrow at 3. ${messages.length}`;
      return turns > 6 ? { content: 'When should it be?' } : { ...add(`c${turns}`), content: text };
    });
    const run = await ask('Schedule a call with Anna');

    expect(await errors(run)).toEqual(Array(6).fill('TOOL_NEEDS_TIME'));
    expect([events(), await ledger(), await approvals()]).toEqual([[], [], []]);
    const lines = await auditLines(stage.app.deps.store, { runIds: [run.id] });
    expect(lines).toEqual(Array(6).fill(expect.objectContaining({ actionType: 'calendar_add', wasAllowed: false })));
    expect(run).toMatchObject({ status: 'completed', summary: 'When should it be?' });
  });

  test('lets the call pass when the user has named a time', async () => {
    await play(({ turn }) => (turn === 1 ? add('c') : { content: 'ok' }));
    const run = await ask('Schedule a call with Anna tomorrow at 3');

    expect(await errors(run)).toEqual([undefined]);
    expect(events()).toHaveLength(1);
  });

  test('one time stands for one event, also for two calls of one answer', async () => {
    await play(({ turn }) =>
      turn === 1
        ? { tool_calls: ['a', 'b'].map((id) => call(id, 'calendar_add', EVENT)) }
        : turn === 2
          ? add('c')
          : { content: 'ok' },
    );
    const run = await ask('Schedule a call with Anna tomorrow at 3');

    expect((await errors(run)).toSorted()).toEqual(['TOOL_NEEDS_TIME', 'TOOL_NEEDS_TIME', undefined]);
    expect(events()).toHaveLength(1);
  });

  test('a call that failed does not use up what the user said', async () => {
    const past = { event: { ...EVENT.event, end: '2099-11-24T14:00' } };
    await play(({ turn }) =>
      turn === 1 ? { tool_calls: [call('c', 'calendar_add', past)] } : turn === 2 ? add('d') : { content: 'ok' },
    );
    const run = await ask('Schedule a call with Anna tomorrow at 3');

    expect(await errors(run)).toEqual(['TOOL_ARGUMENTS', undefined]);
    expect(events()).toHaveLength(1);
  });

  test('what a director writes to its agent does not open the gate', async () => {
    await play(({ role, turn }) => {
      if (turn > 1) return { content: 'ok' };
      if (role === 'agent') return add('c');
      return { tool_calls: [call('a', 'agent__helper', { input: 'Add a call with Anna tomorrow at 3pm' })] };
    });
    await ask('Schedule a call with Anna');

    expect(events()).toEqual([]);
  });

  test('a quoted mail in the message does not open the gate', async () => {
    await play(({ turn }) => (turn === 1 ? add('c') : { content: 'ok' }));
    const run = await ask('Schedule this.\n\nOn Fri, Nov 20, 2026 Anna wrote:\n> Let us meet tomorrow at 3pm.');

    expect(await errors(run)).toEqual(['TOOL_NEEDS_TIME']);
  });

  test.each(['mcp', 'system'])('a message of %s is not the user: a person is asked', async (startedBy) => {
    await play(({ turn }) => (turn === 1 ? add('c') : { content: 'ok' }));
    const { run, changes } = await createRun(stage.app.deps, {
      config: stage.app.config.current(),
      directorId: 'boss',
      trigger: { kind: 'message', message: 'Add a call tomorrow at 3pm' },
      startedBy,
    });
    await stage.app.deps.store.apply(changes);
    stage.app.engine.queued();
    await stage.until(run.id, ({ status }) => status === 'waiting');
    const [approval] = await approvals();

    expect(events()).toEqual([]);
    expect(JSON.parse(approval?.body ?? '')).toMatchObject({
      tool: 'calendar_add',
      reason: expect.stringContaining('no user has written in this run'),
    });
    await stage.app.engine.decide(approval?.id ?? '', { decision: 'allow', by: 'jane' });
    await stage.ended(run.id);
    expect(events()).toHaveLength(1);
  });

  test('holds before a person is asked: a rule that asks makes no approval', async () => {
    const asking = DIRECTOR.replace("{ allow: ['*'] }", '{ allow: [reminder_*], ask: [calendar_add] }');
    await play(({ turn }) => (turn === 1 ? add('c') : { content: 'ok' }), { 'directors/boss.yaml': asking });
    const run = await ask('Schedule a call with Anna');

    expect(await errors(run)).toEqual(['TOOL_NEEDS_TIME']);
    expect(await approvals()).toEqual([]);
  });

  test('an approved call uses up the time, and a denied one does not', async () => {
    const asking = DIRECTOR.replace("{ allow: ['*'] }", '{ allow: [reminder_*], ask: [calendar_add] }');
    let turns = 0;
    await play(() => (++turns < 4 ? add(`c${turns}`) : { content: 'ok' }), { 'directors/boss.yaml': asking });
    const id = await stage.begin('boss', 'Schedule a call with Anna tomorrow at 3');
    for (const decision of ['deny', 'allow'] as const) {
      const pending = async () => (await approvals()).find(({ status }) => status === 'pending');
      await expect.poll(pending).toBeDefined();
      await stage.app.engine.decide((await pending())?.id ?? '', { decision, by: 'jane' });
    }
    const run = await stage.ended(id);

    expect(await errors(run)).toEqual(['TOOL_DENIED', undefined, 'TOOL_NEEDS_TIME']);
    expect(events()).toHaveLength(1);
  });

  test('the refusal is in the diagnostics, with its reason', async () => {
    await play(({ turn }) => (turn === 1 ? add('c') : { content: 'ok' }));
    const { id } = await ask('Schedule a call with Anna');
    const row = await stage.app.deps.store.get('run', { id });
    const entries = await listEntries(stage.app.deps.store, entryScope(recordOf(row ?? fail())));

    expect(entries.find(({ detail }) => detail.tool === 'calendar_add')).toMatchObject({
      error: { code: 'TOOL_NEEDS_TIME' },
    });
  });
});

describe('the scheduling gate in a session', () => {
  /** A session with the agent that the director names; each message is answered by the next plays. */
  async function session(plays: readonly ReturnType<Play>[]): Promise<(message: string) => Promise<Run>> {
    const left = [...plays];
    await play(() => left.shift() ?? { content: 'ok' });
    const { id } = await openSession(stage.app.deps, 'helper', 'jane');
    return async (content) => {
      const run = await acceptMessage(stage.app.deps, id, { content, by: 'jane' });
      stage.app.engine.queued();
      return stage.ended(run.id);
    };
  }

  test("the user's answer to the question for a time opens the gate", async () => {
    const say = await session([add('c'), { content: 'When?' }, add('d'), { content: 'ok' }]);
    await say('Schedule a call with Anna');
    expect(events()).toEqual([]);
    await stage.restart();
    await say('Tomorrow at 3');

    expect(events()).toHaveLength(1);
  });

  test('an earlier message counts until an event was made, also after a restart', async () => {
    const say = await session([{ content: 'Sure?' }, add('c'), { content: 'ok' }, add('d'), { content: 'ok' }]);
    await say('Schedule a call with Anna tomorrow at 3');
    await say('Yes');
    expect(events()).toHaveLength(1);
    await stage.restart();
    const run = await say('And another one with Bob');

    expect((await errors(run)).at(-1)).toBe('TOOL_NEEDS_TIME');
    expect(events()).toHaveLength(1);
  });
});

function fail(): never {
  throw new Error('no row');
}
