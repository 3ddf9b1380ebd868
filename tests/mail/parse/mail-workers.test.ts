import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import { readMail } from '../../../engine/src/mail/parse/parse-mail.ts';
import { cpuMsOfAsync } from '../../cpu-time.ts';
import { longestTurn } from '../../longest-turn.ts';
import { facts, mailOf } from '../fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'mail-room-'));
const workers = createMailWorkers({ workers: 1 });

beforeAll(async () => {
  // The first job starts the worker, which is not what is measured here.
  await workers.parse({ kind: 'bytes', bytes: mailOf('From: a@b.c', '', 'x') }, facts);
});
afterAll(async () => {
  await workers.close();
  rmSync(folder, { recursive: true });
});

function fileOf(name: string, raw: Uint8Array) {
  const path = join(folder, name);
  writeFileSync(path, raw);
  const { size, mtimeMs } = statSync(path);
  return { kind: 'file', path, size, mtimeMs } as const;
}

const HEAD = 'From: a@b.c\r\nSubject: big\r\n';
const BIG = {
  'an attachment': `${HEAD}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhi\r\n--x\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${'QUJD'.repeat(19)}\r\n`.repeat(270_000)}--x--\r\n`,
  'HTML': `${HEAD}Content-Type: text/html\r\n\r\n${'<p>hello <b>world</b>, this is text</p>\r\n'.repeat(520_000)}`,
  'text': `${HEAD}\r\n${'many words in a line\r\n'.repeat(1_000_000)}`,
} as const;

describe('20 MB are read in a worker: no turn of the event loop takes half of what the work takes', () => {
  test.each(Object.keys(BIG) as (keyof typeof BIG)[])('of %s', { timeout: 60_000 }, async (name) => {
    const source = fileOf(`${name}.eml`, Buffer.from(BIG[name]));
    expect(source.size).toBeGreaterThan(20_000_000);
    const limitMs = (await cpuMsOfAsync(() => readMail(Buffer.from(BIG[name]), facts))) / 2;
    const parse = async () => {
      const mail = await workers.parse(source, facts);
      expect(mail.raw).toHaveLength(source.size);
      expect(mail.facts.subject).toBe('big');
    };
    const { longestMs } = await longestTurn(parse, 3, (turns) => turns.longestMs < limitMs);
    expect(longestMs).toBeLessThan(limitMs);
  });
});

test('what the worker answers is ready to be stored: JSON of the summary, the content and what filters look at', async () => {
  const mail = await workers.parse({ kind: 'bytes', bytes: mailOf('From: a@b.c', 'X-A: 1', '', 'words') }, facts);
  const summary = JSON.parse(mail.summary);
  const content = JSON.parse(mail.content);
  expect(summary).toMatchObject({
    id: 'mail_1',
    accountId: 'inbox',
    from: [{ name: '', address: 'a@b.c' }],
    snippet: 'words',
  });
  expect(content).toMatchObject({ text: 'words', html: '', headers: [{ name: 'From' }, { name: 'X-A', value: '1' }] });
  expect(JSON.parse(mail.subject)).toEqual({ mail: summary, headers: content.headers, bodyText: 'words' });
  expect(mail.sha256).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  [
    'that was written to since',
    () => ({ ...fileOf('a.eml', mailOf('From: a@b.c', '', 'x')), size: 1 }),
    'MAIL_UNSETTLED',
    true,
  ],
  [
    'that is gone',
    () => ({ kind: 'file', path: join(folder, 'gone.eml'), size: 1, mtimeMs: 1 }) as const,
    'MAIL_UNSETTLED',
    true,
  ],
  [
    'that is a folder',
    () => {
      const { size, mtimeMs } = statSync(folder);
      return { kind: 'file', path: folder, size, mtimeMs } as const;
    },
    'MAIL_UNREADABLE',
    false,
  ],
])('a file %s is refused', async (_name, make, code, retryable) => {
  await expect(workers.parse(make(), facts)).rejects.toMatchObject({ code, retryable });
});

test('a mail above the largest size is refused with its size', async () => {
  const small = createMailWorkers({ maxBytes: 100 });
  const big = mailOf('From: a@b.c', '', 'x'.repeat(200));
  await expect(small.parse({ kind: 'bytes', bytes: big }, facts)).rejects.toMatchObject({ code: 'MAIL_TOO_COSTLY' });
  await expect(small.parse(fileOf('big.eml', big), facts)).rejects.toMatchObject({ code: 'MAIL_TOO_COSTLY' });
  await small.close();
});

test('a mail that takes too long is read lightly, and says so', async () => {
  const part = `--x\r\nContent-Type: text/html\r\n\r\n${'<ul><li>'.repeat(130_000)}\r\n`;
  const type = 'Content-Type: multipart/mixed; boundary=x\r\n';
  const slow = Buffer.from(`${HEAD}${type}To: ${'a,'.repeat(450_000)}\r\n\r\n${part}${part}--x--`);
  const began = performance.now();
  expect(await workers.parse({ kind: 'bytes', bytes: Buffer.from(slow) }, facts)).toMatchObject({ notes: [] });
  // Half of what it takes here: how fast a machine is, and what else it does, is part of both.
  const hasty = createMailWorkers({ timeoutMs: (performance.now() - began) / 2 });
  const mail = await hasty.parse({ kind: 'bytes', bytes: slow }, facts);
  expect(mail.notes).toEqual([expect.stringContaining('too much time or memory')]);
  expect(mail.facts.subject).toBe('big');
  expect(mail.raw).toHaveLength(slow.length);
  await hasty.close();
});

test('HTML and Markdown are made safe in the worker, with the mail’s own images', async () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  const raw = mailOf(
    'From: a@b.c',
    'Content-Type: multipart/related; boundary=x',
    '',
    '--x',
    'Content-Type: text/html',
    '',
    '<img src="cid:pic@1">',
    '--x',
    'Content-Type: image/png',
    'Content-ID: <pic@1>',
    'Content-Transfer-Encoding: base64',
    '',
    png.toString('base64'),
    '--x--',
  );
  expect(await workers.html('<img src="cid:pic@1"><script>1</script>', { raw })).toContain(
    `<img src="data:image/png;base64,${png.toString('base64')}" />`,
  );
  expect(await workers.markdown('**b** <script>1</script>')).toMatch(/<strong>b<\/strong>(?!.*script)/s);
});

test('an attachment that is not there is NOT_FOUND', async () => {
  await expect(workers.attachment(mailOf('From: a@b.c', '', 'x'), 3)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('an aborted parse rejects with the reason of the signal', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(workers.parse({ kind: 'bytes', bytes: mailOf('', '') }, facts, { signal })).rejects.toThrow('enough');
});
