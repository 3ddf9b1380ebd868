import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../api/harness.ts';
import { CLIENT, type MicrosoftPeer, type Person, startMicrosoft } from '../oauth/microsoft-peer.ts';

const JANE: Person = { name: 'jane@contoso.example', mail: 'jane@contoso.example' };

let microsoft: MicrosoftPeer;
let desk: Desk;

beforeEach(async () => {
  microsoft = await startMicrosoft();
  desk = await openDesk({
    app: { env: (name) => ({ KEY: 'sk-test-key', VX_MAILAGENT_KEY: 'c0ffee00'.repeat(8) })[name] },
    files: {
      'accounts/team.yaml': `id: team
provider: outlook
email: ${JANE.mail}
oauth: { clientId: ${CLIENT.id} }
endpoints: { auth: '${microsoft.url}', api: '${microsoft.url}' }
`,
    },
  });
});
afterEach(async () => {
  await desk.close();
  await microsoft.close();
});

/** What a person does in a browser; gives where Microsoft sent it, and what it saw there. */
async function signIn(person: Person) {
  const { json } = await desk.get('/api/oauth2/outlook/initiate?accountId=team');
  const { authorizeUrl } = json as unknown as { authorizeUrl: string };
  const back = microsoft.consent(authorizeUrl, person);
  const headers = { host: back.host, accept: 'text/html' };
  return { back, page: await desk.get(back.pathname + back.search, { headers, isSignedIn: false }) };
}

test('an Outlook account is connected over localhost, whose ports Microsoft does not look at', async () => {
  const { back, page } = await signIn(JANE);
  expect(back.origin + back.pathname).toBe(`http://localhost:${desk.port}/api/oauth2/outlook/callback`);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('team is connected')]);
  const { items } = (await desk.get('/api/connections')).json;
  expect(items[1]).toMatchObject({ accountId: 'team', state: 'connected' });
});

test('the page for whoever comes back runs nothing, whatever their name is, and is in no other page', async () => {
  const { page } = await signIn({ name: '<img src=x onerror="alert(1)">', mail: 'john@contoso.example' });
  expect(page.status).toBe(409);
  expect(page.text).toContain('&#60;img src=x onerror=&#34;alert(1)&#34;&#62; signed in');
  expect(page.text).not.toContain('<img');
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/);
  expect(page.headers['referrer-policy']).toBe('no-referrer');
});

test('the probe of an Outlook account names what is missing, with a link to sign in that works', async () => {
  const { json } = await desk.get('/api/accounts/team/outlook-test');
  expect(json).toMatchObject({
    ...{ ok: false, error: 'missing_refresh_token', problem: { code: 'ACCOUNT_NOT_CONNECTED' } },
  });
  const { authorizeUrl } = json as unknown as { authorizeUrl: string };
  const back = microsoft.consent(authorizeUrl, JANE);
  const answer = await desk.get(back.pathname + back.search, { headers: { host: back.host }, isSignedIn: false });
  expect(answer.json).toEqual({ accountId: 'team', address: JANE.mail, missing: [] });
  expect((await desk.get('/api/accounts/team/gmail-test')).status).toBe(400);
});

test('another page of the same browser gets nothing by a way back, and neither does another name of this machine', async () => {
  const { json } = await desk.get('/api/oauth2/outlook/initiate?accountId=team');
  const { authorizeUrl } = json as unknown as { authorizeUrl: string };
  const { host, pathname, search } = microsoft.consent(authorizeUrl, JANE);
  const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' };
  for (const headers of [{ host, ...frame }, { host: `evil.example:${desk.port}` }])
    expect((await desk.get(pathname + search, { headers, isSignedIn: false })).status).toBe(403);
  expect((await desk.get(pathname + search, { headers: { host }, isSignedIn: false })).status).toBe(200);
});
