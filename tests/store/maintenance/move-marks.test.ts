import { afterEach, beforeEach, expect, test } from 'vitest';
import { readKeyring } from '../../../engine/src/store/maintenance/keyring.ts';
import {
  dropMark,
  type MoveMarks,
  readMark,
  type UnfinishedMove,
  writeMark,
} from '../../../engine/src/store/maintenance/move-marks.ts';
import type { Script } from '../../../engine/src/store/maintenance/script.ts';
import { runSqliteScript, sqliteScriptDialect as dialect } from '../../../engine/src/store/sqlite/sqlite-script.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import { createDatabase, type EmptyDatabase } from './database.ts';

const MOVING: MoveMarks['moving'] = { id: 'm1', to: 'postgres://host/db', at: Date.UTC(2026, 0, 2) };
const COPY: UnfinishedMove = { id: 'm1', of: 'a', from: '/old', at: 0, table: 'run', after: ['r7'] };

let database: EmptyDatabase;
beforeEach(() => void (database = createDatabase()));
afterEach(() => database.remove());
const run = <T>(script: Script<T>): T => runSqliteScript(database.db, script);

test('a mark is read as it was last written, until it is dropped', () => {
  expect(run(readMark(dialect, 'copy'))).toBeUndefined();
  run(writeMark(dialect, 'copy', COPY));
  run(writeMark(dialect, 'copy', { ...COPY, after: ['r8'] }));
  expect(run(readMark(dialect, 'copy'))).toEqual({ ...COPY, after: ['r8'] });
  run(dropMark('copy'));
  expect(run(readMark(dialect, 'copy'))).toBeUndefined();
});

test('an unfinished copy is not opened, and the error names the store that it is copied from', () => {
  run(writeMark(dialect, 'copy', COPY));
  const refusal = { code: 'STORE_HALF_COPIED', message: expect.stringContaining('/old') };
  expect(() => run(readKeyring(dialect, undefined))).toThrow(expect.objectContaining(refusal));
  expect(() => openSqlite({ dir: database.dir })).toThrow(expect.objectContaining(refusal));
});

test('a store that moves away is not opened, and the error names the new place and the time', () => {
  run(writeMark(dialect, 'moving', MOVING));
  const message = expect.stringMatching(/postgres:\/\/host\/db.*2026-01-02T00:00:00/);
  const refusal = { code: 'STORE_MOVED', message };
  expect(() => run(readKeyring(dialect, undefined))).toThrow(expect.objectContaining(refusal));
  expect(() => openSqlite({ dir: database.dir })).toThrow(expect.objectContaining(refusal));
});

test('a store is opened once its mark is dropped, and a finished copy as well', async () => {
  run(writeMark(dialect, 'moving', MOVING));
  run(dropMark('moving'));
  run(writeMark(dialect, 'copied', { id: 'm1', from: '/old', at: 0 }));
  const store = openSqlite({ dir: database.dir });
  expect(await store.count('run')).toBe(0);
  await store.close();
});
