import type { FamilyRows, ToolRow } from '../tool.ts';

const ADD = ['workspace_add_item', { label: 'Note', data: 'One line.' }] as const;
/** The id of the item that `ADD` has made. */
const added = ([result]: readonly unknown[]) => (result as { item: { id: string } }).item.id;
const local = { effects: 'none' } as const;
const onItem = (more: object = {}): ToolRow => ({
  ...local,
  before: [ADD],
  args: (_stage, results) => ({ id: added(results), ...more }),
});

export const rows: FamilyRows = {
  tools: {
    workspace_add_item: { ...local, args: ADD[1] },
    workspace_list_items: { ...local, args: {} },
    workspace_get_item: onItem(),
    workspace_update_item: onItem({ patch: { label: 'Another' } }),
    workspace_remove_item: onItem(),
  },
};
