import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MIME_LIMITS } from '../../../engine/src/mail/parse/mime.ts';
import { readMail } from '../../../engine/src/mail/parse/parse-mail.ts';
import { isFull } from '../../available.ts';
import { growthOfAsync } from '../../cpu-time.ts';
import { facts, mailOf } from '../fixtures.ts';

const runs = { numRuns: isFull ? 2000 : 40 };
/** Part of each costly mail: what is quadratic shows in a third too, and a third takes a third of the time. */
const large = isFull ? 1 : 0.3;
const shortened = isFull ? '' : ' (a third of each size; CALLSHEET_FULL=1 reads all of it)';

/** A mail with a part of every kind, to be damaged. */
const whole = mailOf(
  'From: "Ann; (a)" <ann@example.org>',
  'To: Team: a@b.c, "d" <d@e.f>;',
  'Subject: =?utf-8?B?4oKs?= =?iso-8859-1?Q?=E9?=',
  'Date: Tue, 12 Nov 2013 09:12:42 -0500',
  'Content-Type: multipart/mixed; boundary="outer"; x*0="a"; x*1*=utf-8\'\'%C3',
  '',
  '--outer',
  'Content-Type: multipart/alternative; boundary=inner',
  '',
  '--inner',
  'Content-Type: text/plain; charset=utf-16; format=flowed; delsp=yes',
  'Content-Transfer-Encoding: base64',
  '',
  'aABpAA==',
  '--inner',
  'Content-Type: text/html',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<table><tr><td>=C3=A9<img src=3D"cid:x"></td></table>',
  '--inner--',
  '--outer',
  'Content-Type: message/rfc822',
  '',
  'Subject: inside',
  '',
  'text',
  '--outer',
  "Content-Disposition: attachment; filename*=utf-8''%e2%82%ac.txt",
  '',
  'data',
  '--outer--',
  '',
);

async function isReadable(raw: Uint8Array): Promise<void> {
  const { summary, content } = await readMail(raw, facts);
  expect(summary.id).toBe(facts.id);
  for (const text of [content.text, content.html, content.bodyText, summary.subject])
    expect(typeof text).toBe('string');
  JSON.parse(JSON.stringify({ summary, content }));
}

describe('damaged mails are read as far as they go', () => {
  test('cut off anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), (end) => isReadable(whole.subarray(0, end))),
      runs,
    );
  });

  test('with bytes changed, NUL among them', async () => {
    const change = fc.tuple(
      fc.nat(whole.length - 1),
      fc.oneof(fc.constantFrom(0, 10, 13, 34, 40, 45, 58, 60, 61, 255), fc.nat(255)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 40 }), (changes) => {
        const raw = Uint8Array.from(whole);
        for (const [place, byte] of changes) raw[place] = byte;
        return isReadable(raw);
      }),
      runs,
    );
  });

  test('with lines in another order', async () => {
    const lines = new TextDecoder().decode(whole).split('\r\n');
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines, { minLength: 5 }), (order) => isReadable(mailOf(...order))),
      runs,
    );
  });

  test('that are only bytes', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), isReadable), runs);
  });
});

const repeat = (text: string, times: number) => new TextEncoder().encode(text.repeat(times));
const after = (head: string, body: Uint8Array) => Buffer.concat([Buffer.from(head), body]);
const MIXED = 'From: a@b.c\nSubject: s\nContent-Type: multipart/mixed; boundary=x\n\n';

describe(`mails made to be costly are read in bounded time${shortened}`, () => {
  const costly: readonly (readonly [string, (part: number) => Uint8Array])[] = [
    [
      'parts nested 5,000 deep',
      (part) =>
        mailOf(
          'From: a@b.c',
          ...Array.from(
            { length: 5000 * part },
            (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}`,
          ),
        ),
    ],
    [
      '10,000 attachments',
      (part) => after(MIXED, repeat('--x\nContent-Disposition: attachment; filename=a.txt\n\ndata\n', 10_000 * part)),
    ],
    ['a million empty parts', (part) => after(MIXED, repeat('--x\n\n\n', 1_000_000 * part))],
    [
      '5,000 messages inside each other',
      (part) => after('From: a@b.c\n', repeat('Content-Type: message/rfc822\n\n', 5000 * part)),
    ],
    ['a header of 20 MB', (part) => after('Subject: s\nX: ', repeat('y', 20_000_000 * part))],
    ['a million headers', (part) => after('Subject: s\n', repeat('X: y\n', 1_000_000 * part))],
    ['a header folded 300,000 times', (part) => after('Subject: s\nX: y\n', repeat(' z\n', 300_000 * part))],
    ...['(', '<', '"', 'a,', ':', '@', '<a@', ';', '\\', 'a@b '].map(
      (text) =>
        [
          `900 KB of ${JSON.stringify(text)} as recipients`,
          (part: number) => after('To: ', repeat(text, (900_000 * part) / text.length)),
        ] as const,
    ),
    ['2 MB of nested elements', (part) => after('Content-Type: text/html\n\n', repeat('<div>', 400_000 * part))],
    ['2 MB of nested lists', (part) => after('Content-Type: text/html\n\n', repeat('<ul><li>', 250_000 * part))],
    [
      '2 MB of nested tables',
      (part) => after('Content-Type: text/html\n\n', repeat('<table><tr><td>', 130_000 * part)),
    ],
    ['20 MB of text in one line', (part) => after('Subject: s\n\n', repeat('word ', 4_000_000 * part))],
    ['20 MB that only look like boundaries', (part) => after(MIXED, repeat('--y\n', 5_000_000 * part))],
  ];

  test.each(costly)('%s take about ten times as long as a tenth of them', async (_name, make) => {
    // Anything quadratic would take a hundred times as long.
    expect(await growthOfAsync((part) => isReadable(make(part)), { small: large / 10, large })).toBeLessThan(40);
  });
});

test('what lies behind parts that are nested too deep is still found', async () => {
  const deep = Array.from(
    { length: MIME_LIMITS.depth + 20 },
    (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n`,
  );
  const raw = mailOf(
    'Content-Type: multipart/mixed; boundary=b0',
    '',
    ...deep,
    '--b0',
    'Content-Disposition: attachment; filename=last.txt',
    '',
    'x',
    '--b0--',
  );
  const { summary, notes } = await readMail(raw, facts);
  expect(summary.attachments.map(({ name }) => name)).toEqual(['last.txt']);
  expect(notes).toEqual([expect.stringContaining('nested deeper')]);
});
