import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../engine/src/base/clock.ts';
import type { ModelRequest } from '../../../../engine/src/model/model.ts';
import type { AgentSession } from '../../../../engine/src/run/session/session.ts';
import type { LiveEvent } from '../../../../engine/src/trace/live-bus.ts';
import { call, type Play } from '../../../run/harness.ts';
import { type Answer, type Desk, openDesk } from '../../harness.ts';

const MINUTE = 60_000;
const HELPER = 'id: helper\nname: Helper\ndescription: Helps.\napiConfigId: main\n';

let desk: Desk;
afterEach(() => desk.close());

type Options = Parameters<typeof openDesk>[0] & { clock?: SimulatedClock };

/** A desk with a session of `helper`. */
async function open({ clock, ...options }: Options = {}): Promise<string> {
  desk = await openDesk({
    ...options,
    files: { 'agents/helper.yaml': HELPER, ...options.files },
    ...(clock !== undefined && { app: { clock } }),
  });
  const { status, json } = await desk.post('/api/agents/helper/sessions');
  expect(status).toBe(201);
  return json.id;
}

const session = (answer: Answer) => answer.json as unknown as AgentSession;
const say = (id: string, content: string, more: object = {}) =>
  desk.post(`/api/sessions/${id}/message`, { content, ...more });
const words = (answer: Answer) => session(answer).messages?.map(({ role, content }) => `${role}: ${content}`);
const never: Play = ({ signal }) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

describe('a session', () => {
  test('begins empty, with nobody at work', async () => {
    const id = await open();
    expect(session(await desk.get(`/api/sessions/${id}`))).toMatchObject({
      id,
      kind: 'agent',
      agentId: 'helper',
      agentName: 'Helper',
      directorId: '',
      runId: '',
      startedBy: 'local',
      status: 'pending',
      threadStatus: 'ongoing',
      tokensUsed: 0,
      apiCallsMade: 0,
      filesModified: [],
      messages: [],
      pendingActions: [],
      expiresAt: expect.any(String),
    });
  });

  test('says which messages are those of the prompt, such as examples', async () => {
    const examples = "  - { role: user, content: 'I love it' }\n  - { role: assistant, content: happy }\n";
    const prompt = `prompt:\n  - { role: system, content: Say the mood. }\n${examples}`;
    const id = await open({
      files: { 'agents/helper.yaml': `${HELPER}${prompt}` },
      play: () => ({ content: 'calm' }),
    });
    await say(id, 'It rains.');
    const answer = await say(id, 'It snows.');
    expect(session(answer).prompts).toEqual([{ from: 0, count: 3 }]);
    expect(words(answer)?.slice(3)).toEqual([
      'user: It rains.',
      'assistant: calm',
      'user: It snows.',
      'assistant: calm',
    ]);
  });

  test('keeps the message apart from a prompt that goes on after it', async () => {
    const [before, after] = ["'Question: {{message}}'", "'Answer in one sentence.'"];
    const prompt = `prompt:\n  - { role: system, content: Help. }\n  - { role: user, content: ${before} }\n  - { role: user, content: ${after} }\n`;
    const id = await open({
      files: { 'agents/helper.yaml': `${HELPER}${prompt}` },
      play: () => ({ content: 'calm' }),
    });
    await say(id, 'Does it rain?');
    const answer = await say(id, 'It snows.');
    const { prompts = [] } = session(answer);
    const isOfPrompt = (at: number) => prompts.some(({ from, count }) => at >= from && at < from + count);
    expect(words(answer)?.filter((_word, at) => !isOfPrompt(at))).toEqual([
      'user: Question: Does it rain?',
      'assistant: calm',
      'user: It snows.',
      'assistant: calm',
    ]);
    expect(prompts).toEqual([
      { from: 0, count: 1 },
      { from: 2, count: 1 },
    ]);
  });

  test('answers a message with what the agent says, and remembers what was said', async () => {
    const id = await open({ play: ({ messages }) => ({ content: `I know ${messages.length} messages.` }) });
    const first = await say(id, 'hello');
    expect(first.status).toBe(200);
    expect(words(first)).toEqual(['system: You are Helper. Helps.', 'user: hello', 'assistant: I know 2 messages.']);
    expect(words(await say(id, 'and now?'))?.slice(3)).toEqual(['user: and now?', 'assistant: I know 4 messages.']);
  });

  test('makes each message a run of the agent without a director', async () => {
    const id = await open();
    const { run } = session(await say(id, 'hello'));
    expect(run).toMatchObject({
      mode: 'session',
      status: 'completed',
      startedBy: 'local',
      trigger: { kind: 'message', message: 'hello' },
      directorId: '',
      dirThreadId: '',
      agentId: 'helper',
      agentName: 'Helper',
      sessionId: id,
      summary: 'done',
      apis: [{ id: 'main' }],
      usage: { turns: 1, inputTokens: 10, outputTokens: 1 },
    });
    expect(Object.keys(run?.documents ?? {}).sort()).toEqual(['agents/helper', 'apis/main']);
    expect((await desk.get('/api/runs')).json.items).toMatchObject([{ id: run?.id, agentId: 'helper' }]);
  });

  test('keeps what is made in it in one workspace, as the work of the agent', async () => {
    const id = await open({
      play: ({ turn, messages }) =>
        turn === 1
          ? { tool_calls: [call('a', 'workspace_add_item', { data: String(messages.at(-1)?.content) })] }
          : { content: 'Noted.' },
    });
    const first = session(await say(id, 'one'));
    const second = session(await say(id, 'two'));
    expect(second.workspaceId).toBe(first.run?.id);
    const { json } = await desk.get(`/api/workspaces/${second.workspaceId}/items`);
    expect(json.items).toMatchObject([
      { data: 'one', context: { createdBy: 'agent', agentId: 'helper', director: { id: '' } } },
      { data: 'two' },
    ]);
  });

  test('shows the agent its own tools only, under its own permissions', async () => {
    const seen: ModelRequest[] = [];
    const id = await open({
      files: { 'agents/helper.yaml': `${HELPER}permissions: { deny: [workspace_remove_item] }\n` },
      play: (request) => {
        seen.push(request);
        return { content: 'ok' };
      },
    });
    await say(id, 'hello');
    expect(seen[0]).toMatchObject({ role: 'agent', actorId: 'helper' });
    expect(seen[0]?.tools.map((tool) => tool.function.name)).toEqual([
      'workspace_add_item',
      'workspace_list_items',
      'workspace_get_item',
      'workspace_update_item',
    ]);
  });

  test('is listed with its agent, the newest first, page by page', async () => {
    const first = await open();
    const second = (await desk.post('/api/agents/helper/sessions')).json.id;
    await desk.post('/api/runs', { directorId: 'boss', message: 'x' });
    const page = await desk.get('/api/agents/helper/sessions?limit=1');
    expect(page.json.items.map(({ id }) => id)).toEqual([second]);
    const rest = await desk.get(`/api/agents/helper/sessions?limit=1&cursor=${page.json.nextCursor}`);
    expect(rest.json.items.map(({ id }) => id)).toEqual([first]);
    expect(rest.json.items[0]).not.toHaveProperty('messages');
    await desk.rest();
  });
});

