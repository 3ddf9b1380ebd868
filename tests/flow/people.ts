import { isoTime } from '../../engine/src/base/clock.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import type { App } from '../../engine/src/app/app.ts';
import type { ApprovalRecord } from '../../engine/src/guard/approval.ts';
import { createRun } from '../../engine/src/run/lifecycle/create.ts';
import { OPEN_STATUSES } from '../../engine/src/run/run.ts';
import { TASK_PRIORITIES } from '../../engine/src/task/task.ts';
import { chance, pick, someTime } from './doomed.ts';
import type { World } from './outside-world.ts';

/** Those who give work, decide and cancel, whatever becomes of the processes that work. */
export class People {
  readonly #app: App;
  readonly #world: World;
  readonly #excused: ReadonlySet<string>;
  /** Ids of approvals that nobody decides, so that they expire. */
  readonly #neglected = new Set<string>();
  readonly #maxNeglected: number;

  /**
   * `excused` are codes of errors that are no fault here, besides those of runs that are over or decided meanwhile. Nobody decides the
   * first `neglected` approvals of a call whose outcome is known.
   */
  constructor(
    app: App,
    world: World,
    { excused = [], neglected = 0 }: { readonly excused?: readonly string[]; readonly neglected?: number } = {},
  ) {
    this.#app = app;
    this.#world = world;
    this.#maxNeglected = neglected;
    this.#excused = new Set([
      ...['APPROVAL_DECIDED', 'APPROVAL_EXPIRED', 'APPROVAL_LAPSED', 'QUESTION_ANSWERED', 'RUN_NOT_ACTIVE'],
      ...excused,
    ]);
  }

  /** Answers most of what is asked; of an effect whose outcome nobody knows, by looking whether it happened. */
  async decideSome(): Promise<void> {
    const { store } = this.#app.deps;
    for (const row of await store.list('approval', { where: [['status', '=', 'pending']] })) {
      if (chance(0.3)) continue;
      const { id, machine, call: asked, tool, arguments: args, kind, runId } = JSON.parse(row.body) as ApprovalRecord;
      if (kind === 'question') {
        await this.perhaps(() => this.#app.engine.message(runId, { text: 'at noon', by: 'jane', questionId: id }));
        continue;
      }
      const state = (await store.get('ledger', { machine, call: asked }))?.state;
      if (state !== 'ambiguous' && this.#neglected.size < this.#maxNeglected) this.#neglected.add(id);
      if (this.#neglected.has(id)) continue;
      const isAllowed = state === 'ambiguous' ? !this.#world.has(`${machine}/${asked}`) : chance(0.7);
      const isEdited = 'what' in args && state !== 'ambiguous' && chance(0.4);
      const edited = isEdited ? { arguments: { what: `edited ${asked}` } } : {};
      const remember = state !== 'ambiguous' && chance(0.2) ? { remember: { for: 'run' as const, pattern: tool } } : {};
      const decision = isAllowed
        ? { decision: 'allow' as const, ...edited, ...remember }
        : { decision: 'deny' as const };
      await this.perhaps(() => this.#app.engine.decide(id, { ...decision, by: 'jane' }));
    }
  }

  async cancelOne(): Promise<void> {
    const open = await this.#app.deps.store.list('run', { where: [['status', 'in', [...OPEN_STATUSES]]] });
    if (open.length > 0) await this.perhaps(() => this.#app.engine.cancel(pick(open).id));
  }

  /** Gives work until there are so many runs: every third time as a task, which becomes a run when it is due. */
  async beginRuns(total: number): Promise<void> {
    const { deps, config, engine, tasks } = this.#app;
    const pending = await deps.store.count('task', [['status', '=', 'pending']]);
    for (let count = pending + (await deps.store.count('run')); count < total; count++) {
      if (count % 3 === 2) {
        const dueAt = isoTime(deps.clock.now() + 500 * Math.random());
        await tasks.add({ title: `job ${count}`, assignedTo: 'boss', dueAt, priority: pick(TASK_PRIORITIES) }, 'test');
        continue;
      }
      const { changes } = await createRun(deps, {
        config: config.current(),
        directorId: count % 4 === 1 && config.current().directors.has('desk') ? 'desk' : 'boss',
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
