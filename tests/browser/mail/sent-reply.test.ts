import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLIENT, type GoogleEmulator, startGoogle } from '../../account/oauth/google-emulator.ts';
import { type Desk, openDesk } from '../../api/harness.ts';
import { mailOf } from '../../mail/fixtures.ts';
import { google as gmailAt } from '../../mail/gmail/gmail-tokens.ts';
import { PATIENCE_MS } from '../../next-try.ts';
import { call } from '../../run/harness.ts';
import { type Browser, chromiumPath, leftOut, openBrowser } from '../chromium.ts';
import { bundledViewer } from '../fake/bundled-viewer.ts';
import { soon } from '../soon.ts';

const ME = 'jane@example.org';
const DRAFT = 'Dear Ann,\n\nwe come on [day] to look at the lamp.';
const MAIL = mailOf(
  ...['From: Ann Lee <ann@client.example>', `To: ${ME}`, 'Subject: Broken lamp', 'Message-ID: <lamp@client.example>'],
  ...['Date: Sat, 21 Nov 2026 10:00:00 +0000', '', 'The lamp that you have sent is broken.'],
);
const FILES = (endpoints: string) => ({
  'accounts/support.yaml': `id: support
provider: gmail
email: ${ME}
oauth: { clientId: '\${env:GOOGLE_CLIENT_ID}', clientSecret: '\${env:GOOGLE_CLIENT_SECRET}' }
endpoints: ${endpoints}
`,
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\naccountIds: [support]\ntools: [workspace, todo, mail]\npermissions: { allow: [todo_add, mail_label, mail_send] }\nuntrusted: { act: [todo_add, mail_label, mail_send(to=@thread)] }\n',
  'filters/all.yaml': 'id: all\nfield: From\nregex: client\ndirectorId: boss\n',
});

interface GmailMessage {
  readonly labelIds: readonly string[];
  readonly raw: string;
}

describe.skipIf(chromiumPath === undefined)(`a reply that leaves${leftOut}`, { timeout: 120_000 }, () => {
  let google: GoogleEmulator;
  let desk: Desk;
  let browser: Browser;
  let page: Page;
  let gmail: ReturnType<typeof gmailAt>;
  let threadId = '';
  beforeAll(async () => {
    google = await startGoogle();
    const values: Readonly<Record<string, string>> = {
      KEY: 'sk-test-key',
      VX_MAILAGENT_KEY: 'c0ffee00'.repeat(8),
      GOOGLE_CLIENT_ID: CLIENT.id,
      GOOGLE_CLIENT_SECRET: CLIENT.secret,
    };
    const uiDir = await bundledViewer();
    desk = await openDesk({
      app: { env: (name) => values[name] },
      files: FILES(google.endpoints),
      patch: { uiDir },
      play: ({ turn }) =>
        turn > 1
          ? { content: 'Done.' }
          : {
              tool_calls: [
                call('c1', 'workspace_add_item', { label: 'Reply draft', mimeType: 'text/markdown', data: DRAFT }),
                call('c2', 'todo_add', { provider: 'local', task: { title: 'Answer Ann', closesOnReply: true } }),
              ],
            },
    });
    const head = { 'accept': 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const { headers } = await desk.get('/api/oauth2/google/initiate?accountId=support', { headers: head });
    const back = await google.consent(String(headers['location']), ME);
    await desk.get(back.pathname + back.search, {
      headers: { ...head, 'sec-fetch-site': 'cross-site' },
      isSignedIn: false,
    });
    const { connections } = desk.stage.app;
    const scopes = ['https://www.googleapis.com/auth/gmail.modify'];
    gmail = gmailAt(google.url, await connections.tokensOf('support').accessToken({ scopes }));
    const raw = Buffer.from(MAIL).toString('base64url');
    threadId = String((await gmail('POST', '/messages/import', { raw, labelIds: ['INBOX', 'UNREAD'] }))['threadId']);
    await desk.fetch();
    browser = await openBrowser();
    page = await browser.context.newPage();
    await page.clock.install();
    await page.goto(`${desk.url}/?token=${desk.services.sessions.token}`);
    await page.locator('.link.live').waitFor({ state: 'attached' });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await desk?.close();
    await google?.close();
  });

  const sent = async (): Promise<string[]> => {
    const { messages } = await gmail('GET', `/threads/${threadId}?format=raw`);
    return (messages as readonly GmailMessage[])
      .filter(({ labelIds }) => labelIds.includes('SENT'))
      .map(({ raw }) => Buffer.from(raw, 'base64url').toString('utf8'));
  };
  const todos = async () => (await desk.get('/api/todos')).json.items.map(({ title, status }) => [title, status]);

  test('goes from the draft to the mailbox of the provider, and shows up on its mail; its to-do closes', async () => {
    expect(await todos()).toEqual([['Answer Ann', 'open']]);
    await page.getByRole('treeitem', { name: 'Broken lamp' }).click();
    await page.locator('.card', { hasText: 'Reply draft' }).click();
    await page.locator('.head').getByRole('button', { name: 'Reply' }).click();
    const text = page.locator('.editor textarea');
    await soon(() => text.inputValue()).toBe(DRAFT);
    await soon(() => page.getByLabel('To', { exact: true }).inputValue()).toBe('Ann Lee <ann@client.example>');
    await page.getByLabel('Cc', { exact: true }).fill('Bo Berg <bo@client.example>');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('alert').getByText('[day]').waitFor();
    expect(await sent()).toEqual([]);

    await text.fill(DRAFT.replace('[day]', 'Tuesday'));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('is sent in ten seconds').waitFor();
    await page.clock.fastForward(9000);
    expect(await sent()).toEqual([]);
    await page.clock.fastForward(1000);
    await page.getByText('Sent from support.').waitFor({ timeout: PATIENCE_MS });

    const [message = '', ...more] = await sent();
    expect(more).toEqual([]);
    expect(message).toMatch(/^From: .*jane@example\.org/m);
    expect(message).toMatch(/^To: .*ann@client\.example/m);
    expect(message).toMatch(/^Cc: .*bo@client\.example/m);
    expect(message).toMatch(/^Subject: Re: Broken lamp\r$/m);
    expect(message).toMatch(/^In-Reply-To: <lamp@client\.example>\r$/m);
    expect(message).toMatch(/^References: <lamp@client\.example>\r$/m);
    expect(message).toContain('we come on Tuesday to look at the lamp.');
    expect(message).not.toContain('[day]');

    await page.getByRole('treeitem', { name: 'Broken lamp' }).click();
    await soon(() => page.locator('.notice.reply').textContent()).toMatch(/You replied.*20\d\d.*support.*on Tuesday/s);
    await soon(todos).toEqual([['Answer Ann', 'done']]);
    await page.evaluate(() => void (location.hash = '#/todos'));
    await page.getByText('Answer Ann').waitFor();
  });
});