describe('the config of a session', () => {
  test('is the newest at each message, and a prompt that has changed is said anew', async () => {
    const id = await open();
    const first = session(await say(id, 'one')).run;
    desk.stage.write({ 'agents/helper.yaml': `${HELPER}prompt: [{ role: system, content: "Be brief. You hear:" }]\n` });
    await desk.stage.app.config.refresh();
    const second = await say(id, 'two');
    expect(session(second).run?.revision).not.toBe(first?.revision);
    expect(words(second)?.slice(3)).toEqual(['system: Be brief. You hear:', 'user: two', 'assistant: done']);
    desk.stage.write({ 'settings.yaml': 'sessionTimeoutMinutes: 7\n' });
    await desk.stage.app.config.refresh();
    expect(words(await say(id, 'three'))?.slice(6)).toEqual(['user: three', 'assistant: done']);
  });

  test('lends an agent without an api that of the directors who ask it, where they share one', async () => {
    const bare = { 'agents/helper.yaml': 'id: helper\nname: Helper\n' };
    await open({ files: bare });
    desk.stage.write({
      'apis/other.yaml': 'id: other\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\n',
      'directors/chief.yaml': 'id: chief\nname: Chief\napiConfigId: other\nagents: [helper]\n',
    });
    await desk.stage.app.config.refresh();
    const { status, json } = await desk.post('/api/agents/helper/sessions');
    expect([status, json.error.code]).toEqual([422, 'CONFIG_INVALID']);
    expect(json.error.hint).toContain('apiConfigId');
  });
});

