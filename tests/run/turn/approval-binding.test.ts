import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Approval } from '../../../engine/src/guard/approval.ts';
import type { WorldTool } from '../../../engine/src/tool/tool.ts';
import { type Desk, letter, openDesk } from '../../api/harness.ts';
import { call, transcriptFaults } from '../harness.ts';

let desk: Desk;
afterEach(() => desk.close());

const ACCOUNT = 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n';
const BOSS = 'id: boss\nname: Boss\napiConfigId: main\ntools: [mail, workspace]\n';
const ASKS = 'permissions: { ask: [mail_send] }\n';

/** A run on a mail, whose director wants to send an answer with a workspace item attached. */
async function openWriter(more: Readonly<Record<string, string>> = {}): Promise<Approval> {
  let item = '';
  desk = await openDesk({
    files: { 'accounts/inbox.yaml': ACCOUNT, 'directors/boss.yaml': BOSS + ASKS, ...more },
    play: ({ turn, messages }) => {
      if (turn === 1)
        return { tool_calls: [call('a', 'workspace_add_item', { data: 'The offer.', mimeType: 'text/plain' })] };
      item = /"id":"(item_[^"]+)"/.exec(JSON.stringify(messages).replaceAll('\\', ''))?.[1] ?? item;
      return turn === 2
        ? { tool_calls: [call('b', 'mail_send', { text: 'Gladly.', attachments: [item] })] }
        : { content: 'Done.' };
    },
  });
  desk.drop('offer.eml', letter('Offer'));
  await desk.fetch();
  const [approval] = (await desk.get('/api/approvals?status=pending')).json.items;
  if (approval === undefined) throw new Error('nothing asks');
  return approval as unknown as Approval;
}

const answerTo = async ({ threadId }: Approval, id: string) => {
  const messages = await desk.stage.messages(threadId);
  expect(transcriptFaults(messages)).toEqual([]);
  const message = messages.find((one) => one.role === 'tool' && one.tool_call_id === id);
  return JSON.parse(String(message?.content)) as Record<string, unknown>;
};
const outbox = () => {
  const folder = join(desk.stage.root, 'outbox');
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [];
};
const allow = ({ id }: Approval) => desk.post(`/api/approvals/${id}`, { decision: 'allow' });
const change = async (files: Readonly<Record<string, string>>) => {
  desk.stage.write(files);
  await desk.stage.app.config.refresh();
};

describe('an approval of a mail lapses when', () => {
  test.each<readonly [string, (approval: Approval) => Promise<unknown>, RegExp]>([
    [
      'the content of an attachment changes',
      async ({ runId, arguments: args }) => {
        const [id] = args['attachments'] as string[];
        const put = await desk.ask('PUT', `/api/workspaces/${runId}/items/${id}`, { body: { data: 'Another offer.' } });
        expect(put.status).toBe(200);
      },
      /no longer what it was/,
    ],
    [
      'the account is another one',
      () => change({ 'accounts/inbox.yaml': ACCOUNT.replace('me@example.org', 'other@example.org') }),
      /no longer what it was/,
    ],
    [
      'the signature changes, which is part of the text',
      () => change({ 'accounts/inbox.yaml': `${ACCOUNT}signature: Jane\n` }),
      /no longer what it was/,
    ],
    [
      'a rule denies the call',
      () => change({ 'directors/boss.yaml': `${BOSS}permissions: { deny: [mail_send] }\n` }),
      /permissions.deny has "mail_send"/,
    ],
    [
      'no rule names the call any more',
      () => change({ 'directors/boss.yaml': `${BOSS}permissions: {}\n` }),
      /no rule of its permissions names it/,
    ],
  ])('%s; nothing is sent, and the model is told', async (_name, alter, why) => {
    const approval = await openWriter();
    await alter(approval);
    const refused = await allow(approval);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'APPROVAL_LAPSED']);
    expect(refused.json.error.message).toMatch(why);
    expect((await desk.get(`/api/approvals/${approval.id}`)).json).toMatchObject({ status: 'lapsed' });
    await desk.stage.ended(approval.runId);
    expect(await answerTo(approval, 'b')).toMatchObject({ error: { code: 'APPROVAL_LAPSED' } });
    expect(outbox()).toEqual([]);
    expect((await allow(approval)).json.error.code).toBe('APPROVAL_DECIDED');
  });
});

