import { EngineError } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import type { Message } from '../../model/model.ts';
import { lastEntrySeq } from '../../trace/entries.ts';
import { lastEventSeq } from '../../trace/provider-events.ts';
import type { ToolLists } from '../../tool/run-tools.ts';
import { type Lease, readLease } from '../lease.ts';
import { awaitedWork, isParked, type Machine } from './machine.ts';
import type { Dependencies } from '../dependencies.ts';
import { recordOf, type RunRecord } from '../run.ts';
import { readMessages } from '../thread.ts';

const UNUSED: Lease = { worker: '', job: '', rev: 0, at: 0 };

/**
 * The state of one run in memory between steps: a copy of stored rows, loaded as needed, so that a turn reads no row twice. A
 * step changes it in place; when a commit fails, the engine drops the whole state.
 */
export class RunState {
  readonly machines = new Map<string, Machine>();
  /** The open session of each agent. */
  sessions: Map<string, string> | undefined;
  record: RunRecord;
  readonly config: Snapshot;
  /** Lists of MCP servers that the run keeps; none before it begins. */
  toolLists: ToolLists;
  /** The stored lease; unused where this process has the store to itself. */
  lease: Lease;
  readonly #deps: Dependencies;
  readonly #transcripts = new Map<string, Message[]>();
  readonly #chars = new Map<string, { messages: number; chars: number }>();
  readonly #eventSeqs = new Map<string, number>();
  #entrySeq: number;

  private constructor(deps: Dependencies, lease: Lease, record: RunRecord, config: Snapshot, entrySeq: number) {
    this.#deps = deps;
    this.lease = lease;
    this.record = record;
    this.config = config;
    this.toolLists = record.run.toolLists ?? {};
    this.#entrySeq = entrySeq;
  }

  /** Loads the state of a run. `NOT_FOUND` where there is no such run. */
  static async load(deps: Dependencies, runId: string): Promise<RunState> {
    // Read first: a step of another process during the next reads changes the lease, and then this state cannot be committed.
    const lease = deps.shared === undefined ? UNUSED : await readLease(deps.store, runId);
    const row = await deps.store.get('run', { id: runId });
    if (row === undefined)
      throw new EngineError('NOT_FOUND', `there is no run "${runId}"`, { hint: 'callsheet runs list shows all runs' });
    const record = recordOf(row);
    const config = await deps.config.revision(record.run.revision);
    await deps.tools.load(record.run.toolLists ?? {});
    return new RunState(deps, lease, record, config, await lastEntrySeq(deps.store, runId));
  }

  /** The messages of a thread; the array grows as steps append to it. */
  async transcript(threadId: string): Promise<Message[]> {
    let messages = this.#transcripts.get(threadId);
    if (messages === undefined)
      this.#transcripts.set(threadId, (messages = await readMessages(this.#deps.store, threadId)));
    return messages;
  }

  /** Characters of a thread's messages. Each message is counted once, so a long transcript costs no more than a short one. */
  async chars(threadId: string): Promise<number> {
    const messages = await this.transcript(threadId);
    const counted = this.#chars.get(threadId) ?? { messages: 0, chars: 0 };
    for (let n = counted.messages; n < messages.length; n++) counted.chars += charsOf(messages[n]);
    counted.messages = messages.length;
    this.#chars.set(threadId, counted);
    return counted.chars;
  }

  /** Starts the transcript of a thread that has no messages yet. */
  openTranscript(threadId: string): void {
    this.#transcripts.set(threadId, []);
    this.#eventSeqs.set(threadId, 0);
  }

  nextEntrySeq(): number {
    return ++this.#entrySeq;
  }

  async nextEventSeq(threadId: string): Promise<number> {
    const last = this.#eventSeqs.get(threadId) ?? (await lastEventSeq(this.#deps.store, threadId));
    this.#eventSeqs.set(threadId, last + 1);
    return last + 1;
  }

  /** True while a machine works: then this state stays in memory. */
  get isBusy(): boolean {
    for (const machine of this.machines.values())
      if (!isParked(machine) && awaitedWork(machine) !== undefined) return true;
    return false;
  }

  /** Drops finished machines. */
  prune(): void {
    for (const [id, machine] of this.machines) if (machine.snapshot.status !== 'active') this.machines.delete(id);
  }
}

/** Characters of a message: its text, and the names and arguments of its calls. */
export function charsOf(message: Message | undefined): number {
  if (message === undefined) return 0;
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return calls.reduce(
    (sum, call) => sum + call.function.arguments.length + call.function.name.length,
    message.content?.length ?? 0,
  );
}
