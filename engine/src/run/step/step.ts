import type { Json } from '../../base/json.ts';
import type { Message } from '../../model/model.ts';
import { Draft } from '../../store/draft.ts';
import { entryChange } from '../../trace/entries.ts';
import type { EntryBody } from '../../trace/entry.ts';
import { type EventBody, eventChange } from '../../trace/provider-events.ts';
import type { LiveEvent } from '../../trace/live-bus.ts';
import type { Measured } from '../../trace/measurement.ts';
import type { Cast } from './actor.ts';
import { type Effect, effectIdOf } from './effect.ts';
import { advance, type Asked, type Machine, machineChange, restoreMachine, startMachine } from './machine.ts';
import type { Meters } from '../../budget/meters.ts';
import type { Parts } from '../dependencies.ts';
import { statusOf } from './run-status.ts';
import { type Run, runNews, updateRun } from '../run.ts';
import { messageChange } from '../thread.ts';
import type { Tree } from './run-state.ts';
import { closedAt, limitFacts, type Wait, type Waits } from '../limit-waits.ts';

/** A machine event as the engine sends it. */
export type Sent = { readonly type: string } & { readonly [key: string]: Json | undefined | object };

/** Does what a named action of a machine means. */
export type HandleAction = (step: Step, machine: Machine, action: Asked) => Promise<void>;

/**
 * One committed advance of a run: collects everything that the machines of its tree ask for as one list of changes, and
 * what is to be launched or aborted once that list is on disk.
 */
export class Step {
  readonly parts: Parts;
  readonly cast: Cast;
  readonly meters: Meters;
  readonly tree: Tree;
  readonly draft: Draft;
  readonly now: number;
  /** False where another process performs the effects of this run: it takes up what the step leaves to do. */
  mayAct = true;
  /** True where it has reserved, settled or released something: then it writes what is counted. */
  isMetered = false;
  /** Takes back what was reserved for this step, where it cannot be committed. */
  readonly takeBacks: (() => void)[] = [];
  /** Effects to be performed once the step is on disk. */
  launches: Effect[] = [];
  readonly aborts: string[] = [];
  readonly notices: Pick<LiveEvent, 'name' | 'data'>[] = [];
  /** For the counters of this process, once the step is on disk. */
  readonly measured: Measured[] = [];
  /** Hashes of tool sets that this step stores. */
  readonly toolsets: string[] = [];
  /** Earliest timer that this step sets, in epoch milliseconds. */
  nextDue = Infinity;
  readonly #handle: HandleAction;
  readonly #queue: (() => Promise<void>)[] = [];
  #runPatch: Partial<Run> = {};
  #waits: Waits = {};

  constructor(parts: Parts, { cast, meters }: { cast: Cast; meters: Meters }, tree: Tree, handle: HandleAction) {
    this.parts = parts;
    this.#handle = handle;
    this.cast = cast;
    this.meters = meters;
    this.tree = tree;
    this.draft = new Draft(parts.store);
    this.now = parts.clock.now();
  }

  /** The machine, from memory or the store; undefined where there is none. */
  async machine(id: string): Promise<Machine | undefined> {
    const loaded = this.tree.machines.get(id);
    if (loaded !== undefined) return loaded;
    const row = await this.parts.store.get('machine', { id });
    if (row === undefined || row.root !== this.tree.record.run.id) return undefined;
    const machine = restoreMachine(row);
    this.tree.machines.set(id, machine);
    return machine;
  }

  /** Starts a machine of this tree. */
  async start(head: Pick<Machine, 'id' | 'kind' | 'facts'>, input: unknown): Promise<Machine> {
    const { machine, asked } = startMachine({ ...head, root: this.tree.record.run.id }, input);
    this.tree.machines.set(machine.id, machine);
    await this.#perform(machine, asked);
    return machine;
  }

  /** Sends an event now: what the machine asks for is done before this returns. For orders that go down the tree. */
  async send(id: string, event: Sent): Promise<void> {
    const machine = await this.machine(id);
    if (machine !== undefined) await this.#perform(machine, advance(machine, event));
  }

