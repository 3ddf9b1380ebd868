import type { Change, Reader } from '../store/store.ts';
import type { WorkspaceItem } from '../workspace/item.ts';
import type { EntryBody } from '../trace/entry.ts';
import { entryChange, lastEntrySeq } from '../trace/entries.ts';
import type { Dependencies } from './dependencies.ts';
import { recordOf } from './run.ts';

/**
 * Finds the run that wrote each of these items. Items of older versions name no run: theirs is the run of the thread
 * that created them. Undefined where that is not known.
 */
export async function itemRuns(
  reader: Reader,
  items: readonly WorkspaceItem[],
): Promise<(item: WorkspaceItem) => string | undefined> {
  const unnamed = items.filter(({ context }) => context.runId === undefined);
  const threads = [...new Set(unnamed.flatMap(({ context }) => context.conversationId ?? []))];
  const rows =
    threads.length === 0 ? [] : await reader.list('thread', { where: [['id', 'in', threads]], bodies: false });
  const runs = new Map(rows.flatMap(({ id, run }) => (run === '' ? [] : [[id, run] as const])));
  return ({ context }) => context.runId ?? runs.get(context.conversationId ?? '');
}

/** The newest run in a workspace, or undefined. `mailId` is the mail of the workspace; `''` where it has none. */
export async function newestRunIn(reader: Reader, workspaceId: string, mailId: string): Promise<string | undefined> {
  if (mailId === '') return (await reader.get('run', { id: workspaceId }))?.id;
  const rows = await reader.list('run', { where: [['mail', '=', mailId]], order: [['id', 'desc']] });
  return rows.find((row) => recordOf(row).run.workspaceId === workspaceId)?.id;
}

/** A person's change of an item. */
export interface ItemChange {
  readonly action: 'item_added' | 'item_changed' | 'item_removed' | 'item_deleted' | 'item_restored';
  readonly itemId: string;
  /** Undefined where the item could not be read. */
  readonly item: WorkspaceItem | undefined;
  /** The fields that the person set. */
  readonly changed?: readonly string[];
}

/**
 * The change that adds an entry about a person's change of an item, to the run that the item belongs to. None where that
 * run is gone. The entry names the fields and has no data. A step of an open run that takes the same number is repeated.
 */
export async function noteItemChange(
  { store, clock, redactor }: Pick<Dependencies, 'store' | 'clock' | 'redactor'>,
  workspaceId: string,
  { action, itemId, item, changed }: ItemChange,
): Promise<Change[]> {
  const written = item && (await itemRuns(store, [item]))(item);
  const runId = written ?? workspaceId;
  if ((await store.get('run', { id: runId })) === undefined) return [];
  const body: EntryBody = {
    phase: 'result',
    detail: {
      ...{ action, by: 'user', itemId },
      ...(item?.label !== undefined && { label: redactor.text(item.label) }),
      ...(item !== undefined && { revision: item.revision }),
      ...(changed !== undefined && { changed }),
    },
  };
  return [entryChange(runId, (await lastEntrySeq(store, runId)) + 1, clock.now(), body, redactor)];
}
