import { EngineError } from '../../../base/error.ts';
import { itemRuns } from '../../../run/item-runs.ts';
import { recordOf } from '../../../run/run.ts';
import { readableRows } from '../../../store/readable-rows.ts';
import type { Reader } from '../../../store/store.ts';
import { parameters } from '../../../tool/parameters.ts';
import { listItems, readItem } from '../../../workspace/items.ts';
import { viewItem } from '../mail/mail-view.ts';
import { defineClientTool, UNTRUSTED } from './client-tool.ts';

/** Most characters of an item in one answer. */
const MAX_DATA = 40_000;
/** Most items in one answer; the newest stay. */
const MAX_ITEMS = 200;

const RUN = { runId: { type: 'string', minLength: 1, description: 'A run as runs_list names it.' } } as const;

/** `items_list`: the results of a run, without their content. */
export const itemsList = defineClientTool({
  name: 'items_list',
  effects: 'read',
  description: 'Lists the results of a run, oldest first, without their content: item_read reads one.',
  parameters: parameters(RUN, ['runId']),
  async run({ runId }, { services }) {
    let damaged = 0;
    const store = readableRows(services.deps.store, () => void damaged++);
    const workspaceId = await workspaceOf(store, runId);
    const found = await listItems(store, workspaceId, { limit: MAX_ITEMS + 1, newest: true });
    const all = found.slice(-MAX_ITEMS);
    const runOf = await itemRuns(store, all);
    const items = all.map((item) => ({ ...viewItem(item), runId: runOf(item) ?? workspaceId }));
    const note = `${UNTRUSTED} Runs of one director on one mail share their results.`;
    const older = found.length > MAX_ITEMS && { truncated: `only the newest ${MAX_ITEMS} are listed` };
    return { items, ...older, ...(damaged > 0 && { damaged }), note };
  },
});

/** `item_read`: one result, or a part of a long one. */
export const itemRead = defineClientTool({
  name: 'item_read',
  effects: 'read',
  description: `Reads one result of a run, ${MAX_DATA} characters at a time.`,
  parameters: parameters(
    {
      ...RUN,
      itemId: { type: 'string', minLength: 1, description: 'An item as items_list names it.' },
      offset: { type: 'integer', minimum: 0, description: 'Character to begin at, for the rest of a long item.' },
    },
    ['runId', 'itemId'],
  ),
  async run({ runId, itemId, offset = 0 }, { services }) {
    const { store } = services.deps;
    const { data = '', ...item } = await readItem(store, await workspaceOf(store, runId), itemId);
    const head = { ...viewItem(item), description: item.description, tags: item.tags, encoding: item.encoding };
    if (item.encoding !== 'utf8')
      return { item: { ...head, truncated: `not shown: ${data.length} characters of ${item.encoding}` } };
    const end = offset + MAX_DATA;
    const truncated = `characters ${offset} to ${Math.min(end, data.length)} of ${data.length}`;
    const rest = end < data.length ? `${truncated}; go on with offset ${end}` : truncated;
    const isPart = offset > 0 || end < data.length;
    const part = data.slice(offset, end).toWellFormed();
    return { item: { ...head, data: part, ...(isPart && { truncated: rest }) }, note: UNTRUSTED };
  },
});

/** The workspace of a run. `NOT_FOUND`. */
async function workspaceOf(reader: Reader, runId: string): Promise<string> {
  const row = await reader.get('run', { id: runId });
  if (row === undefined)
    throw new EngineError('NOT_FOUND', `there is no run "${runId}"`, { hint: 'runs_list shows the ids' });
  return recordOf(row).run.workspaceId;
}
