import { afterAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../../engine/src/base/json.ts';
import type { MailContent, MailSummary } from '../../../engine/src/mail/mail.ts';
import { readMail } from '../../../engine/src/mail/parse/parse-mail.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import { corpora } from '../../available.ts';
import { corpusMail, type Expected, expectedMails, facts } from '../fixtures.ts';

/** Share of the hard fields that must come out as independent parsers agree. */
const TARGET = 0.99;

function fieldsOf(mail: MailSummary, content: MailContent): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    'subject': mail.subject,
    'date': mail.date === '' ? '' : Date.parse(mail.date),
    'messageId': mail.messageId,
    'hasHtml': content.html !== '',
    'textSha256': content.text.trim() === '' ? '' : sha256(content.text.replace(/\s+/g, ' ').trim()),
    'attachments.names': mail.attachments.map(({ name }) => name).sort(),
    'attachments.sha256': mail.attachments.map((attachment) => attachment.sha256).sort(),
  };
  for (const [name, list] of Object.entries({
    'from': mail.from,
    'to': mail.to,
    'cc': mail.cc,
    'bcc': mail.bcc,
    'reply-to': mail.replyTo,
  })) {
    fields[`${name}.addresses`] = list.map(({ address }) => address.toLowerCase());
    fields[`${name}.names`] = list.map((one) => one.name);
  }
  return fields;
}

function wrongFields(row: Expected, got: Record<string, unknown>): string[] {
  return row.hard.filter((name) => {
    let wanted = row.expect[name];
    if (name === 'date' && typeof wanted === 'string') wanted = wanted === '' ? '' : Date.parse(wanted);
    if (name.startsWith('attachments.') && Array.isArray(wanted)) wanted = wanted.toSorted();
    return JSON.stringify(wanted) !== JSON.stringify(got[name]);
  });
}

describe.skipIf(corpora === undefined)('real and torture mails (left out without the corpora)', () => {
  const workers = createMailWorkers({ workers: 1 });
  afterAll(() => workers.close());

  test('at least 99 % of the hard fields are as independent parsers agree', async () => {
    const wrong: string[] = [];
    for (const row of expectedMails) {
      const { summary, content } = await readMail(corpusMail(row.file), facts);
      wrong.push(...wrongFields(row, fieldsOf(summary, content)).map((name) => `${row.file} ${name}`));
    }
    const total = expectedMails.reduce((sum, row) => sum + row.hard.length, 0);
    const share = 1 - wrong.length / total;
    process.stderr.write(
      `mail corpus: ${(share * 100).toFixed(2)} % of ${total} hard fields; wrong: ${wrong.join(', ') || 'none'}\n`,
    );
    expect(total).toBeGreaterThan(0);
    expect(share).toBeGreaterThanOrEqual(TARGET);
  });

  test('each is read in a worker within its limits of time and of 256 MB', { timeout: 60_000 }, async () => {
    await workers.parse({ kind: 'bytes', bytes: new TextEncoder().encode('From: warm@up\n\n') }, facts);
    for (const { file } of expectedMails) {
      const mail = await workers.parse({ kind: 'bytes', bytes: corpusMail(file) }, facts);
      // A mail that exceeds a limit is read lightly, and says so.
      expect(mail.notes, file).toEqual([]);
    }
    // The worker has a heap of 256 MB for itself; what it keeps outside of the heap counts here.
    expect(process.memoryUsage().rss).toBeLessThan(512 * 1024 * 1024);
  });

  test('every attachment can be fetched by its index, with the bytes that its hash promises', async () => {
    for (const { file } of expectedMails) {
      const { summary } = await readMail(corpusMail(file), facts);
      for (const { index, size, sha256: hash, name } of summary.attachments) {
        const found = await workers.attachment(corpusMail(file), index);
        expect(found.bytes, file).toHaveLength(size);
        expect(sha256(found.bytes), file).toBe(hash);
        expect(found.meta, file).toMatchObject({ index, name });
      }
    }
  });
});
