import { setImmediate } from 'node:timers/promises';
import { filledUp } from '../../search/block.ts';
import { FIRST_ROWS, rowsOfStep } from '../../store/bounded-list.ts';

/** Rows that are read at a time, at most. */
const BATCH = 50;

/**
 * Reads the rows of these candidates, in their order; each call goes on after the rows of the one before it. `read` gets some ids, one of
 * them perhaps several times, and returns the rows that there are.
 */
export function searchedRows<R extends { readonly body: string }>(
  candidates: AsyncGenerator<string, void>,
  read: (ids: readonly string[]) => Promise<readonly R[]>,
): (before: string | undefined, count: number) => Promise<R[]> {
  let step = FIRST_ROWS;
  return async (_before, count) => {
    const rows: R[] = [];
    for (let isOver = false; rows.length < count && !isOver;) {
      const ids: string[] = [];
      while (!isOver && ids.length < Math.min(step, count - rows.length)) {
        const { value } = await candidates.next();
        if (value === undefined) isOver = true;
        else ids.push(value);
      }
      if (ids.length === 0) break;
      const some = await read(filledUp(ids, BATCH));
      rows.push(...some);
      step = rowsOfStep(some, BATCH);
      await setImmediate();
    }
    return rows;
  };
}
