import type { RoutingDecision } from '../filter/filter.ts';
import type { Change, Reader, Row, Store } from '../store/store.ts';

type Start = RoutingDecision['directors'][number];

/**
 * What a label started, kept by thread, label and director. The row is committed with the run, so that a label which comes
 * again, to the same mail or to another one of its thread, starts nobody whom it has started there before.
 *
 * A new mail is no such coming: it arrives, filters decide upon it as upon any other, and a reply in a labelled thread
 * reaches the director that follows it (seed 001: the objective that waits for it). It would be lost otherwise. Its labels
 * are noted all the same.
 */
export function noteStarts(store: Store, thread: string, directors: readonly Start[], at: number): Change[] {
  return directors.flatMap(({ directorId, labels = [] }) =>
    labels.map((label): Change => ({
      op: 'put',
      table: 'labelStart',
      row: { ...keyOf(store, thread, directorId, label), at },
    })),
  );
}

/**
 * Those of the directors that a label starts for the first time on the thread, each with the labels that are new to it, and
 * the rows that say so: of two processes that start one at once, the second fails with `STORE_CONFLICT`.
 */
export async function firstStarts(
  store: Store,
  thread: string,
  directors: readonly Start[],
  at: number,
): Promise<{ readonly directors: readonly Start[]; readonly rows: readonly Change[] }> {
  const first: Start[] = [];
  const rows: Change[] = [];
  for (const director of directors) {
    const labels: string[] = [];
    for (const label of director.labels ?? []) {
      const key = keyOf(store, thread, director.directorId, label);
      if ((await store.get('labelStart', key)) !== undefined) continue;
      labels.push(label);
      rows.push({ op: 'insert', table: 'labelStart', row: { ...key, at } });
    }
    if (labels.length > 0) first.push({ ...director, labels });
  }
  return { directors: first, rows };
}

/**
 * The changes that forget what labels started on the thread of a mail that is about to be deleted, where it is the last that
 * is kept of it. Runs that are deleted for their age leave the rows, since their mails stay.
 */
export async function deleteStarts(reader: Reader, { id, threadKey }: Row<'mail'>): Promise<Change[]> {
  const others = await reader.list('mail', {
    where: [
      ['threadKey', '=', threadKey],
      ['state', '=', 'kept'],
      ['id', '!=', id],
    ],
    limit: 1,
    bodies: false,
  });
  return others.length > 0 ? [] : [{ op: 'delete', table: 'labelStart', where: { thread: threadKey } }];
}

function keyOf(store: Store, thread: string, director: string, label: string) {
  return { thread, label: store.lookupKey(`label\0${label}`), director };
}
