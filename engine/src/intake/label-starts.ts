import type { RoutingDecision } from '../filter/filter.ts';
import type { Change, Reader, Row, Store } from '../store/store.ts';

type Start = RoutingDecision['directors'][number];

/**
 * Records which directors a label started, by thread, label and director. The row is committed with the run. A label
 * that is added again, to the same mail or another mail of its thread, does not start the same director again.
 *
 * A new mail is not affected: filters decide about it as about any other, so a reply in a labelled thread reaches the
 * director that follows the thread (seed 001: the objective that waits for the reply). Its labels are recorded all the
 * same.
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
 * The directors that a label starts for the first time on the thread, each with the labels that are new to it, and the
 * rows that record them; a director in `again` starts once more. Where two processes start a director at once, the second commit
 * fails with `STORE_CONFLICT`.
 */
export async function firstStarts(
  store: Store,
  thread: string,
  directors: readonly Start[],
  at: number,
  again: ReadonlySet<string>,
): Promise<{ readonly directors: readonly Start[]; readonly rows: readonly Change[] }> {
  const first: Start[] = [];
  const rows: Change[] = [];
  for (const director of directors) {
    const labels: string[] = [];
    for (const label of director.labels ?? []) {
      const key = keyOf(store, thread, director.directorId, label);
      const before = await store.get('labelStart', key);
      if (before !== undefined && !again.has(director.directorId)) continue;
      labels.push(label);
      rows.push(
        before === undefined
          ? { op: 'insert', table: 'labelStart', row: { ...key, at } }
          : {
              ...{ op: 'update', table: 'labelStart', key, expect: { at: before.at } },
              set: { at: Math.max(at, before.at + 1) },
            },
      );
    }
    if (labels.length > 0) first.push({ ...director, labels });
  }
  return { directors: first, rows };
}

/**
 * The changes that delete the records of a thread together with a mail, where no other stored mail belongs to the
 * thread. Runs that retention deletes leave the records, since their mails stay.
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

/** Ids of the directors that one of these labels has started on a thread. */
export async function directorsStartedBy(
  store: Store,
  thread: string,
  labels: readonly string[],
): Promise<readonly string[]> {
  if (labels.length === 0) return [];
  const rows = await store.list('labelStart', {
    where: [
      ['thread', '=', thread],
      ['label', 'in', labels.map((label) => labelKey(store, label))],
    ],
  });
  return [...new Set(rows.map(({ director }) => director))];
}

function labelKey(store: Store, label: string): string {
  return store.lookupKey(`label\0${label}`);
}

function keyOf(store: Store, thread: string, director: string, label: string) {
  return { thread, label: labelKey(store, label), director };
}