  /** Sends an event once the work at hand is done. For news that goes up the tree, and for first events. */
  later(id: string, event: Sent): void {
    this.#queue.push(() => this.send(id, event));
  }

  async append(threadId: string, message: Message): Promise<void> {
    const messages = await this.tree.transcript(threadId);
    messages.push(message);
    this.draft.append(messageChange(threadId, messages.length, this.now, message));
  }

  entry(body: EntryBody): void {
    const { redactor } = this.parts;
    this.draft.append(entryChange(this.tree.record.run.id, this.tree.nextEntrySeq(), this.now, body, redactor));
  }

  async event(threadId: string, body: EventBody): Promise<void> {
    this.draft.append(eventChange(threadId, await this.tree.nextEventSeq(threadId), this.now, body));
  }

  notice(name: LiveEvent['name'], data: LiveEvent['data']): void {
    this.notices.push({ name, data });
  }

  /** Stops an effect once the step is on disk; one that this very step wanted is not begun. */
  abort(id: string): void {
    this.launches = this.launches.filter((effect) => effectIdOf(effect) !== id);
    this.aborts.push(id);
  }

  /** Changes facts of the run that do not follow from its machine. */
  patchRun(patch: Partial<Run>): void {
    this.#runPatch = { ...this.#runPatch, ...patch };
  }

  /** Notes which limit a machine waits for, so that the run can say so. */
  waitsFor(machineId: string, wait: Wait): void {
    this.#waits = { ...this.#waits, [machineId]: wait };
  }

  /** Works off what was put off, then adds the rows of all that changed. */
  async finish(): Promise<void> {
    for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) await job();
    this.#finishRun();
    for (const machine of this.tree.machines.values()) {
      if (!machine.isChanged) continue;
      this.draft.append(machineChange(machine));
      machine.rev++;
      machine.isChanged = false;
    }
  }

  #finishRun(): void {
    const { record, machines } = this.tree;
    const root = machines.get(record.run.id);
    const before = record.run;
    const ordered = this.#runPatch.status;
    const now: Pick<Run, 'status' | 'waitingFor'> = root?.isChanged === true ? statusOf(root) : before;
    const { status, waitingFor } = ordered === undefined ? now : { status: ordered, waitingFor: undefined };
    const waits = closedAt({ ...record.waits, ...this.#waits }, this.now);
    const facts = waitingFor === 'limit' ? limitFacts(waits) : {};
    const isNew =
      status !== before.status ||
      waitingFor !== before.waitingFor ||
      facts.limit !== before.limit ||
      facts.until !== before.until;
    if (!isNew && Object.keys(this.#runPatch).length + Object.keys(this.#waits).length === 0) return;
    const { waitingFor: _for, limit: _limit, until: _until, ...run } = before;
    const { waits: _waits, ...kept } = record;
    const state = { status, ...(waitingFor !== undefined && { waitingFor }), ...facts };
    const settled = { ...kept, run: { ...run, ...state }, ...(waits !== undefined && { waits }) };
    const { change, record: next } = updateRun(settled, this.#runPatch, this.now);
    this.draft.append(change);
    this.tree.record = next;
    if (isNew) this.notice('run', runNews(next.run));
  }

  async #perform(machine: Machine, asked: readonly Asked[]): Promise<void> {
    for (const action of asked) {
      if (action.type === 'xstate.raise')
        this.#setTimer(machine, action.params as { id: string; delay?: number; event: unknown });
      else if (action.type === 'xstate.cancel') this.#clearTimer(machine, action.params as { sendId: string });
      else await this.#handle(this, machine, action);
    }
  }

  #setTimer(machine: Machine, { id, delay, event }: { id: string; delay?: number; event: unknown }): void {
    // An immediate raise was consumed within the transition.
    if (delay === undefined) return;
    const due = Math.round(this.now + delay);
    this.nextDue = Math.min(this.nextDue, due);
    const row = { machine: machine.id, name: id, root: machine.root, due, body: JSON.stringify(event) };
    this.draft.append({ op: 'put', table: 'timer', row });
  }

  #clearTimer(machine: Machine, { sendId }: { sendId: string }): void {
    this.draft.append({ op: 'delete', table: 'timer', where: { machine: machine.id, name: sendId } });
  }
}
