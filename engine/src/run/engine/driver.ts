import type { Row } from '../../store/store.ts';
import type { Step } from '../step/step.ts';
import type { StepWork } from './step-runner.ts';

/**
 * What brings runs to work, and what may act for them. There are two: one process that has the store to itself finds
 * everything in the tables; several processes that share a store are told by a queue.
 */
export interface Driver {
  /** Takes up what is unfinished and begins to hand out work. Returns how many machines were taken up at once. */
  start(): Promise<number>;
  /** New runs are in the store. */
  queued(): void;
  /** A step is on disk; `isRepeated` where it had to be made anew, after a step of somebody else. */
  committed(step: Step, isRepeated: boolean): void;
  /** Something of the run may have been missed: the store refused a step, and has taken it now. */
  recheck(runId: string): void;
  /** Whether effects of a run may be performed by this process, now. */
  mayAct(runId: string): boolean;
  /** Runs that work now. */
  readonly working: number;
  /** Takes nothing more up. */
  stop(): void;
  /** After `stop`, once nothing is under way any more: lets others have what this process held. */
  close(): Promise<void>;
}

/** How a driver advances runs; given by the engine. */
export interface DriverDeps {
  /** Brings an outcome into its run; true once it is on disk. Any error but the store's refusal ends the run. */
  settle(root: string, work: StepWork): Promise<boolean>;
  /** The same, where an error rejects. */
  persist(root: string, work: StepWork): Promise<boolean>;
  /** Does something again until the store lets it; false where the engine was stopped before that. */
  whileRefused(root: string, attempt: () => Promise<unknown>): Promise<boolean>;
}

/**
 * Hands the run's timers that are due to their machines, in order of their time; the next one is armed with the step. `until`
 * is the time by a clock that is ahead of ours.
 */
export async function fireDue(step: Step, until = 0): Promise<void> {
  const now = Math.max(step.now, until);
  const rows = await step.draft.list('timer', {
    where: [['root', '=', step.runState.record.run.id]],
    order: [['due', 'asc']],
    bodies: false,
  });
  for (const row of rows) {
    if (row.due <= now) await fire(step, row);
    else step.nextDue = Math.min(step.nextDue, row.due);
  }
}

/** Hands a timer's event to its machine; one that was set anew or taken back meanwhile is no longer due. */
export async function fire(step: Step, { machine, name, due }: Row<'timer'>): Promise<void> {
  const timer = await step.draft.get('timer', { machine, name });
  if (timer?.due !== due) return;
  await step.draft.add({ op: 'delete', table: 'timer', where: { machine, name } });
  await step.send(machine, { ...(JSON.parse(timer.body) as { type: string }), at: step.now });
}
