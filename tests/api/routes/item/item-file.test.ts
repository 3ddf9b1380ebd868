import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

const ICS = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
const EML = [
  'From: me@example.org',
  'To: Ann <ann@example.org>',
  'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Hi Ann,',
  'bye',
].join('\r\n');

let desk: Desk;
let path = '';
beforeAll(async () => {
  desk = await openDesk({
    files: { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n' },
    play: ({ turn }) =>
      turn === 1 ? { tool_calls: [call('c', 'workspace_add_item', { data: 'x' })] } : { content: 'done' },
  });
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.rest();
  path = `/api/workspaces/${json.workspaceId}/items`;
});
afterAll(() => desk.close());

const add = async (item: object) => `${path}/${(await desk.post(path, item)).json.id}`;

test.each([
  { label: 'Lunch with Ann', mimeType: 'text/calendar', name: 'Lunch with Ann.ics' },
  { label: 'Re: offer', mimeType: 'message/rfc822', name: 'Re_ offer.eml' },
  { label: 'x.png', mimeType: 'image/png', name: 'x.png' },
  { label: 'photo.jpeg', mimeType: 'image/jpeg', name: 'photo.jpeg' },
  { label: 'photo', mimeType: 'image/jpeg', name: 'photo.jpg' },
  { label: 'notes/plan.md', mimeType: 'text/markdown', name: 'notes_plan.md' },
])('an item of type $mimeType is downloaded as $name', async ({ label, mimeType, name }) => {
  const { text, headers } = await desk.get(`${await add({ label, mimeType, data: ICS })}/file`);
  expect(text).toBe(ICS);
  expect(headers['content-type']).toContain(mimeType);
  expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`);
});

test('an item of another type, which may be a program, is downloaded as .bin', async () => {
  const { headers } = await desk.get(
    `${await add({ label: 'x.exe', mimeType: 'application/x-msdownload', data: 'x' })}/file`,
  );
  expect(headers['content-disposition']).toBe('attachment; filename="x.exe.bin"');
});

test('an HTML item is downloaded as bytes that no browser shows', async () => {
  const { headers } = await desk.get(`${await add({ label: 'x', mimeType: 'text/html', data: '<b>' })}/file`);
  expect(headers['content-type']).toBe('application/octet-stream');
});

test('a mail has the link that opens it in the mail program of the user', async () => {
  const item = await add({ mimeType: 'message/rfc822', data: EML });
  expect((await desk.get(`${item}/mailto`)).json).toEqual({
    link: 'mailto:ann@example.org?subject=Gr%C3%BC%C3%9Fe&body=Hi%20Ann%2C%0D%0Abye',
  });
});

test('a mail that no link can carry says why', async () => {
  const item = await add({ mimeType: 'message/rfc822', data: EML.replace('text/plain', 'text/html') });
  expect((await desk.get(`${item}/mailto`)).json).toEqual({ reason: 'the mail is HTML' });
});

test.each(['text/markdown', 'text/plain'])(
  'a text of type %s opens in the mail program with its label',
  async (mimeType) => {
    const item = await add({ label: 'Offer', mimeType, data: 'Dear *Ann*,\nbye & more' });
    expect((await desk.get(`${item}/mailto`)).json).toEqual({
      link: 'mailto:?subject=Offer&body=Dear%20%2AAnn%2A%2C%0D%0Abye%20%26%20more',
    });
  },
);

test('a text of a run on a mail opens in the mail program as the reply to that mail', async () => {
  desk.drop('a.eml', letter('hello'));
  await desk.fetch();
  const [mail] = (await desk.get('/api/emails')).json.items;
  const [run] = (await desk.get(`/api/runs?emailId=${mail?.id}`)).json.items;
  const items = `/api/workspaces/${run?.workspaceId}/items`;
  const { id } = (await desk.post(items, { label: 'Draft', mimeType: 'text/markdown', data: 'Hi.' })).json;
  expect((await desk.get(`${items}/${id}/mailto`)).json).toEqual({
    link: 'mailto:ada@example.org?subject=Re%3A%20hello&body=Hi.',
  });
  // Without the account it cannot be known who the user is.
  await desk.ask('DELETE', '/api/accounts/inbox');
  expect((await desk.get(`${items}/${id}/mailto`)).json).toEqual({ link: 'mailto:?subject=Draft&body=Hi.' });
});

test.each(['mailto', 'mail'])('an item that is no mail has no …/%s', async (name) => {
  const item = await add({ mimeType: 'text/calendar', data: ICS });
  expect((await desk.get(`${item}/${name}`)).json.error).toMatchObject({ code: 'BAD_REQUEST' });
});

test.each(['utf8', 'base64'])('a mail stored in %s is read as its headers and text', async (encoding) => {
  const data = encoding === 'utf8' ? EML : Buffer.from(EML).toString('base64');
  const { status, json } = await desk.get(`${await add({ mimeType: 'message/rfc822', encoding, data })}/mail`);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    from: [{ name: '', address: 'me@example.org' }],
    to: [{ name: 'Ann', address: 'ann@example.org' }],
    subject: 'Grüße',
    bodyText: 'Hi Ann,\nbye',
    attachments: [],
    notes: [],
  });
});

test('a deleted mail is read only by those who ask for deleted items', async () => {
  const item = await add({ mimeType: 'message/rfc822', data: EML });
  expect((await desk.ask('DELETE', item)).status).toBe(204);
  expect((await desk.get(`${item}/mail`)).json.error).toMatchObject({ code: 'ITEM_NOT_FOUND' });
  expect((await desk.get(`${item}/mail?includeDeleted=true`)).json).toMatchObject({ subject: 'Grüße' });
});
