import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../engine/src/base/json.ts';
import { readAttachment, readMail, readMailLightly } from '../../../engine/src/mail/parse/parse-mail.ts';
import { facts, mailOf } from '../fixtures.ts';

const HEAD = ['From: Ann <ann@example.org>', 'To: me@example.org', 'Subject: Hello'];

describe('text and HTML', () => {
  test('a mail without a text part has an empty text, and body text made from the HTML', async () => {
    const { content } = await readMail(
      mailOf(...HEAD, 'Content-Type: text/html', '', '<p>Dear <b>you</b></p><p>Bye</p>'),
      facts,
    );
    expect(content).toMatchObject({ text: '', html: '<p>Dear <b>you</b></p><p>Bye</p>', bodyText: 'Dear you\n\nBye' });
  });

  test('of alternatives, the body text is the plain one', async () => {
    const raw = mailOf(
      ...HEAD,
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'plain',
      '--b',
      'Content-Type: text/html',
      '',
      '<i>rich</i>',
      '--b--',
    );
    expect((await readMail(raw, facts)).content).toMatchObject({
      text: 'plain',
      html: '<i>rich</i>',
      bodyText: 'plain',
    });
  });

  test('an empty text part does not hide the HTML from the body text', async () => {
    const raw = mailOf(
      ...HEAD,
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      '',
      '  ',
      '--b',
      'Content-Type: text/html',
      '',
      '<i>rich</i>',
      '--b--',
    );
    expect((await readMail(raw, facts)).content.bodyText).toBe('rich');
  });

  test('a forwarded message is part of the body text alone, and its attachments are the mail’s', async () => {
    const raw = mailOf(
      ...HEAD,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'see below',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'From: Bob <bob@example.org>',
      'Subject: Inner',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      '',
      'inner words',
      '--c',
      'Content-Disposition: attachment; filename=inner.txt',
      '',
      'data',
      '--c--',
      '--b--',
    );
    const { summary, content } = await readMail(raw, facts);
    expect(content.text).toBe('see below');
    expect(content.bodyText).toContain('From: Bob <bob@example.org>\nSubject: Inner');
    expect(content.bodyText).toContain('inner words');
    expect(summary.attachments.map(({ name }) => name)).toEqual(['inner.txt']);
  });

  test.each([
    ['text/plain', 'text', 'x'.repeat(3 * 1024 * 1024)],
    ['text/html', 'html', '<p>word</p>'.repeat(300_000)],
  ] as const)('%s beyond 2 MB is cut with a mark, and that is noted', async (type, field, body) => {
    const { content, notes } = await readMail(mailOf(...HEAD, `Content-Type: ${type}`, '', body), facts);
    expect(content[field].length).toBeLessThan(2 * 1024 * 1024 + 200);
    expect(content[field]).toContain('[Cut here: this');
    expect(notes).toEqual([expect.stringContaining('beyond 2 MB was left out')]);
  });

  test('the snippet is the first 200 characters with white space folded', async () => {
    const { summary } = await readMail(mailOf(...HEAD, '', `one\r\n\r\n   two ${'🎉'.repeat(300)}`), facts);
    expect(summary.snippet.startsWith('one two 🎉')).toBe(true);
    expect(summary.snippet.length).toBeLessThanOrEqual(200);
    expect(summary.snippet.isWellFormed()).toBe(true);
  });

  test.each([
    ['few characters', 'one  two\n', 'one two'],
    [
      'white space at its start',
      `${' \r\n'.repeat(300)}one  two${' three'.repeat(100)}`,
      `one two${' three'.repeat(32)}`,
    ],
    ['a blank at the end of the snippet', `${'x'.repeat(199)}  y`, 'x'.repeat(199)],
    ['a pair of surrogates there', `${'x'.repeat(199)}🎉 y`, 'x'.repeat(199)],
    ['white space up to the 4,000th character', `a${' '.repeat(3999)}b`, 'a'],
  ])('the snippet of a text with %s', async (_name, text, snippet) => {
    const { summary } = await readMail(mailOf(...HEAD, '', text), facts);
    expect(summary.snippet).toBe(snippet);
  });

  test.each([
    ['windows-1252', [0x93, 0x68, 0x69, 0x94], '“hi”'],
    ['utf-8', [0xc3, 0xa9], 'é'],
    ['koi8-r', [0xd0], 'п'],
    ['no-such-charset', [0xe9], 'é'],
    ['', [0xc3, 0xa9], 'é'],
  ])('text in charset %j is decoded', async (charset, bytes, text) => {
    const type = charset === '' ? [] : [`Content-Type: text/plain; charset=${charset}`];
    const raw = Buffer.concat([mailOf(...HEAD, ...type, '', ''), Buffer.from(bytes)]);
    expect((await readMail(raw, facts)).content.text).toBe(text);
  });
});

