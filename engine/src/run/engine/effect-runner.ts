import { orAbort, sleep } from '../../base/abort.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import { isRefusal, STORE_RETRY_MS } from '../../store/outage.ts';
import type { Change } from '../../store/store.ts';
import type { Meters } from '../../budget/meters.ts';
import type { Usage } from '../../model/model.ts';
import { noteLate } from '../step/tool-result.ts';
import { type Effect, effectIdOf, type ModelEffect, type ToolEffect } from '../step/effect.ts';
import { idempotencyKey, isOpen, mark, readCall } from '../ledger.ts';
import type { Dependencies } from '../dependencies.ts';
import { expectBound } from './expect-bound.ts';
import { nextApi } from '../fallback/next-api.ts';
import { askWhether } from '../turn/resume.ts';
import { settleTool } from '../turn/check-answer.ts';
import type { HeldRuns } from './held-run.ts';
import type { PersistentSteps } from './persistent-steps.ts';
import type { WorldContext } from '../../tool/tool.ts';
import { redactedRequest, sendRequest } from './model-request.ts';
import { type LiveAnswer, openLiveAnswer, storedText } from '../answer/live-answer.ts';
import { type ModelOutcome, settleModel } from '../turn/turn.ts';
import { madeFiles } from '../file/made-files.ts';

/** Performs effects after the commit that recorded their intent, and commits each outcome as a step. */
export class EffectRunner {
  readonly #deps: Dependencies;
  readonly #steps: PersistentSteps;
  readonly #heldRuns: HeldRuns;
  readonly #meters: Pick<Meters, 'send'>;
  readonly #running = new Map<string, { controller: AbortController; effect: Effect }>();
  /** Effects from their start until their outcome is on disk. */
  readonly #pending = new Map<string, { controller: AbortController; effect: Effect }>();
  readonly #done = new Set<Promise<void>>();
  /** Those of `#done` that write outside the store. */
  readonly #writes = new Set<Promise<void>>();
  /** Ids of tool calls that wait for the store: nothing of them is under way. */
  readonly #waiting = new Set<string>();
  #isStopping = false;

  constructor(deps: Dependencies, steps: PersistentSteps, heldRuns: HeldRuns, meters: Pick<Meters, 'send'>) {
    this.#deps = deps;
    this.#steps = steps;
    this.#heldRuns = heldRuns;
    this.#meters = meters;
  }

