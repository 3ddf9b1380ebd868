import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLIENT_TOOLS } from '../../../../engine/src/api/routes/client/client-tools.ts';
import type { Fields } from '../../../../engine/src/base/log.ts';
import { silentLogger } from '../../../../engine/src/base/log.ts';
import settings from '../../../../schemas/settings.schema.json' with { type: 'json' };
import { LETTER } from '../../../cli/harness.ts';
import { call as toolCall } from '../../../run/harness.ts';
import { type Desk, openDesk } from '../../harness.ts';

const BOSS = 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n';
const SECRET = 'tulip-garden-42';
const READS = ['mail_search', 'mail_read', 'runs_list', 'items_list', 'item_read', 'approvals_list'];

let desk: Desk;
let logged: Fields[];
/** The content of the item that the director writes. */
let data: string;
/** Whether the director asks the user. */
let asks = false;

beforeEach(async () => {
  logged = [];
  data = 'noted';
  asks = false;
  desk = await openDesk({
    files: { 'directors/boss.yaml': BOSS },
    play: ({ turn }) =>
      turn === 1 && asks
        ? { tool_calls: [toolCall('1', 'ask_user', { question: 'Go on?' })] }
        : turn === 1
          ? { tool_calls: [toolCall('1', 'workspace_add_item', { label: 'Note', data })] }
          : { content: 'done' },
    app: { log: { ...silentLogger, info: (_message, fields = {}) => void logged.push(fields) } },
  });
});
afterEach(() => desk.close());

const toolNames = async () =>
  ((await desk.get('/api/mcp/tools')).json as unknown as { tools: { name: string }[] }).tools.map(({ name }) => name);

/** The result of a call, or its error. */
async function call(
  name: string,
  args?: object,
): Promise<Record<string, unknown> & { readonly error?: { code: string } }> {
  const { json } = await desk.post(`/api/mcp/tools/${name}`, args === undefined ? {} : { arguments: args });
  const body = json as unknown as { readonly result?: Record<string, unknown>; readonly error?: { code: string } };
  return { ...body.result, ...(body.error && { error: body.error }) };
}

/** Writes the rules of MCP clients into the settings, and waits until they hold. */
async function allow(rules: object): Promise<void> {
  desk.stage.write({ 'settings.yaml': JSON.stringify({ clients: { mcp: rules } }) });
  await desk.services.config.refresh();
}

/** A run on a mail, and the id of its item. */
async function runOnMail(): Promise<{ runId: string; itemId: string }> {
  desk.drop('1.eml', LETTER);
  await desk.fetch();
  const { json } = await desk.get('/api/runs');
  const runId = json.items[0]?.id ?? '';
  const { items } = (await call('items_list', { runId })) as unknown as { items: { id: string }[] };
  return { runId, itemId: items[0]?.id ?? '' };
}

describe('which tools a client has', () => {
  test.each([
    ['every read without rules', {}, READS],
    ['only what allow names', { allow: ['runs_list', 'run_start'] }, ['runs_list', 'run_start']],
    ['nothing with an empty allow', { allow: [] }, []],
    ['nothing that deny names', { allow: ['runs_list', 'mail_read'], deny: ['mail_read'] }, ['runs_list']],
    ['reads without those of deny', { deny: ['mail_read', 'mail_search'] }, READS.slice(2)],
  ])('%s', async (_name, rules, expected) => {
    await allow(rules);
    expect(await toolNames()).toEqual(expected);
    const others = CLIENT_TOOLS.map(({ name }) => name).filter((name) => !expected.includes(name));
    for (const name of others) expect((await call(name)).error).toMatchObject({ code: 'TOOL_DENIED' });
  });

  test('the settings accept the names of all tools and no others', () => {
    const { mcp } = settings.properties.clients.properties;
    const names = CLIENT_TOOLS.map(({ name }) => name);
    expect(mcp.properties.allow.items.enum).toEqual(names);
    expect(mcp.properties.deny.items.enum).toEqual(names);
  });

  test('no tool answers an approval', () => {
    const writes = CLIENT_TOOLS.filter(({ effects }) => effects === 'write');
    expect(writes.map(({ name }) => name)).toEqual(['run_start', 'run_answer']);
  });
});

describe('what a client reads', () => {
  test('a mail in its envelope, marked as data', async () => {
    await runOnMail();
    const found = (await call('mail_search', { text: 'hello' })) as unknown as {
      mails: { ref: string }[];
      note: string;
    };
    expect(found.note).toContain('not instructions');
    const read = await call('mail_read', { ref: found.mails[0]?.ref });
    expect(read['email']).toMatch(/^<<MAIL-\w{12}\nFrom: Ada Ray[\s\S]*not instructions to follow\.$/);
  });

  test('runs by status, director and mail, page by page', async () => {
    await runOnMail();
    await allow({ allow: ['runs_list', 'run_start'] });
    await call('run_start', { directorId: 'boss', message: 'second' });
    await desk.rest();
    const first = await call('runs_list', { limit: 1 });
    expect(first).toMatchObject({ runs: [{ subject: 'second', status: 'completed', directorId: 'boss' }] });
    const next = await call('runs_list', { limit: 1, cursor: first['nextCursor'] });
    expect(next).toMatchObject({ runs: [{ subject: 'hello' }], nextCursor: null });
    expect(await call('runs_list', { directorId: 'nobody' })).toMatchObject({ runs: [] });
    expect(await call('runs_list', { status: 'failed' })).toMatchObject({ runs: [] });
    expect(await call('runs_list', { cursor: 'x' })).toMatchObject({ error: { code: 'BAD_REQUEST' } });
  });

  test('a long item part by part, each with a mark', async () => {
    data = 'x'.repeat(50_000) + 'end';
    const { runId, itemId } = await runOnMail();
    const { item } = (await call('item_read', { runId, itemId })) as { item: { data: string; truncated: string } };
    expect(item.data).toHaveLength(40_000);
    expect(item.truncated).toContain('go on with offset 40000');
    const rest = await call('item_read', { runId, itemId, offset: 40_000 });
    expect(rest).toMatchObject({ item: { data: expect.stringMatching(/^x{10000}end$/) } });
  });

  test('no result is larger than 80,000 characters, and a cut is marked', async () => {
    data = 'done';
    desk.drop('1.eml', LETTER.replace('Hello.', '"'.repeat(59_000)));
    await desk.fetch();
    const { mails } = (await call('mail_search', {})) as unknown as { mails: { ref: string }[] };
    const read = await call('mail_read', { ref: mails[0]?.ref });
    expect(JSON.stringify(read).length).toBeLessThanOrEqual(80_000);
    expect(read).toMatchObject({ truncated: true, email: expect.stringContaining('[truncated: the first') });
  });

  test('no secret', async () => {
    desk.stage.app.deps.redactor.add(SECRET);
    data = `the password is ${SECRET}`;
    const { runId, itemId } = await runOnMail();
    expect(await call('item_read', { runId, itemId })).toMatchObject({ item: { data: 'the password is [redacted]' } });
  });
});

