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
    decidedBy: 'local',
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
  await expect.poll(async () => (await pending()).length).toBe(calls.length);
  return (await pending()) as unknown as readonly ApprovalView[];
}

test('an approval names the mail of its run', async () => {
  const [approval] = await openWriter([{ text: 'Gladly.' }]);
  const email = { subject: 'Offer', from: expect.stringContaining('ada@example.org') };
  expect(approval).toMatchObject({ email });
  expect((await desk.get(`/api/approvals/${approval?.id}`)).json).toMatchObject({ email });
});

test.each([
  ['an answer, to the address that the mail names for answers', { text: 'Gladly.' }, 'Eve <eve@evil.example>'],
  [
    'an answer to all, with more recipients',
    { text: 'Gladly.', all: true, cc: ['Bob <bob@example.org>'] },
    'Eve <eve@evil.example> and 2 more',
  ],
  ['a new mail', { text: 'Hi.', to: ['new@example.org'], subject: 'News' }, 'new@example.org'],
])('the title of an approval names the recipients of %s', async (_name, args, target) => {
  const [approval] = await openWriter([args], 'Reply-To: Eve <eve@evil.example>\nCc: carol@example.org\n');
  expect(approval?.title).toEqual({ action: 'Send an e-mail', target });
});

test('a call is shown with other arguments before it is decided, and changes nothing', async () => {
  const [approval] = await openWriter([{ text: 'Gladly.' }]);
  const draft = (args?: object) =>
    desk.post(`/api/approvals/${approval?.id}/preview`, args === undefined ? {} : { arguments: args });
  const own = await draft();
  expect(own.json).toMatchObject({ arguments: { text: 'Gladly.' }, preview: approval?.preview, warnings: [] });
  expect(own.json).toMatchObject({ parameters: { properties: { text: { type: 'string' } } } });
  const edited = (await draft({ text: 'No, [name].' })).json as unknown as { preview: object; warnings: string[] };
  expect(edited).toMatchObject({
    preview: { data: expect.stringContaining('No, [name].') },
    warnings: [expect.stringContaining('[name]')],
  });
  const bad = await draft({ text: 7 });
  expect([bad.status, bad.json.error]).toEqual([
    422,
    expect.objectContaining({ code: 'TOOL_ARGUMENTS', message: 'text must be string' }),
  ]);
  expect((await desk.get(`/api/approvals/${approval?.id}`)).json).toEqual(approval);
  await desk.post(`/api/approvals/${approval?.id}`, { decision: 'deny' });
  expect((await draft()).json.error.code).toBe('APPROVAL_DECIDED');
});

test('the HTML of the mail that a call writes is served without what could run or load', async () => {
  const [approval] = await openWriter([{ text: 'a', html: '<p onclick="x()">Hi<script>x()</script></p>' }]);
  const { status, headers, text } = await desk.get(`/api/approvals/${approval?.id}/body.html`);
  expect(status).toBe(200);
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
  expect(text).toContain('<p>Hi</p>');
  expect(text).not.toMatch(/script|onclick/);
});

test('ended approvals are listed by themselves, newest first', async () => {
  const { pending } = await openPost();
  const [first, second] = await pending();
  expect((await desk.get('/api/approvals?status=ended')).json.items).toEqual([]);
  await desk.post(`/api/approvals/${first?.id}`, { decision: 'deny', reason: 'no' });
  expect((await desk.get('/api/approvals?status=ended')).json.items).toMatchObject([
    { id: first?.id, status: 'denied', decisionReason: 'no', title: { action: 'Call post_letter', target: 'ada' } },
  ]);
  expect((await pending()).map(({ id }) => id)).toEqual([second?.id]);
});
