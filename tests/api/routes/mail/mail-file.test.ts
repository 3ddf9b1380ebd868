import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../harness.ts';

const INNER = `From: Ada Ray <ada@example.org>
To: Ann <ann@example.org>
Subject: The offer
Date: Sat, 21 Nov 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="i"

--i
Content-Type: text/html; charset=utf-8

<p>Dear Ann,</p><script>alert(1)</script><img src="https://tracker.example/x.png"><p>yes.</p>
--i
Content-Type: application/pdf; name=offer.pdf
Content-Disposition: attachment; filename=offer.pdf
Content-Transfer-Encoding: base64

eHl6
--i--
`;

const OUTER = `From: Ann <ann@example.org>
To: me@example.org
Subject: Three files
Message-ID: <1@example.org>
Date: Sat, 21 Nov 2026 11:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="o"

--o
Content-Type: text/plain; charset=utf-8

See the mails.
--o
Content-Type: message/rfc822
Content-Disposition: attachment; filename=offer.eml

${INNER}
--o
Content-Type: application/octet-stream; name="old.EML"
Content-Disposition: attachment; filename="old.EML"
Content-Transfer-Encoding: base64

${Buffer.from(INNER).toString('base64')}
--o
Content-Type: application/pdf
Content-Disposition: attachment; filename=a.pdf

x
--o--
`;

let desk: Desk;
let path = '';
let names: readonly string[] = [];
beforeAll(async () => {
  desk = await openDesk({});
  desk.drop('a.eml', OUTER);
  await desk.fetch();
  const [mail] = (await desk.get('/api/emails')).json.items;
  path = `/api/emails/${String(mail?.id)}/attachments`;
  names = (mail?.['attachments'] as { name: string }[]).map(({ name }) => name);
});
afterAll(() => desk.close());

const read = (name: string) => desk.get(`${path}/${names.indexOf(name)}/mail`);

test.each(['offer.eml', 'old.EML'])(
  'the attached mail %s is read as text, without anything of its HTML',
  async (name) => {
    const { status, json } = await read(name);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      from: [{ name: 'Ada Ray', address: 'ada@example.org' }],
      subject: 'The offer',
      date: '2026-11-21T10:00:00.000Z',
      attachments: [{ name: 'offer.pdf', mimeType: 'application/pdf', size: 3 }],
    });
    expect(json).toMatchObject({
      bodyText: expect.stringMatching(/^Dear Ann,\s+yes\.$/) as string,
      headers: expect.arrayContaining([{ name: 'Subject', value: 'The offer' }]) as unknown,
    });
    expect(JSON.stringify(json)).not.toMatch(/<p>|script|tracker/);
  },
);

test('another attachment is refused, and a missing one is not found', async () => {
  expect((await read('a.pdf')).json.error).toMatchObject({ code: 'BAD_REQUEST' });
  expect((await desk.get(`${path}/99/mail`)).json.error).toMatchObject({ code: 'NOT_FOUND' });
});
