import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGmailMailbox, type GmailMailboxOptions } from '../../../engine/src/mail/gmail/mailbox.ts';
import { gmailQuery } from '../../../engine/src/mail/gmail/query.ts';
import type { Mailbox } from '../../../engine/src/mail/mailbox.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import type { AccountTokens } from '../../../engine/src/account/account.ts';
import { scopeName } from '../../../engine/src/account/scopes.ts';
import { letterTo, mailboxContract, ME, outgoing } from '../../contracts/mailbox.ts';
import { startGmail, TOKEN } from './gmail-emulator.ts';
import { GmailPeer, said } from './gmail-peer.ts';
import { fixedTokens } from './gmail-tokens.ts';
import { hastyClock } from '../hasty-clock.ts';

const workers = createMailWorkers({ workers: 1 });
afterAll(() => workers.close());

function mailboxAt(api: string, options: Partial<GmailMailboxOptions> = {}): Mailbox {
  const tokens = fixedTokens(TOKEN);
  return createGmailMailbox({
    ...{ accountId: 'support', email: ME, workers, clock: hastyClock, tokens, endpoints: { api } },
    ...options,
  });
}

mailboxContract('Gmail, as the emulator plays it', {
  // It cuts `rfc822msgid:` one letter short, and finds nothing by it; the peer below shows that.
  findsMessageIds: false,
  labels: ['Orders', 'never-seen-before'],
  async open() {
    const gmail = await startGmail(ME);
    return {
      mailbox: mailboxAt(gmail.url),
      deliver: async (raw) => void (await gmail.deliver(raw)),
      close: () => gmail.close(),
    };
  },
});

mailboxContract('Gmail, as a peer plays it that replaces Message-IDs', {
  labels: ['Orders', 'never-seen-before'],
  async open() {
    const peer = new GmailPeer();
    peer.renames = true;
    const mailbox = mailboxAt(await peer.start());
    return {
      mailbox,
      async deliver(raw) {
        const head = Buffer.from(raw).toString('utf8').split('\r\n');
        peer.now = Date.parse(head.find((line) => line.startsWith('Date: '))?.slice(6) ?? '');
        const answers = head.find((line) => line.startsWith('In-Reply-To: '))?.slice(13);
        const known = [...peer.mails.values()].find(({ raw: other }) => other.includes(`Message-ID: ${answers}\r\n`));
        peer.deliver(raw, ['INBOX', 'UNREAD'], known?.threadId);
      },
      close: () => peer.close(),
    };
  },
});

test('labels a mail with one that Gmail made itself, by its name in any language', async () => {
  const gmail = await startGmail(ME);
  const id = await gmail.deliver(letterTo('Mine'));
  const { labels } = await mailboxAt(gmail.url).label(id, { add: ['starred', 'ORDERS'], remove: ['unread'] });
  expect(labels.toSorted()).toEqual(['INBOX', 'Orders', 'STARRED']);
  await gmail.close();
});

test('gives no signature where none is set for an address', async () => {
  const gmail = await startGmail(ME);
  // All that the emulator can: one address, with an empty signature.
  expect(await gmail.ask('GET', '/settings/sendAs')).toMatchObject({ sendAs: [{ sendAsEmail: ME, signature: '' }] });
  expect(await mailboxAt(gmail.url).signature()).toBeUndefined();
  await gmail.close();
});

