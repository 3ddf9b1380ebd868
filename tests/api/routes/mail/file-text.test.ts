import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDocx, makePdf, paragraph } from '../../../file/text/samples.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, openDesk } from '../../harness.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const PDF = makePdf(['The price is 9 euros.', 'Page two.']);

const file = (name: string, type: string, bytes: Buffer) => `--o
Content-Type: ${type}
Content-Disposition: attachment; filename="${name}"
Content-Transfer-Encoding: base64

${bytes.toString('base64')}
`;
const MAIL = `From: Ann <ann@example.org>
To: me@example.org
Subject: Files
Message-ID: <1@example.org>
Date: Sat, 21 Nov 2026 11:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="o"

${file('offer.pdf', 'application/pdf', PDF)}${file('old.PDF', 'application/octet-stream', PDF)}${file('a.zip', 'application/zip', PDF)}--o--
`;

let desk: Desk;
let items = '';
let attachments = '';
beforeAll(async () => {
  desk = await openDesk({
    files: { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n' },
    play: ({ turn }) =>
      turn === 1 ? { tool_calls: [call('c', 'workspace_add_item', { data: 'x' })] } : { content: 'done' },
  });
  desk.drop('a.eml', MAIL);
  await desk.fetch();
  attachments = `/api/emails/${String((await desk.get('/api/emails')).json.items[0]?.id)}/attachments`;
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.rest();
  items = `/api/workspaces/${json.workspaceId}/items`;
});
afterAll(() => desk.close());

const readItem = async (mimeType: string, bytes: Buffer) => {
  const item = { mimeType, encoding: 'base64', data: bytes.toString('base64') };
  return desk.get(`${items}/${(await desk.post(items, item)).json.id}/text`);
};

test('a PDF of a result is read as its text, with the number of its pages', async () => {
  const { status, json } = await readItem('application/pdf', PDF);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    form: 'pdf',
    pages: 2,
    text: expect.stringMatching(/9 euros\..*Page two\./s) as string,
  });
});

test('a DOCX file of a result is read as its text', async () => {
  const { json } = await readItem(DOCX, makeDocx(paragraph('Title', 'Heading1') + paragraph('Dear Ann')));
  expect(json).toMatchObject({ form: 'docx', text: expect.stringMatching(/# Title\s+Dear Ann/) as string });
});

test('a long text is cut, and says so', async () => {
  const { json } = await readItem(DOCX, makeDocx(paragraph('x'.repeat(600_000))));
  expect(json).toMatchObject({ note: 'only the first 500000 characters are shown' });
  expect((json as { text?: string }).text).toHaveLength(500_000);
});

test('a PDF that is none, and another type, are refused', async () => {
  expect((await readItem('application/pdf', Buffer.from([0, 1, 2]))).json.error).toMatchObject({
    code: 'FILE_UNREADABLE',
  });
  expect((await readItem('application/zip', PDF)).json.error).toMatchObject({ code: 'BAD_REQUEST' });
});

test.each([
  [0, 'by its type'],
  [1, 'by its name'],
])('attachment %i of a mail is read as text, known %s', async (index) => {
  expect((await desk.get(`${attachments}/${index}/text`)).json).toMatchObject({ form: 'pdf', pages: 2 });
});

test('another attachment is refused', async () => {
  expect((await desk.get(`${attachments}/2/text`)).json.error).toMatchObject({ code: 'BAD_REQUEST' });
});
