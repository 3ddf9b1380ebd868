import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkIdentity } from '../../../engine/src/store/postgres/pg-identity.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import { startPglite } from '../../postgres.ts';

let lite: Awaited<ReturnType<typeof startPglite>>;
let dir: string;
beforeAll(async () => {
  lite = await startPglite();
  dir = mkdtempSync(join(tmpdir(), 'callsheet-identity-'));
});
afterAll(async () => {
  await lite.stop();
  rmSync(dir, { recursive: true });
});

test('a database that was created anew at the same address is not taken for the old one', async () => {
  const { database } = lite;
  const check = (acceptsNewStore?: boolean) =>
    checkIdentity(database, { dir, address: 'postgres://db', acceptsNewStore });
  await openPostgres({ database });
  await check();
  await check();
  for (const statement of ['DROP SCHEMA public CASCADE', 'CREATE SCHEMA public']) await database.query(statement);
  await openPostgres({ database });
  await expect(check()).rejects.toMatchObject({ code: 'STORE_LOST' });
  await checkIdentity(database, { dir, address: 'postgres://other' });
  await check(true);
  await check();
});
