import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { joinConversation } from '../../../engine/src/run/conversation/join-conversation.ts';
import { deleteRun } from '../../../engine/src/run/lifecycle/delete.ts';
import { StoredEntities } from '../../../engine/src/guard/placeholder/entity-rows.ts';
import { readThread } from '../../../engine/src/run/thread.ts';
import { openDesk, type Desk, type Reply } from '../../api/harness.ts';
import { call, type Play, transcriptFaults } from '../harness.ts';

const FILES = {
  'settings.yaml': 'memory: { window: 6 }\n',
  'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n',
  'apis/small.yaml': 'id: small\nprovider: ollama\nmodel: test\ncontextTokens: 4096\n',
  'directors/small.yaml':
    'id: small\nname: Small\napiConfigId: small\nprompt: [{ role: system, content: S }, { role: user, content: example }, { role: assistant, content: shown }, { role: user, content: "{{message}}" }]\n',
  'directors/gated.yaml':
    'id: gated\nname: Gated\napiConfigId: main\ntools: [todo]\npermissions: { allow: [todo_add] }\nguards: [{ kind: needsTime, tools: [todo_add] }]\n',
  'directors/quiet.yaml':
    'id: quiet\nname: Quiet\napiConfigId: main\nprivacy: { redact: [email, person] }\ntools: [workspace]\n',
};

let desk: Desk;
let play: Play = () => ({ content: 'ok' });
let sent: ModelRequest[] = [];

beforeAll(async () => {
  desk = await openDesk({
    files: FILES,
    play: (request) => {
      sent.push(request);
      return play(request);
    },
  });
});
afterAll(() => desk.close());
beforeEach(() => {
  sent = [];
  play = () => ({ content: 'ok' });
});

interface Shown {
  readonly taint?: object;
  readonly turns: readonly { readonly answer: string }[];
}

type Started = Reply & { readonly conversationId: string };

const start = async (body: object) => (await desk.post('/api/runs', { directorId: 'boss', ...body })).json as Started;

/** Asks, and waits for the answer. */
async function ask(message: string, more: object = {}): Promise<Started> {
  const run = await start({ message, ...more });
  expect(run.error).toBeUndefined();
  await desk.stage.ended(run.id);
  return run;
}

const lastSent = () => sent.filter(({ purpose }) => purpose === undefined).at(-1)?.messages ?? [];
const textOf = (messages: readonly { role: string; content: string | null }[]) =>
  messages.map(({ role, content }) => `${role}: ${content}`).join('\n');
const show = async (id: string) => (await desk.get(`/api/conversations/${id}`)).json as unknown as Shown;

