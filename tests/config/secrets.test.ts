import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../engine/src/base/clock.ts';
import { createRedactor, type Redactor } from '../../engine/src/base/redact.ts';
import { makeKey } from '../../engine/src/store/cipher.ts';
import { openSecrets } from '../../engine/src/config/secrets.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';

const KEY = makeKey();
let dir: string;
let store: Store;
let redactor: Redactor;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-secrets-'));
  store = openSqlite({ dir, key: KEY });
  redactor = createRedactor();
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const open = (allowsPlaintext = false) => openSecrets({ store, clock: systemClock, redactor, allowsPlaintext });

test('a secret outlives the process, replaced by the last value, and is named in order', async () => {
  const secrets = await open();
  await secrets.set('B', 'first-value');
  await secrets.set('A', 'other-value');
  await secrets.set('B', 'second value\nof two lines');
  await store.close();
  store = openSqlite({ dir, key: KEY });
  const again = await open();
  expect(again.names()).toEqual(['A', 'B']);
  expect(again.get('B')).toBe('second value\nof two lines');
});

test('what is stored is redacted from the start, and what was replaced stays so', async () => {
  const secrets = await open();
  await secrets.set('A', 'first-value');
  await secrets.set('A', 'second-value');
  expect(redactor.text('first-value second-value')).toBe('[redacted] [redacted]');
  redactor = createRedactor();
  await open();
  expect(redactor.text('second-value')).toBe('[redacted]');
});

test('a deleted secret is gone, and cannot be deleted again', async () => {
  const secrets = await open();
  await secrets.set('A', 'value');
  await secrets.delete('A');
  expect([secrets.get('A'), await store.count('secret')]).toEqual([undefined, 0]);
  await expect(secrets.delete('A')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test.each([
  ['a name with a dash', 'a-b', 'value'],
  ['a name that begins with a digit', '1a', 'value'],
  ['no value', 'A', ''],
  ['a value that is too long', 'A', 'x'.repeat(65_537)],
])('%s is refused', async (_name, name, value) => {
  await expect((await open()).set(name, value)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await store.count('secret')).toBe(0);
});

test.each([
  ['nothing is said', false, undefined, false],
  ['this one is allowed', false, true, true],
  ['all are allowed', true, undefined, true],
])('in plain text a secret is stored where %s: %s %s -> %s', async (_name, all, one, isStored) => {
  await store.close();
  rmSync(join(dir, 'callsheet.db'));
  store = openSqlite({ dir });
  const done = (await open(all)).set('A', 'value', { allowsPlaintext: one });
  if (isStored) await done;
  else await expect(done).rejects.toMatchObject({ code: 'SECRET_NEEDS_KEY' });
  expect(await store.count('secret')).toBe(isStored ? 1 : 0);
});

test('the first revision binds what has no host, and nobody reads documents once all is bound', async () => {
  const secrets = await open();
  await secrets.set('A', 'first-value');
  await secrets.bindFirst(() => new Map([['A', new Set(['api.example.com'])]]));
  expect(secrets.hosts('A')).toEqual(['api.example.com']);
  await secrets.bindFirst(() => expect.unreachable('every secret is bound'));
});
