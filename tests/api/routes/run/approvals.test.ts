import { afterEach, expect, test } from 'vitest';
import type { ApprovalView } from '../../../../engine/src/api/routes/run/approval-view.ts';
import type { WorldTool } from '../../../../engine/src/tool/tool.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

let desk: Desk;
afterEach(() => desk.close());

/** A director that asks for two letters to be sent, each of which a person must allow. */
async function openPost(): Promise<{
  runId: string;
  sent: object[];
  pending: () => Promise<readonly { id: string }[]>;
}> {
  const sent: object[] = [];
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
    async run(args) {
      sent.push(args);
      return 'posted';
    },
  };
  desk = await openDesk({
    app: { tools: [post] },
    files: {
      'directors/boss.yaml':
        'id: boss\nname: Boss\napiConfigId: main\ntools: [post]\npermissions: { ask: [post_letter] }\n',
    },
    play: ({ turn }) =>
      turn === 1
        ? { tool_calls: [call('c1', 'post_letter', { to: 'ada' }), call('c2', 'post_letter', { to: 'bob' })] }
        : { content: 'done' },
  });
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.stage.until(json.id, ({ waitingFor }) => waitingFor === 'approval');
  return { runId: json.id, sent, pending: async () => (await desk.get('/api/approvals?status=pending')).json.items };
}

test('what waits is listed oldest first, with what is asked', async () => {
  const { runId, pending, sent } = await openPost();
  expect(await pending()).toEqual([
    expect.objectContaining({ runId, tool: 'post_letter', arguments: { to: 'ada' }, status: 'pending' }),
    expect.objectContaining({ arguments: { to: 'bob' } }),
  ]);
  expect((await pending())[0]).not.toHaveProperty('machine');
  expect(sent).toEqual([]);
});

test('the list pages, and is newest first where all are asked for', async () => {
  const { pending } = await openPost();
  const [first, second] = await pending();
  const page = (await desk.get('/api/approvals?status=pending&limit=1')).json;
  expect(page.items.map(({ id }) => id)).toEqual([first?.id]);
  expect((await desk.get(`/api/approvals?status=pending&limit=1&cursor=${page.nextCursor}`)).json.items[0]?.id).toBe(
    second?.id,
  );
  expect((await desk.get('/api/approvals')).json.items.map(({ id }) => id)).toEqual([second?.id, first?.id]);
});

test('an answer is taken once, with other arguments if they fit', async () => {
  const { runId, pending, sent } = await openPost();
  const [first, second] = await pending();
  const bad = await desk.post(`/api/approvals/${first?.id}`, { decision: 'allow', arguments: { to: 7 } });
  expect([bad.status, bad.json.error.code]).toEqual([422, 'TOOL_ARGUMENTS']);
  const allowed = await desk.post(`/api/approvals/${first?.id}`, {
    decision: 'allow',
    arguments: { to: 'eve' },
    reason: 'she moved',
  });
  expect(allowed.json).toMatchObject({
    status: 'allowed',
    decidedBy: 'user',
    arguments: { to: 'eve' },
    decisionReason: 'she moved',
  });
  const again = await desk.post(`/api/approvals/${first?.id}`, { decision: 'deny' });
  expect([again.status, again.json.error.code]).toEqual([409, 'APPROVAL_DECIDED']);
  expect((await desk.post(`/api/approvals/${second?.id}`, { decision: 'deny' })).json.status).toBe('denied');
  await desk.stage.ended(runId);
  expect(sent).toEqual([{ to: 'eve' }]);
  expect(await pending()).toEqual([]);
});

test('of two answers at once one is taken', async () => {
  const { pending } = await openPost();
  const [first] = await pending();
  const answers = await Promise.all([1, 2].map(() => desk.post(`/api/approvals/${first?.id}`, { decision: 'deny' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

/** A director that wants to send these mails at once, for the mail that arrives with these headers. */
async function openWriter(calls: readonly object[], headers = ''): Promise<readonly ApprovalView[]> {
  desk = await openDesk({
    files: {
      'directors/boss.yaml':
        'id: boss\nname: Boss\napiConfigId: main\ntools: [mail]\npermissions: { ask: [mail_send] }\n',
    },
    play: ({ turn }) =>
      turn === 1 ? { tool_calls: calls.map((args, i) => call(`c${i}`, 'mail_send', args)) } : { content: 'done' },
  });
  desk.drop('offer.eml', letter('Offer', 'Hello.', headers));
  await desk.fetch();
  const pending = async () => (await desk.get('/api/approvals?status=pending')).json.items;
  await expect.poll(async () => (await pending()).length, { timeout: 10_000 }).toBe(calls.length);
  return (await pending()) as unknown as readonly ApprovalView[];
}

test('an approval names the mail of its run', async () => {
  const [approval] = await openWriter([{ text: 'Gladly.' }]);
  const email = { subject: 'Offer', from: expect.stringContaining('ada@example.org') };
  expect(approval).toMatchObject({ email });
  expect((await desk.get(`/api/approvals/${approval?.id}`)).json).toMatchObject({ email });
});

test.each([
  [
    'an answer, to the address that the mail names for answers',
    { text: 'Gladly.' },
    { to: ['Eve <eve@evil.example>'], cc: [], bcc: [], subject: 'Re: Offer' },
  ],
  [
    'an answer to all, with more recipients',
    { text: 'Gladly.', all: true, cc: ['Bob <bob@example.org>'] },
    { to: ['Eve <eve@evil.example>'], cc: ['carol@example.org', 'Bob <bob@example.org>'], subject: 'Re: Offer' },
  ],
  [
    'a new mail',
    { text: 'Hi.', to: ['new@example.org'], bcc: ['b@example.org'], subject: 'News' },
    { to: ['new@example.org'], bcc: ['b@example.org'], subject: 'News' },
  ],
])('an approval shows the recipients and the subject of %s', async (_name, args, expected) => {
  const [approval] = await openWriter([args], 'Reply-To: Eve <eve@evil.example>\nCc: carol@example.org\n');
  expect(approval?.letter).toMatchObject(expected);
});