describe('a message that has to wait', () => {
  test('is answered at once when a limit of the agent is hit, with which one and until when', async () => {
    const clock = new SimulatedClock();
    const told: LiveEvent['data'][] = [];
    const id = await open({
      clock,
      files: { 'agents/helper.yaml': `${HELPER}limits: { requestsPerHour: 1 }\n` },
    });
    desk.services.deps.live.subscribe(({ name, data }) => name === 'run' && told.push(data));
    await say(id, 'one');
    const until = new Date(clock.now() + 60 * MINUTE).toISOString();
    // The clock stands still: an answer that waited for anything but the limit would never come.
    const answer = await say(id, 'two');
    expect(answer.status).toBe(202);
    const limit = { waitingFor: 'limit', limit: 'agent helper', until };
    expect(session(answer)).toMatchObject({ ...limit, status: 'running', run: { status: 'waiting', ...limit } });
    expect(told.at(-1)).toMatchObject({ sessionId: id, agentId: 'helper', status: 'waiting', ...limit });
    const logs = await desk.get(`/api/diagnostics?runId=${session(answer).run?.id}`);
    expect(logs.json.items.map(({ detail }) => (detail as { action: string }).action)).toContain('limit_wait');
    clock.advance(60 * MINUTE);
    await desk.stage.ended(session(answer).run?.id ?? '');
    const after = await desk.get(`/api/sessions/${id}`);
    expect(session(after)).not.toHaveProperty('limit');
    expect(words(after)?.at(-1)).toBe('assistant: done');
  });

  test('is answered at once when a limit of the api is hit', async () => {
    const clock = new SimulatedClock();
    const api = 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\nlimits: { requestsPerMinute: 1 }\n';
    const id = await open({ clock, files: { 'apis/main.yaml': api } });
    await say(id, 'one');
    const until = new Date(clock.now() + MINUTE).toISOString();
    expect(session(await say(id, 'two'))).toMatchObject({ waitingFor: 'limit', limit: 'api main', until });
  });

  test('is answered when the time to wait is over, and goes on', async () => {
    const { promise, resolve: finish } = Promise.withResolvers<{ content: string }>();
    const id = await open({ play: () => promise });
    const answer = await say(id, 'slow', { waitSeconds: 0 });
    expect(answer.status).toBe(202);
    const { run } = session(answer);
    await desk.stage.until(run?.id ?? '', ({ status }) => status === 'running');
    finish({ content: 'late' });
    await desk.stage.ended(run?.id ?? '');
    expect(words(await desk.get(`/api/sessions/${id}`))?.at(-1)).toBe('assistant: late');
  });

  test('keeps another one from being taken, also of two that come at once', async () => {
    const id = await open({ play: never });
    const answers = await Promise.all([say(id, 'one', { waitSeconds: 0 }), say(id, 'two', { waitSeconds: 0 })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(answers.find(({ status }) => status === 409)?.json.error.code).toBe('SESSION_BUSY');
    expect((await say(id, 'three')).json.error.code).toBe('SESSION_BUSY');
    expect(await desk.services.deps.store.count('run')).toBe(1);
  });
});

describe('what a session asks its person', () => {
  const ASKS = { 'agents/helper.yaml': `${HELPER}permissions: { ask: [workspace_add_item] }\n` };
  const adds: Play = ({ turn }) =>
    turn === 1 ? { tool_calls: [call('a', 'workspace_add_item', { data: 'x' })] } : { content: 'Done.' };

  test('is a pending action, and confirming it lets the agent go on', async () => {
    const id = await open({ files: ASKS, play: adds });
    const asked = await say(id, 'add it');
    expect(asked.status).toBe(202);
    expect(session(asked)).toMatchObject({
      waitingFor: 'approval',
      pendingActions: [{ type: 'workspace_add_item', arguments: { data: 'x' }, requiresConfirmation: true }],
    });
    const { runId, pendingActions } = session(asked);
    const approvals = await desk.get(`/api/approvals?runId=${runId}`);
    expect(approvals.json.items).toMatchObject([
      { requestedBy: { directorId: '', agentId: 'helper' }, agentName: 'Helper' },
    ]);
    const confirmed = await desk.post(`/api/sessions/${id}/confirm`, {
      actionId: pendingActions[0]?.id,
      confirmed: true,
    });
    expect(confirmed.status).toBe(200);
    expect(session(confirmed)).toMatchObject({ run: { status: 'completed' }, pendingActions: [] });
    expect((await desk.get(`/api/workspaces/${runId}/items`)).json.items).toMatchObject([{ data: 'x' }]);
  });

  test('can be refused with a reason that the agent reads', async () => {
    const id = await open({ files: ASKS, play: adds });
    await say(id, 'add it');
    const answer = await desk.post(`/api/sessions/${id}/confirm`, { confirmed: false, reason: 'not today' });
    expect(words(answer)?.at(-2)).toContain('not today');
    expect((await desk.get(`/api/workspaces/${session(answer).runId}/items`)).json.items).toEqual([]);
  });

  test('is answered once: a second answer is told so, as that of an approval is', async () => {
    const id = await open({ files: ASKS, play: adds });
    const { pendingActions, runId } = session(await say(id, 'add it'));
    const confirm = () =>
      desk.post(`/api/sessions/${id}/confirm`, { actionId: pendingActions[0]?.id, confirmed: true });
    expect((await confirm()).status).toBe(200);
    const again = await confirm();
    expect([again.status, again.json.error.code]).toEqual([409, 'APPROVAL_DECIDED']);
    expect((await desk.get(`/api/workspaces/${runId}/items`)).json.items).toHaveLength(1);
    const other = (await desk.post('/api/agents/helper/sessions')).json.id;
    const body = { actionId: pendingActions[0]?.id, confirmed: true };
    expect((await desk.post(`/api/sessions/${other}/confirm`, body)).json.error.code).toBe('NOT_FOUND');
  });

  test('must be named where there are several, and exist', async () => {
    const two: Play = ({ turn }) =>
      turn === 1
        ? { tool_calls: ['a', 'b'].map((data) => call(data, 'workspace_add_item', { data })) }
        : { content: 'Done.' };
    const id = await open({ files: ASKS, play: two });
    const { pendingActions } = session(await say(id, 'add both'));
    const confirm = (body: object) => desk.post(`/api/sessions/${id}/confirm`, body);
    expect((await confirm({ confirmed: true })).json.error.code).toBe('BAD_REQUEST');
    expect((await confirm({ confirmed: true, actionId: 'appr_none' })).json.error.code).toBe('NOT_FOUND');
    const first = await confirm({ confirmed: true, actionId: pendingActions[0]?.id });
    expect(session(first).pendingActions.map(({ id }) => id)).toEqual([pendingActions[1]?.id]);
    expect(session(await confirm({ confirmed: true })).run?.status).toBe('completed');
    expect((await confirm({ confirmed: true })).json.error.code).toBe('NOT_FOUND');
  });
});

describe('cancelling', () => {
  test('ends the work on a message; the session takes the next one', async () => {
    let answers = 0;
    const id = await open({ play: (request) => (answers++ === 0 ? never(request) : { content: 'Here.' }) });
    await say(id, 'one', { waitSeconds: 0 });
    const cancelled = session(await desk.post(`/api/sessions/${id}/cancel`));
    expect(cancelled).toMatchObject({ status: 'cancelled', threadStatus: 'ongoing', run: { status: 'cancelled' } });
    expect(words(await say(id, 'two'))?.slice(-2)).toEqual(['user: two', 'assistant: Here.']);
    expect((await desk.post(`/api/sessions/${id}/cancel`)).json.error.code).toBe('RUN_NOT_ACTIVE');
  });

  test('can end the session too', async () => {
    const id = await open({ play: never });
    await say(id, 'one', { waitSeconds: 0 });
    const ended = session(await desk.post(`/api/sessions/${id}/cancel`, { end: true }));
    expect(ended).toMatchObject({ status: 'cancelled', threadStatus: 'completed', endedAt: expect.any(String) });
    const { status, json } = await say(id, 'two');
    expect([status, json.error.code]).toEqual([409, 'SESSION_COMPLETED']);
  });
});

describe('a session that nobody uses', () => {
  test('expires after the time of the settings, counted from the end of the last work', async () => {
    const clock = new SimulatedClock();
    const { promise, resolve: finish } = Promise.withResolvers<{ content: string }>();
    const play: Play = () => promise;
    const files = { 'settings.yaml': 'sessionTimeoutMinutes: 5\n' };
    const id = await open({ clock, files, play });
    await say(id, 'one', { waitSeconds: 0 });
    const { runId } = session(await desk.get(`/api/sessions/${id}`));
    await desk.stage.until(runId, ({ status }) => status === 'running');
    clock.advance(6 * MINUTE);
    expect(session(await desk.get(`/api/sessions/${id}`))).toMatchObject({
      status: 'running',
      threadStatus: 'ongoing',
    });
    finish({ content: 'ok' });
    await desk.stage.ended(runId);
    clock.advance(5 * MINUTE - 1);
    expect(session(await desk.get(`/api/sessions/${id}`))).toMatchObject({ threadStatus: 'ongoing' });
    clock.advance(1);
    expect(session(await desk.get(`/api/sessions/${id}`))).toMatchObject({ status: 'expired' });
    const { status, json } = await say(id, 'two');
    expect(status).toBe(409);
    expect(json.error).toMatchObject({ code: 'SESSION_EXPIRED', reason: 'expired' });
    const logs = await desk.get(`/api/diagnostics?runId=${runId}`);
    expect(logs.json.items.at(-1)).toMatchObject({ detail: { action: 'session_expired', sessionId: id } });
    expect((await say(id, 'two')).json.error.code).toBe('SESSION_EXPIRED');
  });
});

describe('what is refused', () => {
  test.each([
    ['a session that is not there', () => desk.get('/api/sessions/th_none'), 404, 'SESSION_NOT_FOUND'],
    ['a message to it', () => say('th_none', 'x'), 404, 'SESSION_NOT_FOUND'],
    ['an agent that is not there', () => desk.post('/api/agents/none/sessions'), 404, 'NOT_FOUND'],
  ])('%s', async (_name, ask, status, code) => {
    await open();
    const answer = await ask();
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });

  test('an empty message, an unknown key, and too long a wait', async () => {
    const id = await open();
    for (const body of [{ content: ' ' }, { content: 'x', role: 'system' }, { content: 'x', waitSeconds: 61 }])
      expect((await desk.post(`/api/sessions/${id}/message`, body)).json.error.code).toBe('BAD_REQUEST');
    expect(await desk.services.deps.store.count('run')).toBe(0);
  });

  test("a director's session", async () => {
    await open({
      play: ({ role, turn }) =>
        role === 'director' && turn === 1
          ? { tool_calls: [call('a', 'agent__helper', { input: 'help' })] }
          : { content: 'done' },
    });
    const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'x' });
    await desk.stage.ended(json.id);
    const threads = await desk.get(`/api/conversations?runId=${json.id}&kind=agent`);
    const id = threads.json.items[0]?.id ?? '';
    expect((await desk.get(`/api/conversations/${id}`)).status).toBe(200);
    expect((await desk.get(`/api/sessions/${id}`)).json.error.code).toBe('SESSION_NOT_FOUND');
    const { status, json: answer } = await say(id, 'x');
    expect(status).toBe(409);
    expect(answer.error).toEqual({
      code: 'SESSION_COMPLETED',
      reason: 'completed',
      message: `session "${id}" of run ${json.id} is completed`,
      hint: 'POST /api/agents/:id/sessions opens a new one',
    });
  });

  test("a director's session that has expired, and one that is open", async () => {
    const clock = new SimulatedClock();
    const { promise, resolve: finish } = Promise.withResolvers<object>();
    await open({
      clock,
      files: { 'settings.yaml': 'sessionTimeoutMinutes: 5\n' },
      play: ({ role, turn }) => {
        if (role === 'agent') return { content: 'here' };
        return turn === 1 ? { tool_calls: [call('a', 'agent__helper', { input: 'help' })] } : promise;
      },
    });
    const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'x' });
    const session = async () => {
      const { items } = (await desk.get(`/api/conversations?runId=${json.id}&kind=agent`)).json;
      return items[0];
    };
    while ((await session()) === undefined) await new Promise((resolve) => setImmediate(resolve));
    const id = (await session())?.id ?? '';
    expect((await say(id, 'x')).json.error).toMatchObject({ code: 'SESSION_NOT_FOUND', reason: 'not_found' });
    while ((await session())?.status !== 'expired') {
      clock.advance(MINUTE);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await say(id, 'x')).json.error).toMatchObject({ code: 'SESSION_EXPIRED', reason: 'expired' });
    finish({ content: 'done' });
    await desk.stage.ended(json.id);
  });
});
