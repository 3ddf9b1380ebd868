import { afterEach, beforeEach, expect, test } from 'vitest';
import { mailOf as storedMail } from '../../engine/src/mail/mail-store.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import { type Desk, openDesk } from '../api/harness.ts';
import { mailOf } from '../mail/fixtures.ts';
import { google as gmailAt } from '../mail/gmail/gmail-tokens.ts';
import { CLIENT, type GoogleEmulator, startGoogle } from '../account/oauth/google-emulator.ts';
import { call } from '../run/harness.ts';

const ME = 'jane@example.org';

let google: GoogleEmulator;
let desk: Desk;
let gmail: ReturnType<typeof gmailAt>;

/** An account that a person has connected, with a director that answers its mail, labels it and puts it away. */
beforeEach(async () => {
  google = await startGoogle();
  const values: Readonly<Record<string, string>> = {
    KEY: 'sk-test-key',
    VX_MAILAGENT_KEY: 'c0ffee00'.repeat(8),
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
  };
  const turns = [
    () => [call('c1', 'mail_send', { text: 'We will look into it.' })],
    () => [
      call('c2', 'mail_label', { add: ['Callsheet/Answered'], remove: ['UNREAD'] }),
      call('c3', 'mail_archive', {}),
    ],
  ];
  desk = await openDesk({
    app: { env: (name) => values[name] },
    play: ({ messages }) => {
      const turn = turns[messages.filter(({ role }) => role === 'assistant').length];
      return turn === undefined ? { content: 'Done.' } : { tool_calls: turn() };
    },
    files: {
      'accounts/support.yaml': `id: support
provider: gmail
email: ${ME}
oauth: { clientId: '\${env:GOOGLE_CLIENT_ID}', clientSecret: '\${env:GOOGLE_CLIENT_SECRET}' }
endpoints: ${google.endpoints}
`,
      'directors/boss.yaml': `id: boss
name: Boss
apiConfigId: main
accountIds: [support]
agents: [helper]
tools: [mail]
permissions: { allow: [mail_send, mail_label, mail_archive] }
untrusted: { act: [mail_label, mail_archive, mail_send(to=@thread)] }
`,
      'filters/all.yaml': 'id: all\nfield: From\nregex: client\ndirectorId: boss\n',
    },
  });
  const browser = { 'accept': 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const { headers } = await desk.get('/api/oauth2/google/initiate?accountId=support', { headers: browser });
  const back = await google.consent(String(headers['location']), ME);
  await desk.get(back.pathname + back.search, {
    headers: { ...browser, 'sec-fetch-site': 'cross-site' },
    isSignedIn: false,
  });
  const token = await desk.stage.app.connections
    .tokensOf('support')
    .accessToken({ scopes: ['https://www.googleapis.com/auth/gmail.modify'] });
  gmail = gmailAt(google.url, token);
});
afterEach(async () => {
  await desk.close();
  await google.close();
});

test(
  'a mail at Gmail is fetched, answered once in its thread, labelled and put away',
  { timeout: 60_000 },
  async () => {
    const raw = mailOf(
      ...[
        'From: Ann Lee <ann@client.example>',
        `To: ${ME}`,
        'Subject: Broken lamp',
        'Message-ID: <lamp@client.example>',
      ],
      ...['Date: Sat, 21 Nov 2026 10:00:00 +0000', '', 'The lamp that you have sent is broken.'],
    );
    const arrived = await gmail('POST', '/messages/import', {
      raw: Buffer.from(raw).toString('base64url'),
      labelIds: ['INBOX', 'UNREAD'],
    });
    await desk.fetch();
    const { store } = desk.stage.app.deps;
    const [run] = (await store.list('run', {})).map((row) => recordOf(row).run);
    expect(run).toMatchObject({ status: 'completed', directorId: 'boss' });

    const { messages: thread } = (await gmail('GET', `/threads/${String(arrived['threadId'])}?format=raw`)) as {
      messages: { labelIds: string[]; raw: string }[];
    };
    expect(thread).toHaveLength(2);
    const sent = thread.find(({ labelIds }) => labelIds.includes('SENT'));
    const text = Buffer.from(sent?.raw ?? '', 'base64url').toString('utf8');
    expect(text).toMatch(/^To: .*ann@client\.example/m);
    expect(text).toMatch(/^Subject: Re: Broken lamp\r$/m);
    expect(text).toMatch(/^In-Reply-To: <lamp@client\.example>\r$/m);
    expect(text).toContain('We will look into it.');
    expect(await gmail('GET', '/drafts')).toMatchObject({ drafts: [] });

    const { labels } = (await gmail('GET', '/labels')) as { labels: { id: string; name: string }[] };
    const made = labels.find(({ name }) => name === 'Callsheet/Answered');
    const there = await gmail('GET', `/messages/${String(arrived['id'])}?format=minimal`);
    expect(there['labelIds']).toEqual([made?.id]);

    // What the director has changed comes back as news of a known mail, and starts nothing.
    await desk.fetch();
    const mails = (await store.list('mail', {})).map((row) => storedMail(row).summary);
    expect(mails).toMatchObject([{ subject: 'Broken lamp', labels: ['Callsheet/Answered'] }]);
    expect(await store.count('run', [])).toBe(1);
  },
);
