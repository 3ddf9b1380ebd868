import { recordOf, type Run, threadOfRun } from '../../run/run.ts';
import type { Reader } from '../../store/store.ts';
import { ASK_USER } from '../../tool/person.ts';
import type { Tool } from '../../tool/tool.ts';
import type { WorkspaceItem } from '../../workspace/item.ts';
import { readItems } from './recorded-items.ts';
import { errorIn, readCalls, type RecordedCall } from './recorded-calls.ts';
import { readThreads, type RecordedThread } from './recorded-threads.ts';
import type { PlayedCall, PlayedItem, PlayedRun } from '../replay.ts';

/** A stored run with what is read of it. */
export interface ReadRun {
  readonly run: Run;
  readonly threads: readonly RecordedThread[];
  readonly calls: readonly RecordedCall[];
}

/** Reads a run with its threads and calls; undefined where there is none. */
export async function readRun(reader: Reader, runId: string): Promise<ReadRun | undefined> {
  const row = await reader.get('run', { id: runId });
  if (row === undefined) return undefined;
  const { run } = recordOf(row);
  const threads = await readThreads(reader, run);
  return { run, threads, calls: await readCalls(reader, run.id, threads) };
}

/** What a run did, from what the store has of it. `tools`: every tool by name, for the effects of calls. */
export async function readOutcome(
  reader: Reader,
  { run, threads, calls }: ReadRun,
  tools: ReadonlyMap<string, Tool>,
): Promise<PlayedRun> {
  const { directorId, agentId, status, waitingFor, error, usage } = run;
  const modelMs = threads.flatMap(({ events }) => events.map(({ body }) => ('latencyMs' in body ? body.latencyMs : 0)));
  const toolMs = calls.map(({ row, result, tool }) =>
    row?.decided === undefined || result === undefined || row.sessionId !== undefined || tool === ASK_USER
      ? 0
      : result.at - row.decided.at,
  );
  return {
    directorId,
    ...(agentId !== undefined && { agentId }),
    status,
    ...(waitingFor !== undefined && { waitingFor }),
    ...(error !== undefined && { error }),
    answer: answerOf(threads, threadOfRun(run)),
    calls: calls.map((call) => callOf(call, tools)),
    items: (await readItems(reader, run, calls)).map(playedItem),
    turns: usage.turns,
    ownTurns: threads[0]?.messages.filter(({ message }) => message.role === 'assistant').length ?? 0,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cost: usage.cost,
    durationMs: [...modelMs, ...toolMs].reduce((sum, ms) => sum + Math.max(0, ms), 0),
  };
}

function callOf(
  { agentId, tool, arguments: args, approval, result }: RecordedCall,
  tools: ReadonlyMap<string, Tool>,
): PlayedCall {
  const error = result === undefined ? undefined : errorIn(result.content)?.code;
  const effects = tools.get(tool)?.effects;
  const isDenied = error === 'TOOL_DENIED';
  return {
    ...{ agentId, tool, arguments: args },
    ...(effects !== undefined && { effects }),
    state: result === undefined ? 'open' : isDenied ? 'denied' : error !== undefined ? 'failed' : 'done',
    asked: approval !== undefined && approval.kind === undefined,
    ...(error !== undefined && { error }),
  };
}

function answerOf(threads: readonly RecordedThread[], id: string): string {
  const messages = threads.find((thread) => thread.id === id)?.messages ?? [];
  const last = messages.findLast(({ message }) => message.role === 'assistant')?.message;
  return last?.role === 'assistant' && last.tool_calls === undefined ? (last.content ?? last.refusal ?? '') : '';
}

function playedItem({ label = '', mimeType, data = '', context }: WorkspaceItem): PlayedItem {
  return { label, mimeType, data, agentId: context.agentId ?? context.agent?.id ?? '' };
}
