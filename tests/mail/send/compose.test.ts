import PostalMime from 'postal-mime';
import { afterAll, describe, expect, test } from 'vitest';
import { compose, type Letter, messageIdOf } from '../../../engine/src/mail/send/compose.ts';
import type { Mail } from '../../../engine/src/mail/mail.ts';
import { readMail } from '../../../engine/src/mail/parse/parse-mail.ts';
import {
  type WriterDeps,
  recipientsOf,
  replySubject,
  threading,
  writeNew,
  writeReply,
} from '../../../engine/src/mail/send/reply.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import { corpora } from '../../available.ts';
import { corpusMail, expectedMails, facts, mailOf } from '../fixtures.ts';

const workers = createMailWorkers({ workers: 1 });
afterAll(() => workers.close());

const ME = 'me@example.org';
const STAMP = { messageId: '<callsheet.1@example.org>', atMs: 1_795_341_600_000, isAutomatic: false, isDraft: false };

function deskOf(patch: Partial<WriterDeps> = {}): WriterDeps {
  return {
    email: ME,
    own: [ME],
    signature: undefined,
    attachments: [],
    sanitize: (html) => workers.html(html),
    ...patch,
  };
}

async function original(...lines: readonly string[]): Promise<Mail> {
  const { summary, content } = await readMail(mailOf(...lines), facts);
  return { ...summary, ...content };
}

const ANN = ['From: Ann Lee <ann@client.example>', `To: ${ME}`, 'Subject: Offer', 'Message-ID: <1@client.example>'];

/** The bytes of a letter, read by another program. */
async function parsed(letter: Letter, stamp = STAMP) {
  const { mime } = await compose(letter, stamp);
  const mail = await PostalMime.parse(mime);
  return { mail, raw: Buffer.from(mime).toString('latin1'), header: (key: string) => headerOf(mail, key) };
}

function headerOf(mail: Awaited<ReturnType<typeof PostalMime.parse>>, key: string): string | undefined {
  return mail.headers.find((header) => header.key === key)?.value;
}

const answer = async (lines: readonly string[], writing = {}, desk = {}) =>
  writeReply({ text: 'Thank you.', ...writing }, await original(...lines), deskOf(desk));

