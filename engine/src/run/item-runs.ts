import type { Reader } from '../store/store.ts';
import type { WorkspaceItem } from '../workspace/item.ts';
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
