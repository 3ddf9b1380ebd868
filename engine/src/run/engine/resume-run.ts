import type { Store } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { readLease } from '../lease.ts';
import { effectIdOf } from '../step/effect.ts';
import type { Step } from '../step/step.ts';
import { isEffectPending, resume } from '../turn/resume.ts';
import { AWAY_MS } from './clock-watch.ts';
import type { EffectRunner } from './effect-runner.ts';
import type { StepRunner, StepWork } from './step-runner.ts';
import { fireDue } from './timers.ts';

/** Ids of the active machines of a run. */
export async function activeMachines(store: Store, runId: string): Promise<string[]> {
  const rows = await store.list('machine', {
    where: [
      ['root', '=', runId],
      ['status', '=', 'active'],
    ],
    bodies: false,
  });
  return rows.map(({ id }) => id);
}

/**
 * Brings a run up to date in this process: resumes machines that have no running effect, does `first`, fires the due
 * timers, and aborts effects that the run no longer waits for. Timers up to `dueAt` (epoch milliseconds) are due even
 * if the clock of this process is behind.
 */
export async function resumeRun(
  step: Step,
  effectRunner: EffectRunner,
  dueAt: number,
  first?: StepWork,
): Promise<void> {
  const runId = step.runState.record.run.id;
  for (const id of await activeMachines(step.deps.store, runId))
    await resume(step, id, (effect) => effectRunner.pending(effect));
  await first?.(step);
  await fireDue(step, dueAt);
  for (const effect of effectRunner.effectsOf(runId))
    if (!(await isEffectPending(step, effect))) step.aborts.push(effectIdOf(effect));
}

/**
 * Moves the deadlines of a run by the time in which no process drove it although it had work to do: time limits count
 * working time only.
 */
export async function deductAbsence(deps: Dependencies, stepRunner: StepRunner, runId: string): Promise<void> {
  const { store, clock } = deps;
  const timers = await store.list('timer', { where: [['root', '=', runId]], bodies: false });
  if (timers.length === 0) return;
  const { worker, at } = await readLease(store, runId);
  const since = worker === '' ? Math.max(at, Math.min(...timers.map(({ due }) => due))) : at;
  const byMs = clock.now() - since;
  if (byMs <= AWAY_MS) return;
  const deadlines = timers.filter(({ name }) => name === 'deadline');
  const work: StepWork = async (step) => {
    for (const { machine } of deadlines) await step.send(machine, { type: 'TIME_SHIFTED', at: step.now, byMs });
  };
  if (deadlines.length > 0) await stepRunner.run(runId, work, 'take');
}
