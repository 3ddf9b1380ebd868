import type { ErrorBody } from '../base/error.ts';
import type { Draft } from '../store/draft.ts';
import type { HeldAnswer } from './held-answer.ts';
import type { ChangeOf, Reader, Row } from '../store/store.ts';
import { bodyOf } from '../store/damaged-row.ts';

/**
 * State of a tool call (design.md). `started` is written only for a write that has neither an idempotency key nor a
 * look-up.
 */
export type LedgerState = 'intended' | 'started' | 'done' | 'failed' | 'ambiguous' | 'denied' | 'cancelled';

/** States of a call without an answer. */
const OPEN: ReadonlySet<LedgerState> = new Set(['intended', 'started', 'ambiguous']);

/** Why a call was allowed, and when it began, in epoch milliseconds. */
export interface Allowed {
  /** The rule or the person that allowed it, in one sentence. */
  readonly why: string;
  readonly at: number;
}

/** A tool call that was not answered within the step that made it. */
export interface LedgerBody {
  /** Id that the model gave the call; the tool message repeats it. */
  readonly callId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** True where a person changed the arguments. */
  readonly edited?: boolean;
  /** For a call of an agent: id of its session. */
  readonly sessionId?: string;
  /** Approval that the call waits for. */
  readonly approvalId?: string;
  /** True where an earlier attempt may have had its effect. */
  readonly isUnsure?: boolean;
  /** What the call acts on, in one line. */
  readonly target?: string;
  /** Why the call was allowed, and when; absent while a person is asked. */
  readonly decided?: Allowed;
  /** Mark of the state of the world on which a person decided. */
  readonly seen?: string;
  /** True where the call was launched through a gate, and counts as one that the user asked for. */
  readonly isGated?: boolean;
  /** For a call of the engine itself: the final answer that waits for its result. */
  readonly held?: HeldAnswer;
  readonly error?: ErrorBody;
}

/** A row of the ledger. */
export interface LedgerRow extends LedgerBody {
  readonly machine: string;
  readonly call: string;
  readonly state: LedgerState;
}

/** Whether the call has no answer yet. */
export function isOpen(row: LedgerRow): boolean {
  return OPEN.has(row.state);
}

/** The ledger row of a call, or undefined. */
export async function readCall(reader: Reader, machine: string, call: string): Promise<LedgerRow | undefined> {
  const row = await reader.get('ledger', { machine, call });
  return row === undefined ? undefined : ledgerOf(row);
}

/** All calls of a machine that have no answer yet, in the order of their ids. */
export async function openCalls(reader: Reader, machine: string): Promise<LedgerRow[]> {
  const rows = await reader.list('ledger', {
    where: [
      ['machine', '=', machine],
      ['state', 'in', [...OPEN]],
    ],
  });
  // Sorted here: an encrypted store cannot sort by this column.
  return rows.map(ledgerOf).sort((a, b) => (a.call < b.call ? -1 : 1));
}

/** All calls of these machines. */
export async function listCalls(reader: Reader, machines: readonly string[]): Promise<LedgerRow[]> {
  return (await reader.list('ledger', { where: [['machine', 'in', machines]] })).map(ledgerOf);
}

/** The `call` of the row by which a failed run is repeated at most once. No call of a model has this name. */
export const RETRY_CALL = 'retry';

/** The change that records which run repeats a failed one; `STORE_CONFLICT` where another one does already. */
export function intendedRetry(failedId: string, runId: string): ChangeOf<'ledger'> {
  const body: LedgerBody = { callId: '', tool: RETRY_CALL, arguments: { runId } };
  const row = { machine: failedId, call: RETRY_CALL, state: 'done', body: JSON.stringify(body) };
  return { op: 'insert', table: 'ledger', row };
}

/** Adds the ledger row of a call in state `intended`. */
export async function intend(draft: Draft, machine: string, call: string, body: LedgerBody): Promise<void> {
  await draft.add({
    op: 'insert',
    table: 'ledger',
    row: { machine, call, state: 'intended', body: JSON.stringify(body) },
  });
}

/** Moves a call to another state; `STORE_CONFLICT` where it is no longer in the state that was read. */
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

/** Idempotency key of a call: the same for every attempt. */
export function idempotencyKey(machine: string, call: string): string {
  return `${machine}/${call}`;
}

function ledgerOf(row: Row<'ledger'>): LedgerRow {
  const body = bodyOf<LedgerBody>('ledger', row);
  return { machine: row.machine, call: row.call, state: row.state as LedgerState, ...body };
}
