import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterEach, expect, test } from 'vitest';
import type { ApprovalView } from '../../../engine/src/api/routes/run/approval-view.ts';
import { type MailPreview, readPreview } from '../../../engine/src/tool/preview.ts';
import { type Desk, letter, openDesk } from '../../api/harness.ts';
import { call } from '../../run/harness.ts';

let desk: Desk;
afterEach(() => desk.close());

const HEADERS = 'Reply-To: Eve <eve@example.net>\nCc: carol@example.org\n';

/** The approval of one call that writes a mail, in a run about a mail; an item `Prices` is there to attach. */
async function ask(
  name: string,
  args: object,
  { signature = 'signature: |-\n  Jane Doe\n  Example Ltd.\n', onOpen = () => {} } = {},
): Promise<{ approval: ApprovalView; mail: MailPreview }> {
  desk = await openDesk({
    files: {
      'accounts/inbox.yaml': `id: inbox\nprovider: folder\npath: inbox\nemail: me@example.org\n${signature}`,
      'directors/boss.yaml':
        'id: boss\nname: Boss\napiConfigId: main\ntools: [mail, workspace]\npermissions: { allow: [workspace_*], ask: [mail_*] }\n',
    },
    play({ turn, messages }) {
      if (turn === 1)
        return {
          tool_calls: [call('a', 'workspace_add_item', { label: 'Prices', mimeType: 'text/csv', data: 'a,1\nü,2\n' })],
        };
      const [item] = messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
      const { id } = (JSON.parse(item ?? '') as { item: { id: string } }).item;
      const attachments = 'attachments' in args ? { attachments: [id] } : {};
      return turn === 2 ? { tool_calls: [call('b', name, { ...args, ...attachments })] } : { content: 'done' };
    },
  });
  onOpen();
  desk.drop('a.eml', letter('Offer', 'Hello.', HEADERS));
  await desk.fetch();
  const pending = async () => (await desk.get('/api/approvals?status=pending')).json.items;
  await expect.poll(async () => (await pending()).length).toBe(1);
  const [approval] = (await pending()) as unknown as ApprovalView[];
  const preview = approval && readPreview(approval.preview);
  if (approval === undefined || preview?.kind !== 'mail') throw new Error('no preview of a mail');
  return { approval, mail: preview };
}

const valuesOf = (mail: MailPreview, name: string) => mail.headers.find((one) => one.name === name)?.values;

test.each([
  ['a reply', 'mail_send', 'outbox', { text: 'Gladly.' }],
  [
    'a reply to all with both bodies, more recipients and a file',
    'mail_send',
    'outbox',
    {
      ...{ text: 'Gladly.', html: '<p>Gladly.<script>alert(1)</script></p>', all: true },
      ...{ cc: ['Bob <bob@example.org>'], bcc: ['b@example.org'], attachments: [] },
    },
  ],
  ['a new mail', 'mail_send', 'outbox', { text: 'Hi.', to: ['Ann Lee <ann@example.org>'], subject: 'News' }],
  ['a draft', 'mail_draft', 'drafts', { text: 'Gladly.', bcc: ['b@example.org'] }],
])('the preview of %s is what leaves, word for word', async (_name, tool, folder, args) => {
  const { approval, mail } = await ask(tool, args);
  expect((await desk.post(`/api/approvals/${approval.id}`, { decision: 'allow' })).status).toBe(200);
  await desk.rest();
  const path = join(desk.stage.root, folder);
  const files = readdirSync(path).filter((file) => file.endsWith('.eml'));
  expect(files).toHaveLength(1);
  const sent = await PostalMime.parse(readFileSync(join(path, files[0] ?? '')));
  const line = ({ name, address = '' }: { name?: string; address?: string }) =>
    name === undefined || name === '' ? address : `${name} <${address}>`;
  expect(valuesOf(mail, 'From')).toEqual([sent.from && line(sent.from)]);
  expect(valuesOf(mail, 'To')).toEqual(sent.to?.map(line));
  expect(valuesOf(mail, 'Cc')).toEqual(sent.cc?.map(line));
  expect(valuesOf(mail, 'Subject')).toEqual([sent.subject]);
  expect(valuesOf(mail, 'In-Reply-To')).toEqual(sent.inReplyTo === undefined ? undefined : [sent.inReplyTo]);
  const bare = (text: string | undefined) => text?.replaceAll('\r\n', '\n').trimEnd();
  expect(bare(mail.text)).toBe(bare(sent.text));
  expect(bare(mail.html)).toBe(bare(sent.html));
  expect(mail.html ?? '').not.toContain('script');
  expect(mail.text).toContain('Jane Doe');
  expect(mail.attachments.map(({ name, bytes }) => [name, bytes])).toEqual(
    sent.attachments.map(({ filename, content }) => [filename, (content as ArrayBuffer).byteLength]),
  );
});

test('the preview of a mail names Bcc, which no recipient sees, and the account that it leaves from', async () => {
  const { mail } = await ask('mail_send', { text: 'Gladly.', bcc: ['b@example.org'] });
  expect(valuesOf(mail, 'Bcc')).toEqual(['b@example.org']);
  expect(mail).toMatchObject({ action: 'send', accountId: 'inbox' });
});

test.each([
  ['lapses where its signature changes at the provider', {}, 'lapsed', 0],
  ['leaves where it is the same', {}, 'allowed', 1],
  ['leaves where a person has changed its text', { arguments: { text: 'Yes.' } }, 'allowed', 1],
] as const)('a mail that a person has seen %s', async (_name, edited, status, mails) => {
  let signature = 'Jane';
  const onOpen = () => {
    const { mailService } = desk.services;
    const { open } = mailService;
    const signed: typeof open = async (account) => ({
      ...(await open(account)),
      signature: async () => ({ text: signature }),
    });
    Object.assign(mailService, { open: signed });
  };
  const { approval, mail } = await ask('mail_send', { text: 'Gladly.' }, { signature: '', onOpen });
  expect(mail.text).toContain('Jane');
  if (status === 'lapsed' || 'arguments' in edited) signature = 'Eve';
  await desk.post(`/api/approvals/${approval.id}`, { decision: 'allow', ...edited });
  await desk.stage.ended(approval.runId);
  expect((await desk.get(`/api/approvals/${approval.id}`)).json.status).toBe(status);
  const outbox = join(desk.stage.root, 'outbox');
  expect(existsSync(outbox) ? readdirSync(outbox).filter((file) => file.endsWith('.eml')) : []).toHaveLength(mails);
});
