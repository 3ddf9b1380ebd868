import { createHash } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { type App, openApp } from '../../../engine/src/app/app.ts';
import type { StoreHandle } from '../../../engine/src/app/local-store.ts';
import { OPEN_STATUSES } from '../../../engine/src/run/run.ts';
import type { SqlDatabase } from '../../../engine/src/store/postgres/sql-database.ts';
import { chance, someTime } from '../doomed.ts';
import { leftOpen } from '../faults.ts';
import { Handovers } from './handovers.ts';
import { type World, worldTools } from '../outside-world.ts';
import { People } from '../people.ts';

/** A mail that is dropped into the inbox, and the directors that its filters name. */
export interface Letter {
  readonly sha256: string;
  readonly directors: readonly string[];
}

interface OfficeOptions {
  readonly root: string;
  readonly storeHandle: StoreHandle;
  readonly world: World;
  readonly log: Logger;
  /** The database of the ground. */
  readonly database: SqlDatabase;
}

/** What people may be told while the server is away, or while a run is stepped again and again. */
const EXCUSED = ['STORE_FAILED', 'STORE_CONFLICT'];
const LOOK_MS = 200;
/** However long it takes, most runs are left to end by themselves: this share of them is cancelled at most. */
const MOST_CANCELLED = 0.2;

/**
 * A process beside those that work: people give work, decide and cancel here, mails are dropped and the config is edited. It
 * works no runs itself.
 */
export class Office {
  readonly app: App;
  readonly storeHandle: StoreHandle;
  readonly handovers = new Handovers();
  readonly letters: Letter[] = [];
  /** So many runs that people have begun are to be there. */
  target = 0;
  mayCancel = true;
  #cancelled = 0;
  readonly #root: string;
  readonly #database: SqlDatabase;
  readonly #people: People;
  readonly #looking: NodeJS.Timeout;
  #isOpen = true;
  #done: Promise<void> = Promise.resolve();
  /** What went wrong in the office itself. */
  #fault: unknown;

  private constructor(app: App, { root, storeHandle, world, database }: OfficeOptions) {
    this.app = app;
    this.storeHandle = storeHandle;
    this.#root = root;
    this.#database = database;
    this.#people = new People(app, world, { excused: EXCUSED });
    this.#looking = setInterval(() => void this.handovers.look(app.deps.store).catch(() => {}), LOOK_MS);
  }

  /** Opens at a database in which some process has decided the config, or will soon. */
  static async open(options: OfficeOptions): Promise<Office> {
    const { root, storeHandle, world, log } = options;
    const [configDir, dataDir] = [join(root, 'none'), join(root, 'office')];
    const env = () => undefined;
    // Never called here: the config names them.
    const tools = worldTools({ world, dedupes: true, pause: async () => {}, happened: () => {} });
    const redactor = createRedactor();
    const app = await openApp({ configDir, dataDir, env, log, redactor, storeHandle, role: 'worker', tools });
    const office = new Office(app, options);
    office.#done = office.#work().catch((error: unknown) => void (office.#fault = error));
    return office;
  }

  /** Drops a mail; every third one is for two directors. */
  drop(): void {
    const n = this.letters.length;
    const isForTwo = n % 3 === 0;
    const text = [
      `From: Client ${n} <client${n}@example.com>`,
      'To: me@example.org',
      `Subject: ${isForTwo ? 'Order, a large one' : 'Order'} (${n})`,
      'Date: Mon, 05 Jan 2026 10:00:00 +0000',
      `Message-ID: <${n}@example.com>`,
      '',
      `Letter number ${n}.`,
      '',
    ].join('\r\n');
    writeFileSync(join(this.#root, 'inbox', `.${n}.part`), text);
    renameSync(join(this.#root, 'inbox', `.${n}.part`), join(this.#root, 'inbox', `${n}.eml`));
    const sha256 = createHash('sha256').update(text).digest('hex');
    this.letters.push({ sha256, directors: isForTwo ? ['audit', 'boss'] : ['boss'] });
  }

  /** Waits until everything is over and nothing waits in the queue; throws with what is left where it takes too long. */
  async settle(limitMs: number): Promise<void> {
    const until = performance.now() + limitMs;
    this.mayCancel = false;
    let left: readonly string[] = ['nobody has looked'];
    while (left.length > 0) {
      if (performance.now() > until) throw new Error(`not over after ${limitMs} ms:\n${left.join('\n')}`);
      await someTime(100);
      left = await this.#left().catch((error: unknown) => [String(error)]);
      if (this.#fault !== undefined) throw this.#fault;
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    clearInterval(this.#looking);
    await this.#done;
    await this.app.close();
  }

  async #work(): Promise<void> {
    while (this.#isOpen) {
      await someTime(30);
      await this.#people.perhaps(async () => {
        await this.#people.decideSome();
        if (this.mayCancel && this.#cancelled < this.target * MOST_CANCELLED && chance(0.05)) {
          this.#cancelled++;
          await this.#people.cancelOne();
        }
        await this.#people.beginRuns(this.target);
      });
    }
  }

  async #left(): Promise<string[]> {
    const { store } = this.app.deps;
    const mails = this.letters.length - (await store.count('mail'));
    const open = await store.count('run', [['status', 'in', [...OPEN_STATUSES]]]);
    const runs = await store.count('run');
    if (mails + open > 0 || runs < this.target)
      return [
        `${mails} mails, ${this.target - runs} runs to begin`,
        ...(await leftOpen(store)),
        ...(await this.#held()),
      ];
    return this.#held();
  }

  /** Leases and jobs that are still there. */
  async #held(): Promise<string[]> {
    const leases = (await this.app.deps.store.list('lease')).map((row) => `lease ${JSON.stringify(row)}`);
    // Those of later times are of timers that runs had while they waited: whoever looks at one that is over does nothing.
    const { rows } = await this.#database.query(
      `SELECT * FROM callsheet_queue.job WHERE start_after <= now() AND state <= 'active'`,
    );
    return [...leases, ...rows.map((row) => `job ${JSON.stringify(row)}`)];
  }
}