describe('a conversation', () => {
  test('begins with a message, and the next question sees the earlier ones with their answers', async () => {
    play = ({ messages }) => ({ content: `answer to ${messages.at(-1)?.content}` });
    const first = await ask('my name is Ada');
    expect(first.conversationId).toMatch(/^conv_/);
    const second = await ask('who am I?', { conversationId: first.conversationId });
    expect(second.conversationId).toBe(first.conversationId);
    expect(second.workspaceId).toBe(second.id);
    expect(textOf(lastSent().slice(1))).toBe(
      'user: my name is Ada\nassistant: answer to my name is Ada\nuser: who am I?',
    );
    expect(lastSent().filter(({ role }) => role === 'system')).toHaveLength(1);
  });

  test('refuses a question while the last one is worked on, of two at once all but one, and another director', async () => {
    const { conversationId } = await ask('first');
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    play = async () => (await gate, { content: 'late' });
    const both = await Promise.all([1, 2, 3].map((n) => start({ message: `at once ${n}`, conversationId })));
    const started = both.filter(({ error }) => error === undefined);
    expect(started).toHaveLength(1);
    expect(both.find(({ error }) => error !== undefined)?.error).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('is not over yet'),
    });
    release();
    await desk.stage.ended(started[0]?.id ?? '');
    const other = await start({ directorId: 'quiet', message: 'hello', conversationId });
    expect(other.error).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('director "boss"') });
    expect((await start({ message: 'x', conversationId: 'conv_none' })).error?.code).toBe('NOT_FOUND');
    expect((await start({ emailId: 'mail_x', conversationId })).error?.code).toBe('BAD_REQUEST');
  });

  test('takes one of two questions whose conversation was read at the same moment, and none after it was deleted', async () => {
    const first = await ask('first');
    const { deps } = desk.stage.app;
    const message = { directorId: 'boss', directorName: 'Boss', message: 'x', startedBy: 'test' };
    const join = () => joinConversation(deps, { ...message, conversationId: first.conversationId });
    const [one, two, late] = [await join(), await join(), await join()];
    await deps.store.apply(one.changes('run_one'));
    await expect(deps.store.apply(two.changes('run_two'))).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
    for (const id of ['run_one', first.id]) await deps.store.apply(await deleteRun(deps.store, id));
    await deps.store.apply([{ op: 'delete', table: 'conversationRun', where: { run: 'run_one' } }]);
    await desk.stage.app.retention.sweep();
    await expect(deps.store.apply(late.changes('run_late'))).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
  });

  test('stays readable, and goes on, when one of its runs is deleted; the last run takes it along', async () => {
    const first = await ask('my name is Ada');
    const { conversationId } = first;
    const second = await ask('and I like tea', { conversationId });
    await desk.ask('DELETE', `/api/runs/${first.id}`);
    expect((await show(conversationId)).turns).toMatchObject([{ runId: second.id, message: 'and I like tea' }]);
    const third = await ask('what do you know?', { conversationId });
    expect(textOf(lastSent())).toContain('my name is Ada');
    await desk.ask('DELETE', `/api/runs/${third.id}`);
    await desk.ask('DELETE', `/api/runs/${second.id}`);
    expect((await desk.get(`/api/conversations/${conversationId}`)).status).toBe(404);
    expect(
      await desk.stage.app.deps.store.list('conversationRun', { where: [['conversation', '=', conversationId]] }),
    ).toEqual([]);
    expect((await start({ message: 'more', conversationId })).error?.code).toBe('NOT_FOUND');
  });

  test('passes on that it has read text of strangers, and still takes the words of the person as such', async () => {
    const first = await ask('start');
    const { store } = desk.stage.app.deps;
    const thread = await readThread(store, first.dirThreadId);
    const taint = { cause: 'a page', at: '2026-11-23T00:00:00.000Z' };
    await store.apply([
      {
        op: 'update',
        table: 'thread',
        key: { id: first.dirThreadId },
        set: { body: JSON.stringify({ ...thread, taint }) },
      },
    ]);
    const { conversationId } = first;
    const second = await ask('go on', { conversationId });
    const third = await ask('and on', { conversationId });
    for (const { dirThreadId } of [second, third])
      expect((await readThread(store, dirThreadId))?.taint).toMatchObject({
        cause: 'earlier in the conversation: a page',
      });
    expect(lastSent().at(-1)?.content).toBe('and on');
    expect((await show(conversationId)).taint).toMatchObject({ cause: expect.stringContaining('a page') });
  });

  test('is asked again where a run failed: the question is there once', async () => {
    const { conversationId } = await ask('first');
    play = () => {
      throw new Error('no model');
    };
    const failed = await start({ message: 'second', conversationId });
    expect((await desk.stage.ended(failed.id)).status).toBe('failed');
    play = () => ({ content: 'here' });
    const again = (await desk.post(`/api/runs/${failed.id}/retry`)).json as unknown as { id: string };
    await desk.stage.ended(again.id);
    expect(textOf(lastSent()).match(/user: second/g)).toHaveLength(1);
    expect(textOf(lastSent())).toContain('user: first');
    expect((await desk.stage.run(again.id)).conversationId).toBe(conversationId);
  });

  test('keeps calls beside their results', async () => {
    play = ({ turn }) => (turn === 1 ? { tool_calls: [call('a', 'workspace_list_items', {})] } : { content: 'listed' });
    const { conversationId } = await ask('list');
    await ask('again', { conversationId });
    expect(textOf(lastSent()).match(/tool: /g)).toHaveLength(2);
    expect(transcriptFaults(lastSent(), false)).toEqual([]);
  });

  test('opens the scheduling gate with a time of an earlier question, once', async () => {
    const add = (title: string) => ({ tool_calls: [call(title, 'todo_add', { task: { title } })] });
    const gated = { directorId: 'gated' };
    play = () => ({ content: 'Shall I note it?' });
    const { conversationId } = await ask('Call Ann on Friday at 10', gated);
    play = ({ turn }) => (turn === 1 ? add('call') : { content: 'noted' });
    await ask('yes', { ...gated, conversationId });
    expect(textOf(lastSent())).not.toContain('"error"');
    await ask('and once more', { ...gated, conversationId });
    expect(textOf(lastSent())).toContain('TOOL_NEEDS_TIME');
  });
});

