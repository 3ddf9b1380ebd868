import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresServer } from '../../postgres.ts';
import { pick, someTime } from '../doomed.ts';
import { type Child, type KillLoop, type Kills, noKills, type Point, startWorker, workerOf } from '../kill-loop.ts';
import type { Office } from './office.ts';

/** A kill loop over several processes and a server. */
export interface SharedLoopOptions extends Omit<KillLoop, 'worker'> {
  readonly root: string;
  readonly server: PostgresServer;
  /** How often a process is frozen for longer than it may keep its runs, and goes on then. */
  readonly freezes: number;
  /** How often the server is stopped or killed. */
  readonly restarts: number;
  /** Opens the office, once there is a process that decides the config. */
  readonly openOffice: () => Promise<Office>;
}

/** What was done to the processes and to the server. */
export interface Blows extends Kills {
  freezes: number;
  /** Kills of all processes at once. */
  together: number;
  /** Processes that found no server as they began. */
  stillborn: number;
  restarts: number;
}

const WORKER = 'shared/worker.ts';
const SLOTS = 3;
/** How long a life that should end itself may idle before it is ended from outside. */
const IDLE_MS = 6000;
/** No start takes longer than this. */
const STUCK_MS = 60_000;
/** Longer than a job is held without a sign of life, and than it takes others to notice: 10 s, 6 s, and 2 s. */
const FREEZE_MS = 20_000;
/** All processes are killed at once this often. */
const TOGETHER_EVERY = 20;
/** An outage may still be felt for so long. */
const AFTERMATH_MS = 10_000;

/** Three processes on one database, each killed and replaced again and again; at least one lives, but when all are killed. */
export class SharedLoop {
  readonly blows: Blows = { ...noKills(), freezes: 0, together: 0, stillborn: 0, restarts: 0 };
  readonly #options: SharedLoopOptions;
  readonly #slots: (Child | undefined)[] = Array.from({ length: SLOTS });
  readonly #frozen = new Set<Child>();
  readonly #office: PromiseWithResolvers<Office> = Promise.withResolvers();
  #worker = WORKER;
  #lives = 0;
  #freezesBegun = 0;
  #outageUntil = 0;
  #isOver = false;

  constructor(options: SharedLoopOptions) {
    this.#options = options;
    mkdirSync(join(options.root, 'logs'), { recursive: true });
  }

