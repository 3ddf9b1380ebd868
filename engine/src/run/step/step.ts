import type { Json } from '../../base/json.ts';
import type { Message } from '../../model/model.ts';
import { Draft } from '../../store/draft.ts';
import { entryChange } from '../../trace/entries.ts';
import type { EntryBody } from '../../trace/entry.ts';
import { type EventBody, eventChange } from '../../trace/provider-events.ts';
import type { LiveEvent } from '../../trace/live-bus.ts';
import type { Measurement } from '../../trace/measurement.ts';
import type { Actors } from './actor.ts';
import { type Effect, effectIdOf } from './effect.ts';
import { advance, type MachineAction, type Machine, machineChange, restoreMachine, startMachine } from './machine.ts';
import type { Meters } from '../../budget/meters.ts';
import type { Dependencies } from '../dependencies.ts';
import { modeOf } from '../machine-mode.ts';
import { redactMessage } from './redact-message.ts';
import { statusOf } from './run-status.ts';
import { type Run, liveRunFields, updateRun } from '../run.ts';
import { taskChange } from '../task-row.ts';
import { messageChange } from '../thread.ts';
import type { RunState } from './run-state.ts';
import { pendingWaits, limitFields, type LimitWait, type LimitWaits } from '../limit-waits.ts';

/** A machine event as the engine sends it. */
export type SentEvent = { readonly type: string } & { readonly [key: string]: Json | undefined | object };

/** Carries out a named action of a machine. */
export type HandleAction = (step: Step, machine: Machine, action: MachineAction) => Promise<void>;

/**
 * One committed advance of a run. Collects the changes that its machines cause as one list, and the effects that start or stop
 * once that list is on disk.
 */
export class Step {
  readonly deps: Dependencies;
  readonly actors: Actors;
  readonly meters: Meters;
  readonly runState: RunState;
  readonly draft: Draft;
  readonly now: number;
  /** False where another process performs the effects of this run; it then also takes up the effects of this step. */
  mayAct = true;
  /** True where the step has changed a reservation: then it also stores the counters. */
  isMetered = false;
  /** Functions that undo the reservations of this step, for a failed commit. */
  readonly takeBacks: (() => void)[] = [];
  /** Effects that start once the step is on disk. */
  launches: Effect[] = [];
  readonly aborts: string[] = [];
  readonly notices: Pick<LiveEvent, 'name' | 'data'>[] = [];
  /** Measurements for the counters of this process, added once the step is on disk. */
  readonly measured: Measurement[] = [];
  /** Hashes of toolsets that this step stores. */
  readonly toolsets: string[] = [];
  /** Due time of the earliest timer that this step sets, in epoch milliseconds. */
  nextDue = Infinity;
  readonly #handle: HandleAction;
  readonly #queue: (() => Promise<void>)[] = [];
  #runPatch: Partial<Run> = {};
  #waits: LimitWaits = {};

  constructor(
    deps: Dependencies,
    { actors, meters }: { actors: Actors; meters: Meters },
    runState: RunState,
    handle: HandleAction,
  ) {
    this.deps = deps;
    this.#handle = handle;
    this.actors = actors;
    this.meters = meters;
    this.runState = runState;
    this.draft = new Draft(deps.store);
    this.now = deps.clock.now();
  }

  /** The machine, from memory or the store; undefined where there is none. */
  async machine(id: string): Promise<Machine | undefined> {
    const loaded = this.runState.machines.get(id);
    if (loaded !== undefined) return loaded;
    const row = await this.deps.store.get('machine', { id });
    if (row === undefined || row.root !== this.runState.record.run.id) return undefined;
    const machine = restoreMachine(row, this.deps.modes);
    this.runState.machines.set(id, machine);
    return machine;
  }

