import { NO_MODEL_USE } from '../../budget/spend.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Reader, Row } from '../../store/store.ts';
import { OPEN_STATUSES, recordOf, type ServedRun, viewOf } from '../run.ts';
import type { MachineFacts } from '../step/machine.ts';
import { type Plan, readPlan } from '../plan/plan-record.ts';
import { isUnreadable } from './unreadable.ts';

/** A run with its plan, where it has made one, and its current usage, which is in the machine while the run is open. `STORE_DAMAGED`. */
export async function viewRun(store: Reader, row: Row<'run'>): Promise<ServedRun & { readonly plan?: Plan }> {
  const served = viewOf(recordOf(row));
  const plan = served.mode === 'plan' ? await readPlan(store, served.id) : undefined;
  const run = { ...served, ...(plan !== undefined && { plan }) };
  if (!OPEN_STATUSES.some((open) => open === run.status)) return run;
  const machine = await store.get('machine', { id: run.id });
  if (machine === undefined || machine.version !== run.machine.version) return run;
  try {
    return { ...run, usage: bodyOf<{ facts: MachineFacts }>('machine', machine).facts.spent ?? NO_MODEL_USE };
  } catch (error) {
    // A run whose machine is damaged can still be shown.
    if (isUnreadable(error)) return run;
    throw error;
  }
}
