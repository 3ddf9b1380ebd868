import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { Account, Snapshot } from '../../../engine/src/config/config.ts';
import { builtInToolTable } from '../../../engine/src/app/tool-catalog.ts';
import { createConnections } from '../../../engine/src/account/connections.ts';
import { createSignIns } from '../../../engine/src/account/oauth/sign-in.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import { forPostgres, longPostgres } from '../../available.ts';
import { type PostgresServer, startPostgres } from '../../postgres.ts';
import { setStage } from '../../run/harness.ts';
import { CLIENT, type MicrosoftPeer, startMicrosoft } from './microsoft-peer.ts';

const HOUR = 3_600_000;
const KEY = 'ab'.repeat(32);
const JANE = { name: 'jane@contoso.example', mail: 'jane@contoso.example' };

describe.skipIf(longPostgres === undefined)(`signing in over PostgreSQL${forPostgres}`, () => {
  let server: PostgresServer;
  let microsoft: MicrosoftPeer;
  let url: string;
  let base: Snapshot;
  /** By how much the time of all processes is ahead; delays take as long as they take. */
  let aheadMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    const stage = await setStage();
    base = stage.app.config.current();
    await stage.close();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    url = await server.createDatabase();
    microsoft = await startMicrosoft();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await microsoft.close();
  });

  /** Accounts as a process of its own on the database would have them. */
  async function openProcess() {
    const database = openPg(url);
    closing.push(() => database.close());
    const store = await openPostgres({ database, key: KEY });
    closing.push(() => store.close());
    const account: Account = {
      ...{ id: 'team', description: '', enabled: true, provider: 'outlook', email: JANE.mail, replies: false },
      oauth: { clientId: CLIENT.id, tenant: 'common' },
      endpoints: { auth: microsoft.url, api: microsoft.url },
    };
    const snapshot = { ...base, accounts: new Map([['team', account]]) };
    const nothing = () => undefined;
    const options = {
      ...{ store, clock, redactor: createRedactor(), log: silentLogger },
      config: () => snapshot,
      references: { secret: nothing, open: nothing },
      tools: builtInToolTable(),
      isShared: true,
    };
    const connections = createConnections(options);
    const signIns = createSignIns({ ...options, connections, allowsPlaintext: false });
    return { signIns, token: () => connections.tokensOf('team').accessToken({ scopes: ['Mail.Read'] }) };
  }

  test('a browser may come back to any process, once, and all of them go on with renewed tokens', async () => {
    const all = await Promise.all([openProcess(), openProcess(), openProcess()]);
    const [one] = all;
    const { authorizeUrl } = await one!.signIns.begin('team', { redirectUri: 'http://localhost:1/callback' });
    const { searchParams: query } = microsoft.consent(authorizeUrl, JANE);
    const returned = { provider: 'outlook', state: query.get('state') ?? '', code: query.get('code') ?? '' } as const;
    const outcomes = await Promise.allSettled(all.map(({ signIns }) => signIns.finish(returned)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (let hour = 1; hour <= 5; hour++) {
      aheadMs += HOUR;
      const tokens = await Promise.all(all.map(({ token }) => token()));
      expect(new Set(tokens).size).toBe(1);
    }
  });
});