  /** Starts a machine of this run; `kind` is the `id` of its definition. */
  async start(kind: string, head: Pick<Machine, 'id' | 'facts'>, input: unknown): Promise<Machine> {
    const mode = modeOf(this.deps.modes, kind);
    const { machine, asked } = startMachine({ ...head, mode, root: this.runState.record.run.id }, input);
    this.runState.machines.set(machine.id, machine);
    await this.#perform(machine, asked);
    return machine;
  }

  /** Sends an event now and carries out its actions before returning. For orders to machines below. */
  async send(id: string, event: SentEvent): Promise<void> {
    const machine = await this.machine(id);
    if (machine !== undefined) await this.#perform(machine, advance(machine, event));
  }

  /** Performs an action of a machine's mode that no transition has asked for. */
  perform(machine: Machine, action: MachineAction): Promise<void> {
    return this.#handle(this, machine, action);
  }

  /** Sends an event at the end of the step. For reports to machines above, and for first events. */
  later(id: string, event: SentEvent): void {
    this.#queue.push(() => this.send(id, event));
  }

  /** Appends a message to a transcript, with secrets redacted; returns the message as it is stored. */
  async append<M extends Message>(threadId: string, message: M): Promise<M> {
    const messages = await this.runState.transcript(threadId);
    const clean = redactMessage(this.deps.redactor, message);
    messages.push(clean);
    this.draft.append(messageChange(threadId, messages.length, this.now, clean));
    return clean;
  }

  entry(body: EntryBody): void {
    const { redactor } = this.deps;
    this.draft.append(entryChange(this.runState.record.run.id, this.runState.nextEntrySeq(), this.now, body, redactor));
  }

  async event(threadId: string, body: EventBody): Promise<void> {
    this.draft.append(eventChange(threadId, await this.runState.nextEventSeq(threadId), this.now, body));
  }

  notice(name: LiveEvent['name'], data: LiveEvent['data']): void {
    this.notices.push({ name, data });
  }

  /** Stops an effect once the step is on disk. An effect of this same step does not start. */
  abort(id: string): void {
    this.launches = this.launches.filter((effect) => effectIdOf(effect) !== id);
    this.aborts.push(id);
  }

  /** Changes fields of the run that do not follow from its machine. */
  patchRun(patch: Partial<Run>): void {
    this.#runPatch = { ...this.#runPatch, ...patch };
  }

  /** Records the limit that a machine waits for, to show it with the run. */
  waitsFor(machineId: string, wait: LimitWait): void {
    this.#waits = { ...this.#waits, [machineId]: wait };
  }

  /** Sends the events that `later` queued, then adds the rows of everything that changed. */
  async finish(): Promise<void> {
    for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) await job();
    await this.#finishRun();
    for (const machine of this.runState.machines.values()) {
      if (!machine.isChanged) continue;
      this.draft.append(machineChange(machine));
      machine.rev++;
      machine.isChanged = false;
    }
  }

  async #finishRun(): Promise<void> {
    const { record, machines } = this.runState;
    const root = machines.get(record.run.id);
    const before = record.run;
    const ordered = this.#runPatch.status;
    const now: Pick<Run, 'status' | 'waitingFor'> = root?.isChanged === true ? statusOf(root) : before;
    const { status, waitingFor } = ordered === undefined ? now : { status: ordered, waitingFor: undefined };
    const waits = pendingWaits({ ...record.waits, ...this.#waits }, this.now);
    const facts = waitingFor === 'limit' ? limitFields(waits) : {};
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
    const { changes, record: next } = updateRun(settled, this.#runPatch, this.now);
    this.draft.append(...changes);
    this.runState.record = next;
    if (!isNew) return;
    this.notice('run', liveRunFields(next.run));
    if (status !== before.status) await this.#noteInTask(next.run);
  }

  async #noteInTask(run: Run): Promise<void> {
    const [change] = await taskChange(this.draft, run);
    if (change === undefined) return;
    this.draft.append(change);
    this.notice('task', { id: run.trigger.taskId, status: run.status });
  }

  async #perform(machine: Machine, asked: readonly MachineAction[]): Promise<void> {
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
