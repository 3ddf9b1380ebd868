import { isRecord } from '../../base/json.ts';
import { listDraftEdits } from '../../run/draft-edit.ts';
import type { Run } from '../../run/run.ts';
import type { Reader } from '../../store/store.ts';
import { itemOf } from '../../workspace/items.ts';
import type { WorkspaceItem } from '../../workspace/item.ts';
import { errorIn, type RecordedCall } from './recorded-calls.ts';

/** Most edits of a person that are looked at. */
const MAX_EDITS = 1000;

/** The results of a run as the run left them: what a person changed or deleted since is as it was. */
export async function readItems(
  reader: Reader,
  run: Run,
  calls: readonly RecordedCall[],
): Promise<readonly WorkspaceItem[]> {
  const rows = await reader.list('item', { where: [['workspace', '=', run.workspaceId]], order: [['id', 'asc']] });
  const edits = await listDraftEdits(reader, { runId: run.id, limit: MAX_EDITS });
  const own = new Map(edits.flatMap(({ id, kind, before }) => (kind === 'item' ? [[id, before] as const] : [])));
  const removed = new Set(calls.flatMap(removedBy));
  return rows
    .map(itemOf)
    .filter(({ id, context }) => !removed.has(id) && (context.runId ?? run.id) === run.id)
    .map((item) => {
      const data = own.get(item.id);
      return { ...item, deleted: false, ...(data !== undefined && { data }) };
    });
}

/** Ids of items that a call has removed. */
function removedBy({ tool, arguments: args, result }: RecordedCall): string[] {
  const isRemoval = tool === 'workspace_remove_item' && result !== undefined && errorIn(result.content) === undefined;
  const id = isRemoval && isRecord(args) ? args['id'] : undefined;
  return typeof id === 'string' ? [id] : [];
}
