import type { ErrorBody } from '../base/error.ts';
import type { Draft } from '../store/draft.ts';
import type { Reader, Row } from '../store/store.ts';

/** Where an effect stands (design.md). `started` is written only for a write with neither key nor look-up. */
export type LedgerState = 'intended' | 'started' | 'done' | 'failed' | 'ambiguous' | 'denied' | 'cancelled';

/** States of a call that has not been answered yet. */
const OPEN: ReadonlySet<LedgerState> = new Set(['intended', 'started', 'ambiguous']);

/** An open or answered tool call that was not settled within the step that asked for it. */
export interface LedgerBody {
  /** Id that the model gave the call; its answer carries it. */
  readonly callId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What a person changed the arguments to. */
  readonly edited?: boolean;
  /** For a call of an agent: its session. */
  readonly sessionId?: string;
  /** Approval that the call waits for. */
  readonly approvalId?: string;
  /** An earlier attempt may have happened. */
  readonly isUnsure?: boolean;
  readonly error?: ErrorBody;
}

export interface LedgerRow extends LedgerBody {
  readonly machine: string;
  readonly call: string;
  readonly state: LedgerState;
}

/** Whether the call still waits for its answer. */
export function isOpen(row: LedgerRow): boolean {
  return OPEN.has(row.state);
}

/** The row of a call, or undefined. */
export async function readCall(reader: Reader, machine: string, call: string): Promise<LedgerRow | undefined> {
  const row = await reader.get('ledger', { machine, call });
  return row === undefined ? undefined : ledgerOf(row);
}

/** All calls of a machine that still wait. */
export async function openCalls(reader: Reader, machine: string): Promise<LedgerRow[]> {
  const rows = await reader.list('ledger', {
    where: [
      ['machine', '=', machine],
      ['state', 'in', [...OPEN]],
    ],
  });
  // Ordered here: an encrypted store does not know the order of calls.
  return rows.map(ledgerOf).sort((a, b) => (a.call < b.call ? -1 : 1));
}

/** Writes down what is about to happen. */
export async function intend(draft: Draft, machine: string, call: string, body: LedgerBody): Promise<void> {
  await draft.add({
    op: 'insert',
    table: 'ledger',
    row: { machine, call, state: 'intended', body: JSON.stringify(body) },
  });
}

/** Moves a call on, from the state it was read in. */
export async function mark(
  draft: Draft,
  row: LedgerRow,
  state: LedgerState,
  patch: Partial<LedgerBody> = {},
): Promise<void> {
  const { machine, call, state: before, ...body } = row;
  const set = { state, body: JSON.stringify({ ...body, ...patch }) };
  await draft.add({ op: 'update', table: 'ledger', key: { machine, call }, set, expect: { state: before } });
}

/** The key under which a call's effect happens: the same for every attempt. */
export function idempotencyKey(machine: string, call: string): string {
  return `${machine}/${call}`;
}

function ledgerOf(row: Row<'ledger'>): LedgerRow {
  const body = JSON.parse(row.body) as LedgerBody;
  return { machine: row.machine, call: row.call, state: row.state as LedgerState, ...body };
}
