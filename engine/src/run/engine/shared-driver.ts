import { EngineError, errorBody } from '../../base/error.ts';
import { isUnreadable } from '../lifecycle/abandon.ts';
import { begin } from './begin.ts';
import { type Driver, fireDue, type Ways } from './driver.ts';
import { effectIdOf } from '../step/effect.ts';
import { Hold, type Holds } from './held-run.ts';
import { isElsewhere, letGo, readLease } from '../lease.ts';
import type { Parts, Shared } from '../dependencies.ts';
import type { Performer } from './effect-runner.ts';
import { AWAY_MS, Pulse } from './clock-watch.ts';
import type { Look } from '../../cluster/queue/queue.ts';
import { isWanted, resume } from '../turn/resume.ts';
import { isRefusal, type Roots, type Work } from './step-runner.ts';
import { OPEN_STATUSES } from '../run.ts';
import type { Row } from '../../store/store.ts';
import type { Step } from '../step/step.ts';

interface Joined {
  readonly roots: Roots;
  readonly performer: Performer;
  readonly holds: Holds;
  readonly ways: Ways;
}

/**
 * Drives runs of a store that several processes share. A look from the queue brings a run into hand: it is taken up where
 * it stands, its effects are performed and its timers rung here, until it parks or ends. Then the look ends too, and the
 * run's next timer is a look of its own.
 */
export class SharedDriver implements Driver {
  readonly #parts: Parts;
  readonly #shared: Shared;
  readonly #roots: Roots;
  readonly #performer: Performer;
  readonly #holds: Holds;
  readonly #ways: Ways;
  readonly #pulse: Pulse;
  /** Runs that could not be read, each told of once. */
  readonly #told = new Set<string>();
  #unhear: () => void = () => {};
  #queueStopped: Promise<void> | undefined;
  #isStarted = false;
  #isStopped = false;

  constructor(parts: Parts, shared: Shared, { roots, performer, holds, ways }: Joined) {
    this.#parts = parts;
    this.#shared = shared;
    this.#roots = roots;
    this.#performer = performer;
    this.#holds = holds;
    this.#ways = ways;
    const timers = async () => {
      const lists = [...holds.keys()].map((root) =>
        parts.store.list('timer', { where: [['root', '=', root]], bodies: false }),
      );
      return (await Promise.all(lists)).flat();
    };
    this.#pulse = new Pulse(parts, { isWorking: () => false, advance: ways.persist, timers });
  }

  async start(): Promise<number> {
    this.#isStarted = true;
    await this.#roots.meters.load(this.#parts.clock.now());
    this.#pulse.watch();
    this.#unhear = this.#shared.hearStepped(
      (runId) => void this.recheck(runId),
      () => {
        for (const runId of this.#holds.keys()) void this.recheck(runId);
      },
    );
    const concurrency = () => this.#parts.config.current().settings.runs.concurrency;
    await this.#shared.queue.work((look) => this.#look(look), concurrency);
    return 0;
  }

  /** New runs bring their look with them. */
  queued(): void {}

  committed(step: Step, isRepeated: boolean): void {
    const { id } = step.tree.record.run;
    const { lease } = step.tree;
    const hold = this.#holds.get(id);
    const isOurs = hold !== undefined && lease.worker === this.#shared.worker && lease.job === hold.look.jobId;
    if (!isOurs && lease.worker !== '') this.#shared.tellStepped(id);
    if (hold === undefined) return;
    hold.hasLease = isOurs;
    if (!isOurs && !hold.isTaking) return hold.release();
    if (step.nextDue < hold.armedFor) this.#arm(hold, step.nextDue);
    if (isRepeated) void this.recheck(id);
  }

