import { EngineError, errorBody } from '../../base/error.ts';
import type { Dependencies } from '../../run/dependencies.ts';
import type { Engine } from '../../run/engine/engine.ts';
import type { Row } from '../../store/store.ts';
import { DueLoop } from './loop.ts';

/** Most approvals that are read at once. */
const BATCH = 100;

/**
 * Ends approvals that expire, and tells others of those that nobody has answered in time. After a change of the config it looks at
 * each pending one: a call that has become forbidden, or means something else now, does not wait for a person. Each approval ends in a
 * step of its run, once, also where several processes try.
 */
export class DueApprovals extends DueLoop {
  readonly #deps: Dependencies;
  readonly #engine: Pick<Engine, 'recheckApproval'>;
  /** Approvals whose run cannot take a step; they would stay due for ever. */
  readonly #stuck = new Set<string>();
  #checkedRevision: string | undefined;

  constructor(deps: Dependencies, engine: Pick<Engine, 'recheckApproval'>) {
    super(deps, 'approvals');
    this.#deps = deps;
    this.#engine = engine;
  }

  /** Returns when the next approval is due; Infinity if none is. */
  protected override async doDue(): Promise<number> {
    const { store, clock, config } = this.#deps;
    const { revision } = config.current();
    if (this.#checkedRevision !== revision) await this.#recheckAll();
    this.#checkedRevision = revision;
    while (this.isActive) {
      const rows = await store.list('approval', {
        where: [
          ['status', '=', 'pending'],
          ['due', '>', 0],
        ],
        order: [['due', 'asc']],
        limit: BATCH + this.#stuck.size,
        bodies: false,
      });
      const waiting = rows.filter(({ id }) => !this.#stuck.has(id));
      const now = clock.now();
      const due = waiting.filter((row) => row.due <= now);
      for (const row of due) await this.#recheck(row);
      if (due.length === 0) return waiting[0]?.due ?? Infinity;
    }
    return Infinity;
  }

  async #recheckAll(): Promise<void> {
    const { store } = this.#deps;
    for (let after = ''; this.isActive;) {
      const rows = await store.list('approval', {
        where: [
          ['status', '=', 'pending'],
          ['id', '>', after],
        ],
        order: [['id', 'asc']],
        limit: BATCH,
        bodies: false,
      });
      for (const row of rows) await this.#recheck(row);
      after = rows.at(-1)?.id ?? after;
      if (rows.length < BATCH) return;
    }
  }

  async #recheck(row: Row<'approval'>): Promise<void> {
    const isDue = row.due > 0 && row.due <= this.#deps.clock.now();
    try {
      await this.#engine.recheckApproval(row);
      if (!isDue) return;
      const [left] = await this.#deps.store.list('approval', { where: [['id', '=', row.id]], bodies: false });
      // Nothing has changed: its call does not wait any more.
      if (left?.status === 'pending' && left.due === row.due) this.#stuck.add(row.id);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'STORE_FAILED') throw error;
      this.#stuck.add(row.id);
      this.#deps.log.error('an approval cannot be ended', { approval: row.id, run: row.run, ...errorBody(error) });
    }
  }
}
