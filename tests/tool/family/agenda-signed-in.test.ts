import { calendar as openCalendar } from '@googleapis/calendar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller, WorldTool } from '../../../engine/src/tool/tool.ts';
import { type Desk, openDesk } from '../../api/harness.ts';
import { CLIENT, type GoogleEmulator, startGoogle } from '../../account/oauth/google-emulator.ts';

const BROWSER = { 'accept': 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const DATE = { start: '2026-11-25', end: '2026-11-25' };
const EVENT = { title: 'Call', start: '2026-11-25T14:00', end: '2026-11-25T14:30' };

let google: GoogleEmulator;
let desk: Desk;

beforeEach(async () => {
  const values: Readonly<Record<string, string>> = {
    KEY: 'sk-test-key',
    VX_MAILAGENT_KEY: 'c0ffee00'.repeat(8),
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
  };
  desk = await openDesk({ app: { env: (name) => values[name] } });
  google = await startGoogle([`http://127.0.0.1:${desk.port}/api/oauth2/google/callback`]);
});
afterEach(async () => {
  await google.close();
  await desk.close();
});

/** Writes the config of somebody whose director has these tools, and signs in at Google. Gives what was asked for. */
async function connect(tools: string): Promise<string> {
  const oauth = "{ clientId: '${env:GOOGLE_CLIENT_ID}', clientSecret: '${env:GOOGLE_CLIENT_SECRET}' }";
  desk.stage.write({
    'settings.yaml': 'calendar: { timeZone: Europe/Berlin }\n',
    'accounts/jane.yaml': `id: jane\nprovider: gmail\nemail: jane@example.org\noauth: ${oauth}\nendpoints: ${google.endpoints}\n`,
    'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\ntools: ${tools}\n`,
  });
  await desk.stage.app.config.refresh();
  const { headers } = await desk.get('/api/oauth2/google/initiate?accountId=jane', { headers: BROWSER });
  const asked = String(headers['location']);
  const back = await google.consent(asked, 'jane@example.org');
  const answer = await desk.get(back.pathname + back.search, {
    headers: { ...BROWSER, 'sec-fetch-site': 'cross-site' },
    isSignedIn: false,
  });
  expect(answer.text).toContain('jane is connected');
  return new URL(asked).searchParams.get('scope') ?? '';
}

function call(name: string, args: object): Promise<unknown> {
  const tool = desk.stage.app.deps.tools.builtIn.get(name) as WorldTool;
  const caller: Caller = {
    ...{ runId: 'r', workspaceId: 'r', threadId: 't' },
    origin: { director: { id: 'boss', name: 'Boss' } },
  };
  return tool.run(args as Record<string, unknown>, { caller, key: `m/${name}` });
}

test('whoever has signed in has events in their own calendar, by the token that was given for it', async () => {
  const scopes = await connect('[calendar]');
  expect(scopes).toMatch(/\/calendar\.events( |$)/);
  expect(scopes).not.toMatch(/\/tasks/);
  expect(await call('calendar_add', { event: EVENT })).toMatchObject({ accountId: 'jane', event: { title: 'Call' } });
  expect(await call('calendar_read', { dateRange: DATE })).toMatchObject({
    ...{ accountId: 'jane', timeZone: 'Europe/Berlin' },
    events: [{ title: 'Call', start: '2026-11-25T14:00:00+01:00' }],
  });
  const { events } = openCalendar({ version: 'v3', rootUrl: google.url });
  const tokens = desk.stage.app.connections.tokensOf('jane');
  const token = await tokens.accessToken({ scopes: [] });
  const { data } = await events.list({ calendarId: 'primary' }, { headers: { Authorization: `Bearer ${token}` } });
  expect(data.items).toMatchObject([{ summary: 'Call' }]);
});

test('what was not allowed at sign-in is named before Google is asked', async () => {
  expect(await connect('[calendar_read]')).toMatch(/\/calendar\.events\.readonly( |$)/);
  expect(await call('calendar_read', { dateRange: DATE })).toMatchObject({ events: [] });
  for (const [name, args, scope] of [
    ['calendar_add', { event: EVENT }, 'calendar.events'],
    ['todo_list', {}, 'tasks.readonly'],
    ['todo_add', { task: { title: 'x' } }, 'tasks'],
  ] as const)
    await expect(call(name, args)).rejects.toMatchObject({
      code: 'ACCOUNT_SCOPE_MISSING',
      message: expect.stringContaining(scope) as string,
    });
});

test('an account that nobody has signed in to says so', async () => {
  desk.stage.write({
    'accounts/jane.yaml': `id: jane\nprovider: gmail\nemail: jane@example.org\noauth: { clientId: a, clientSecret: '\${env:GOOGLE_CLIENT_SECRET}' }\n`,
  });
  await desk.stage.app.config.refresh();
  await expect(call('calendar_read', { accountId: 'jane', dateRange: DATE })).rejects.toMatchObject({
    code: 'ACCOUNT_NOT_CONNECTED',
  });
});
