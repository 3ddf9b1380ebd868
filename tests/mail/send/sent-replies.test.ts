import { afterEach, describe, expect, test } from 'vitest';
import { type Desk, letter, openDesk } from '../../api/harness.ts';
import { call } from '../../run/harness.ts';

let desk: Desk;
afterEach(() => desk.close());

const rules = (permissions: string) =>
  `id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [mail, todo]\npermissions: { ${permissions} }\nuntrusted: { act: [mail_send] }\n`;
const MAY_ALL = 'allow: [mail_send, mail_draft, todo_add, agent__*]';
const HELPER = 'id: helper\nname: Helper\ndescription: Helps.\ntools: [mail]\npermissions: { allow: [mail_send] }\n';

type Calls = readonly (readonly [tool: string, args: object])[];

/** A desk with one mail, whose director makes these calls; returns the id of the mail. */
async function open(steps: Calls = [], agent: Calls = [], permissions = MAY_ALL): Promise<string> {
  desk = await openDesk({
    files: { 'directors/boss.yaml': rules(permissions), 'agents/helper.yaml': HELPER },
    play({ role, turn }) {
      const step = (role === 'agent' ? agent : steps)[turn - 1];
      return step === undefined ? { content: 'done' } : { tool_calls: [call(`c${turn}`, step[0], step[1])] };
    },
  });
  desk.drop('a.eml', letter('Offer'));
  await desk.fetch();
  return String((await desk.get('/api/emails')).json.items[0]?.id);
}

const listed = async () => (await desk.get('/api/emails')).json.items[0]?.['replies'];
const reply = (mailId: string, body: object) => desk.ask('POST', `/api/emails/${mailId}/reply`, { body });
const approvals = async () => (await desk.get('/api/approvals?status=pending')).json.items;
const todos = async () => (await desk.get('/api/todos')).json.items;

describe('a mail that was replied to', () => {
  test('says by whom, when and with which text', async () => {
    const mailId = await open();
    expect(await listed()).toBeUndefined();
    const text = `Gladly. ${'More words. '.repeat(40)}`.trim();
    const sent = (await reply(mailId, { mode: 'send', text })).json as unknown as { messageId: string };
    const whole = { by: 'user', accountId: 'inbox', messageId: sent.messageId, at: expect.stringMatching(/^20.*Z$/) };
    expect((await desk.get(`/api/emails/${mailId}`)).json).toMatchObject({ replies: [{ ...whole, text }] });
    expect(await listed()).toEqual([{ ...whole, text: expect.stringMatching(/^Gladly\..{190,199}…$/) }]);
  });

  test('says so once where the request is repeated, and twice for two replies', async () => {
    const mailId = await open();
    await reply(mailId, { mode: 'send', text: 'Yes.', id: 'one' });
    await reply(mailId, { mode: 'send', text: 'Yes.', id: 'one' });
    expect(await listed()).toMatchObject([{ text: 'Yes.' }]);
    await reply(mailId, { mode: 'send', html: '<p>No, <b>sorry</b>.</p>' });
    expect(await listed()).toMatchObject([{ text: 'Yes.' }, { text: 'No, sorry.' }]);
  });

  test('says nothing of a draft', async () => {
    const mailId = await open();
    await reply(mailId, { mode: 'draft', text: 'Yes.' });
    expect(await listed()).toBeUndefined();
  });

  test('names the agent, its director and the run', async () => {
    await open([['agent__helper', { input: 'answer it' }]], [['mail_send', { text: 'Gladly.' }]]);
    const [run] = (await desk.get('/api/runs')).json.items;
    expect(await listed()).toMatchObject([
      {
        by: 'agent',
        director: { id: 'boss', name: 'Boss' },
        agent: { id: 'helper', name: 'Helper' },
        runId: run?.id,
        text: 'Gladly.',
      },
    ]);
  });

  test('says nothing of a new mail to somebody else', async () => {
    await open([['mail_send', { to: ['bob@example.org'], subject: 'News', text: 'Hi.' }]]);
    expect(await listed()).toBeUndefined();
  });
});