  /**
   * Looks again at a run in hand: takes up what is not under way, and drops what is no longer wanted. True once that is done;
   * false where the run was let go before. Never rejects.
   */
  async recheck(runId: string, dueAt = 0): Promise<boolean> {
    const hold = this.#holds.get(runId);
    if (hold === undefined || hold.isOver || this.#isStopped) return false;
    if (hold.isTaking) {
      // What it is to see may have come after it was read.
      hold.isAsked = true;
      hold.dueAt = Math.max(hold.dueAt, dueAt);
      return hold.taken;
    }
    try {
      return await this.#ways.whileRefused(runId, () =>
        this.#roots.dispatch(runId, (step) => this.#takeUp(step, dueAt), 'take'),
      );
    } catch (error) {
      this.#lose(hold, error);
      return false;
    }
  }

  mayAct(runId: string): boolean {
    return this.#holds.get(runId)?.mayAct === true;
  }

  get working(): number {
    return this.#holds.size;
  }

  stop(): void {
    this.#isStopped = true;
    this.#unhear();
    this.#pulse.stop();
    for (const hold of this.#holds.values()) hold.disarm();
    if (this.#isStarted) this.#queueStopped = this.#shared.queue.stop();
  }

  /** Gives back what is in hand, so that another process goes on with it at once. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#holds.values(), (hold) => this.#giveBack(hold)));
    await this.#queueStopped;
  }

  async #giveBack(hold: Hold): Promise<void> {
    try {
      await this.#roots.dispatch(hold.look.runId, async () => {}, 'release');
    } catch (error) {
      // Its look fails, so the queue gives it to somebody else in a while.
      if (!isElsewhere(error)) this.#parts.log.debug('a run was not given back', { ...errorBody(error) });
      this.#lose(hold);
    }
    hold.release();
  }

  async #look(look: Look): Promise<void> {
    const { runId } = look;
    for (let known = this.#holds.get(runId); known !== undefined; known = this.#holds.get(runId)) {
      // Not over before it is seen: a run that is just being let go is not looked at by who had it.
      if (known.mayAct && known.look.jobId !== look.jobId && (await this.recheck(runId, look.dueAt))) return;
      if (this.#isStopped) break;
      if (!known.isOver) this.#lose(known);
      if (this.#holds.get(runId) === known) this.#holds.delete(runId);
    }
    if (this.#isStopped) throw new EngineError('BUSY', 'this process stops');
    const hold = new Hold(look);
    this.#holds.set(runId, hold);
    look.signal.addEventListener('abort', () => this.#lose(hold), { once: true });
    try {
      await this.#take(hold);
      await hold.ended;
      if (hold.isLost) throw letGo(runId);
      this.#told.delete(runId);
    } catch (error) {
      hold.settle(false);
      this.#lose(hold);
      if (await this.#comesBack(runId, error)) throw error;
    } finally {
      hold.disarm();
      if (this.#holds.get(runId) === hold) this.#holds.delete(runId);
    }
  }

  /** What a look that failed comes to: true where another one is to be tried later, here or by another process. */
  async #comesBack(runId: string, error: unknown): Promise<boolean> {
    if (errorBody(error).code === 'NOT_FOUND' && (await this.#rowOf(runId)) === undefined) return false;
    if (isElsewhere(error)) {
      this.#shared.tellStepped(runId);
      return error.retryable;
    }
    if (!this.#told.has(runId))
      this.#parts.log.error('a run could not be taken up; it is left to others, and tried again', {
        run: runId,
        ...errorBody(error),
      });
    this.#told.add(runId);
    return true;
  }

  /** Takes a run up where it stands. Rejects where that cannot be done here and now. */
  async #take(hold: Hold): Promise<void> {
    const { runId } = hold.look;
    const row = await this.#rowOf(runId);
    if (row === undefined || !OPEN_STATUSES.some((open) => open === row.status)) {
      await this.#dropLease(runId);
      hold.settle(true);
      return hold.release();
    }
    const first = row.status === 'queued' ? await begin(this.#parts, runId) : undefined;
    try {
      await this.#countOut(runId);
      do {
        const { dueAt } = hold;
        hold.isAsked = false;
        hold.dueAt = 0;
        await this.#roots.dispatch(runId, (step) => this.#takeUp(step, dueAt, first), 'take');
      } while (hold.isAsked);
    } catch (error) {
      if (isElsewhere(error) || isRefusal(error) || isForOthers(error)) throw error;
      // A fault of the run, or of ours: it ends with its name, and is not tried for ever.
      const { code, message } = errorBody(error);
      this.#parts.log.error('a run failed on an error of the engine', { run: runId, code, error: message });
      const failure = { code, message };
      await this.#roots.dispatch(runId, (step) => step.send(runId, { type: 'FAIL', at: step.now, failure }), 'take');
    }
    hold.settle(!hold.isLost);
    if (!hold.hasLease) hold.release();
  }

  /** Of a run that somebody else has ended after the process had died that held it. */
  async #dropLease(runId: string): Promise<void> {
    const { store } = this.#parts;
    if ((await readLease(store, runId)).rev > 0)
      await store.apply([{ op: 'delete', table: 'lease', where: { run: runId } }]);
  }

  async #rowOf(runId: string): Promise<Row<'run'> | undefined> {
    return (await this.#parts.store.list('run', { where: [['id', '=', runId]], bodies: false }))[0];
  }

  async #takeUp(step: Step, dueAt: number, first?: Work): Promise<void> {
    const runId = step.tree.record.run.id;
    const rows = await this.#parts.store.list('machine', {
      where: [
        ['root', '=', runId],
        ['status', '=', 'active'],
      ],
      bodies: false,
    });
    for (const { id } of rows) await resume(step, id, (effect) => this.#performer.pending(effect));
    await first?.(step);
    await fireDue(step, dueAt);
    for (const effect of this.#performer.underWay(runId))
      if (!(await isWanted(step, effect))) step.aborts.push(effectIdOf(effect));
  }

  /** Time limits count work: the time in which nobody had the run, although it was to go on, is taken out of them. */
  async #countOut(runId: string): Promise<void> {
    const { store, clock } = this.#parts;
    const timers = await store.list('timer', { where: [['root', '=', runId]], bodies: false });
    if (timers.length === 0) return;
    const { worker, at } = await readLease(store, runId);
    const since = worker === '' ? Math.max(at, Math.min(...timers.map(({ due }) => due))) : at;
    const byMs = clock.now() - since;
    if (byMs <= AWAY_MS) return;
    const deadlines = timers.filter(({ name }) => name === 'deadline');
    const work: Work = async (step) => {
      for (const { machine } of deadlines) await step.send(machine, { type: 'TIME_SHIFTED', at: step.now, byMs });
    };
    if (deadlines.length > 0) await this.#roots.dispatch(runId, work, 'take');
  }

  /** Another process has the run, or may have it. */
  #lose(hold: Hold, error?: unknown): void {
    const { runId } = hold.look;
    if (hold.isLost) return;
    hold.isLost = true;
    if (error !== undefined && !isElsewhere(error))
      this.#parts.log.warn('a run in hand is left to others', { run: runId, ...errorBody(error) });
    if (this.#holds.get(runId) === hold) {
      this.#performer.drop(runId);
      this.#roots.forget(runId);
    }
    hold.release();
  }

  #arm(hold: Hold, due: number): void {
    const { clock } = this.#parts;
    hold.disarm();
    hold.armedFor = due;
    const ring = async () => {
      hold.armedFor = Infinity;
      await this.#pulse.check();
      if (!hold.mayAct || this.#isStopped) return;
      const { runId } = hold.look;
      // A clock that was set may have put the timer further away: then this only arms it anew.
      await this.#ways.settle(runId, (step) => fireDue(step));
    };
    const failed = (error: unknown) => this.#parts.log.error('a timer could not be rung', { ...errorBody(error) });
    hold.disarm = clock.delay(() => void ring().catch(failed), Math.max(0, due - clock.now()));
  }
}

/** What this version, or this process, cannot read: another one may, or a person has to look. */
function isForOthers(error: unknown): boolean {
  return isUnreadable(error) || ['NOT_FOUND', 'CONFIG_TOO_NEW'].includes(errorBody(error).code);
}
