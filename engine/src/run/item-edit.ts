import type { Change, Reader } from '../store/store.ts';
import type { WorkspaceItem } from '../workspace/item.ts';
import { noteDraftEdit } from './draft-edit.ts';
import { itemRuns } from './item-runs.ts';

/**
 * The changes that keep how a person changed the text of an item that a run made. None for an item of a person, for bytes,
 * and where the run is not known.
 */
export async function itemEdit(
  reader: Reader,
  before: WorkspaceItem,
  after: WorkspaceItem,
  now: number,
): Promise<Change[]> {
  if (!isDraft(before) || before.data === after.data) return [];
  return noteEdit(reader, before, { text: after.data ?? '', revision: after.revision, isUsed: false, now });
}

/** The same for the text that a person sent, or saved as a draft in the account, in place of the text of the item. */
export async function usedItem(reader: Reader, item: WorkspaceItem, text: string, now: number): Promise<Change[]> {
  if (!isDraft(item)) return [];
  return noteEdit(reader, item, { text, revision: item.revision, isUsed: true, now });
}

function isDraft({ context, encoding }: WorkspaceItem): boolean {
  return context.createdBy !== 'user' && encoding === 'utf8';
}

async function noteEdit(
  reader: Reader,
  item: WorkspaceItem,
  version: { readonly text: string; readonly revision: number; readonly isUsed: boolean; readonly now: number },
): Promise<Change[]> {
  const { id, label, context, revision } = item;
  const runId = (await itemRuns(reader, [item]))(item);
  if (runId === undefined || (await reader.get('run', { id: runId })) === undefined) return [];
  const { agentId, director } = context;
  return noteDraftEdit(
    reader,
    {
      ...{ runId, id, kind: 'item', directorId: director.id, before: item.data ?? '', after: version.text },
      ...(agentId !== undefined && { agentId }),
      ...(label !== undefined && { label }),
      isUsed: version.isUsed,
      revisions: { before: revision, after: version.revision },
    },
    version.now,
  );
}
