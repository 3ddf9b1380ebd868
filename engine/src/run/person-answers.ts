import { listApprovals } from '../guard/approval.ts';
import type { Reader } from '../store/store.ts';
import { isPerson } from './run.ts';

/** What a person answered to a question of a run. */
export interface PersonAnswer {
  readonly answer: string;
  /** Calls behind a gate that the run had launched until then, by tool. */
  readonly gated?: Readonly<Record<string, number>>;
}

/** What persons, and no programs, answered to the questions of a run, the newest first. */
export async function answersOf(reader: Reader, runId: string): Promise<readonly PersonAnswer[]> {
  const answered = await listApprovals(reader, runId, 'answered');
  return answered
    .flatMap(({ answer, decidedBy = '', gated }) =>
      answer !== undefined && isPerson(decidedBy) ? [{ answer, ...(gated !== undefined && { gated }) }] : [],
    )
    .reverse();
}
