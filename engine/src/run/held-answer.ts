import type { CutAnswer } from '../guard/claims/cut-claims.ts';
import type { ModelAnswer } from '../model/model.ts';

/** A final answer that waits for the calendar, which the engine reads for it. */
export interface HeldAnswer extends Pick<ModelAnswer, 'message' | 'usage'> {
  readonly cut: CutAnswer;
}