describe('attachments', () => {
  const mailWith = (encoding: string, body: string) =>
    mailOf(
      ...HEAD,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/csv; name="=?utf-8?q?gr=C3=BCn.csv?="',
      `Content-Transfer-Encoding: ${encoding}`,
      'Content-ID: <one@here>',
      '',
      body,
      '--b--',
      '',
    );

  test.each([
    ['7bit', 'a;b\r\n1;2', 'a;b\r\n1;2'],
    ['quoted-printable', 'a=3Bb=\r\nc \r\nd=ZZ', 'a;bc \r\nd=ZZ'],
    ['base64', 'YTti\r\nCjE7\r\nMg==', 'a;b\n1;2'],
    ['base64', 'YQ==\r\nYg==\r\n', 'ab'],
    ['base64', 'YT*ti', 'a;b'],
  ])('%s %j is decoded to the byte, CRLF kept', async (encoding, body, bytes) => {
    const { summary } = await readMail(mailWith(encoding, body), facts);
    expect(summary.attachments).toEqual([
      {
        index: 0,
        name: 'grün.csv',
        mimeType: 'text/csv',
        size: Buffer.byteLength(bytes),
        sha256: sha256(bytes),
        contentId: 'one@here',
        inline: false,
      },
    ]);
    const file = await readAttachment(mailWith(encoding, body), 0);
    expect(Buffer.from(file?.bytes ?? []).toString()).toBe(bytes);
  });

  test('there is nothing at an index that the mail does not have', async () => {
    expect(await readAttachment(mailWith('7bit', 'x'), 1)).toBeUndefined();
  });
});

describe('marks', () => {
  test.each([
    ['Auto-Submitted: auto-replied', true],
    ['Auto-Submitted: no', false],
    ['Auto-Submitted: No (person)', false],
    ['Return-Path: <>', true],
    ['Return-Path: <ann@example.org>', false],
    ['Content-Type: multipart/report; report-type=delivery-status; boundary=x', true],
    ['Precedence: auto_reply', true],
    ['X-Autoreply: yes', true],
    ['X-Other: 1', false],
  ])('%s makes autoSubmitted %s', async (header, autoSubmitted) => {
    expect((await readMail(mailOf(...HEAD, header, '', 'x'), facts)).summary.autoSubmitted).toBe(autoSubmitted);
  });

  test('mail from a mailer daemon is auto-submitted', async () => {
    expect((await readMail(mailOf('From: MAILER-DAEMON@example.org', '', 'x'), facts)).summary.autoSubmitted).toBe(
      true,
    );
  });

  test.each([
    ['List-Id: <news.example.org>', true],
    ['List-Unsubscribe: <mailto:x@example.org>', true],
    ['Precedence: bulk', true],
    ['Precedence: first-class', false],
    ['X-List: 1', false],
  ])('%s makes list %s', async (header, list) => {
    expect((await readMail(mailOf(...HEAD, header, '', 'x'), facts)).summary.list).toBe(list);
  });

  test('mail from an address of the account is own, whatever its case', async () => {
    expect((await readMail(mailOf('From: Me <ME@Example.org>', '', 'x'), facts)).summary.own).toBe(true);
    expect((await readMail(mailOf(...HEAD, '', 'x'), facts)).summary.own).toBe(false);
  });
});

