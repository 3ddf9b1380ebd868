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

/** Ids of the machines of a run that are not over. */
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
 * Brings a run up to date in this process: resumes what is not under way, does `first`, fires the timers that are due (by a
 * clock ahead of ours: until `dueAt`), and aborts effects that the run no longer waits for.
 */
export async function takeUp(step: Step, effectRunner: EffectRunner, dueAt: number, first?: StepWork): Promise<void> {
  const runId = step.runState.record.run.id;
  for (const id of await activeMachines(step.deps.store, runId))
    await resume(step, id, (effect) => effectRunner.pending(effect));
  await first?.(step);
  await fireDue(step, dueAt);
  for (const effect of effectRunner.underWay(runId))
    if (!(await isEffectPending(step, effect))) step.aborts.push(effectIdOf(effect));
}

/** Time limits count work: the time in which nobody had the run, although it was to go on, is taken out of them. */
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
