import type { Row } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { OPEN_STATUSES, recordOf, type ServedRun, viewOf } from '../run.ts';
import { restoreMachine } from '../step/machine.ts';
import { isUnreadable } from './abandon.ts';
import { usageOf } from './finish.ts';

/** A run with its current usage, which is in the machine while the run is open. `STORE_DAMAGED`. */
export async function viewRun(
  { store, modes }: Pick<Dependencies, 'store' | 'modes'>,
  row: Row<'run'>,
): Promise<ServedRun> {
  const run = viewOf(recordOf(row));
  if (!OPEN_STATUSES.some((open) => open === run.status)) return run;
  const machine = await store.get('machine', { id: run.id });
  if (machine === undefined || machine.version !== run.machine.version) return run;
  try {
    return { ...run, usage: usageOf(restoreMachine(machine, modes)) };
  } catch (error) {
    // A run that another version wrote, or that is damaged, can still be shown.
    if (isUnreadable(error)) return run;
    throw error;
  }
}
