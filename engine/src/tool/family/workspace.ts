import type { ItemInput, WorkspaceItem } from '../../workspace/item.ts';
import { addItem, listItems, readItem, removeItem, updateItem } from '../../workspace/items.ts';
import type { Caller, LocalTool } from '../tool.ts';

/** Longest data that a list shows; longer ones are read with `workspace_get_item`. */
const LIST_DATA = 4000;

const fields = {
  label: { type: 'string', description: 'A short title that a person sees in a list.' },
  description: { type: 'string', description: 'One sentence on what this is.' },
  mimeType: { type: 'string', description: 'MIME type of data, such as text/markdown. Default text/plain.' },
  encoding: { type: 'string', enum: ['utf8', 'base64', 'binary'], description: 'How data is encoded. Default utf8.' },
  data: { type: 'string', description: 'The content itself.' },
  tags: { type: 'array', items: { type: 'string' }, description: 'Words to find it by.' },
} as const;

const id = { type: 'string', description: 'Id of the item.' } as const;

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** The five workspace tools (seed 000, 3.2.8b), for directors and agents alike. */
export const workspaceTools: readonly LocalTool[] = [
  {
    name: 'workspace_add_item',
    family: 'workspace',
    effects: 'none',
    description: 'Puts a result into the shared workspace. What is there when the run ends is the deliverable.',
    parameters: object(fields),
    async run(args, { caller, draft, now, newId }) {
      const context = { ...caller.origin, ...maker(caller), tool: 'workspace_add_item' };
      const item = await addItem(draft, caller.workspaceId, args as ItemInput, { id: newId('item'), now, context });
      return { item };
    },
  },
  {
    name: 'workspace_list_items',
    family: 'workspace',
    effects: 'none',
    description: `Lists the items of the shared workspace. Data above ${LIST_DATA} characters is left out: read it with workspace_get_item.`,
    parameters: object({}),
    async run(_args, { caller, draft }) {
      const items = await listItems(draft, caller.workspaceId);
      return { items: items.map(shorten) };
    },
  },
  {
    name: 'workspace_get_item',
    family: 'workspace',
    effects: 'none',
    description: 'Reads one item of the shared workspace.',
    parameters: object({ id }, ['id']),
    async run(args, { caller, draft }) {
      return { item: await readItem(draft, caller.workspaceId, String(args['id'])) };
    },
  },
  {
    name: 'workspace_update_item',
    family: 'workspace',
    effects: 'none',
    description:
      'Changes fields of an item. With expectedRevision it fails if somebody else changed the item meanwhile.',
    parameters: object(
      { id, patch: object(fields), expectedRevision: { type: 'integer', description: 'Revision you have read.' } },
      ['id', 'patch'],
    ),
    async run(args, { caller, draft, now }) {
      const patch = args['patch'] as ItemInput;
      const expectedRevision = args['expectedRevision'] as number | undefined;
      return {
        item: await updateItem(draft, caller.workspaceId, String(args['id']), patch, { now, expectedRevision }),
      };
    },
  },
  {
    name: 'workspace_remove_item',
    family: 'workspace',
    effects: 'none',
    description: 'Removes an item. It can be brought back by a person unless hardDelete is true.',
    parameters: object({ id, hardDelete: { type: 'boolean', description: 'Remove it for good.' } }, ['id']),
    async run(args, { caller, draft, now }) {
      await removeItem(draft, caller.workspaceId, String(args['id']), { now, hard: args['hardDelete'] === true });
      return { removed: true };
    },
  },
];

function maker(caller: Caller): Pick<WorkspaceItem['context'], 'createdBy' | 'agentId' | 'conversationId'> {
  const { agent } = caller.origin;
  const conversationId = caller.threadId;
  return agent === undefined
    ? { createdBy: 'director', conversationId }
    : { createdBy: 'agent', agentId: agent.id, conversationId };
}

function shorten(item: WorkspaceItem): WorkspaceItem {
  if (item.data === undefined || item.data.length <= LIST_DATA) return item;
  const { data: _long, ...rest } = item;
  return rest;
}
