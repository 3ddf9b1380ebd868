import type { Claims } from '../cluster/claims.ts';
import type { RoundDriver } from '../chat/rounds.ts';
import type { Deliveries } from '../notification/deliveries.ts';
import type { Dependencies } from '../run/dependencies.ts';
import type { Engine } from '../run/engine/engine.ts';
import type { LiveBus, LiveEvent } from '../trace/live-bus.ts';
import { DueApprovals } from './due/approvals.ts';
import { DueRounds } from './due/rounds.ts';
import { DueReminders } from './due/reminders.ts';
import { DueSchedules } from './due/schedules.ts';
import { DueTasks } from './due/tasks.ts';

const CLAIM = 'notices';

/** What happens in time, and what tells the user of it. */
interface NoticeParts {
  readonly reminders: DueReminders;
  readonly tasks: DueTasks;
  readonly schedules: DueSchedules;
  readonly approvals: DueApprovals;
  readonly rounds: DueRounds;
  readonly deliveries: Deliveries;
}

/**
 * Fires reminders, starts due tasks and schedules, ends approvals that expire, drives the rounds of chats, and delivers notifications, from `start` until `stop`. Wakes at each new one, also of another process. With
 * `claims`, one of the processes that share the store does it for all.
 */
export class Notices {
  readonly #live: Pick<LiveBus, 'subscribe'>;
  readonly #parts: NoticeParts;
  readonly #claims: Claims | undefined;
  #giveUp: (() => Promise<void>) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(live: Pick<LiveBus, 'subscribe'>, parts: NoticeParts, claims?: Claims) {
    this.#live = live;
    this.#parts = parts;
    this.#claims = claims;
  }

  start(): void {
    const { reminders, tasks, schedules, approvals, rounds, deliveries } = this.#parts;
    this.#unsubscribe ??= this.#live.subscribe(({ name, data }) => {
      if (name === 'reminder' || name === 'reset') reminders.wake();
      if (name === 'task' || name === 'reset') tasks.wake();
      if (name === 'run') tasks.runChanged(data['id']);
      if (isOfChat(name, data) || name === 'reset') rounds.wake();
      if (name === 'config' || name === 'reset') schedules.wake();
      if (name === 'approval' || name === 'config' || name === 'reset') approvals.wake();
      if (name === 'notification' || name === 'reset') deliveries.wake();
    });
    const begin = () => {
      reminders.start();
      tasks.start();
      schedules.start();
      approvals.start();
      rounds.start();
      deliveries.start();
    };
    if (this.#claims === undefined) begin();
    else this.#giveUp ??= this.#claims.acquire(CLAIM, { onTaken: begin, onLost: () => void this.#end() });
  }

  /**
   * Drives the rounds of chats and nothing else, for a command that waits for them. Other processes may do so as well: a step is
   * committed once.
   */
  startRounds(): void {
    const { rounds } = this.#parts;
    this.#unsubscribe ??= this.#live.subscribe(({ name, data }) => {
      if (isOfChat(name, data) || name === 'reset') rounds.wake();
    });
    rounds.start();
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    await this.#end();
    await this.#giveUp?.();
    this.#giveUp = undefined;
  }

  async #end(): Promise<void> {
    await Promise.all(Object.values(this.#parts).map((part) => part.stop()));
  }
}

/** Whether rounds of a chat may go on: it has new ones, or one of their runs has a new status. */
function isOfChat(name: LiveEvent['name'], data: LiveEvent['data']): boolean {
  return (name === 'chat' && data['change'] === 'round') || (name === 'run' && data['chatId'] !== undefined);
}

/** What happens in time, not started. `claims`: absent where one process has the store to itself. */
export function openNotices(
  deps: Dependencies,
  {
    engine,
    deliveries,
    claims,
    rounds,
  }: {
    readonly engine: Pick<Engine, 'queued' | 'recheckApproval'>;
    readonly deliveries: Deliveries;
    readonly rounds: RoundDriver;
    readonly claims: Claims | undefined;
  },
): Notices {
  const onRuns = () => engine.queued();
  const parts = {
    reminders: new DueReminders(deps, onRuns),
    tasks: new DueTasks(deps, onRuns),
    schedules: new DueSchedules(deps, onRuns),
    approvals: new DueApprovals(deps, engine),
    rounds: new DueRounds(deps, rounds),
    deliveries,
  };
  return new Notices(deps.live, parts, claims);
}
