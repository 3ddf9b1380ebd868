import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../../engine/src/base/json.ts';
import { createImapMailbox, type ImapMailboxOptions } from '../../../engine/src/mail/imap/mailbox.ts';
import type { Mailbox } from '../../../engine/src/mail/mailbox.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import { forDovecot, longDovecot } from '../../available.ts';
import { letterTo, mailboxContract, outgoing } from '../../contracts/mailbox.ts';
import { type DovecotServer, startDovecot } from '../../dovecot.ts';
import { type SmtpPeer, startSmtp } from './smtp-peer.ts';

const workers = createMailWorkers({ workers: 1 });
afterAll(() => workers.close());

const server = { accountId: 'team', host: '127.0.0.1', secure: false };

function mailboxOf(imap: DovecotServer, smtp: SmtpPeer, patch: Partial<ImapMailboxOptions> = {}): Mailbox {
  const login = { user: imap.user, password: () => imap.password };
  return createImapMailbox({
    ...{ ...server, ...login, port: imap.port, email: imap.user, mailbox: 'INBOX', workers },
    smtp: { ...server, ...login, port: smtp.port, savesSent: false },
    ...patch,
  });
}

mailboxContract(`an IMAP server with SMTP${forDovecot}`, {
  skip: longDovecot === undefined,
  isSentCertain: false,
  labels: ['\\Flagged', 'never-seen-before'],
  async open() {
    const [imap, smtp] = [await startDovecot(), await startSmtp()];
    return {
      mailbox: mailboxOf(imap, smtp),
      deliver: async (raw) => imap.deliver(raw),
      close: async () => {
        await smtp.close();
        await imap.remove();
      },
    };
  },
});

