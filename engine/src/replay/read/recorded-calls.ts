import type { ErrorBody } from '../../base/error.ts';
import { isRecord, type Json } from '../../base/json.ts';
import type { ApprovalRecord } from '../../guard/approval.ts';
import type { ToolCall } from '../../model/model.ts';
import { type LedgerRow, listCalls } from '../../run/ledger.ts';
import { factsOf } from '../../run/step/machine.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Reader } from '../../store/store.ts';
import type { RecordedThread } from './recorded-threads.ts';

/** A tool call as it stands in a transcript, with what ledger and approvals know of it. */
export interface RecordedCall {
  /** `''` for the director. */
  readonly agentId: string;
  readonly threadId: string;
  readonly tool: string;
  /** With which it ran: those of the person, where a person changed them. Text, where it is no JSON. */
  readonly arguments: Json;
  /** The row of the ledger; absent for a call that was answered within its step. */
  readonly row?: LedgerRow;
  readonly approval?: ApprovalRecord;
  /** The text of its result, and when it arrived; absent where the run ended before. */
  readonly result?: { readonly content: string; readonly at: number };
  /** When the model asked for it, epoch milliseconds. */
  readonly at: number;
}

/** All tool calls of a run, thread by thread, in the order of the transcripts. */
export async function readCalls(
  reader: Reader,
  runId: string,
  threads: readonly RecordedThread[],
): Promise<RecordedCall[]> {
  const machines = await reader.list('machine', { where: [['root', '=', runId]], order: [['id', 'asc']] });
  const threadOf = new Map(machines.map((row) => [row.id, factsOf(row).threadId]));
  const ledger = machines.length === 0 ? [] : await listCalls(reader, [...threadOf.keys()]);
  const ordered = [...ledger].sort((a, b) =>
    a.machine < b.machine ? -1 : a.machine > b.machine ? 1 : turnOf(a) - turnOf(b),
  );
  const rowOf = (threadId: string, call: ToolCall) => {
    const at = ordered.findIndex(
      ({ machine, callId, tool }) =>
        threadOf.get(machine) === threadId && callId === call.id && tool === call.function.name,
    );
    return at < 0 ? undefined : ordered.splice(at, 1)[0];
  };
  const approvals = await readApprovals(reader, runId);
  return threads.flatMap(({ id: threadId, agentId, messages }) =>
    messages.flatMap(({ at, message }, n): RecordedCall[] => {
      if (message.role !== 'assistant') return [];
      const later = messages.slice(n + 1);
      const next = later.findIndex((one) => one.message.role === 'assistant');
      const answers = next < 0 ? later : later.slice(0, next);
      return (message.tool_calls ?? []).map((call) => {
        const row = rowOf(threadId, call);
        const approval = approvals.find(
          (one) => one.threadId === threadId && one.place?.message === n + 1 && one.call.endsWith(`/${call.id}`),
        );
        const answer = answers.find((one) => one.message.role === 'tool' && one.message.tool_call_id === call.id);
        return {
          ...{ agentId, threadId, tool: call.function.name, at },
          arguments: (row?.arguments as Json | undefined) ?? argumentsOf(call.function.arguments),
          ...(row !== undefined && { row }),
          ...(approval !== undefined && { approval }),
          ...(answer?.message.role === 'tool' && { result: { content: answer.message.content, at: answer.at } }),
        };
      });
    }),
  );
}

/** All approvals of a run, questions included, in their order. */
export async function readApprovals(reader: Reader, runId: string): Promise<ApprovalRecord[]> {
  const rows = await reader.list('approval', { where: [['run', '=', runId]], order: [['id', 'asc']] });
  return rows.map((row) => bodyOf<ApprovalRecord>('approval', row));
}

/** The error that a result of a tool says; undefined for any other result. */
export function errorIn(content: string): ErrorBody | undefined {
  if (!content.startsWith('{"error":')) return undefined;
  const value: unknown = parsed(content);
  const error = isRecord(value) ? value['error'] : undefined;
  if (!isRecord(error)) return undefined;
  const { code, message, hint } = error;
  return { code: String(code), message: String(message), ...(typeof hint === 'string' && { hint }) };
}

/** The value that the tool returned, so that its message is the same to the letter. */
export function valueIn(content: string): Json {
  const value = parsed(content);
  // The engine wraps the result of a call whose arguments a person changed, and does so again in a play.
  if (isRecord(value) && 'argumentsChangedTo' in value && 'result' in value) return value['result'] as Json;
  return JSON.stringify(value) === content && typeof value !== 'string' ? (value as Json) : content;
}

function argumentsOf(text: string): Json {
  const value = parsed(text === '' ? '{}' : text);
  return value === undefined ? text : (value as Json);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function turnOf({ call }: LedgerRow): number {
  return Number(/^\d+/.exec(call)?.[0] ?? 0);
}
