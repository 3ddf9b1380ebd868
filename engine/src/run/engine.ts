import { EngineError, errorBody } from '../base/error.ts';
import { type Decision, decide } from './decide.ts';
import { abandonRun, isUnreadable } from './abandon.ts';
import { readApproval } from './approval.ts';
import { begin } from './begin.ts';
import type { Parts } from './parts.ts';
import { Performer } from './performer.ts';
import { Pulse } from './pulse.ts';
import { resume } from './recovery.ts';
import { Roots, type Work } from './roots.ts';
import { entryScope, OPEN_STATUSES } from './run.ts';
import type { Row } from '../store/store.ts';
import { Scheduler } from './scheduler.ts';
import type { Step } from './step.ts';
import { Timers } from './timers.ts';

/** Pause before an outcome is written again after the store refused it. */
const STORE_RETRY_MS = 1000;
/** Machines taken up at once after a restart. */
const RECOVERY_PAGE = 200;

/** Drives all runs: commit, act, recover, queue. */
export class Engine {
  readonly #parts: Parts;
  readonly #roots: Roots;
  readonly #performer: Performer;
  readonly #timers: Timers;
  readonly #pulse: Pulse;
  readonly #scheduler: Scheduler;
  /** Nothing new is launched; outcomes are still written. */
  #isStopping = false;
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#roots = new Roots(parts, (step) => this.#afterCommit(step));
    this.#performer = new Performer(parts, (root, work) => this.#settle(root, work));
    this.#pulse = new Pulse(parts, {
      isWorking: () => this.#scheduler.working > 0,
      advance: (root, work) => this.#persist(root, work),
    });
    this.#timers = new Timers(parts, {
      fire: (timer) => this.#settle(timer.root, (step) => fire(step, timer)),
      beforeWake: () => this.#pulse.check(),
    });
    this.#scheduler = new Scheduler(parts, (runId) => this.#begin(runId));
  }

  /** Takes up unfinished runs, then lets queued ones begin. Returns how many machines were taken up. */
  async start(): Promise<number> {
    await this.#roots.meters.load(this.#parts.store, this.#parts.clock.now());
    await this.#pulse.start();
    let count = 0;
    let after = '';
    for (;;) {
      const rows = await this.#parts.store.list('run', {
        where: [
          ['status', '=', 'running'],
          ['id', '>', after],
        ],
        order: [['id', 'asc']],
        limit: RECOVERY_PAGE,
        bodies: false,
      });
      const counts = await Promise.all(rows.map((row) => this.#recover(row.id)));
      count += counts.reduce((sum, n) => sum + n, 0);
      after = rows.at(-1)?.id ?? '';
      if (rows.length < RECOVERY_PAGE) break;
    }
    await this.#timers.arm();
    this.#scheduler.queued();
    return count;
  }

  /** Tells that new runs are in the store. */
  queued(): void {
    this.#scheduler.queued();
  }

  /**
   * Cancels a run and everything under it; one whose machines cannot be read is closed as it lies. `NOT_FOUND`,
   * `RUN_NOT_ACTIVE` where it is over, `STORE_FAILED` where nothing can be written now.
   */
  async cancel(runId: string): Promise<void> {
    try {
      await this.#roots.dispatch(runId, cancelRun);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      await this.#roots.dispatch(runId, (step) => abandonRun(step, error));
    }
  }

  /** Answers an approval; see `decide.ts` for its errors. */
  async decide(approvalId: string, decision: Decision): Promise<void> {
    const approval = await readApproval(this.#parts.store, approvalId);
    if (approval === undefined) throw new EngineError('NOT_FOUND', `there is no approval "${approvalId}"`);
    await this.#roots.dispatch(approval.runId, (step) => decide(step, approvalId, decision));
  }

  /** What works now: for diagnostics and for tests. */
  load(): { working: number; effects: number; inMemory: number } {
    return { working: this.#scheduler.working, effects: this.#performer.size, inMemory: this.#roots.size };
  }

  /**
   * Stops taking up work and ends what is under way; unfinished runs go on at the next start. Writes get `graceMs` to end
   * by themselves.
   */
  async stop({ graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
    this.#isStopping = true;
    this.#scheduler.stop();
    this.#timers.stop();
    this.#pulse.stop();
    await this.#performer.settleDown(graceMs);
    this.#isStopped = true;
    await this.#performer.stop();
  }

  #afterCommit(step: Step): void {
    for (const hash of step.toolsets) this.#roots.cast.storedToolsets.add(hash);
    for (const id of step.aborts) this.#performer.abort(id);
    if (!this.#isStopping) for (const effect of step.launches) this.#performer.launch(effect);
    if (step.nextDue < Infinity) void this.#timers.arm(step.nextDue);
    for (const { name, data } of step.notices) this.#parts.live.publish(name, data);
    this.#parts.telemetry?.took({ scope: entryScope(step.tree.record), changes: step.draft.changes });
    const { id, status } = step.tree.record.run;
    this.#scheduler.note(id, status);
  }

  /** Takes up the machines of one run. One that cannot be read is left as it is, and named. */
  async #recover(runId: string): Promise<number> {
    const rows = await this.#parts.store.list('machine', {
      where: [
        ['root', '=', runId],
        ['status', '=', 'active'],
      ],
      bodies: false,
    });
    const work: Work = async (step) => {
      for (const row of rows) await resume(step, row.id);
    };
    const left = (error: unknown) =>
      this.#parts.log.error('a run could not be taken up; it is left as it is', { run: runId, ...errorBody(error) });
    try {
      await this.#roots.dispatch(runId, work);
      return rows.length;
    } catch (error) {
      if (!isRefusal(error)) left(error);
      // A start does not wait for a full disk; the run does.
      else void this.#persist(runId, work).catch(left);
      return 0;
    }
  }

  async #begin(runId: string): Promise<boolean> {
    let work: Work | undefined;
    const isReady = await this.#whileRefused(runId, async () => (work = await begin(this.#parts, runId)));
    return isReady && work !== undefined && this.#settle(runId, work);
  }

  /** Brings an outcome into its run; true once it is on disk. Any error but the store's refusal ends the run. */
  async #settle(root: string, work: Work): Promise<boolean> {
    try {
      return await this.#persist(root, work);
    } catch (error) {
      await this.#crash(root, error);
      return false;
    }
  }

  /** Advances a run, however long the store refuses; false where the engine was stopped before that. */
  #persist(root: string, work: Work): Promise<boolean> {
    return this.#whileRefused(root, () => this.#roots.dispatch(root, work));
  }

  /** Does something again until the store lets it; false where the engine was stopped before that. */
  async #whileRefused(root: string, attempt: () => Promise<unknown>): Promise<boolean> {
    for (let refusals = 0; !this.#isStopped; refusals++) {
      try {
        await attempt();
        return true;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const fields = { run: root, ...errorBody(error) };
        if (refusals === 0) this.#parts.log.error('the store refuses to work; trying again every second', fields);
        await new Promise<void>((resolve) => this.#parts.clock.delay(resolve, STORE_RETRY_MS));
      }
    }
    return false;
  }

  async #crash(root: string, cause: unknown): Promise<void> {
    const { code, message } = errorBody(cause);
    // Somebody deleted it while an effect of it was under way.
    if (code === 'NOT_FOUND' && (await this.#isGone(root))) return;
    this.#parts.log.error('a run failed on an error of the engine', { run: root, code, error: message });
    try {
      const failure = { code, message };
      await this.#persist(root, (step) => step.send(root, { type: 'FAIL', at: step.now, failure }));
    } catch (error) {
      this.#parts.log.error('a run could not be failed; it is left as it is', { run: root, ...errorBody(error) });
    }
  }

  async #isGone(runId: string): Promise<boolean> {
    return (await this.#parts.store.get('run', { id: runId }).catch(() => null)) === undefined;
  }
}

async function cancelRun(step: Step): Promise<void> {
  const { id, status } = step.tree.record.run;
  if (!OPEN_STATUSES.some((open) => open === status))
    throw new EngineError('RUN_NOT_ACTIVE', `run "${id}" is ${status} already`);
  await step.send(id, { type: 'CANCEL', at: step.now });
}

/** Hands a timer's event to its machine; one that was set anew or taken back meanwhile is no longer due. */
async function fire(step: Step, { machine, name, due }: Row<'timer'>): Promise<void> {
  const timer = await step.draft.get('timer', { machine, name });
  if (timer?.due !== due) return;
  await step.draft.add({ op: 'delete', table: 'timer', where: { machine, name } });
  await step.send(machine, { ...(JSON.parse(timer.body) as { type: string }), at: step.now });
}

/** The disk is full, the folder read-only: nothing was written, and it may work later. */
function isRefusal(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_FAILED';
}
