import { setImmediate } from 'node:timers/promises';

/** Characters of the rows of one page, about. Writing them as JSON takes some 20 ms. */
export const MAX_PAGE_CHARACTERS = 4_000_000;
/** Rows of the first step, whose sizes are not known yet. */
export const FIRST_ROWS = 2;
/** Characters of a later step, which reads them at once. */
const STEP_CHARACTERS = 1_000_000;

/** The rows of one page. */
export interface BoundedRows<R> {
  readonly rows: R[];
  /** True if there are more rows behind the last one. */
  readonly isMore: boolean;
}

interface BoundedOptions<R> {
  readonly limit: number;
  /** Characters of a row. */
  readonly sizeOf: (row: R) => number;
  /** Characters that the page has already, from another list. Default 0. */
  readonly before?: number;
}

/**
 * Reads at most `limit` rows, and no further row once they have `MAX_PAGE_CHARACTERS` together; always one, if there is
 * one and the page has nothing yet. Rows are read in small steps with other work in between, so that large rows do not hold the event loop.
 */
export async function listBounded<R>(
  load: (after: R | undefined, limit: number) => Promise<readonly R[]>,
  { limit, sizeOf, before = 0 }: BoundedOptions<R>,
): Promise<BoundedRows<R>> {
  const rows: R[] = [];
  let characters = before;
  for (let step = FIRST_ROWS; ;) {
    // One row above the limit tells whether there is another page.
    const wanted = Math.min(step, limit + 1 - rows.length);
    const batch = await load(rows.at(-1), wanted);
    for (const row of batch) {
      const isFull = rows.length === limit || characters >= MAX_PAGE_CHARACTERS;
      if (isFull && (rows.length > 0 || before > 0)) return { rows, isMore: true };
      rows.push(row);
      characters += sizeOf(row);
    }
    if (batch.length < wanted) return { rows, isMore: false };
    step = rowsWith(characters - before, rows.length);
    await setImmediate();
  }
}

/** Rows of the step after one that read these: at most `most`, and fewer of large ones, so that they do not hold the event loop. */
export function rowsOfStep(rows: readonly { readonly body: string }[], most: number): number {
  const characters = rows.reduce((sum, { body }) => sum + body.length, 0);
  return Math.min(most, rowsWith(characters, rows.length));
}

/** Rows of a step, at least one, if they are as large as `count` rows that were read. */
export function rowsWith(characters: number, count: number): number {
  return Math.max(1, Math.floor(STEP_CHARACTERS / Math.max(1, characters / Math.max(1, count))));
}