  /** Starts an effect, unless the engine stops or another process performs the effects of its run. */
  start(effect: Effect): void {
    if (this.#isStopping || !this.#mayAct(effect.root)) return;
    const controller = new AbortController();
    const id = effectIdOf(effect);
    this.#running.set(id, { controller, effect });
    this.#pending.set(id, { controller, effect });
    const release = () => {
      if (this.#running.get(id)?.controller === controller) this.#running.delete(id);
    };
    const perform = effect.kind === 'model' ? this.#askModel.bind(this, effect) : this.#runTool.bind(this, effect);
    const work = perform(controller.signal, release).finally(release);
    const done: Promise<void> = work.finally(() => {
      if (this.#pending.get(id)?.controller === controller) this.#pending.delete(id);
      this.#done.delete(done);
      this.#writes.delete(done);
    });
    this.#done.add(done);
    if (isWrite(effect)) this.#writes.add(done);
  }

  /** Aborts an effect; does nothing where it is not running. */
  abort(id: string): void {
    this.#running.get(id)?.controller.abort(new EngineError('RUN_CANCELLED', 'cancelled'));
  }

  /** Effects of a run whose outcome is not on disk yet. */
  effectsOf(root: string): Effect[] {
    return Array.from(this.#pending.values(), ({ effect }) => effect).filter((effect) => effect.root === root);
  }

  /** The effect of this id, if its outcome is not on disk yet. */
  pending(id: string): Effect | undefined {
    return this.#pending.get(id)?.effect;
  }

  /** Aborts the effects of a run without an outcome: the process that takes the run over performs them again. */
  abandon(root: string): void {
    for (const { controller, effect } of this.#running.values()) if (effect.root === root) controller.abort(stopped());
  }

  /**
   * Starts no more effects. Aborts effects that can be repeated, without an outcome, and waits up to `graceMs`
   * milliseconds for writes: the outcome of a write that is cut off is unknown.
   */
  async drain(graceMs: number): Promise<void> {
    this.#isStopping = true;
    for (const [id, { controller, effect }] of this.#running)
      if (!isWrite(effect) || this.#waiting.has(id)) controller.abort(stopped());
    if (this.#writes.size === 0 || graceMs <= 0) return;
    let cancel = () => {};
    const enough = new Promise<void>((resolve) => (cancel = this.#deps.clock.delay(resolve, graceMs)));
    await Promise.race([Promise.allSettled(this.#writes), enough]);
    cancel();
  }

  /** Aborts all effects without an outcome; the next start resumes them. Resolves when all of them have ended. */
  async stop(): Promise<void> {
    for (const { controller } of this.#running.values()) controller.abort(stopped());
    while (this.#done.size > 0) await Promise.allSettled(this.#done);
  }

  /** Number of running effects. */
  get size(): number {
    return this.#done.size;
  }

  async #askModel(asked: ModelEffect, signal: AbortSignal, release: () => void): Promise<void> {
    const began = this.#deps.clock.now();
    let effect = asked;
    let outcome: ModelOutcome;
    let spent: Usage | undefined;
    let shown: LiveAnswer | undefined;
    let changes: readonly Change[] = [];
    try {
      const redacted = await redactedRequest(this.#deps, this.#steps, asked, { signal });
      if (redacted === undefined) return;
      effect = redacted;
      shown = openLiveAnswer(this.#deps, effect);
      const options = { signal, onSpent: (usage: Usage) => void (spent = usage), onText: shown?.onText };
      const sent = await sendRequest(this.#deps, this.#steps, this.#meters, effect, options);
      outcome = { answer: sent.answer };
      changes = sent.changes;
    } catch (error) {
      outcome = { error, spent, next: await nextApi(this.#deps.models, effect.fallback, error, { signal }) };
    }
    // The request is over: aborting it now would change nothing, and costs a stack trace each turn.
    release();
    if (signal.aborted) return shown?.end(undefined, false);
    this.#deps.probe?.('after-effect');
    const latencyMs = this.#deps.clock.now() - began;
    let stored: string | undefined;
    await this.#steps.settle(effect.root, async (step) => {
      stored = await storedText(step, effect, () => settleModel(step, effect, outcome, latencyMs));
      step.draft.append(...changes);
    });
    // An answer without a message waits for the calendar.
    shown?.end(stored, 'answer' in outcome);
  }

  async #runTool(effect: ToolEffect, signal: AbortSignal, release: () => void): Promise<void> {
    const { root, tool, machine, call, caller, isTainted, isApproved = false, insists = false, seen } = effect;
    const context = {
      caller,
      key: idempotencyKey(machine, call),
      signal,
      isTainted,
      isApproved,
      insists,
      ...(seen !== undefined && { seen }),
    };
    const attempt: Attempt = { isRepeat: effect.isRepeat };
    let value: unknown;
    try {
      await effect.expectAllowed();
      if (tool.repeat === 'once' && !(await this.#markStarted(effect))) return;
      const performed = await this.#perform(effect, context, attempt);
      if (performed === undefined) return;
      ({ value } = performed);
    } catch (error) {
      release();
      if (signal.aborted) return this.#recordLate(effect, attempt.running);
      const isUnsure =
        error instanceof LookUpFailed || (attempt.isRepeat && tool.repeat === 'key') || isOutcomeUnknown(tool, error);
      if (isUnsure)
        return void (await this.#steps.settle(root, (step) =>
          askWhether(step, machine, call, errorBody(causeOf(error))),
        ));
      return void (await this.#steps.settle(root, (step) => settleTool(step, effect, { error: errorBody(error) })));
    }
    const files = await madeFiles(this.#deps, effect, value, context);
    release();
    if (signal.aborted) return this.#recordLate(effect, Promise.resolve(value));
    this.#deps.probe?.('after-effect');
    await this.#steps.settle(root, (step) => settleTool(step, effect, { value, files }));
  }

  /**
   * Performs a tool call, after a look for the outcome of an earlier attempt. While the store refuses what the tool needs
   * of it, the call is repeated, as after a restart. Undefined where this process must not act any more.
   */
  async #perform(
    effect: ToolEffect,
    context: WorldContext & { signal: AbortSignal },
    attempt: Attempt,
  ): Promise<{ readonly value: unknown } | undefined> {
    const { root, tool } = effect;
    const { signal } = context;
    for (;;)
      try {
        const earlier = attempt.isRepeat ? await this.#lookUp(effect, context) : undefined;
        if (earlier === undefined) await expectBound(effect, this.#deps.store);
        if (signal.aborted || !this.#mayAct(root)) return undefined;
        if (earlier !== undefined) return { value: earlier };
        attempt.running = tool.run(effect.arguments, context);
        return { value: await orAbort(attempt.running, signal) };
      } catch (error) {
        if (signal.aborted || tool.repeat === 'once' || !isRefusal(causeOf(error))) throw error;
        await this.#waitForStore(effect, signal, error);
        await effect.expectAllowed();
        attempt.isRepeat = true;
      }
  }

  /**
   * Pauses a tool call whose tool was refused by the store, as long as a step pauses. On abort, and where the engine
   * stops, rejects at once.
   */
  async #waitForStore(effect: ToolEffect, signal: AbortSignal, error: unknown): Promise<void> {
    const { clock, log } = this.#deps;
    const id = effectIdOf(effect);
    if (this.#isStopping) this.#running.get(id)?.controller.abort(stopped());
    log.warn('the store refuses a tool call; the engine repeats it every second', {
      run: effect.root,
      tool: effect.tool.name,
      ...errorBody(causeOf(error)),
    });
    this.#waiting.add(id);
    try {
      await sleep(STORE_RETRY_MS, { clock, signal });
    } finally {
      this.#waiting.delete(id);
    }
  }

  /**
   * Whether this process may perform effects of the run now. The lease may have moved to another process since the
   * launch, or may move at any moment because others cannot see that this process lives.
   */
  #mayAct(root: string): boolean {
    const { shared } = this.#deps;
    return shared === undefined || (this.#heldRuns.get(root)?.mayAct === true && shared.isAlive());
  }

  /**
   * Looks up the outcome of an earlier attempt; undefined where there was none, or where the tool may simply run again.
   */
  async #lookUp({ tool, arguments: args }: ToolEffect, context: WorldContext): Promise<unknown> {
    try {
      return tool.reconcile === undefined ? undefined : await orAbort(tool.reconcile(args, context), context.signal);
    } catch (cause) {
      throw new LookUpFailed('the outcome could not be looked up', { cause });
    }
  }

  /** A cancelled write may still succeed: the ledger then records its late outcome. No run waits for it. */
  #recordLate({ root, tool, machine, call }: ToolEffect, running: Promise<unknown> | undefined): void {
    if (tool.effects !== 'write' || running === undefined) return;
    const record = (value: unknown) => this.#steps.record(root, (step) => noteLate(step, machine, call, value));
    void running.then(record, () => {});
  }

  /**
   * Marks a write that has neither key nor look-up as `started`, in a commit of its own before it runs. False where the
   * call was answered meanwhile, or the mark is not on disk: then the write must not run.
   */
  async #markStarted({ root, machine, call }: ToolEffect): Promise<boolean> {
    let isOpenStill = false;
    const isOnDisk = await this.#steps.settle(root, async (step) => {
      const row = await readCall(step.draft, machine, call);
      isOpenStill = row !== undefined && isOpen(row);
      if (row !== undefined && isOpenStill) await mark(step.draft, row, 'started');
    });
    return isOnDisk && isOpenStill;
  }
}

/** The attempts of a tool call: whether an earlier one may have had an effect, and the last one that began. */
interface Attempt {
  isRepeat: boolean;
  running?: Promise<unknown>;
}

function isWrite(effect: Effect): boolean {
  return effect.kind === 'tool' && effect.tool.effects === 'write';
}

function stopped(): EngineError {
  return new EngineError('RUN_CANCELLED', 'the engine stops');
}

/** A failed look-up: not an outcome of the call, since it does not show whether the effect happened. */
class LookUpFailed extends Error {}

function isOutcomeUnknown(tool: ToolEffect['tool'], error: unknown): boolean {
  return tool.effects === 'write' && error instanceof EngineError && error.code === 'TOOL_OUTCOME_UNKNOWN';
}

function causeOf(error: unknown): unknown {
  return error instanceof LookUpFailed ? error.cause : error;
}
