import { isoTime } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import { timeOfId } from '../../base/id.ts';
import { MODES } from '../../run/mode/registry.ts';
import { restoreMachine } from '../../run/step/machine.ts';
import { OPEN_STATUSES } from '../../run/run.ts';
import { parseKey } from '../../store/cipher.ts';
import type { InspectedStore } from '../../store/maintenance/inspection.ts';
import type { Row } from '../../store/store.ts';
import { type Check, fail, fine, warn } from './check.ts';
import type { CommandContext } from '../context.ts';

/** Time limit for reading rows. */
const READ_MS = 10_000;
/** Tolerated clock difference. */
const AHEAD_MS = 5 * 60_000;
const NAMED = 5;

/** Where a store is, as messages name it. */
export type StoreKind = 'data folder' | 'database';

/** Checks the schema, rows, encryption, machines, clock and open runs of a store. */
export async function checkStore(
  store: InspectedStore,
  place: StoreKind,
  { env }: CommandContext,
  nowMs: number,
): Promise<Check[]> {
  return [
    await checkSchema(store, place),
    ...(await checkRows(store, place)),
    checkStorage(store, place, env('VX_MAILAGENT_KEY') ?? ''),
    await checkMachines(store),
    await checkClock(store, nowMs),
    ...(await checkWaiting(store)),
  ];
}

async function checkSchema(store: InspectedStore, place: StoreKind): Promise<Check> {
  const { found, known, readableBy = found } = store.schema;
  if (found > known && readableBy > known)
    return fail(
      'store',
      `written by a newer Callsheet (schema ${found}, this version supports ${known})`,
      'update Callsheet',
    );
  const faults = await store.faults();
  if (faults.length > 0) {
    const hint = `stop Callsheet, keep a copy of the ${place}, and restore the last good copy`;
    return fail('store', `the ${place} is damaged: ${faults.slice(0, NAMED).join('; ')}`, hint);
  }
  if (found > known)
    return fine('store', `intact; a newer Callsheet upgraded it to schema ${found}, which this version can use`);
  return fine('store', found < known ? `intact; the next start upgrades schema ${found} to ${known}` : 'intact');
}

async function checkRows(store: InspectedStore, place: StoreKind): Promise<Check[]> {
  try {
    const { damaged, checked, isComplete } = await store.damagedRows(READ_MS);
    if (damaged.length === 0)
      return [
        fine('rows', `${checked} rows are readable${isComplete ? '' : '; the other rows were not read, to save time'}`),
      ];
    const names = damaged.slice(0, NAMED).map(({ table, key, reason }) => `${table} ${key} (${reason})`);
    const more = damaged.length > NAMED ? `, and at least ${damaged.length - NAMED} more` : '';
    const hint = `restore the ${place} from a copy, or delete the runs of these rows; other runs continue`;
    return [fail('rows', `unreadable: ${names.join(', ')}${more}`, hint)];
  } catch (error) {
    return [fail('rows', errorBody(error).message, `restore the ${place} from a copy`)];
  }
}

/** Whether the content is encrypted. */
export function checkStorage(store: InspectedStore, place: StoreKind, key: string): Check {
  if (store.storage === 'encrypted') return fine('encryption', 'all content is encrypted');
  if (parseKey(key) !== undefined && place === 'database')
    return fine('encryption', 'plain text until all processes are stopped and one starts with this key');
  if (parseKey(key) !== undefined) return fine('encryption', 'plain text; the next start encrypts it');
  const why = key === '' ? 'VX_MAILAGENT_KEY is not set' : 'VX_MAILAGENT_KEY is not 64 hex digits';
  return warn('encryption', `the ${place} is in plain text: ${why}`, 'make a key with callsheet key make');
}

async function checkMachines(store: InspectedStore): Promise<Check> {
  const faults: string[] = [];
  let count = 0;
  let after = '';
  for (;;) {
    const where = [
      ['id', '>', after],
      ['status', 'in', ['active', 'parked']],
    ] as const;
    const rows = await readable(() => store.list('machine', { where, order: [['id', 'asc']], limit: 200 }));
    for (const row of rows) {
      count++;
      const fault = machineFault(row);
      if (fault !== undefined) faults.push(fault);
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < 200) break;
  }
  const known = Array.from(MODES, ([kind, { machine }]) => `${kind} ${machine.version}`);
  if (faults.length === 0)
    return fine('machines', `${count} unfinished, all of supported versions (${known.join(', ')})`);
  const hint =
    'finish them with the Callsheet version that started them, or cancel their runs: callsheet runs cancel ID';
  return fail('machines', `${faults.length} cannot be resumed: ${faults.slice(0, NAMED).join('; ')}`, hint);
}

/** An empty list if rows are unreadable: `checkRows` names those. */
async function readable<T>(read: () => Promise<T[]>): Promise<T[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof EngineError) return [];
    throw error;
  }
}

function machineFault(row: Row<'machine'>): string | undefined {
  try {
    restoreMachine(row, MODES);
    return undefined;
  } catch (error) {
    return error instanceof EngineError ? error.message : `machine ${row.id} of run ${row.root} is damaged`;
  }
}

/** Compares the clock with the newest ids, which contain their creation time. */
async function checkClock(store: InspectedStore, nowMs: number): Promise<Check> {
  const newest: number[] = [];
  for (const table of ['run', 'mail', 'thread'] as const) {
    const [row] = await readable(() => store.list(table, { order: [['id', 'desc']], limit: 1 }));
    const at = row === undefined ? NaN : timeOfId(row.id);
    if (!Number.isNaN(at)) newest.push(at);
  }
  const last = Math.max(0, ...newest);
  if (last <= nowMs + AHEAD_MS) return fine('clock', `${isoTime(nowMs)}; no stored time is later`);
  const hint = 'set the clock; scheduled work continues at its stored time';
  return warn('clock', `${isoTime(nowMs)}, but the newest row was stored at ${isoTime(last)}`, hint);
}

async function checkWaiting(store: InspectedStore): Promise<Check[]> {
  const counts = await Promise.all(OPEN_STATUSES.map((status) => store.count('run', [['status', '=', status]])));
  const parts = OPEN_STATUSES.flatMap((status, i) => (counts[i] === 0 ? [] : [`${counts[i]} ${status}`]));
  const pending = await store.count('approval', [['status', '=', 'pending']]);
  return [
    fine('runs', parts.length === 0 ? 'no unfinished runs' : `unfinished: ${parts.join(', ')}`),
    fine('approvals', pending === 0 ? 'no pending approvals' : `${pending} pending: callsheet approvals list`),
  ];
}
