import { readPlan } from '../../engine/src/run/plan/plan-record.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import { readMessages, threadOf } from '../../engine/src/run/thread.ts';
import type { Store } from '../../engine/src/store/store.ts';

/** Tries that a step of the loops may have: `maxRetriesPerStep` is 1. */
const MOST_TRIES = 2;

/** What is wrong with plans of runs that are over: a step without an end or with too many tries, a try that was lost or made twice. */
export async function planFaults(store: Store): Promise<string[]> {
  const faults: string[] = [];
  for (const row of await store.list('run', { where: [['status', '=', 'completed']] })) {
    const { run } = recordOf(row);
    if (run.mode !== 'plan') continue;
    const { steps = [] } = (await readPlan(store, run.id)) ?? {};
    if (steps.length === 0) faults.push(`${run.id} has no plan`);
    for (const { number, status, tries } of steps) {
      const isOver = status !== 'pending' && status !== 'running';
      if (!isOver || tries.length > MOST_TRIES || (tries.length === 0) !== (status === 'skipped'))
        faults.push(`${run.id}: step ${number} is ${status} after ${tries.length} tries`);
    }
    const threads = (await store.list('thread', { where: [['run', '=', run.id]] })).map(threadOf);
    const executors = threads.filter(({ role }) => role === 'executor').map(({ id }) => id);
    const tried = steps.flatMap(({ tries }) => tries.map(({ threadId }) => threadId));
    if (executors.toSorted().join() !== tried.toSorted().join()) faults.push(`${run.id}: tries are lost or doubled`);
    const said = (await readMessages(store, run.dirThreadId)).filter(({ role }) => role === 'assistant');
    if (said.length !== 1) faults.push(`${run.id}: ${said.length} answers in the conversation`);
  }
  return faults;
}

/** How many runs that planned are completed. */
export async function plansDone(store: Store): Promise<number> {
  const runs = await store.list('run', { where: [['status', '=', 'completed']] });
  return runs.filter((row) => recordOf(row).run.mode === 'plan').length;
}
