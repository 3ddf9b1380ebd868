import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { corpora } from '../../../available.ts';
import { type Desk, openDesk } from '../../harness.ts';

const INVITATION = `From: Ada Ray <ada@example.org>
To: me@example.org
Subject: Invitation: Call
Message-ID: <1@example.org>
Date: Sat, 21 Nov 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="b"

--b
Content-Type: text/plain; charset=utf-8

You are invited.
--b
Content-Type: text/calendar; charset=utf-8; method=REQUEST

BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//EN
METHOD:REQUEST
BEGIN:VEVENT
UID:a
DTSTAMP:20260101T000000Z
SUMMARY:Call über alles
LOCATION:Room 5
DTSTART:20261125T130000Z
DTEND:20261125T133000Z
END:VEVENT
END:VCALENDAR
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename=a.pdf

x
--b--
`;

let desk: Desk;
afterEach(() => desk.close());

interface File {
  readonly index: number;
  readonly mimeType: string;
}

/** Takes one mail; gives its path and its files. */
async function take(text: string): Promise<{ path: string; files: readonly File[] }> {
  desk = await openDesk({ files: { 'settings.yaml': 'calendar: { timeZone: Europe/Berlin }\n' } });
  desk.drop('a.eml', text);
  await desk.fetch();
  const [mail] = (await desk.get('/api/emails')).json.items;
  return { path: `/api/emails/${String(mail?.id)}/attachments`, files: mail?.['attachments'] as readonly File[] };
}

test('an invitation is read as its events, and no other file is', async () => {
  const { path, files } = await take(INVITATION);
  const events = async (type: string) =>
    desk.get(`${path}/${String(files.find(({ mimeType }) => mimeType === type)?.index)}/events`);
  const { status, text } = await events('text/calendar');
  expect([status, JSON.parse(text)]).toMatchObject([
    200,
    {
      timeZone: 'Europe/Berlin',
      events: [{ title: 'Call über alles', location: 'Room 5', start: '2026-11-25T14:00:00+01:00' }],
    },
  ]);
  expect((await events('application/pdf')).json.error.code).toBe('BAD_REQUEST');
  expect((await desk.get(`${path}/99/events`)).json.error.code).toBe('NOT_FOUND');
});

test('an invitation that nobody can follow to its end holds up nothing else', async () => {
  const { path, files } = await take(INVITATION.replace('DTEND:20261125T133000Z', 'DURATION:P999999999999W'));
  const index = String(files.find(({ mimeType }) => mimeType === 'text/calendar')?.index);
  let isAnswered = false;
  const events = desk.get(`${path}/${index}/events`).finally(() => (isAnswered = true));
  expect((await desk.get('/api/health')).status).toBe(200);
  expect(isAnswered).toBe(false);
  expect((await events).json.error.code).toBe('TOO_LARGE');
});

describe.skipIf(corpora === undefined)('invitations of the corpus (left out without the corpora)', () => {
  const read = async (name: string) => {
    const { path, files } = await take(readFileSync(join(corpora ?? '', 'email', 'eml', name), 'latin1'));
    const file = files.find(({ mimeType }) => mimeType === 'text/calendar');
    const { status, text } = await desk.get(`${path}/${String(file?.index)}/events`);
    return [status, JSON.parse(text)] as const;
  };

  test('are read', async () => {
    const event = { title: expect.stringMatching(/\S/) as string, start: expect.stringMatching(/^20\d\d-/) as string };
    expect(await read('james-project__calendar.eml')).toMatchObject([200, { events: [event] }]);
  });

  test('that lack half of their lines are refused with what is wrong', async () => {
    expect(await read('james-project__calendar2.eml')).toMatchObject([
      400,
      { error: { code: 'BAD_REQUEST', message: expect.stringContaining('it is not a calendar file') as string } },
    ]);
  });
});
