import { EngineError } from '../../engine/src/base/error.ts';
import type { App } from '../../engine/src/app/app.ts';
import type { ApprovalRecord } from '../../engine/src/guard/approval.ts';
import { createRun } from '../../engine/src/run/lifecycle/create.ts';
import { OPEN_STATUSES } from '../../engine/src/run/run.ts';
import { chance, pick, someTime } from './doomed.ts';
import type { World } from './outside-world.ts';

/** Those who give work, decide and cancel, whatever becomes of the processes that work. */
export class People {
  readonly #app: App;
  readonly #world: World;
  readonly #excused: ReadonlySet<string>;

  /** `excused` are codes of errors that are no fault here, besides those of runs that are over or decided meanwhile. */
  constructor(app: App, world: World, excused: readonly string[] = []) {
    this.#app = app;
    this.#world = world;
    this.#excused = new Set(['APPROVAL_DECIDED', 'RUN_NOT_ACTIVE', ...excused]);
  }

  /** Answers most of what is asked; of an effect whose outcome nobody knows, by looking whether it happened. */
  async decideSome(): Promise<void> {
    const { store } = this.#app.deps;
    for (const row of await store.list('approval', { where: [['status', '=', 'pending']] })) {
      if (chance(0.3)) continue;
      const { id, machine, call: asked } = JSON.parse(row.body) as ApprovalRecord;
      const state = (await store.get('ledger', { machine, call: asked }))?.state;
      const isAllowed = state === 'ambiguous' ? !this.#world.has(`${machine}/${asked}`) : chance(0.7);
      const edited = state !== 'ambiguous' && chance(0.4) ? { arguments: { what: `edited ${asked}` } } : {};
      const decision = isAllowed ? { decision: 'allow' as const, ...edited } : { decision: 'deny' as const };
      await this.perhaps(() => this.#app.engine.decide(id, { ...decision, by: 'jane' }));
    }
  }

  async cancelOne(): Promise<void> {
    const open = await this.#app.deps.store.list('run', { where: [['status', 'in', [...OPEN_STATUSES]]] });
    if (open.length > 0) await this.perhaps(() => this.#app.engine.cancel(pick(open).id));
  }

  /** Gives work until there are so many runs. */
  async beginRuns(total: number): Promise<void> {
    const { deps, config, engine } = this.#app;
    for (let count = await deps.store.count('run'); count < total; count++) {
      const { changes } = await createRun(deps, {
        config: config.current(),
        directorId: 'boss',
        trigger: { kind: 'message', message: `job ${count}` },
        startedBy: 'test',
      });
      await deps.store.apply(changes);
      engine.queued();
      await someTime(20);
    }
  }

  /** Does what may fail for a reason that is no fault. */
  async perhaps(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof EngineError && this.#excused.has(error.code))) throw error;
    }
  }
}