describe('an answer', () => {
  test('names the mail that it answers and all that came before', async () => {
    const lines = [...ANN, 'References: <a@x.example> <b@x.example>', '', 'Hello.'];
    const { mail, header } = await parsed(await answer(lines));
    expect(mail.inReplyTo).toBe('<1@client.example>');
    expect(mail.references).toBe('<a@x.example> <b@x.example> <1@client.example>');
    expect(mail.messageId).toBe('<callsheet.1@example.org>');
    expect(header('auto-submitted')).toBeUndefined();
    expect(mail.date).toBe('2026-11-22T10:00:00.000Z');
  });

  test('takes In-Reply-To for References where a mail has only that', () => {
    const ids = { messageId: '<b@x>', inReplyTo: '<a@x>', references: [] };
    expect(threading(ids)).toEqual({ inReplyTo: '<b@x>', references: ['<a@x>', '<b@x>'] });
  });

  test('keeps the first of many references and the last ones', () => {
    const references = Array.from({ length: 500 }, (_, n) => `<${n}@x>`);
    const { references: kept } = threading({ messageId: '<last@x>', inReplyTo: '', references });
    expect(kept).toHaveLength(20);
    expect([kept[0], kept[1], kept.at(-1)]).toEqual(['<0@x>', '<482@x>', '<last@x>']);
  });

  test.each(['', 'no id', '<a b@x>', `<${'x'.repeat(400)}@x>`, '<a\r\nBcc: evil@x>', '<é@x>'])(
    'leaves out the Message-ID %j, which is none',
    (messageId) => {
      expect(threading({ messageId, inReplyTo: '', references: ['<a@x>'] })).toEqual({
        inReplyTo: undefined,
        references: ['<a@x>'],
      });
    },
  );

  test.each([
    ['Offer', 'Re: Offer'],
    ['Re: Offer', 'Re: Offer'],
    ['RE[2]: Offer', 'Re: Offer'],
    ['Re^3: Offer', 'Re: Offer'],
    ['AW: Re: AW: Offer', 'Re: Offer'],
    ['SV:Offer', 'Re: Offer'],
    ['Antw: Offer', 'Re: Offer'],
    ['回复：Offer', 'Re: Offer'],
    ['Fwd: Offer', 'Re: Fwd: Offer'],
    ['Re-opening', 'Re: Re-opening'],
    ['Reform: when?', 'Re: Reform: when?'],
    ['', 'Re:'],
    ['a\r\nBcc: evil@x.example', 'Re: a Bcc: evil@x.example'],
  ])('to %j is called %j', (before, after) => expect(replySubject(before)).toBe(after));

  test('goes to Reply-To where there is one, else to the sender', async () => {
    expect((await answer([...ANN, '', 'x'])).to).toEqual([{ name: 'Ann Lee', address: 'ann@client.example' }]);
    const asked = await answer([...ANN, 'Reply-To: Desk <desk@client.example>', '', 'x']);
    expect(asked.to).toEqual([{ name: 'Desk', address: 'desk@client.example' }]);
    expect(asked.cc).toEqual([]);
  });

  test('to all goes to everybody once, and not to ourselves', async () => {
    const lines = [
      'From: Ann <ann@client.example>',
      `To: ME <${ME.toUpperCase()}>, Bob <bob@client.example>, ANN@client.example`,
      'Cc: Cleo <cleo@client.example>, bob@client.example, alias@example.org',
      'Subject: Offer',
      '',
      'x',
    ];
    const { to, cc } = await answer(lines, { all: true }, { own: [ME, 'alias@example.org'] });
    expect(to.map(({ address }) => address)).toEqual(['ann@client.example']);
    expect(cc.map(({ address }) => address)).toEqual(['bob@client.example', 'cleo@client.example']);
  });

  test('to own mail goes to those to whom that went', async () => {
    const { to } = await answer([`From: ${ME}`, 'To: ann@client.example', 'Subject: x', '', 'x']);
    expect(to.map(({ address }) => address)).toEqual(['ann@client.example']);
  });

  test.each([
    ['nobody', ['Subject: x', '', 'x']],
    ['something that is no address', ['From: Undisclosed', 'Subject: x', '', 'x']],
    ['a name before the @ beyond ASCII', ['From: <jürgen@client.example>', 'Subject: x', '', 'x']],
    ['ourselves alone', [`From: ${ME}`, `To: ${ME}`, 'Subject: x', '', 'x']],
  ])('to a mail that names %s cannot be written', async (_name, lines) => {
    const found = original(...lines).then((mail) => recipientsOf(mail, [ME], true));
    await expect(found).rejects.toMatchObject({ code: 'MAIL_UNANSWERABLE' });
  });

  test('writes a domain in other letters in ASCII', async () => {
    const { mail } = await parsed(await answer(['From: <ann@bücher.example>', 'Subject: x', '', 'x']));
    expect(mail.to).toEqual([{ name: '', address: 'ann@xn--bcher-kva.example' }]);
  });

  test('quotes the mail below what is said, with who said it and when', async () => {
    const lines = [...ANN, 'Date: Sat, 21 Nov 2026 10:00:00 +0000', '', 'Hello,', '', '> before', 'Ann'];
    const { mail } = await parsed(await answer(lines));
    expect(mail.text?.trimEnd()).toBe(
      'Thank you.\n\nOn 2026-11-21, 10:00 UTC, Ann Lee <ann@client.example> wrote:\n> Hello,\n>\n>> before\n> Ann',
    );
  });

  test('has the signature once, above the quotation', async () => {
    const signature = { text: 'Best,\nJane' };
    const unsigned = await answer([...ANN, '', 'Hello.'], {}, { signature });
    expect(unsigned.text).toMatch(/^Thank you\.\n\n-- \nBest,\nJane\n\nAnn Lee/);
    const signed = await answer([...ANN, '', 'Hello.'], { text: 'Thank you.\n\nBest,\nJane' }, { signature });
    expect(signed.text.match(/Jane/g)).toHaveLength(1);
  });

  test('as HTML quotes what is safe of the HTML, and says the same as text', async () => {
    const lines = [
      ...ANN,
      'Content-Type: text/html',
      '',
      '<style>p{color:red}</style><p onclick="x()">Hello<script>alert(1)</script><img src="https://t.example/pixel.png"></p>',
    ];
    const letter = await answer(lines, { text: undefined, html: '<p>Thank <b>you</b><script>x()</script></p>' });
    const { mail } = await parsed(letter);
    expect(mail.html).toContain('<p>Thank <b>you</b></p>');
    expect(mail.html).toMatch(/<blockquote[^>]*>[^]*Hello[^]*<\/blockquote>/);
    for (const bad of ['script', 'onclick', 'pixel.png', '<style', '<!doctype', 'color:red'])
      expect(mail.html).not.toContain(bad);
    expect(mail.text).toContain('Thank you');
    expect(mail.text).toContain('> Hello');
  });

  test('takes files along, whatever their names are', async () => {
    const bytes = Uint8Array.from({ length: 3000 }, (_, n) => n % 256);
    const attachments = [
      { name: 'Übersicht "neu"\r\nBcc: x.pdf', mimeType: 'application/pdf', bytes },
      { name: '../../etc/passwd', mimeType: 'text/plain\r\nX-Evil: 1', bytes: new TextEncoder().encode('é\n') },
    ];
    const { mail, raw } = await parsed(await answer([...ANN, '', 'x'], {}, { attachments }));
    const [first, second] = mail.attachments;
    expect(first).toMatchObject({ filename: 'Übersicht "neu" Bcc: x.pdf', mimeType: 'application/pdf' });
    expect(Buffer.from(first?.content as ArrayBuffer).equals(bytes)).toBe(true);
    expect(second).toMatchObject({ filename: '.._.._etc_passwd', mimeType: 'application/octet-stream' });
    expect(raw).not.toMatch(/^(?:Bcc|X-Evil):/im);
  });

  test('shows nobody the Bcc, sends to it, and keeps it in a draft', async () => {
    const letter = await answer([...ANN, '', 'x'], { bcc: ['Boss <boss@example.org>'] });
    const { mime, to } = await compose(letter, STAMP);
    expect(Buffer.from(mime).toString()).not.toContain('boss@');
    expect(to).toEqual(['ann@client.example', 'boss@example.org']);
    const draft = await compose(letter, { ...STAMP, isDraft: true });
    expect(Buffer.from(draft.mime).toString()).toContain('boss@');
  });

  test('says that a program sent it where no person did', async () => {
    const { header } = await parsed(await answer([...ANN, '', 'x']), { ...STAMP, isAutomatic: true });
    expect(header('auto-submitted')).toBe('auto-replied');
    const [from, to, subject] = ANN;
    const nameless = await parsed(await answer([from!, to!, subject!, '', 'x']), { ...STAMP, isAutomatic: true });
    expect(nameless.header('auto-submitted')).toBe('auto-replied');
  });

  test('has lines of at most 998 bytes that end in CRLF, and nothing beyond ASCII', async () => {
    const text = `${'long '.repeat(1000)}\nГрüße 🎉\n.\n..\nFrom here on\n`;
    const { raw, mail } = await parsed(await answer([...ANN, '', 'x'], { text }));
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    // eslint-disable-next-line no-control-regex
    expect(raw).not.toMatch(/[^\u0000-\u007f]/);
    expect(mail.text).toContain('Грüße 🎉\n.\n..\nFrom here on');
  });

  test.each(['', '  \n '])('with nothing in it (%j) is refused', async (text) => {
    await expect(answer([...ANN, '', 'x'], { text })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('that is too large is refused', async () => {
    const attachments = [{ name: 'big', mimeType: 'video/mp4', bytes: new Uint8Array(20 * 1024 * 1024) }];
    const letter = await answer([...ANN, '', 'x'], {}, { attachments });
    await expect(compose(letter, STAMP)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});

describe('a new mail', () => {
  const write = (writing: object) => writeNew({ text: 'Hello.', to: ['ann@client.example'], ...writing }, deskOf());

  test('goes to whom it names, with nothing quoted', async () => {
    const { mail } = await parsed(await write({ subject: 'News', cc: ['Bob <bob@client.example>'] }));
    expect(mail).toMatchObject({ subject: 'News', to: [{ address: 'ann@client.example' }], text: 'Hello.\n' });
    expect(mail.inReplyTo).toBeUndefined();
  });

  // RFC 3834 5.1: it answers nobody.
  test('says that a program made it where no person did', async () => {
    const { header } = await parsed(await write({ subject: 'News' }), { ...STAMP, isAutomatic: true });
    expect(header('auto-submitted')).toBe('auto-generated');
  });

  test.each([
    ['subject', { subject: 'a\r\nBcc: evil@x.example' }],
    ['subject', { subject: 'a\u2028b' }],
    ['to', { to: ['ann@client.example\r\nBcc: evil@x.example'] }],
    ['to', { to: ['"Ann\nBcc: evil@x.example" <ann@client.example>'] }],
    ['cc', { cc: ['nobody'] }],
    ['bcc', { bcc: ['a@b@c'] }],
    ['to', { to: ['jürgen@client.example'] }],
    ['to', { to: [] }],
    ['to', { to: ['ann@client..example'] }],
  ])('is refused for its %s: %j', async (field, writing) => {
    await expect(write(writing)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(field),
    });
  });
});

test('the Message-ID follows from the key, and its domain from the account', () => {
  expect(messageIdOf('run_1/2/a', ME)).toBe(messageIdOf('run_1/2/a', ME));
  expect(messageIdOf('run_1/2/a', ME)).not.toBe(messageIdOf('run_1/2/b', ME));
  expect(messageIdOf('k', 'me@bücher.example')).toMatch(/^<callsheet\.[0-9a-f]{40}@xn--bcher-kva\.example>$/);
});

describe.skipIf(corpora === undefined)('every mail of the corpus (left out without the corpora)', () => {
  test('is answered, or refused because it names nobody', async () => {
    const refused: string[] = [];
    for (const { file } of expectedMails) {
      const { summary, content } = await readMail(corpusMail(file), facts);
      const mail = { ...summary, ...content };
      const letter = await writeReply({ html: '<p>Thanks</p>', all: true }, mail, deskOf()).catch((error: unknown) => {
        expect(error, file).toMatchObject({ code: 'MAIL_UNANSWERABLE' });
        refused.push(file);
        return undefined;
      });
      if (letter === undefined) continue;
      const { mail: back, raw } = await parsed(letter);
      expect(back.subject, file).toBe(replySubject(mail.subject));
      expect(
        back.to?.map(({ address }) => address),
        file,
      ).toEqual(letter.to.map(({ address }) => address));
      expect(back.inReplyTo ?? undefined, file).toBe(letter.inReplyTo);
      expect(back.references ?? '', file).toBe(letter.references.join(' '));
      expect(
        raw.split('\r\n\r\n')[0]?.match(/^(?:to|cc|subject|from|message-id|date):/gim)?.length,
        file,
      ).toBeLessThanOrEqual(6);
      expect(back.html, file).not.toMatch(/<script|<iframe|https?:[^"]*\.(?:gif|png)" alt/i);
    }
    process.stderr.write(
      `mail corpus: ${refused.length} of ${expectedMails.length} cannot be answered: ${refused.join(', ')}\n`,
    );
    expect(refused.length).toBeLessThan(expectedMails.length / 4);
  }, 120_000);
});