describe('threads', () => {
  test.each([
    ['the first reference', ['Message-ID: <c@x>', 'In-Reply-To: <b@x>', 'References: <a@x>', ' <b@x>'], '<a@x>'],
    ['else the mail replied to', ['Message-ID: <c@x>', 'In-Reply-To: Your mail <b@x> of Monday'], '<b@x>'],
    ['else its own Message-ID', ['Message-ID: <c@x>'], '<c@x>'],
    ['else its own id', [], 'mail_1'],
  ])('the thread is %s', async (_name, headers, threadId) => {
    expect((await readMail(mailOf(...HEAD, ...headers, '', 'x'), facts)).summary.threadId).toBe(threadId);
  });

  test('a thread that the provider gave comes first', async () => {
    const { summary } = await readMail(mailOf(...HEAD, 'References: <a@x>', '', ''), {
      ...facts,
      threadId: 'provider-7',
    });
    expect(summary.threadId).toBe('provider-7');
  });
});

describe('labels', () => {
  const raw = mailOf(
    ...HEAD,
    'X-Gmail-Labels: Inbox,=?utf-8?q?Wichtig_=C3=BC?=,"Autopilot InProgress"',
    'X-Keywords: Junk $label1   ',
    'X-Mozilla-Keys: todo   ',
    '',
    'x',
  );

  test('labels of exported mail are read from its headers', async () => {
    const { summary } = await readMail(raw, { ...facts, labels: ['\\Seen'] });
    expect(summary.labels).toEqual(['\\Seen', 'Inbox', 'Wichtig ü', 'Autopilot InProgress', 'Junk', '$label1', 'todo']);
  });

  test('label headers count for nothing where they would be the sender’s', async () => {
    const { summary } = await readMail(raw, { ...facts, readsLabelHeaders: false });
    expect(summary.labels).toEqual([]);
  });
});

test.each([
  ['Tue, 12 Nov 2013 09:12:42 -0500', '2013-11-12T14:12:42.000Z'],
  ['12 Nov 13 09:12 EST', '2013-11-12T14:12:00.000Z'],
  ['Tue, 12 Nov 2013 14:12:42', '2013-11-12T14:12:42.000Z'],
  ['Tue Nov 12 14:12:42 2013', '2013-11-12T14:12:42.000Z'],
  ['2013-11-12T14:12:42Z', '2013-11-12T14:12:42.000Z'],
  ['Tue, 12 Nov 2013 14:12:42 +0000 (UTC)', '2013-11-12T14:12:42.000Z'],
  ['yesterday', ''],
  ['99', ''],
  ['', ''],
])('the date %j is %j in UTC on every machine', async (date, iso) => {
  expect((await readMail(mailOf(...HEAD, `Date: ${date}`, '', ''), facts)).summary.date).toBe(iso);
});

test('addresses of groups are listed one by one, encoded names decoded', async () => {
  const { summary } = await readMail(
    mailOf('To: Team: =?utf-8?q?J=C3=B6rg?= <j@x.org>, k@x.org;', 'Cc: undisclosed-recipients:;', '', ''),
    facts,
  );
  expect(summary.to).toEqual([
    { name: 'Jörg', address: 'j@x.org' },
    { name: '', address: 'k@x.org' },
  ]);
  expect(summary.cc).toEqual([]);
});

test('nothing at all is a mail with nothing in it', async () => {
  const { summary, content } = await readMail(new Uint8Array(0), facts);
  expect(summary).toMatchObject({
    messageId: '',
    from: [],
    subject: '',
    date: '',
    attachments: [],
    own: false,
    threadId: 'mail_1',
  });
  expect(content).toEqual({ headers: [], text: '', html: '', bodyText: '', remoteImages: false });
});

test('a mail that is read lightly has its headers and the start of its text, and says so', async () => {
  const { summary, content, notes } = await readMailLightly(mailOf(...HEAD, '', 'x'.repeat(200_000)), facts);
  expect(summary.subject).toBe('Hello');
  expect(content.text.length).toBeLessThan(65_536);
  expect(notes).toEqual([expect.stringContaining('too much time or memory')]);
});
