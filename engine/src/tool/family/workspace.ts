import type { Origin, WorkspaceItem } from '../../workspace/item.ts';
import { addItem, isTaintedItem, listItems, readItem, removeItem, updateItem } from '../../workspace/items.ts';
import { defineTool } from '../define-tool.ts';
import { parameters } from '../parameters.ts';
import type { Caller } from '../tool.ts';
import type { ToolFamily } from '../tool-family.ts';
import { readableRows } from '../../store/readable-rows.ts';

/** Longest data that a list contains, in characters; longer data is read with `workspace_get_item`. */
const LIST_DATA = 4000;

const FIELDS = {
  label: { type: 'string', description: 'A short title that a person sees in a list.' },
  description: { type: 'string', description: 'One sentence on what this is.' },
  mimeType: { type: 'string', description: 'MIME type of data, such as text/markdown. Default text/plain.' },
  encoding: { type: 'string', enum: ['utf8', 'base64', 'binary'], description: 'How data is encoded. Default utf8.' },
  data: { type: 'string', description: 'The content itself.' },
  tags: { type: 'array', items: { type: 'string' }, description: 'Words to find it by.' },
} as const;

const ID = { type: 'string', description: 'Id of the item.' } as const;

const addTool = defineTool({
  name: 'workspace_add_item',
  family: 'workspace',
  effects: 'none',
  description: 'Puts a result into the shared workspace. What is there when the run ends is the deliverable.',
  parameters: parameters(FIELDS),
  async run(input, { caller, draft, now, newId, hasReadUntrusted }) {
    const taint = (await hasReadUntrusted()) ? { isTainted: true as const } : {};
    const context = { ...caller.origin, ...creatorOf(caller), tool: 'workspace_add_item', ...taint };
    const item = await addItem(draft, caller.workspaceId, input, { id: newId('item'), now, context });
    return { item };
  },
});

const listTool = defineTool({
  name: 'workspace_list_items',
  family: 'workspace',
  effects: 'none',
  description: `Lists the items of the shared workspace. Data above ${LIST_DATA} characters is left out: read it with workspace_get_item.`,
  parameters: parameters({}),
  async run(_args, { caller, draft }) {
    let damaged = 0;
    const items = await listItems(
      readableRows(draft, () => void damaged++),
      caller.workspaceId,
    );
    return { items: items.map(shorten), ...(damaged > 0 && { damaged }), ...trustOf(items) };
  },
});

const getTool = defineTool({
  name: 'workspace_get_item',
  family: 'workspace',
  effects: 'none',
  description: 'Reads one item of the shared workspace.',
  parameters: parameters({ id: ID }, ['id']),
  async run({ id }, { caller, draft }) {
    const item = await readItem(draft, caller.workspaceId, id);
    return { item, ...trustOf([item]) };
  },
});

const updateTool = defineTool({
  name: 'workspace_update_item',
  family: 'workspace',
  effects: 'none',
  description: 'Changes fields of an item. With expectedRevision it fails if somebody else changed the item meanwhile.',
  parameters: parameters(
    {
      id: ID,
      patch: parameters(FIELDS),
      expectedRevision: { type: 'integer', description: 'Revision you have read.' },
    },
    ['id', 'patch'],
  ),
  async run({ id, patch, expectedRevision }, { caller, draft, now, hasReadUntrusted }) {
    const change = { now, expectedRevision, runId: caller.runId, isTainted: await hasReadUntrusted() };
    const item = await updateItem(draft, caller.workspaceId, id, patch, change);
    return { item, ...trustOf([item]) };
  },
});

const removeTool = defineTool({
  name: 'workspace_remove_item',
  family: 'workspace',
  effects: 'none',
  description: 'Removes an item. It can be brought back by a person unless hardDelete is true.',
  parameters: parameters({ id: ID, hardDelete: { type: 'boolean', description: 'Remove it for good.' } }, ['id']),
  async run({ id, hardDelete = false }, { caller, draft, now }) {
    await removeItem(draft, caller.workspaceId, id, { now, hard: hardDelete });
    return { removed: true };
  },
});

/** The five workspace tools (seed 000, 3.2.8b), for directors and agents alike. */
export const workspaceFamily: ToolFamily = {
  name: 'workspace',
  tools: () => [addTool, listTool, getTool, updateTool, removeTool],
};

/** The part of a result that says whether the text of an item may be of strangers. */
function trustOf(items: readonly WorkspaceItem[]): { readonly trust?: 'untrusted' } {
  return items.some(isTaintedItem) ? { trust: 'untrusted' } : {};
}

export function creatorOf({
  origin: { agent },
  threadId: conversationId,
  runId,
  apiId,
  model,
}: Caller): Omit<WorkspaceItem['context'], keyof Origin | 'tool'> {
  const creator =
    agent === undefined ? { createdBy: 'director' as const } : { createdBy: 'agent' as const, agentId: agent.id };
  return {
    ...creator,
    ...(apiId !== undefined && { apiId }),
    ...(model !== undefined && { model }),
    conversationId,
    runId,
  };
}

function shorten(item: WorkspaceItem): WorkspaceItem {
  if (item.data === undefined || item.data.length <= LIST_DATA) return item;
  const { data: _long, ...rest } = item;
  return rest;
}