describe('a long conversation', () => {
  test('is summarised, and goes on with the summary from run to run', async () => {
    play = ({ purpose, messages }) =>
      purpose === 'summary'
        ? { content: `facts {${[...(messages[1]?.content ?? '').matchAll(/question \d+/g)].join(' ')}}` }
        : { content: 'fine' };
    let conversationId: string | undefined;
    for (let n = 1; n <= 9; n++) ({ conversationId } = await ask(`question ${n}`, { conversationId }));
    const last = lastSent();
    expect(last[0]?.role).toBe('system');
    expect(last[1]?.content).toContain('Summary of the earlier part of this conversation');
    expect(last[1]?.content).toContain('question 1');
    expect(last.at(-1)?.content).toBe('question 9');
    expect(last.length).toBeLessThanOrEqual(6 + 3 + 2);
    const copied = await desk.stage.app.deps.store.count('message');
    expect(copied).toBeLessThan(400);
  });

  test('is summarised when few messages are large', async () => {
    const large = 'word '.repeat(9000);
    play = ({ purpose }) => (purpose === 'summary' ? { content: 'short' } : { content: large });
    let conversationId: string | undefined;
    for (let n = 1; n <= 4; n++) ({ conversationId } = await ask(`question ${n}`, { conversationId }));
    expect(sent.filter(({ purpose }) => purpose === 'summary')).toHaveLength(1);
    expect(lastSent().reduce((sum, { content }) => sum + (content?.length ?? 0), 0)).toBeLessThan(130_000);
    expect(textOf(lastSent())).toContain('short');
  });

  test('with a model of a small context is summarised early, and keeps the examples of the prompt', async () => {
    play = ({ purpose }) => ({ content: purpose === 'summary' ? 'short' : 'x'.repeat(3000) });
    let conversationId: string | undefined;
    const small = { directorId: 'small' };
    for (let n = 1; n <= 4; n++) ({ conversationId } = await ask(`question ${n}`, { ...small, conversationId }));
    expect(sent.filter(({ purpose }) => purpose === 'summary')).toHaveLength(1);
    const [system, example, shown, summary] = lastSent();
    expect([system?.content, example?.content, shown?.content]).toEqual(['S', 'example', 'shown']);
    expect(summary?.content).toContain('short');
  });

  test('that a model cannot read any more is compacted, and the question is answered', async () => {
    const { ModelError } = await import('../../../engine/src/model/model-error.ts');
    const limit = 3000;
    play = ({ purpose, messages }) => {
      if (purpose === 'summary') return { content: 'the earlier part' };
      const size = messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
      if (size > limit) throw new ModelError('MODEL_TOO_LONG', 'too long');
      return { content: 'x'.repeat(1200) };
    };
    let conversationId: string | undefined;
    for (let n = 1; n <= 5; n++) {
      const run = await start({ message: `question ${n}`, ...(conversationId && { conversationId }) });
      ({ conversationId } = run);
      expect(await desk.stage.ended(run.id)).toMatchObject({ status: 'completed' });
    }
    expect(textOf(lastSent())).toContain('the earlier part');
    const alone = await start({ message: 'y'.repeat(4000) });
    expect(await desk.stage.ended(alone.id)).toMatchObject({ status: 'failed', error: { code: 'MODEL_TOO_LONG' } });
  });
});

describe('the private values of a conversation', () => {
  const content = () => textOf(lastSent());

  test('keep their placeholders over five questions and are restored in each answer', async () => {
    play = ({ messages }) => ({ content: `noted: ${messages.at(-1)?.content}` });
    const quiet = { directorId: 'quiet' };
    const first = await ask('write to ada@example.org about the offer', quiet);
    const { conversationId } = first;
    for (const n of [2, 3, 4]) await ask(`question ${n}`, { ...quiet, conversationId });
    play = () => ({ content: 'I wrote to <EMAIL_1>, not to <EMAIL_2>.' });
    await ask('and bob@example.org?', { ...quiet, conversationId });
    expect(content()).not.toMatch(/@example/);
    expect(content()).toContain('<EMAIL_1>');
    const { turns } = await show(conversationId);
    expect(turns.at(-1)?.answer).toBe('I wrote to ada@example.org, not to bob@example.org.');
    const other = await ask('and carl@example.org?', quiet);
    const { map } = await StoredEntities.read(desk.stage.app.deps.store, other.conversationId);
    expect(map.entities.map(({ value }) => value)).toEqual(['carl@example.org']);
  });

  test('are sent in the same words again, and are deleted with the last run', async () => {
    play = () => ({ content: 'Dear <EMAIL_1>, ask Grace Hopper' });
    const quiet = { directorId: 'quiet' };
    const first = await ask('greet ada@example.org', quiet);
    const before = lastSent().at(-1)?.content;
    const second = await ask('again', { ...quiet, conversationId: first.conversationId });
    expect(
      lastSent()
        .slice(1)
        .map((one) => one.content),
    ).toEqual([before, 'Dear <EMAIL_1>, ask Grace Hopper', 'again']);
    const { store } = desk.stage.app.deps;
    const values = async () => (await StoredEntities.read(store, first.conversationId)).map.entities.length;
    await store.apply(await deleteRun(store, first.id));
    expect(await values()).toBe(1);
    await store.apply(await deleteRun(store, second.id));
    expect(await values()).toBe(0);
  });
});

test('a question whose process has died is asked again, with the earlier messages once', async () => {
  const { conversationId } = await ask('first');
  let asked = 0;
  play = ({ signal }) => {
    if (asked++ > 0) return { content: 'late' };
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const { id } = await start({ message: 'second', conversationId });
  await expect.poll(() => asked).toBe(1);
  await desk.restart('a-token-for-tests-after-restart');
  expect(await desk.stage.ended(id)).toMatchObject({ status: 'completed', summary: 'late' });
  expect(textOf(lastSent().slice(1))).toBe('user: first\nassistant: ok\nuser: second');
});
