import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedClock, systemClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { createLogger, silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { Account, Snapshot } from '../../../engine/src/config/config.ts';
import {
  type Connections,
  type ConnectionsOptions,
  createConnections,
} from '../../../engine/src/account/connections.ts';
import { readToken, writeToken } from '../../../engine/src/account/oauth/token-store.ts';
import type { CloudAccount } from '../../../engine/src/account/required-scopes.ts';
import { connectionStateOf } from '../../../engine/src/account/connection-state.ts';
import { createSignIns, type SignIns } from '../../../engine/src/account/oauth/sign-in.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { withApply } from '../../../engine/src/store/with-apply.ts';
import { setStage, type Stage } from '../../run/harness.ts';
import { CLIENT, type MicrosoftPeer, type Person, startMicrosoft } from './microsoft-peer.ts';

const REDIRECT = 'http://localhost:3001/api/oauth2/outlook/callback';
const JANE: Person = { name: 'jane@contoso.example', mail: 'jane@contoso.example' };
const READ = ['Mail.Read'];
const HOUR = 3_600_000;

interface Process {
  readonly connections: Connections;
  readonly signIns: SignIns;
}

let microsoft: MicrosoftPeer;
let stage: Stage;
let store: Store;
let clock: SimulatedClock;
let account: CloudAccount;

/** A process on the store: two of them know of each other only what lies there. */
function openProcess(over: Partial<ConnectionsOptions> = {}): Process {
  const resolve = (reference: string) => (reference === '${env:SECRET}' ? CLIENT.secret : undefined);
  const snapshot: Snapshot = { ...stage.app.config.current(), accounts: new Map<string, Account>([['team', account]]) };
  const base = {
    ...{ store, clock, redactor: createRedactor(), log: silentLogger },
    config: () => snapshot,
    references: { secret: resolve, open: resolve },
    tools: stage.app.deps.tools.builtIn,
    ...over,
  };
  const connections = createConnections(base);
  return { connections, signIns: createSignIns({ ...base, connections, allowsPlaintext: true }) };
}

/** A process whose writes wait, and what lets them go on. */
function openSlow() {
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  const { promise: isWaiting, resolve: waits } = Promise.withResolvers<void>();
  const slow = withApply(store, async (changes) => {
    waits();
    await isOpen;
    await store.apply(changes);
  });
  return { process: openProcess({ store: slow }), isWaiting, open };
}

async function connect({ signIns }: Process, person = JANE) {
  const { authorizeUrl } = await signIns.begin('team', { redirectUri: REDIRECT });
  return finish(signIns, microsoft.consent(authorizeUrl, person));
}

function finish(signIns: SignIns, { searchParams: query }: URL) {
  return signIns.finish({
    provider: 'outlook',
    state: query.get('state') ?? '',
    code: query.get('code') ?? undefined,
    error: query.get('error') ?? undefined,
  });
}

const tokenOf = ({ connections }: Process, refused?: string) =>
  connections.tokensOf('team').accessToken({ scopes: READ, ...(refused !== undefined && { refused }) });

beforeEach(async () => {
  microsoft = await startMicrosoft();
  clock = new SimulatedClock(systemClock.now());
  stage = await setStage();
  store = stage.app.deps.store;
  account = {
    ...{ id: 'team', description: '', enabled: true, provider: 'outlook', email: JANE.mail, replies: false },
    oauth: { clientId: CLIENT.id, clientSecret: '${env:SECRET}', tenant: 'common' },
    endpoints: { auth: microsoft.url, api: microsoft.url },
  };
});
afterEach(async () => {
  await microsoft.close();
  await stage.close();
});

test('a person who lets us in connects the account', async () => {
  const here = openProcess();
  const { authorizeUrl } = await here.signIns.begin('team', { redirectUri: REDIRECT });
  const asked = Object.fromEntries(new URL(authorizeUrl).searchParams);
  expect(asked).toMatchObject({ code_challenge_method: 'S256', redirect_uri: REDIRECT, login_hint: JANE.mail });
  expect(asked['scope']?.split(' ').sort()).toEqual([
    ...['Mail.Read', 'User.Read', 'email', 'offline_access', 'openid', 'profile'],
  ]);
  const done = await finish(here.signIns, microsoft.consent(authorizeUrl, JANE));
  expect(done).toEqual({ accountId: 'team', address: JANE.mail, missing: [] });
  expect(await tokenOf(here)).toMatch(/^ms-access-/);
});

test('an app without a secret signs in as well', async () => {
  account = { ...account, oauth: { clientId: CLIENT.id, tenant: 'common' } } as CloudAccount;
  const here = openProcess();
  await connect(here);
  expect(await tokenOf(here)).toMatch(/^ms-access-/);
});

test.each([
  ['the name that they sign in with differs', { name: 'jane@contoso.onmicrosoft.example', mail: JANE.mail }],
  ['it is one of their other addresses', { name: 'j.doe@x.example', mail: 'j@x.example', proxies: [JANE.mail] }],
])('the owner of the mailbox is known though %s', async (_name, person: Person) => {
  expect(await connect(openProcess(), person)).toMatchObject({ address: JANE.mail });
});

test('somebody else is refused', async () => {
  const john = { name: 'john@contoso.example', mail: 'john@contoso.example' };
  await expect(connect(openProcess(), john)).rejects.toMatchObject({
    code: 'ACCOUNT_NOT_CONNECTED',
    message: expect.stringContaining('john@contoso.example signed in'),
  });
  expect(await readToken(store, 'team')).toBeUndefined();
});

test('what Microsoft says of a code that it does not take is told without the code', async () => {
  let log = '';
  const redactor = createRedactor();
  const write = (text: string) => void (log += text);
  const { signIns } = openProcess({
    redactor,
    log: createLogger({ write, clock, redactor, level: 'debug', json: true, color: false }),
  });
  const { authorizeUrl, attempt } = await signIns.begin('team', { redirectUri: REDIRECT });
  const back = microsoft.consent(authorizeUrl, JANE);
  const code = back.searchParams.get('code') ?? '';
  microsoft.failing = { status: 400, body: { error: 'invalid_grant', error_description: `AADSTS70000: ${code}` } };
  await expect(finish(signIns, back)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_CONNECTED' });
  const { message } = await signIns.outcome(attempt);
  expect([log, message]).toEqual([1, 1].map(() => expect.stringContaining('AADSTS70000: [redacted]')));
});

test.each([
  ['address', { email: 'john@contoso.example' }],
  ['client', { oauth: { clientId: 'another-client', tenant: 'common' } }],
])('an account whose %s was changed between going and coming back is not signed in to', async (_name, change) => {
  const { authorizeUrl } = await openProcess().signIns.begin('team', { redirectUri: REDIRECT });
  account = { ...account, ...change } as CloudAccount;
  await expect(finish(openProcess().signIns, microsoft.consent(authorizeUrl, JANE))).rejects.toMatchObject({
    code: 'ACCOUNT_NOT_CONNECTED',
    message: expect.stringContaining('changed during the sign-in'),
  });
  expect(microsoft.asked.code).toBe(0);
  expect(await readToken(store, 'team')).toBeUndefined();
});

test('of a sign-in the store keeps neither the state, by which one comes back, nor the verifier once it was used', async () => {
  const here = openProcess();
  const { authorizeUrl } = await here.signIns.begin('team', { redirectUri: REDIRECT });
  const state = new URL(authorizeUrl).searchParams.get('state') ?? '';
  const rows = async () => JSON.stringify(await store.list('signIn'));
  expect(await rows()).toContain('verifier');
  expect(await rows()).not.toContain(state);
  await finish(here.signIns, microsoft.consent(authorizeUrl, JANE));
  expect(await rows()).not.toContain('verifier');
});

test('a sign-in that one process began can end in another', async () => {
  const [one, other] = [openProcess(), openProcess()];
  const { authorizeUrl, attempt } = await one.signIns.begin('team', { redirectUri: REDIRECT });
  await finish(other.signIns, microsoft.consent(authorizeUrl, JANE));
  expect(await one.signIns.outcome(attempt)).toEqual({ state: 'done', accountId: 'team' });
  expect(await tokenOf(one)).toBe(await tokenOf(other));
  expect(microsoft.asked.code).toBe(1);
});

test('of two processes that a browser comes back to at once, one lets it in', async () => {
  const [one, other] = [openProcess(), openProcess()];
  const { authorizeUrl } = await one.signIns.begin('team', { redirectUri: REDIRECT });
  const back = microsoft.consent(authorizeUrl, JANE);
  const outcomes = await Promise.allSettled([finish(one.signIns, back), finish(other.signIns, back)]);
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(refused).toMatchObject([{ code: 'BAD_REQUEST' }]);
  expect(microsoft.asked.code).toBe(1);
});

test('many who ask at once share one refresh, and the next refresh token is kept', async () => {
  const here = openProcess();
  await connect(here);
  for (let hour = 1; hour <= 3; hour++) {
    clock.advance(HOUR);
    const given = await Promise.all(Array.from({ length: 8 }, () => tokenOf(here)));
    expect(new Set(given).size).toBe(1);
    expect(microsoft.asked.refresh).toBe(hour);
  }
});

test('two processes that renew at once both go on, though each refresh token is good once', async () => {
  const [one, other] = [openProcess(), openProcess()];
  await connect(one);
  for (let hour = 1; hour <= 5; hour++) {
    clock.advance(HOUR);
    const given = await Promise.all([tokenOf(one), tokenOf(other)]);
    expect(new Set(given).size).toBe(1);
  }
});

test('whoever comes second with a refresh token waits for what the first one keeps', async () => {
  await connect(openProcess());
  clock.advance(HOUR);
  const { process: first, isWaiting, open } = openSlow();
  const given = tokenOf(first);
  await isWaiting;
  let looks = 0;
  const other = tokenOf(
    openProcess({
      isShared: true,
      clock: {
        ...clock,
        now: () => clock.now(),
        delay: (fn) => {
          if (++looks === 2) open();
          const timer = setImmediate(fn);
          return () => clearImmediate(timer);
        },
      },
    }),
  );
  expect(await other).toBe(await given);
  expect(looks).toBeGreaterThan(1);
});

test('a renewal that was kept late counts, though another process called the grant lost', async () => {
  const hasty = openProcess();
  await connect(hasty);
  clock.advance(HOUR);
  const { process: first, isWaiting, open } = openSlow();
  const given = tokenOf(first);
  await isWaiting;
  await expect(tokenOf(hasty)).rejects.toMatchObject({ code: 'ACCOUNT_GRANT_LOST' });
  open();
  expect(await given).toMatch(/^ms-access-/);
  expect(await tokenOf(hasty)).toBe(await given);
});

test('a renewal of a sign-in that was forgotten meanwhile gives way to the new one', async () => {
  const here = openProcess();
  await connect(here);
  clock.advance(HOUR);
  const { process: late, isWaiting, open } = openSlow();
  const given = tokenOf(late);
  await isWaiting;
  await here.connections.disconnect('team');
  await connect(here);
  const token = await tokenOf(here);
  open();
  expect(await given).toBe(token);
  expect(await tokenOf(here)).toBe(token);
});

test('a sign-in without a refresh token stands for as long as its token, and no longer', async () => {
  const here = openProcess();
  await connect(here);
  const kept = await readToken(store, 'team');
  await store.apply([writeToken('team', kept, { ...kept!.token, refreshToken: '' })]);
  expect(await connectionStateOf(here.connections, account)).toEqual({ state: 'connected' });
  clock.advance(HOUR);
  await expect(tokenOf(here)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_CONNECTED' });
  expect(await connectionStateOf(here.connections, account)).toMatchObject({
    state: 'not_connected',
    problem: { message: expect.stringContaining('there is no refresh token') },
  });
});

test('a sign-in by another client than the file names by now is none', async () => {
  await connect(openProcess());
  account = { ...account, oauth: { clientId: 'another-client', tenant: 'common' } } as CloudAccount;
  await expect(tokenOf(openProcess())).rejects.toMatchObject({
    code: 'ACCOUNT_NOT_CONNECTED',
    message: expect.stringContaining('used another client'),
  });
});

test.each([
  ['the API', { api: 'https://elsewhere.example' }],
  ['the token endpoint', { token: 'https://elsewhere.example' }],
  ['the sign-in page', { auth: 'https://elsewhere.example' }],
])(
  'a sign-in is void once its file names another address for %s, until somebody signs in there',
  async (_name, moved) => {
    await connect(openProcess());
    const before = account;
    account = { ...account, endpoints: { ...account.endpoints, ...moved } };
    await expect(tokenOf(openProcess())).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_CONNECTED',
      message: expect.stringContaining('`endpoints`'),
      hint: expect.stringContaining('connect'),
    });
    expect(await connectionStateOf(openProcess().connections, account)).toMatchObject({ state: 'not_connected' });
    account = { ...before, endpoints: { auth: `${microsoft.url}/`, api: microsoft.url } };
    expect(await tokenOf(openProcess())).toEqual(expect.any(String));
  },
);

test('a code is sent to no address that the file came to name during the sign-in', async () => {
  const { authorizeUrl } = await openProcess().signIns.begin('team', { redirectUri: REDIRECT });
  const back = microsoft.consent(authorizeUrl, JANE);
  account = { ...account, endpoints: { ...account.endpoints, token: 'https://elsewhere.example' } };
  await expect(finish(openProcess().signIns, back)).rejects.toMatchObject({
    code: 'ACCOUNT_NOT_CONNECTED',
    message: expect.stringContaining('was changed during the sign-in'),
  });
});

test('a sign-in whose row cannot be read any more is lost, and is mended by forgetting it', async () => {
  await connect(openProcess());
  const broken: Store = {
    ...withApply(store, (changes) => store.apply(changes)),
    get: () => Promise.reject(new EngineError('STORE_TAMPERED', 'row team of table token is not as it was written')),
  };
  const { connections } = openProcess({ store: broken });
  expect(await connectionStateOf(connections, account)).toMatchObject({
    state: 'grant_lost',
    problem: { code: 'STORE_TAMPERED', hint: expect.stringContaining('accounts disconnect team') },
  });
  await connections.disconnect('team');
  const here = openProcess();
  await connect(here);
  expect(await connectionStateOf(here.connections, account)).toEqual({ state: 'connected' });
});

test('what another process has renewed is taken without asking', async () => {
  const [one, other] = [openProcess(), openProcess()];
  await connect(one);
  await tokenOf(other);
  clock.advance(HOUR);
  const renewed = await tokenOf(one);
  expect(await tokenOf(other)).toBe(renewed);
  expect(microsoft.asked.refresh).toBe(1);
});

test('a grant that ended is asked for once, in all processes', async () => {
  const [one, other] = [openProcess(), openProcess()];
  await connect(one);
  clock.advance(HOUR);
  microsoft.failing = { status: 400, body: { error: 'invalid_grant', error_description: 'AADSTS50173: revoked' } };
  await expect(tokenOf(one)).rejects.toMatchObject({
    code: 'ACCOUNT_GRANT_LOST',
    message: expect.stringContaining('AADSTS50173'),
  });
  await expect(tokenOf(other)).rejects.toMatchObject({ code: 'ACCOUNT_GRANT_LOST' });
  await expect(tokenOf(one)).rejects.toMatchObject({ code: 'ACCOUNT_GRANT_LOST' });
  expect(microsoft.asked.refresh).toBe(1);
  microsoft.failing = undefined;
  await connect(other);
  expect(await tokenOf(one)).toMatch(/^ms-access-/);
});

test.each([
  ['503', { status: 503, body: {} }, { code: 'ACCOUNT_FAILED', retryable: true }],
  ['429', { status: 429, body: {} }, { code: 'ACCOUNT_FAILED', retryable: true }],
  ['a pause', { status: 400, body: { error: 'temporarily_unavailable' } }, { code: 'ACCOUNT_FAILED', retryable: true }],
  [
    'a wrong secret',
    { status: 401, body: { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret' } },
    { code: 'ACCOUNT_FAILED', retryable: false, message: expect.stringContaining('refuses the client') },
  ],
  ['a wish for a person', { status: 400, body: { error: 'interaction_required' } }, { code: 'ACCOUNT_GRANT_LOST' }],
])('%s from Microsoft is told apart', async (_name, failing, expected) => {
  const here = openProcess();
  await connect(here);
  clock.advance(HOUR);
  microsoft.failing = failing;
  await expect(tokenOf(here)).rejects.toMatchObject(expected);
});

test('a Microsoft that cannot be reached is a failure of the network, and the sign-in stays', async () => {
  const here = openProcess();
  await connect(here);
  clock.advance(HOUR);
  await microsoft.close();
  await expect(tokenOf(here)).rejects.toMatchObject({
    code: 'ACCOUNT_FAILED',
    retryable: true,
    message: expect.stringContaining('Microsoft cannot be reached: ECONNREFUSED'),
  });
  expect(await readToken(store, 'team')).toMatchObject({
    token: { refreshToken: expect.stringMatching(/^ms-refresh-/) },
  });
});

test('who gives up waiting leaves the refresh to the others, and to the store', async () => {
  const here = openProcess();
  await connect(here);
  clock.advance(HOUR);
  const giveUp = new AbortController();
  microsoft.onRefresh = () => giveUp.abort(new Error('enough'));
  const patient = tokenOf(here);
  const tokens = here.connections.tokensOf('team');
  await expect(tokens.accessToken({ scopes: READ, signal: giveUp.signal })).rejects.toThrow('enough');
  expect(await patient).toMatch(/^ms-access-/);
});

test('closing waits for a refresh that is under way: its token is the only one that is good', async () => {
  const here = openProcess();
  await connect(here);
  clock.advance(HOUR);
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  microsoft.onRefresh = () => asked();
  const given = tokenOf(here);
  await isAsked;
  await here.connections.close();
  expect((await readToken(store, 'team'))?.token.accessToken).toBe(await given);
});

test('a token outlives the process, and is sealed where the store is', async () => {
  mkdirSync(`${stage.root}/sealed`);
  const sealed = openSqlite({ dir: `${stage.root}/sealed`, key: 'ab'.repeat(32), log: silentLogger });
  store = sealed;
  const here = openProcess();
  await connect(here);
  const token = await tokenOf(here);
  await sealed.close();
  store = openSqlite({ dir: `${stage.root}/sealed`, key: 'ab'.repeat(32), log: silentLogger });
  expect(await tokenOf(openProcess())).toBe(token);
  await store.close();
});