describe('the to-do that asked for the reply', () => {
  const task = (title: string, closesOnReply?: boolean) =>
    ['todo_add', { task: { title, ...(closesOnReply !== undefined && { closesOnReply }) } }] as const;

  test('closes when the reply is sent, others stay open', async () => {
    const mailId = await open([task('Check and send the reply', true), task('Send the proofs')]);
    expect(await todos()).toMatchObject([
      { title: 'Send the proofs', status: 'open', emailId: mailId },
      { title: 'Check and send the reply', status: 'open', emailId: mailId, closesOnReply: true },
    ]);
    await reply(mailId, { mode: 'draft', text: 'Yes.' });
    expect(await todos()).toMatchObject([{ status: 'open' }, { status: 'open' }]);
    await reply(mailId, { mode: 'send', text: 'Yes.' });
    const after = await todos();
    expect(after).toMatchObject([{ status: 'open' }, { status: 'done', closedBy: 'reply' }]);
    await desk.ask('PUT', `/api/todos/${after[1]?.id}`, { body: { status: 'open' } });
    expect((await todos())[1]).not.toHaveProperty('closedBy');
  });

  test('closes when an agent sends the reply', async () => {
    await open([task('Send the reply', true), ['mail_send', { text: 'Yes.' }]]);
    expect(await todos()).toMatchObject([{ status: 'done', closedBy: 'reply' }]);
  });

  test('stays open where another mail is replied to', async () => {
    await open([task('Send the reply', true)]);
    const { json } = await desk.post('/api/runs', {
      directorId: 'boss',
      raw: Buffer.from(letter('Other')).toString('base64'),
    });
    await desk.rest();
    await reply(String(json['emailId' as 'id']), { mode: 'send', text: 'Yes.' });
    expect((await todos()).map(({ status }) => status).sort()).toEqual(['done', 'open']);
  });
});

describe('a reply with a gap', () => {
  test('of a person is sent only where they say so', async () => {
    const mailId = await open();
    const refused = await reply(mailId, { mode: 'send', text: 'I call at [time].' });
    expect([refused.status, refused.json.error.code]).toEqual([422, 'REPLY_HAS_GAPS']);
    expect(refused.json.error.message).toContain('[time]');
    expect(await listed()).toBeUndefined();
    expect((await reply(mailId, { mode: 'send', html: '<p>at <b>[time]</b></p>' })).json.error.code).toBe(
      'REPLY_HAS_GAPS',
    );
    expect((await reply(mailId, { mode: 'send', markdown: 'at [time](https://example.org)' })).status).toBe(200);
    expect((await reply(mailId, { mode: 'send', text: 'I call at [time].', allowGaps: true })).status).toBe(200);
    expect(await listed()).toHaveLength(2);
  });

  test('is kept as a draft, and the answer names the gaps', async () => {
    const mailId = await open();
    const draft = await reply(mailId, { mode: 'draft', text: 'I call at [time] on [day].' });
    expect(draft.json).toMatchObject({ mode: 'draft', gaps: ['[time]', '[day]'] });
    expect((await reply(mailId, { mode: 'draft', text: 'I call.' })).json).not.toHaveProperty('gaps');
  });

  test('of an agent is not sent by itself', async () => {
    await open([['mail_send', { text: 'I call at [time].' }]]);
    const [run] = (await desk.get('/api/runs')).json.items;
    const messages = await desk.stage.messages(String(run?.dirThreadId));
    expect(messages.findLast(({ role }) => role === 'tool')?.content).toContain('REPLY_HAS_GAPS');
    expect(await listed()).toBeUndefined();
  });

  test('of an agent warns the person who is asked, and is sent where they allow it', async () => {
    await open([['mail_send', { text: 'I call at [time].' }]], [], 'ask: [mail_send]');
    const [approval] = await approvals();
    expect(approval).toMatchObject({ tool: 'mail_send', warnings: [expect.stringContaining('[time]')] });
    await desk.post(`/api/approvals/${approval?.id}`, { decision: 'allow' });
    await desk.rest();
    expect(await listed()).toMatchObject([{ by: 'director', text: 'I call at [time].' }]);
  });

  test('is a warning of drafts, too, and no other call has one', async () => {
    await open(
      [
        ['mail_draft', { text: 'On [day].' }],
        ['mail_draft', { text: 'On Monday.' }],
      ],
      [],
      'ask: [mail_draft]',
    );
    const [first] = await approvals();
    expect(first).toMatchObject({ warnings: [expect.stringContaining('[day]')] });
    await desk.post(`/api/approvals/${first?.id}`, { decision: 'allow' });
    await desk.rest();
    expect((await approvals())[0]).not.toHaveProperty('warnings');
    const [run] = (await desk.get('/api/runs')).json.items;
    const messages = await desk.stage.messages(String(run?.dirThreadId));
    expect(messages.findLast(({ role }) => role === 'tool')?.content).toContain('"gaps":["[day]"]');
  });
});
