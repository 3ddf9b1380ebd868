import { afterAll, beforeAll, describe } from 'vitest';
import { makeKey } from '../../../engine/src/store/cipher.ts';
import type { SqlDatabase } from '../../../engine/src/store/postgres/sql-database.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import { forPostgres, longPostgres } from '../../available.ts';
import { storeContract } from '../../contracts/store.ts';
import { type PostgresServer, startPglite, startPostgres } from '../../postgres.ts';

const MODES = [
  ['', undefined],
  ['encrypted ', makeKey()],
] as const;

describe('on PGlite', () => {
  let lite: Awaited<ReturnType<typeof startPglite>>;
  beforeAll(async () => void (lite = await startPglite()));
  afterAll(() => lite.stop());
  // WebAssembly takes 20 s for 20 MB, and a server is asked for them anyway.
  storeContract('PGlite', {
    largest: 2,
    async open() {
      for (const statement of ['DROP SCHEMA public CASCADE', 'CREATE SCHEMA public'])
        await lite.database.query(statement);
      return openPostgres({ database: lite.database });
    },
    reopen: () => openPostgres({ database: lite.database }),
    clean: async () => {},
  });
});

describe.skipIf(longPostgres === undefined)(`on a server${forPostgres}`, () => {
  let server: PostgresServer;
  let database: SqlDatabase;
  let url: string;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());
  for (const [name, key] of MODES)
    storeContract(`${name}PostgreSQL`, {
      async open() {
        url = await server.createDatabase();
        return openPostgres({ database: (database = openPg(url)), key });
      },
      async reopen() {
        await database.close();
        return openPostgres({ database: (database = openPg(url)), key });
      },
      clean: () => database.close(),
    });
});
