import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** Each mail gets one item, then the run ends. */
const play = ({ turn }: { turn: number }) =>
  turn === 1
    ? { tool_calls: [call('c1', 'workspace_add_item', { label: 'Note', mimeType: 'text/markdown', data: '**Hi**' })] }
    : { content: 'A note is in the workspace.' };

async function withMails(names: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Desk> {
  const desk = await openDesk({
    play,
    files: { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n' },
  });
  for (const name of names) {
    desk.drop(`${name}.eml`, letter(name));
    await desk.fetch();
  }
  for (const [name, text] of Object.entries(more)) desk.drop(name, text);
  if (Object.keys(more).length > 0) await desk.fetch();
  return desk;
}

const MIXED = `From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>
To: me@example.org
Subject: with parts
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: multipart/related; boundary=r

--r
Content-Type: text/html; charset=utf-8

<p onclick="x()">Hi<script>alert(1)</script><img src="cid:dot@x"><img src="https://track.example/p.png"></p>
--r
Content-Type: image/png
Content-ID: <dot@x>
Content-Transfer-Encoding: base64

${PNG}
--r--
--b
Content-Type: text/html; name="evil.html"
Content-Disposition: attachment; filename="evil.html"

<script>alert(2)</script>
--b
Content-Type: image/png; name="dot.png"
Content-Disposition: attachment; filename="dot.png"
Content-Transfer-Encoding: base64

${PNG}
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename*=utf-8''%E2%82%AC%20rates.pdf

%PDF-1.4
--b--
`;

describe('the list', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await withMails(['first', 'second thing', 'third', 'nothing for us', 'fifth']);
  });
  afterAll(() => desk.close());

  const subjects = (answer: { json: { items: readonly { subject: string }[] } }) =>
    answer.json.items.map(({ subject }) => subject);

  test('gives summaries, the newest first', async () => {
    const answer = await desk.get('/api/emails');
    expect(subjects(answer)).toEqual(['fifth', 'nothing for us', 'third', 'second thing', 'first']);
    expect(answer.json.items[0]).toMatchObject({
      accountId: 'inbox',
      from: [{ name: 'Ada Ray', address: 'ada@example.org' }],
      routed: true,
      note: '',
    });
    for (const key of ['headers', 'text', 'html', 'bodyText', 'runs'])
      expect(answer.json.items[0]).not.toHaveProperty(key);
  });

  test('selects the mails of a thread by its account and id together', async () => {
    const [mail] = (await desk.get('/api/emails')).json.items as unknown as { accountId: string; threadId: string }[];
    const thread = new URLSearchParams({ accountId: mail?.accountId ?? '', threadId: mail?.threadId ?? '' });
    expect(subjects(await desk.get(`/api/emails?${thread}`))).toEqual(['fifth']);
    thread.delete('accountId');
    expect((await desk.get(`/api/emails?${thread}`)).status).toBe(400);
  });

  test('pages through all mails, each once', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null; pages++) {
      const { json } = await desk.get(`/api/emails?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(json.items.length).toBe(pages < 2 ? 2 : 1);
      seen.push(...json.items.map(({ id }) => id));
      cursor = json.nextCursor;
    }
    expect(new Set(seen).size).toBe(5);
  });

  test.each([
    ['a word of the subject', 'THIRD', ['third']],
    ['two words in any order', 'thing second', ['second thing']],
    ['an address', 'ada@example', ['fifth', 'nothing for us', 'third', 'second thing', 'first']],
    ['a word that is nowhere', 'zebra', []],
  ])('finds mail by %s', async (_name, q, found) => {
    expect(subjects(await desk.get(`/api/emails?q=${encodeURIComponent(q)}`))).toEqual(found);
  });

  test('a search pages like the list', async () => {
    const first = await desk.get('/api/emails?q=ada&limit=3');
    expect(subjects(first)).toEqual(['fifth', 'nothing for us', 'third']);
    const second = await desk.get(`/api/emails?q=ada&limit=3&cursor=${first.json.nextCursor}`);
    expect(subjects(second)).toEqual(['second thing', 'first']);
    expect(second.json.nextCursor).toBeNull();
  });

  test('tells routed mail from mail that nobody took', async () => {
    expect(subjects(await desk.get('/api/emails?routed=false'))).toEqual(['nothing for us']);
    expect(subjects(await desk.get('/api/emails?routed=true'))).toHaveLength(4);
    const { json } = await desk.get('/api/emails?routed=false');
    expect(json.items[0]).toMatchObject({ routed: false, note: 'no filter matched' });
  });

  test('carries runs with their items where it is asked to', async () => {
    const { json } = await desk.get('/api/emails?expand=runs&limit=2');
    const [fifth, unrouted] = json.items;
    expect(unrouted?.runs).toEqual([]);
    expect(fifth?.runs).toEqual([
      expect.objectContaining({
        directorId: 'boss',
        directorName: 'Boss',
        status: 'completed',
        scripted: false,
        summary: 'A note is in the workspace.',
        items: [
          expect.objectContaining({ label: 'Note', mimeType: 'text/markdown', revision: 1, createdBy: 'director' }),
        ],
      }),
    ]);
    expect(fifth?.runs[0]?.items[0]).not.toHaveProperty('data');
  });

  test('gives only some by their ids', async () => {
    const { json } = await desk.get('/api/emails?limit=2');
    const ids = json.items.map(({ id }) => id);
    expect(subjects(await desk.get(`/api/emails?ids=${ids.join(',')},mail_nope`))).toEqual(['fifth', 'nothing for us']);
  });
});

describe('one mail', () => {
  let desk: Desk;
  let id = '';
  beforeAll(async () => {
    desk = await withMails([], { 'mixed.eml': MIXED });
    id = (await desk.get('/api/emails')).json.items[0]?.id ?? '';
  });
  afterAll(() => desk.close());

  test('is whole', async () => {
    const { json } = await desk.get(`/api/emails/${id}`);
    expect(json).toMatchObject({
      subject: 'with parts',
      html: expect.stringContaining('track.example'),
      text: '',
      headers: expect.arrayContaining([{ name: 'Subject', value: 'with parts' }]),
    });
  });

  test('says whether its HTML names images of other servers, also when it was stored without that', async () => {
    const { store } = desk.services.deps;
    expect((await desk.get(`/api/emails/${id}`)).json).toMatchObject({ remoteImages: true });
    const row = await store.get('mailContent', { mail: id });
    const { remoteImages, ...earlier } = JSON.parse(row?.body ?? '{}') as Record<string, unknown>;
    expect(remoteImages).toBe(true);
    await store.apply([{ op: 'put', table: 'mailContent', row: { mail: id, body: JSON.stringify(earlier) } }]);
    expect((await desk.get(`/api/emails/${id}`)).json).toMatchObject({ remoteImages: true });
  });

  test('shows its HTML without scripts, with its own pictures, under a policy that loads nothing', async () => {
    const { text, headers } = await desk.get(`/api/emails/${id}/body.html`);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; img-src data:;.* sandbox /);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(text).toContain(`data:image/png;base64,${PNG}`);
    expect(text).not.toMatch(/<script|onclick|track\.example/);
  });

  test('lets remote pictures in once they are asked for, over https only', async () => {
    const { text, headers } = await desk.get(`/api/emails/${id}/body.html?images=1`);
    expect(headers['content-security-policy']).toContain('img-src data: https:;');
    expect(text).toContain('https://track.example/p.png');
  });

  test('a text mail is shown as text', async () => {
    const own = await withMails([], { 'plain.eml': letter('plain', 'Hello. <b>not bold</b>') });
    const mailId = (await own.get('/api/emails')).json.items[0]?.id;
    const { text } = await own.get(`/api/emails/${mailId}/body.html`);
    expect(text).toContain('Hello. &lt;b&gt;not bold&lt;/b&gt;');
    await own.close();
  });

  test.each([
    ['evil.html', 'attachment; filename="evil.html"', 'application/octet-stream'],
    ['dot.png', 'inline; filename="dot.png"', 'image/png'],
    [
      '€ rates.pdf',
      'attachment; filename="? rates.pdf"; filename*=UTF-8\'\'%E2%82%AC%20rates.pdf',
      'application/octet-stream',
    ],
  ])('gives the attachment %s so that no browser runs it', async (name, disposition, type) => {
    const { json } = await desk.get(`/api/emails/${id}`);
    const files = (json as unknown as { attachments: { name: string; index: number }[] }).attachments;
    const file = files.find((one) => one.name === name);
    const { headers, status } = await desk.get(`/api/emails/${id}/attachments/${file?.index}`);
    expect(status).toBe(200);
    expect(headers['content-disposition']).toBe(disposition);
    expect(headers['content-type']).toBe(type);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
  });

  test('gives a file name without characters that nobody sees', async () => {
    const odd = `Subject: odd\nContent-Type: application/pdf\nContent-Disposition: attachment; filename*=utf-8''invoice%E2%80%AEfdp.exe\n\nx\n`;
    const own = await withMails([], { 'odd.eml': odd });
    const mailId = (await own.get('/api/emails')).json.items[0]?.id;
    const { headers } = await own.get(`/api/emails/${mailId}/attachments/0`);
    expect(headers['content-disposition']).toBe('attachment; filename="invoice_fdp.exe"');
    await own.close();
  });

  test.each([['99'], ['x'], ['-1']])('attachment %s is not there', async (n) => {
    expect((await desk.get(`/api/emails/${id}/attachments/${n}`)).json.error.code).toBe('NOT_FOUND');
  });
});

describe('deleting', () => {
  test('takes the mail, its runs and results, and it is not fetched again', async () => {
    const desk = await withMails(['going', 'staying']);
    const { json } = await desk.get('/api/emails?expand=runs&q=going');
    const [mail] = json.items;
    const run = mail?.runs[0];
    expect((await desk.ask('DELETE', `/api/emails/${mail?.id}`)).status).toBe(204);
    expect((await desk.get(`/api/emails/${mail?.id}`)).status).toBe(404);
    expect((await desk.get(`/api/runs/${run?.id}`)).status).toBe(404);
    expect((await desk.get(`/api/workspaces/${run?.id}/items`)).status).toBe(404);
    // The same bytes under another name.
    desk.drop('again.eml', letter('going'));
    await desk.fetch();
    expect((await desk.get('/api/emails')).json.items.map(({ subject }) => subject)).toEqual(['staying']);
    expect(await desk.services.deps.store.count('mailRaw')).toBe(1);
    await desk.close();
  });

  test('forgets what its labels have started', async () => {
    const desk = await openDesk({
      play,
      files: { 'filters/auto.yaml': 'id: auto\nfield: Label\nregex: Autopilot\ndirectorId: boss\n' },
    });
    desk.drop('one.eml', `X-Keywords: Autopilot\r\n${letter('one')}`);
    await desk.fetch();
    const { store } = desk.services.deps;
    expect(await store.count('labelStart')).toBe(1);
    const mail = (await desk.get('/api/emails')).json.items[0];
    expect((await desk.ask('DELETE', `/api/emails/${mail?.id}`)).status).toBe(204);
    expect(await store.count('labelStart')).toBe(0);
    await desk.close();
  });

  test('takes several at once and says which', async () => {
    const desk = await withMails(['one', 'two', 'three']);
    const ids = (await desk.get('/api/emails?limit=2')).json.items.map(({ id }) => id);
    const { json } = await desk.ask('DELETE', `/api/emails?ids=${ids.join(',')},mail_nope`);
    expect([...json.deleted].sort()).toEqual([...ids].sort());
    expect((await desk.get('/api/emails')).json.items.map(({ subject }) => subject)).toEqual(['one']);
    await desk.close();
  });

  test('cancels a run that works on it', async () => {
    let isAborted = false;
    const desk = await openDesk({
      play: (request) =>
        new Promise((_resolve, reject) =>
          request.signal?.addEventListener('abort', () => {
            isAborted = true;
            reject(request.signal?.reason);
          }),
        ),
    });
    desk.drop('a.eml', letter('a'));
    await desk.post('/api/fetcher/fetch');
    const run = (await desk.get('/api/runs')).json.items[0]?.id ?? '';
    await desk.stage.until(run, ({ status }) => status === 'running');
    const mail = (await desk.get('/api/emails')).json.items[0]?.id;
    expect((await desk.ask('DELETE', `/api/emails/${mail}`)).status).toBe(204);
    expect(isAborted).toBe(true);
    expect((await desk.get('/api/runs')).json.items).toEqual([]);
    expect(await desk.services.deps.store.count('machine')).toBe(0);
    await desk.close();
  });
});

test('a mail whose file is gone is shown with the time at which that was seen, until it is there again', async () => {
  const desk = await withMails(['one']);
  const shown = async () => (await desk.get('/api/emails')).json.items[0] as { removedAt?: string };
  expect(await shown()).not.toHaveProperty('removedAt');
  const file = join(desk.stage.root, 'inbox', 'one.eml');
  renameSync(file, `${file}.away`);
  await desk.fetch();
  expect(Date.parse((await shown()).removedAt ?? '')).toBeGreaterThan(0);
  renameSync(`${file}.away`, file);
  await desk.fetch();
  expect(await shown()).not.toHaveProperty('removedAt');
  await desk.close();
});
