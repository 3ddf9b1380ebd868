import type { RunProgress } from '../machine-mode.ts';
import type { Machine } from './machine.ts';

/** The state of a run or an ask, as its machine says. */
export function statusOf({ mode, snapshot }: Machine): RunProgress {
  return mode.status(snapshot);
}