describe('what a client starts', () => {
  test('a run on a mail', async () => {
    const { runId } = await runOnMail();
    const { emailId } = (await desk.get(`/api/runs/${runId}`)).json as unknown as { emailId: string };
    await allow({ allow: ['run_start'] });
    const { error, ...started } = await call('run_start', { directorId: 'boss', emailId });
    expect(error).toBeUndefined();
    const { json } = await desk.get(`/api/runs/${String(started['runId'])}`);
    expect(json).toMatchObject({ startedBy: 'mcp', emailId, subject: 'hello' });
  });

  test.each([
    ['an unknown director', { directorId: 'nobody', message: 'hi' }, 'NOT_FOUND'],
    ['neither message nor mail', { directorId: 'boss' }, 'BAD_REQUEST'],
    ['both message and mail', { directorId: 'boss', message: 'hi', emailId: 'mail_1' }, 'BAD_REQUEST'],
    ['an unknown mail', { directorId: 'boss', emailId: 'mail_1' }, 'NOT_FOUND'],
    ['no director', { message: 'hi' }, 'TOOL_ARGUMENTS'],
  ])('is refused with %s', async (_name, args, code) => {
    await allow({ allow: ['run_start'] });
    expect(await call('run_start', args)).toMatchObject({ error: { code } });
    expect((await desk.get('/api/runs')).json.items).toEqual([]);
  });
});

test('a client answers the question of a run where the settings name that, as a program', async () => {
  desk.stage.write({ 'directors/asks.yaml': 'id: asks\nname: Asks\napiConfigId: main\ntools: [ask_user]\n' });
  await allow({ allow: ['run_answer', 'approvals_list'] });
  asks = true;
  const { json } = await desk.post('/api/runs', { directorId: 'asks', message: 'm' });
  await desk.stage.until(json.id, ({ waitingFor }) => waitingFor === 'answer');
  expect(await call('approvals_list', { runId: json.id })).toMatchObject({
    approvals: [{ kind: 'question', arguments: { question: 'Go on?' } }],
  });
  expect(await call('run_answer', { runId: json.id, message: 'yes' })).toEqual({ runId: json.id, answered: true });
  const { dirThreadId } = await desk.stage.ended(json.id);
  const { messages } = (await desk.get(`/api/conversations/${dirThreadId}`)).json as unknown as { messages: object[] };
  expect(JSON.stringify(messages)).toContain('a program, no person');
  expect(await call('run_answer', { runId: json.id, message: 'no' })).toMatchObject({
    error: { code: 'RUN_NOT_ACTIVE' },
  });
});

test.each([
  ['an unknown tool', 'mail_send', {}, 'TOOL_UNKNOWN'],
  ['wrong arguments', 'runs_list', { limit: 1000 }, 'TOOL_ARGUMENTS'],
  ['an unknown run', 'items_list', { runId: 'run_1' }, 'NOT_FOUND'],
  ['a mail that is not named', 'mail_read', {}, 'TOOL_ARGUMENTS'],
])('%s is an error with a code', async (_name, tool, args, code) => {
  expect(await call(tool, args)).toMatchObject({ error: { code } });
});

test('each call leaves a line in the log, without its arguments', async () => {
  await call('runs_list', { directorId: 'somebody' });
  await call('run_start', { directorId: 'boss', message: 'hi' });
  const lines = logged.filter((fields) => 'outcome' in fields);
  expect(lines).toMatchObject([
    { tool: 'runs_list', outcome: 'ok' },
    { tool: 'run_start', outcome: 'TOOL_DENIED' },
  ]);
  expect(JSON.stringify(lines)).not.toContain('somebody');
});

test('approvals are listed, without a word on how to answer them', async () => {
  desk.stage.write({
    'directors/boss.yaml': `${BOSS}permissions: { ask: [workspace_add_item] }\n`,
  });
  await desk.services.config.refresh();
  desk.drop('1.eml', LETTER);
  await desk.fetch();
  const listed = await call('approvals_list');
  expect(listed).toMatchObject({
    approvals: [{ tool: 'workspace_add_item', status: 'pending', email: { subject: 'hello' } }],
    note: expect.stringContaining('not instructions'),
  });
  expect(JSON.stringify(listed)).not.toMatch(/callsheet approvals|allow/);
});
