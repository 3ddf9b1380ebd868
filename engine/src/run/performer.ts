import { orAbort } from '../base/abort.ts';
import { EngineError, errorBody } from '../base/error.ts';
import type { Usage } from '../model/model.ts';
import { settleCall } from './answer.ts';
import { type Effect, effectId, type ModelEffect, type ToolEffect } from './effect.ts';
import { idempotencyKey, isOpen, mark, readCall } from './ledger.ts';
import type { Parts } from './parts.ts';
import type { Work } from './roots.ts';
import { type ModelOutcome, settleModel } from './turn.ts';

/** Performs effects, after their intent is on disk, and brings every outcome back as a step. */
export class Performer {
  readonly #parts: Parts;
  /** Brings an outcome into its run; never rejects. */
  readonly #settle: (root: string, work: Work) => Promise<void>;
  readonly #running = new Map<string, AbortController>();
  readonly #done = new Set<Promise<void>>();

  constructor(parts: Parts, settle: (root: string, work: Work) => Promise<void>) {
    this.#parts = parts;
    this.#settle = settle;
  }

  launch(effect: Effect): void {
    const controller = new AbortController();
    const id = effectId(effect.kind === 'model' ? { machine: effect.machine } : effect);
    this.#running.set(id, controller);
    const release = () => {
      if (this.#running.get(id) === controller) this.#running.delete(id);
    };
    const perform = effect.kind === 'model' ? this.#askModel.bind(this, effect) : this.#runTool.bind(this, effect);
    const work = perform(controller.signal, release).finally(release);
    const done: Promise<void> = work.finally(() => this.#done.delete(done));
    this.#done.add(done);
  }

  /** Stops an effect; one that is not under way is no matter. */
  abort(id: string): void {
    this.#running.get(id)?.abort(new EngineError('RUN_CANCELLED', 'cancelled'));
  }

  /** Stops everything; what was under way is taken up again at the next start. Resolves when all of it has ended. */
  async stop(): Promise<void> {
    for (const controller of this.#running.values())
      controller.abort(new EngineError('RUN_CANCELLED', 'the engine stops'));
    while (this.#done.size > 0) await Promise.allSettled(this.#done);
  }

  /** Effects under way. */
  get size(): number {
    return this.#done.size;
  }

  async #askModel(effect: ModelEffect, signal: AbortSignal, release: () => void): Promise<void> {
    const { messages, tools, role, actorId, turn } = effect;
    const began = this.#parts.clock.now();
    let outcome: ModelOutcome;
    let spent: Usage | undefined;
    const onSpent = (usage: Usage) => void (spent = usage);
    try {
      outcome = {
        answer: await orAbort(
          this.#parts.models.open(effect.api).ask({
            messages,
            tools,
            role,
            actorId,
            turn,
            signal,
            onSpent,
            ...(effect.maxTokens !== undefined && { maxTokens: effect.maxTokens }),
          }),
          signal,
        ),
      };
    } catch (error) {
      outcome = { error, spent };
    }
    // From here on the request is over: an abort would come too late, and costs a stack trace each turn.
    release();
    if (signal.aborted) return;
    this.#parts.probe?.('after-effect');
    const latencyMs = this.#parts.clock.now() - began;
    await this.#settle(effect.root, (step) => settleModel(step, effect, outcome, latencyMs));
  }

  async #runTool(effect: ToolEffect, signal: AbortSignal, release: () => void): Promise<void> {
    const { tool, machine, call, caller } = effect;
    const context = { caller, key: idempotencyKey(machine, call), signal };
    try {
      if (tool.repeat === 'once' && !(await this.#markStarted(effect))) return;
      const known =
        effect.isRepeat && tool.reconcile !== undefined ? await tool.reconcile(effect.arguments, context) : undefined;
      if (signal.aborted) return;
      const value = known ?? (await orAbort(tool.run(effect.arguments, context), signal));
      release();
      if (signal.aborted) return;
      this.#parts.probe?.('after-effect');
      await this.#settle(effect.root, (step) => settleCall(step, machine, call, { value }, 'done'));
    } catch (error) {
      release();
      if (signal.aborted) return;
      await this.#settle(effect.root, (step) => settleCall(step, machine, call, { error: errorBody(error) }, 'failed'));
    }
  }

  /** A write with neither key nor look-up is marked in a commit of its own; false where it was answered meanwhile. */
  async #markStarted({ root, machine, call }: ToolEffect): Promise<boolean> {
    let isMarked = false;
    await this.#settle(root, async (step) => {
      const row = await readCall(step.draft, machine, call);
      isMarked = row !== undefined && isOpen(row);
      if (row !== undefined && isMarked) await mark(step.draft, row, 'started');
    });
    return isMarked;
  }
}