describe('a mailbox at Gmail', () => {
  let peer: GmailPeer;
  let box: Mailbox;
  let url: string;
  beforeEach(async () => {
    peer = new GmailPeer();
    url = await peer.start();
    box = mailboxAt(url);
  });
  afterEach(() => peer.close());

  const sent = () => peer.having('SENT').map(({ raw }) => String(raw));

  test('asks for no scope that it does not need', async () => {
    const asked = new Set<string>();
    const tokens: AccountTokens = {
      async accessToken({ scopes }) {
        for (const scope of scopes) asked.add(scopeName(scope));
        return TOKEN;
      },
    };
    const watched = mailboxAt(url, { tokens });
    const id = peer.deliver(letterTo('Mine'));
    const scopesOf = async (work: () => Promise<unknown>) => {
      asked.clear();
      await work();
      return [...asked].toSorted();
    };
    expect(await scopesOf(() => watched.search({ subject: 'Mine' }, { limit: 5 }))).toEqual(['gmail.readonly']);
    expect(await scopesOf(() => watched.signature())).toEqual(['gmail.readonly']);
    expect(await scopesOf(() => watched.draft(outgoing('one')))).toEqual(['gmail.compose']);
    expect(await scopesOf(() => watched.send(outgoing('two')))).toEqual(['gmail.compose']);
    expect(await scopesOf(() => watched.findSent('<x@y.example>'))).toEqual(['gmail.readonly']);
    expect(await scopesOf(() => watched.archive(id))).toEqual(['gmail.modify']);
  });

  test('takes the signature of its own address, and the text of it', async () => {
    peer.sendAs = [
      { sendAsEmail: 'sales@example.org', isDefault: true, signature: '<b>Sales</b>' },
      { sendAsEmail: 'Team@example.org', isPrimary: true, signature: '<div>Best,<br>the <b>team</b></div>' },
    ];
    expect(await box.signature()).toEqual({ text: 'Best,\nthe team', html: '<div>Best,<br>the <b>team</b></div>' });
    expect((await mailboxAt(url, { email: 'alias@example.org' }).signature())?.text).toBe('Sales');
    peer.sendAs = [{ sendAsEmail: ME, isPrimary: true, signature: '' }];
    expect(await box.signature()).toBeUndefined();
  });

  test('sends to those who are in no header, and tells nobody else of them', async () => {
    const mail = outgoing('one');
    await box.send({ ...mail, to: [...mail.to, 'hidden@client.example'] });
    const [raw] = sent();
    expect(raw).toMatch(/^Bcc: hidden@client\.example\r$/m);
    expect(raw).toContain('\r\nTo: ann@client.example\r\n');
    expect(raw?.endsWith(Buffer.from(mail.mime).toString('utf8'))).toBe(true);
  });

  test('sends an answer in its thread, and begins one where that is gone', async () => {
    peer.deliver(letterTo('Plan'), ['INBOX'], 'thread-1');
    await box.send({ ...outgoing('one'), threadId: 'thread-1' });
    await box.send({ ...outgoing('two'), threadId: 'no-such-thread' });
    expect(peer.having('SENT').map(({ threadId }) => threadId === 'thread-1')).toEqual([false, true]);
  });

  test('sends what is larger than Gmail takes as JSON, byte for byte and in its thread, also with a second token', async () => {
    const tokens: AccountTokens = { accessToken: async ({ refused }) => `token-${refused === undefined ? 1 : 2}` };
    let asked = 0;
    peer.fault = (request) => (request === 'POST /drafts' && asked++ === 0 ? { status: 401 } : undefined);
    peer.deliver(letterTo('Plan'), ['INBOX'], 'thread-1');
    const mail = outgoing('one');
    const line = Buffer.from(`${'ü\xfa'.repeat(30)}\r\n`, 'latin1');
    const mime = Buffer.concat([mail.mime, ...Array<Buffer>(100_000).fill(line)]);
    await mailboxAt(url, { tokens }).send({ ...mail, mime, threadId: 'thread-1' });
    const [out] = peer.having('SENT').filter(({ threadId }) => threadId === 'thread-1');
    expect(out?.raw.subarray(-mime.byteLength).equals(mime)).toBe(true);
    expect(asked).toBe(2);
  });

  test.each([
    ['the answer to sending is lost', 'POST /drafts/send', true, 1, 'ACCOUNT_FAILED'],
    ['the request to send does not get there', 'POST /drafts/send', false, 0, 'ACCOUNT_FAILED'],
    ['the answer to making the draft is lost', 'POST /drafts', true, 0, 'MAIL_NOT_SENT'],
    ['the request to make the draft does not get there', 'POST /drafts', false, 0, 'MAIL_NOT_SENT'],
  ])('sends once where %s', async (_name, request, isAfter, already, code) => {
    peer.renames = true;
    peer.fault = (asked) => (asked === request ? { status: 503, isAfter } : undefined);
    const mail = outgoing('one');
    await expect(box.send(mail)).rejects.toMatchObject({ code, retryable: true });
    expect(sent()).toHaveLength(already);
    peer.fault = () => undefined;
    // As another process would, that knows nothing but the Message-ID.
    const other = mailboxAt(url);
    const found = await other.findSent(mail.messageId);
    expect(found !== undefined).toBe(already === 1);
    if (found === undefined) await other.send(mail);
    expect(sent()).toHaveLength(1);
    expect(peer.having('DRAFT')).toEqual([]);
    expect(await mailboxAt(url).findSent(mail.messageId)).toBeDefined();
  });

  test('does not send again what somebody has sent from Drafts in between', async () => {
    const mail = outgoing('one');
    peer.fault = (asked) => (asked === 'POST /drafts/send' ? { status: 503, isAfter: true } : undefined);
    await box.send(mail).catch(() => {});
    peer.fault = () => undefined;
    expect(await box.send(mail)).toMatchObject({ ref: expect.any(String) });
    expect(sent()).toHaveLength(1);
  });

  test('finds what it has sent where the answer was lost and Sent shows it a while later', async () => {
    const mail = outgoing('one');
    let looks = 0;
    peer.fault = (asked) => {
      if (asked === 'POST /drafts/send') return { status: 503, isAfter: true };
      return asked === 'GET /messages' && ++looks <= 4 ? { status: 200, body: {} } : undefined;
    };
    await box.send(mail).catch(() => {});
    expect(await box.findSent(mail.messageId)).toMatchObject({ ref: expect.any(String) });
  });

  test('does not claim to know of a draft of its own that is gone and not in Sent, and sends it when told to', async () => {
    const mail = outgoing('one');
    peer.fault = (asked) => (asked === 'POST /drafts/send' ? { status: 503 } : undefined);
    await box.send(mail).catch(() => {});
    peer.fault = () => undefined;
    for (const [id, ref] of peer.drafts) {
      peer.drafts.delete(id);
      peer.remove(ref);
    }
    await expect(box.send(mail)).rejects.toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    await expect(box.findSent(mail.messageId)).rejects.toMatchObject({ code: 'TOOL_OUTCOME_UNKNOWN' });
    expect(await box.findSent(mail.messageId)).toBeUndefined();
    await box.send(mail);
    expect(sent()).toHaveLength(1);
  });

  test('knows that a draft of its own that stays where it is was not sent', async () => {
    const mail = outgoing('one');
    peer.fault = (asked) => (asked === 'POST /drafts/send' ? { status: 503 } : undefined);
    await box.send(mail).catch(() => {});
    expect(await box.findSent(mail.messageId)).toBeUndefined();
    peer.fault = () => undefined;
    await box.send(mail);
    expect(sent()).toHaveLength(1);
    expect(peer.having('DRAFT')).toEqual([]);
  });

  test.each([
    ['it cannot be reached', 'POST /drafts', undefined],
    ['it takes no more drafts for now', 'POST /drafts', 429],
    ['it sends no more for now', 'POST /drafts/send', 429],
  ])('knows that nothing was sent where %s', async (_name, request, status) => {
    const busy = { status: 429, body: said(429, 'rateLimitExceeded'), headers: { 'retry-after': '900' } };
    peer.fault = (asked) => (asked === request ? busy : undefined);
    const mailbox = status === undefined ? mailboxAt('http://127.0.0.1:1') : box;
    await expect(mailbox.send(outgoing('one'))).rejects.toMatchObject({ code: 'MAIL_NOT_SENT', retryable: true });
  });

  test('does not ask twice by itself whether a mail is sent', async () => {
    peer.fault = (asked) => (asked === 'POST /drafts/send' ? { status: 503 } : undefined);
    await box.send(outgoing('one')).catch(() => {});
    expect(peer.asked.filter((asked) => asked === 'POST /drafts/send')).toHaveLength(1);
  });

  test.each([
    [400, said(400, 'invalidArgument', 'Invalid To header'), 'Invalid To header'],
    // What stands before Gmail explains nothing.
    [413, '<html>', 'HTTP 413'],
  ])('says that Gmail does not take a mail (%i), and leaves no draft of it', async (status, body, reason) => {
    peer.fault = (asked) => (asked === 'POST /drafts/send' ? { status, body } : undefined);
    await expect(box.send(outgoing('one'))).rejects.toMatchObject({
      code: 'MAIL_REFUSED',
      message: expect.stringContaining(reason),
    });
    expect(peer.having('DRAFT')).toEqual([]);
  });

  test('finds what was sent under another Message-ID, unless it is too long ago', async () => {
    peer.renames = true;
    await box.send(outgoing('one'));
    for (let n = 0; n < 20; n++) peer.deliver(letterTo(`Other ${n}`), ['SENT']);
    expect(await box.findSent(outgoing('one').messageId)).toBeDefined();
  });

  test('makes a label that somebody else makes at the same time once', async () => {
    const id = peer.deliver(letterTo('Mine'));
    const [one, two] = await Promise.all([
      box.label(id, { add: ['New'], remove: [] }),
      mailboxAt(url).label(id, { add: ['new'.replace('n', 'N')], remove: [] }),
    ]);
    expect([one.labels, two.labels].flat().filter((name) => name === 'New')).toHaveLength(2);
    expect([...peer.labels.values()]).toEqual(['Orders', 'New']);
  });

  test('reads the headers of mails with the parser of fetched mail, and snippets as text', async () => {
    const raw = [
      'From: =?utf-8?q?J=C3=B6rg?= <joerg@client.example>',
      'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
      '',
      'Hi.',
    ];
    const id = peer.deliver(raw.join('\r\n'), ['INBOX', 'Label_1'], 'thread-3');
    const [found] = await box.search({}, { limit: 5 });
    expect(found).toMatchObject({
      ...{ ref: id, threadId: 'thread-3', subject: 'Grüße', snippet: "It's Gmail&Co", labels: ['INBOX', 'Orders'] },
      from: [{ name: 'Jörg', address: 'joerg@client.example' }],
    });
  });

  test('leaves drafts out of searches and threads, and the trash out of threads', async () => {
    peer.deliver(letterTo('Plan'), ['INBOX'], 'thread-1');
    peer.deliver(letterTo('Plan draft'), ['DRAFT'], 'thread-1');
    peer.deliver(letterTo('Plan dropped'), ['TRASH'], 'thread-1');
    const subjects = ({ subject }: { readonly subject: string }) => subject;
    expect((await box.search({ subject: 'Plan' }, { limit: 5 })).map(subjects)).toEqual(['Plan']);
    expect((await box.thread('thread-1')).map(subjects)).toEqual(['Plan']);
  });
});

test.each([
  [{ text: 'invoice 2026' }, 'invoice 2026'],
  [{ text: 'from:boss@example.org' }, '"from:boss@example.org"'],
  [{ text: 'a OR b -c {d e}' }, 'a "OR" b "-c" "{d" "e}"'],
  [{ text: 'say "from:boss" now' }, 'say "from:boss" now'],
  [{ from: 'Ann Lee' }, 'from:Ann from:Lee'],
  [{ from: 'ann@client.example OR in:trash' }, 'from:ann@client.example from:"OR" from:"in:trash"'],
  [{ subject: 'Grüße (neu)' }, 'subject:Grüße subject:"(neu)"'],
  [{ messageId: '<a"b c@x.example>' }, 'rfc822msgid:abc@x.example'],
  [{ after: '2026-11-25', before: '2026-11-26' }, 'after:1795564799 before:1795651201'],
  [{ after: 'yesterday' }, ''],
  [{}, ''],
])('asks Gmail for %j with words that cannot become operators', (query, q) => {
  expect(gmailQuery(query)).toBe(q);
});
