import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { makeKey } from '../../../engine/src/store/cipher.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import { rotateKey } from '../../../engine/src/store/sqlite/rotate-key.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { CLIENT } from '../../account/oauth/google-emulator.ts';
import { startPglite } from '../../postgres.ts';
import { findWords } from '../../store/folder.ts';
import { databaseAt, folderAt, move } from '../../store/move/endpoints.ts';
import { openDesk } from '../harness.ts';
import { startFakeProvider } from './fake-provider.ts';
import { beginSignIn, returnTo } from './sign-in.ts';

const EMAIL = 'quokka@example.org';
const NAME = 'Quokka Marmalade';
const SUBJECT = 'google-id-of-quokka';
const KEY = makeKey();
const home = mkdtempSync(join(tmpdir(), 'callsheet-people-'));
const dir = join(home, 'data');
let row: object;

beforeAll(async () => {
  const provider = await startFakeProvider();
  const desk = await openDesk({
    files: { 'settings.yaml': 'login: { users: [{ email: QUOKKA@example.org, role: viewer }] }\n' },
    app: { dataDir: dir, env: (name) => (name === 'VX_MAILAGENT_KEY' ? KEY : undefined) },
    serve: { login: { clientId: CLIENT.id, clientSecret: CLIENT.secret, issuer: provider.url } },
  });
  const { authorizeUrl, cookie } = await beginSignIn(desk);
  const claims = { email: EMAIL, name: NAME, sub: SUBJECT };
  expect((await returnTo(desk, provider.consent(authorizeUrl, { claims }), cookie)).status).toBe(303);
  row = await onlyPerson(desk.services.deps.store);
  await desk.close();
  await provider.close();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function onlyPerson(store: Store): Promise<object> {
  const [person, ...others] = await store.list('person');
  expect(others).toEqual([]);
  return { ...person };
}

test('a person who signed in is stored with address, name and role, and the files of an encrypted store have none of it', () => {
  expect(row).toMatchObject({
    id: expect.stringMatching(/^user_/),
    identity: expect.stringMatching(/^[0-9a-f]{32}$/),
    body: expect.stringContaining(`"email":"${EMAIL}","name":"${NAME}","role":"viewer"`),
  });
  expect(findWords(dir, [EMAIL, NAME, SUBJECT, 'Quokka'])).toEqual([]);
});

test('the row is re-encrypted by a change of the key, and moved to a database and back', async () => {
  const to = makeKey();
  expect(rotateKey(dir, { from: KEY, to }, silentLogger).left).toBe(0);
  const lite = await startPglite();
  await move(folderAt(dir), databaseAt(lite.database));
  const database = await openPostgres({ database: lite.database, key: to });
  expect(await onlyPerson(database)).toEqual(row);
  await database.close();
  const back = join(home, 'back');
  await move(databaseAt(lite.database), folderAt(back));
  const store = openSqlite({ dir: back, key: to });
  expect(await onlyPerson(store)).toEqual(row);
  await store.close();
  await lite.stop();
});