  /** All blows; then three fresh processes finish everything. */
  async run(): Promise<Office> {
    this.#worker = await workerOf(WORKER);
    const opened = this.#openOffice();
    const lives = Promise.all([...this.#slots.keys()].map((slot) => this.#live(slot)));
    await Promise.all([opened, lives.finally(() => (this.#isOver = true)), this.#restartAll()]);
    return opened;
  }

  /** Lets fresh processes finish everything, and stops them. */
  async drain(limitMs: number): Promise<void> {
    const office = await this.#office.promise;
    const last = this.#slots.map((_, slot) => this.#start(slot, {}));
    for (const slow of office.handovers.all) if (slow.tookMs > 25_000) this.#note(`slow: ${JSON.stringify(slow)}`);
    try {
      const allReady = Promise.all(last.map(({ ready }) => ready));
      // Where little is left, all is over before the slowest of them listens to anybody.
      await Promise.race([Promise.all([office.settle(limitMs), allReady]), ...last.map((child) => failed(child))]);
    } catch (error) {
      // The folder with their logs goes with the tests.
      for (const child of last) process.stderr.write(`the end of what a worker said:\n${child.output()}\n`);
      throw error;
    } finally {
      for (const child of last) child.process.kill('SIGTERM');
    }
    for (const child of last) {
      const { code, signal } = await child.exit;
      if (code !== 0) throw new Error(`a worker did not stop (code ${code}, signal ${signal}):\n${child.output()}`);
    }
  }

  /** Ends all processes, for a loop that failed. */
  killAll(): void {
    this.#isOver = true;
    for (const child of this.#slots) child?.process.kill('SIGKILL');
  }

  async #openOffice(): Promise<Office> {
    while (!this.#slots.some((child) => child?.wasReady() === true) && !this.#isOver) await someTime(50);
    const office = await this.#options.openOffice();
    this.#office.resolve(office);
    return office;
  }

  async #live(slot: number): Promise<void> {
    const { kills, freezes, points, isOnlyInside = false, maxPasses, onLife, provoked } = this.#options;
    while (this.#lives < kills && !this.#isOver) {
      const n = this.#lives++;
      onLife?.(n);
      // Spread evenly.
      const isFrozen = this.#freezesBegun < Math.floor(((n + 1) * freezes) / kills);
      if (isFrozen) await this.#freeze(this.#start(slot, { PROMPT: '1' }));
      else if (isOnlyInside || n % 2 === 1) {
        const isProvoked = provoked !== undefined && n === 1;
        const point = isProvoked ? provoked.point : points[(n >> 1) % points.length]!;
        const after = String(isProvoked ? 1 : Math.ceil(Math.random() * maxPasses));
        const env = { KILL_POINT: point, KILL_AFTER: after, ...(isProvoked && provoked.env) };
        await this.#doom(this.#start(slot, env), point, isProvoked ? STUCK_MS : IDLE_MS);
      } else await this.#killOutside(this.#start(slot, {}), n % TOGETHER_EVERY === TOGETHER_EVERY - 2);
    }
  }

  #start(slot: number, env: Readonly<Record<string, string>>): Child {
    const { root } = this.#options;
    const log = join(root, 'logs', `${this.#lives}-${slot}.log`);
    const role = slot === SLOTS - 1 ? 'worker' : 'start';
    const child = startWorker(this.#worker, { ...this.#options.env, ...env, ROLE: role, SLOT: String(slot) }, log);
    this.#slots[slot] = child;
    return child;
  }

  /** A life that ends itself at some place. */
  async #doom(child: Child, point: Point, idleMs: number): Promise<void> {
    let bySelf = true;
    const kill = () => {
      bySelf = false;
      child.process.kill('SIGKILL');
    };
    const timers = [setTimeout(kill, STUCK_MS)];
    void child.ready.then(() => timers.push(setTimeout(() => void this.#otherLives(child).then(kill), idleMs)));
    if (await this.#ended(child, timers)) {
      if (bySelf) this.blows.inside[point]++;
      else this.blows.outside++;
    }
  }

  async #killOutside(child: Child, isTogether: boolean): Promise<void> {
    const early = Math.random() < 0.15 ? 200 + Math.random() * 1500 : STUCK_MS;
    await Promise.race([child.ready, child.exit, new Promise((resolve) => setTimeout(resolve, early))]);
    if (child.wasReady()) await sleep(Math.random() * this.#options.lifeMs);
    await this.#otherLives(child);
    if (isTogether) {
      this.blows.together++;
      for (const other of this.#slots) other?.process.kill('SIGKILL');
    } else child.process.kill('SIGKILL');
    if (await this.#ended(child, [])) this.blows.outside++;
  }

  /** Stops a process in the middle of its work, until others have had its runs for a while, and lets it go on. */
  async #freeze(child: Child): Promise<void> {
    this.#freezesBegun++;
    const worker = await Promise.race([child.ready, child.exit.then(() => undefined)]);
    if (worker !== undefined) {
      await sleep(500 + Math.random() * 2000);
      await this.#otherLives(child);
    }
    if (worker === undefined || !isAlive(child)) this.#freezesBegun--;
    else {
      const { handovers } = await this.#office.promise;
      this.#frozen.add(child);
      this.#note(`process ${child.process.pid} is to freeze`);
      child.process.kill('SIGUSR2');
      handovers.died(worker);
      await Promise.race([sleep(FREEZE_MS), child.exit]);
      if (isAlive(child) && !/freezes$/m.test(child.output()))
        throw new Error(`a worker did not freeze:\n${child.output()}`);
      this.#note(`process ${child.process.pid} goes on`);
      child.process.kill('SIGCONT');
      handovers.revived(worker);
      this.blows.freezes++;
      await Promise.race([sleep(1000 + Math.random() * 2000), child.exit]);
      this.#frozen.delete(child);
      await this.#otherLives(child);
      child.process.kill('SIGKILL');
    }
    if (await this.#ended(child, [])) this.blows.outside++;
  }

  /** For whoever has to find out what happened, beside the logs of the processes. */
  #note(what: string): void {
    const line = `${new Date().toISOString()} life ${this.#lives}: ${what}\n`;
    appendFileSync(join(this.#options.root, 'logs', 'loop.log'), line);
  }

  /** Waits for the end, which must be a kill; false where it had not begun because the server was away. */
  async #ended(child: Child, timers: readonly NodeJS.Timeout[]): Promise<boolean> {
    const { code, signal } = await child.exit;
    this.#note(
      `process ${child.process.pid} ended (${code}, ${signal}), ${child.wasReady() ? 'had begun' : 'had not begun'}`,
    );
    for (const timer of timers) clearTimeout(timer);
    if (child.wasReady()) (await this.#office.promise).handovers.died(await child.ready);
    if (signal === 'SIGKILL') {
      if (!child.wasReady()) this.blows.beforeReady++;
      return true;
    }
    if (child.wasReady() || performance.now() > this.#outageUntil)
      throw new Error(`a worker was not killed, it ended (code ${code}, signal ${signal}):\n${child.output()}`);
    this.blows.stillborn++;
    this.#lives--;
    return false;
  }

  /** Resolves when some other process works, or this one has ended. */
  async #otherLives(child: Child): Promise<void> {
    const until = performance.now() + STUCK_MS;
    const others = () => this.#slots.some((one) => one !== child && one?.wasReady() && !this.#isDown(one));
    while (!others() && isAlive(child) && performance.now() < until && !this.#isOver) {
      // The last lives of a loop have nobody beside them.
      if (this.#lives >= this.#options.kills) return;
      await sleep(50);
    }
  }

  #isDown(child: Child): boolean {
    return !isAlive(child) || this.#frozen.has(child);
  }

  /** Stops and kills the server in turn; once for so long that every process has to let its runs go. */
  async #restartAll(): Promise<void> {
    const { restarts, kills, server } = this.#options;
    // The office cannot open while the server is away.
    await this.#office.promise;
    for (let n = 0; n < restarts && !this.#isOver; n++) {
      while (this.#lives < ((n + 1) * kills) / (restarts + 1) && !this.#isOver) await sleep(50);
      this.#outageUntil = Infinity;
      this.#note(n % 2 === 0 ? 'the server is stopped' : 'the server is killed');
      await (n % 2 === 0 ? server.stop() : server.kill());
      await sleep(n === 4 ? 11_000 : pick([100, 500, 1500, 3000]));
      await server.start();
      this.#note('the server is back');
      this.#outageUntil = performance.now() + AFTERMATH_MS;
      this.blows.restarts++;
    }
  }
}

function isAlive({ process: { exitCode, signalCode } }: Child): boolean {
  return exitCode === null && signalCode === null;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Rejects when a process ends by itself. */
async function failed(child: Child): Promise<never> {
  const { code, signal } = await child.exit;
  if (code === 0) return new Promise(() => {});
  throw new Error(`a worker ended in the middle of its work (code ${code}, signal ${signal}):\n${child.output()}`);
}