test.each<readonly [string, Readonly<Record<string, string>>]>([
  ['another key of the account changes', { 'accounts/inbox.yaml': `${ACCOUNT}description: The desk.\n` }],
  ['a rule becomes looser', { 'directors/boss.yaml': `${BOSS}permissions: { allow: [mail_send] }\n` }],
  ['the same rule is written differently', { 'directors/boss.yaml': `${BOSS}permissions: { ask: ["mail_*"] }\n` }],
  ['the prompt changes', { 'directors/boss.yaml': `${BOSS}${ASKS}imprint: Be brief.\n` }],
  ['another document changes', { 'agents/other.yaml': 'id: other\nname: Other\ndescription: Other.\n' }],
])('an approval holds when %s', async (_name, files) => {
  const approval = await openWriter();
  await change(files);
  expect((await allow(approval)).json).toMatchObject({ status: 'allowed' });
  await desk.stage.ended(approval.runId);
  expect(outbox()).toHaveLength(1);
});

/** A run that waits to post a letter; what the letter stands for is `world.target`. */
async function openPost(world: { target: string; onBind?: (reads: number) => void }) {
  const sent: string[] = [];
  let reads = 0;
  const post: WorldTool = {
    name: 'post_letter',
    family: 'post',
    effects: 'write',
    repeat: 'key',
    description: 'Posts a letter.',
    parameters: {
      type: 'object',
      properties: { to: { type: 'string' } },
      required: ['to'],
      additionalProperties: false,
    },
    binding: async () => {
      world.onBind?.(++reads);
      return world.target;
    },
    run: async () => sent.push(world.target),
  };
  desk = await openDesk({
    app: { tools: [post] },
    files: {
      'directors/boss.yaml': `${BOSS.replace('mail, workspace', 'post')}permissions: { ask: [post_letter] }\n`,
    },
    play: ({ turn }) => (turn === 1 ? { tool_calls: [call('b', 'post_letter', { to: 'ada' })] } : { content: 'Done.' }),
  });
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.stage.until(json.id, ({ waitingFor }) => waitingFor === 'approval');
  const [approval] = (await desk.get('/api/approvals?status=pending')).json.items;
  return { approval: approval as unknown as Approval, sent };
}

test('a call that was allowed does not run when it would do something else by the time it is launched', async () => {
  // The third reading is the one right before the launch: the first was to ask, the second for the answer.
  const world = { target: 'Ada', onBind: (reads: number) => void (reads === 3 && (world.target = 'Eve')) };
  const { approval, sent } = await openPost(world);
  expect((await allow(approval)).status).toBe(200);
  await desk.stage.ended(approval.runId);
  expect(sent).toEqual([]);
  expect(await answerTo(approval, 'b')).toMatchObject({ error: { code: 'APPROVAL_LAPSED' } });
  expect((await desk.get(`/api/approvals/${approval.id}`)).json).toMatchObject({ status: 'lapsed' });
});

test('an approval that an older version stored is bound to its arguments alone', async () => {
  const world = { target: 'Ada' };
  const { approval, sent } = await openPost(world);
  const { store } = desk.stage.app.deps;
  const row = await store.get('approval', { id: approval.id });
  const { hash, asked, ...older } = JSON.parse(row?.body ?? '') as Record<string, unknown>;
  expect([hash, asked]).not.toContain(undefined);
  const set = { body: JSON.stringify(older) };
  await store.apply([{ op: 'update', table: 'approval', key: { id: approval.id }, set }]);
  world.target = 'Bob';
  expect((await allow(approval)).json).toMatchObject({ status: 'allowed' });
  await desk.stage.ended(approval.runId);
  expect(sent).toEqual(['Bob']);
});

test('edited arguments are bound anew', async () => {
  const { approval, sent } = await openPost({ target: 'Ada' });
  const body = { decision: 'allow', arguments: { to: 'bob' } };
  expect((await desk.post(`/api/approvals/${approval.id}`, body)).json).toMatchObject({ arguments: { to: 'bob' } });
  await desk.stage.ended(approval.runId);
  expect(sent).toEqual(['Ada']);
});

test('a call that a change of the config forbids does not go on waiting for a person', async () => {
  const { approval } = await openPost({ target: 'Ada' });
  desk.stage.app.notices.start();
  await change({
    'directors/boss.yaml': `${BOSS.replace('mail, workspace', 'post')}permissions: { deny: [post_letter] }\n`,
  });
  expect(await desk.stage.ended(approval.runId)).toMatchObject({ status: 'completed' });
  expect((await desk.get(`/api/approvals/${approval.id}`)).json).toMatchObject({ status: 'lapsed' });
});