describe.skipIf(longDovecot === undefined)(`an IMAP mailbox${forDovecot}`, () => {
  let imap: DovecotServer;
  let smtp: SmtpPeer;
  beforeEach(async () => {
    imap = await startDovecot();
    smtp = await startSmtp();
  });
  afterEach(async () => {
    await smtp.close();
    await imap.remove();
  });

  test('keeps what it has sent in Sent, as seen and byte for byte', async () => {
    const box = mailboxOf(imap, smtp);
    const { ref = '' } = await box.send(outgoing('one'));
    const { mime, entry } = await box.read(ref);
    expect(Buffer.from(mime).equals(outgoing('one').mime)).toBe(true);
    expect(entry.labels).toEqual(['\\Seen']);
    expect(ref).toMatch(/^\d+:\d+:Sent$/);
    expect(smtp.taken).toHaveLength(1);
  });

  test('tells that a mail is out before it goes into Sent', async () => {
    const box = mailboxOf(imap, smtp);
    let sent: unknown = 'not asked';
    const onSent = async () => {
      sent = await mailboxOf(imap, smtp)
        .findSent(outgoing('one').messageId)
        .catch(() => 'not there');
    };
    await box.send(outgoing('one'), { onSent });
    expect(sent).toBe('not there');
  });

  test('puts no second copy beside the one of a server that keeps it itself', async () => {
    const box = mailboxOf(imap, smtp);
    await box.send(outgoing('one'));
    await box.send(outgoing('one'));
    expect(await box.search({ messageId: outgoing('one').messageId }, { limit: 5 })).toHaveLength(1);
    await mailboxOf(imap, smtp, {
      smtp: { ...server, user: 'x', password: () => 'y', port: smtp.port, savesSent: true },
    }).send(outgoing('two'));
    expect(await box.search({ messageId: outgoing('two').messageId }, { limit: 5 })).toEqual([]);
  });

  test('says so where what was sent cannot be kept', async () => {
    const box = mailboxOf(imap, smtp);
    const outcome = await box.send(outgoing('one'), { onSent: () => imap.kill() });
    expect(outcome.note).toContain('is not in Sent');
    expect(smtp.taken).toHaveLength(1);
  });

  test('puts drafts into Drafts, marked as such, and never among what is found', async () => {
    const box = mailboxOf(imap, smtp);
    const { ref } = await box.draft(outgoing('one'));
    expect(ref).toMatch(/:Drafts$/);
    expect((await box.read(ref)).entry.labels).toEqual(expect.arrayContaining(['\\Draft', '\\Seen']));
    expect(await box.search({}, { limit: 5 })).toEqual([]);
    expect(smtp.taken).toEqual([]);
  });

  test('finds a mail that was fetched by its Message-ID, and again once it was archived', async () => {
    imap.deliver(letterTo('Mine'));
    const box = mailboxOf(imap, smtp);
    const mail = { providerId: 'x', messageId: '<Mine@client.example>' };
    const ref = await box.locate?.(mail);
    expect(ref).toMatch(/:INBOX$/);
    await box.archive(ref ?? '');
    expect(await box.locate?.(mail)).toMatch(/:Archive$/);
    expect(await box.locate?.({ ...mail, messageId: '' })).toBeUndefined();
  });

  test('finds the mail that was fetched among others that have taken its Message-ID', async () => {
    for (const body of ['first', 'second', 'third']) imap.deliver(letterTo('Mine', [], body));
    const box = mailboxOf(imap, smtp);
    const messageId = '<Mine@client.example>';
    const refs = (await box.search({ messageId }, { limit: 5 })).map(({ ref }) => ref);
    expect(refs).toHaveLength(3);
    for (const ref of refs) {
      const { mime } = await box.read(ref);
      expect(await box.locate?.({ providerId: sha256(mime), messageId })).toBe(ref);
    }
    expect(await box.locate?.({ providerId: 'gone', messageId })).toBeUndefined();
  });

  test('knows a mail no more once the server gives other UIDs', async () => {
    imap.deliver(letterTo('Mine'));
    const box = mailboxOf(imap, smtp);
    const [found] = await box.search({}, { limit: 1 });
    const moved = (found?.ref ?? '').replace(/^\d+/, '1');
    await expect(box.read(moved)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(box.read('1:1:Nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('searches for all words wherever they stand', async () => {
    imap.deliver(letterTo('One', [], 'a zebra and a horse'));
    imap.deliver(letterTo('Two', [], 'a zebra alone'));
    const found = await mailboxOf(imap, smtp).search({ text: 'horse zebra' }, { limit: 5 });
    expect(found.map(({ subject }) => subject)).toEqual(['One']);
  });

  test('leaves unread what it only looks at', async () => {
    imap.deliver(letterTo('Mine'));
    const box = mailboxOf(imap, smtp);
    const [found] = await box.search({}, { limit: 1 });
    await box.read(found?.ref ?? '');
    expect((await box.read(found?.ref ?? '')).entry.labels).toEqual([]);
  });

  test.each(['two words', 'ümlaut', '(', '\\Deleted', ''])('takes no label %j', async (label) => {
    imap.deliver(letterTo('Mine'));
    const box = mailboxOf(imap, smtp);
    const [found] = await box.search({}, { limit: 1 });
    await expect(box.label(found?.ref ?? '', { add: [label], remove: [] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('without a server that sends says what to add', async () => {
    const box = mailboxOf(imap, smtp, { smtp: undefined });
    await expect(box.send(outgoing('one'))).rejects.toMatchObject({
      code: 'ACCOUNT_FAILED',
      hint: expect.stringContaining('smtp'),
    });
  });

  test('that cannot be reached says so', async () => {
    const box = mailboxOf(imap, smtp);
    await imap.kill();
    await expect(box.search({}, { limit: 1 })).rejects.toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
  });

  test('does the work of many askers on one connection at a time', async () => {
    for (let n = 0; n < 6; n++) imap.deliver(letterTo(`Mail ${n}`));
    const box = mailboxOf(imap, smtp);
    const found = await Promise.all(
      Array.from({ length: 6 }, (_, n) => box.search({ subject: `Mail ${n}` }, { limit: 1 })),
    );
    expect(found.map(([one]) => one?.subject)).toEqual(Array.from({ length: 6 }, (_, n) => `Mail ${n}`));
  });
});
