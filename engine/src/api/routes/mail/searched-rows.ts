import { setImmediate } from 'node:timers/promises';
import { filledUp } from '../../../mail/search/block.ts';
import { mailCandidates } from '../../../mail/search/mail-candidates.ts';
import { FIRST_ROWS, rowsOfStep } from '../../../store/bounded-list.ts';
import type { Row, Store } from '../../../store/store.ts';
import type { PageCursor } from '../../http/paging.ts';

/** Rows that are read at a time, at most. */
const BATCH = 50;

/**
 * Reads the rows of mails that may contain all of these words, the newest first; each call goes on after the rows of the one before it.
 * Undefined if the search index knows none of the words.
 */
export function searchedRows(
  store: Store,
  words: readonly string[],
  after: PageCursor | undefined,
): ((before: string | undefined, count: number) => Promise<Row<'mail'>[]>) | undefined {
  const before = after === undefined ? undefined : String(after[0]);
  const candidates = mailCandidates(store, words, { before });
  if (candidates === undefined) return undefined;
  let step = FIRST_ROWS;
  return async (_before, count) => {
    const rows: Row<'mail'>[] = [];
    for (let isOver = false; rows.length < count && !isOver;) {
      const ids: string[] = [];
      while (!isOver && ids.length < Math.min(step, count - rows.length)) {
        const { value } = await candidates.next();
        if (value === undefined) isOver = true;
        else ids.push(value);
      }
      if (ids.length === 0) break;
      const some = await store.list('mail', {
        where: [
          ['state', '=', 'kept'],
          ['id', 'in', filledUp(ids, BATCH)],
        ],
        order: [['id', 'desc']],
      });
      rows.push(...some);
      step = rowsOfStep(some, BATCH);
      await setImmediate();
    }
    return rows;
  };
}
