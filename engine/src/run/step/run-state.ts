import { EngineError } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import type { Message } from '../../model/model.ts';
import { lastEntrySeq } from '../../trace/entries.ts';
import { lastEventSeq } from '../../trace/provider-events.ts';
import type { ToolLists } from '../../tool/run-tools.ts';
import type { Taint } from '../../guard/taint.ts';
import { type Lease, readLease } from '../lease.ts';
import { awaitedWork, isParked, type Machine } from './machine.ts';
import type { Dependencies } from '../dependencies.ts';
import { hideIn } from '../../guard/placeholder/redact-text.ts';
import { PrivateConversation } from './private-conversation.ts';
import { withParticipant } from '../participant.ts';
import { recordOf, type RunRecord } from '../run.ts';
import { readMessages } from '../thread.ts';

const UNUSED: Lease = { worker: '', job: '', rev: 0, at: 0 };

/**
 * The state of one run in memory between steps: a copy of stored rows, loaded as needed, so that a turn reads no row twice. A
 * step changes it in place; when a commit fails, the engine drops the whole state.
 */
export class RunState {
  readonly machines = new Map<string, Machine>();
  /** What has tainted each thread that was looked at; undefined where nothing has. */
  readonly taints = new Map<string, Taint | undefined>();
  /** The open session of each agent. */
  sessions: Map<string, string> | undefined;
  /** Memories that match the trigger, as text, while the first step of a run that plans is made; else `''`. */
  recalled = '';
  record: RunRecord;
  config: Snapshot;
  /** Lists of MCP servers that the run keeps; none before it begins. */
  toolLists: ToolLists;
  /** The stored lease; unused where this process has the store to itself. */
  lease: Lease;
  readonly #deps: Dependencies;
  readonly #transcripts = new Map<string, Message[]>();
  readonly #chars = new Map<string, { messages: number; chars: number }>();
  readonly #eventSeqs = new Map<string, number>();
  #entrySeq: number;
  #privacy: Promise<PrivateConversation | undefined> | undefined;
  #loaded: PrivateConversation | undefined;

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
    const config = withParticipant(await deps.config.revision(record.run.revision), record.run);
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

  /** What models must not see in this run; undefined where its director has no `privacy`. */
  privacy(): Promise<PrivateConversation | undefined> {
    return (this.#privacy ??= this.#loadPrivacy());
  }

  async #loadPrivacy(): Promise<PrivateConversation | undefined> {
    this.#loaded = await PrivateConversation.load(this.#deps.store, this.config, this.record.run);
    return this.#loaded;
  }

  /** A text without the private values of the conversation; `''` before `privacy` was read. */
  hide(text: string): string {
    return this.#loaded === undefined ? '' : hideIn(this.#loaded.map, text);
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

  /** Goes on under another revision: what objectives do at each wake. */
  adopt(config: Snapshot, toolLists: ToolLists): void {
    this.config = config;
    this.toolLists = toolLists;
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
