import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { moveStore, type MoveOptions } from '../../../engine/src/store/move/move-store.ts';
import { type MoveEndpoint, withFolder, withPostgres } from '../../../engine/src/store/move/move-endpoint.ts';
import type { SqlDatabase } from '../../../engine/src/store/postgres/sql-database.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Change, Store, TableName } from '../../../engine/src/store/store.ts';
import { TABLE_NAMES } from '../../../engine/src/store/tables.ts';
import { fill, missing } from '../folder.ts';

export const ROWS = 30;

/** A place of a store: a data folder or a database, that can be moved from and to. */
export interface TestPlace {
  readonly address: string;
  use<T>(work: (side: MoveEndpoint) => Promise<T>): Promise<T>;
}

export function folderAt(dir: string): TestPlace {
  return { address: dir, use: (work) => withFolder(dir, { isDry: false, isNew: true }, (side) => work(side!)) };
}

export function databaseAt(database: SqlDatabase): TestPlace {
  const address = 'postgres://host/db';
  return { address, use: (work) => withPostgres(database, address, { isDry: false, isNew: true }, work) };
}

export interface TestMove extends Partial<MoveOptions> {
  /** The call at which the new place fails: not done, or done and not answered. */
  readonly cut?: { readonly at: number; readonly isDone: boolean };
}

let count = 0;

/** Moves; with `cut` it ends as a process does that is killed there. */
export function move(from: TestPlace, to: TestPlace, { cut, ...options }: TestMove = {}) {
  const given = { id: `m${++count}`, at: 1_760_000_000_000, onProgress: () => {}, ...options };
  return from.use((old) => to.use((fresh) => moveStore(old, cut === undefined ? fresh : cutting(fresh, cut), given)));
}

export class Cut extends Error {}

function cutting(side: MoveEndpoint, { at, isDone }: NonNullable<TestMove['cut']>): MoveEndpoint {
  let calls = 0;
  return {
    ...side,
    async run(script) {
      calls++;
      if (calls < at) return side.run(script);
      if (isDone && calls === at) await side.run(script);
      throw new Cut(`cut at call ${calls}`);
    },
  };
}

/** A folder with rows in every table, some of them with names that databases do not like. */
export async function filledFolder(root: string, key?: string, rows = ROWS, length?: number): Promise<string> {
  const dir = mkdtempSync(join(root, 'data-'));
  const store = openSqlite({ dir, key });
  await fill(store, rows, length);
  const odd = ['back\\slash', 'nul\0inside', '\\0000', 'Ünïcödé 🎉', "it's", ''];
  const change = (call: string): Change => ({
    op: 'put',
    table: 'ledger',
    row: { machine: 'odd', call, state: 'done', body: '{}' },
  });
  await store.apply(odd.map(change));
  await store.close();
  return dir;
}

/** What differs between a store and what was put into the folder, but for the processes that worked on it. */
export async function lost(store: Store, rows = ROWS, length?: number): Promise<string[]> {
  const faults = await missing(store, rows, length);
  const odd = await store.list('ledger', { where: [['machine', '=', 'odd']] });
  const leases = await store.count('lease', [['worker', '!=', '']]);
  const claims = await store.count('claim', [['worker', '!=', '']]);
  return [
    ...faults.filter((fault) => !/^(lease|claim) /.test(fault)),
    ...(odd.length === 6 && odd.some(({ call }) => call === 'nul\0inside') ? [] : ['odd names']),
    ...(leases + claims === 0 ? [] : ['somebody is at work']),
  ];
}

/** Every row of a folder as it lies, types of bodies included; without what names processes at work. */
export function rawRows(dir: string): Record<string, unknown[]> {
  const db = new DatabaseSync(join(dir, 'callsheet.db'), { readOnly: true });
  const read = (table: TableName) =>
    db
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => ({
        ...row,
        ...(table === 'lease' && { worker: '', job: '' }),
        ...(table === 'claim' && { worker: '' }),
      }))
      .map((row) => JSON.stringify(row))
      .sort();
  const rows = Object.fromEntries(TABLE_NAMES.map((table) => [table, read(table)]));
  const current = db.prepare(`SELECT body FROM keyring WHERE name = 'current'`).all();
  db.close();
  return { ...rows, keyring: current.map((row) => JSON.stringify(row)) };
}
