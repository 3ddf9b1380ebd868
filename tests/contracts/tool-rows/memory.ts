import { isRecord } from '../../../engine/src/base/json.ts';
import type { FamilyRows, ToolRow } from '../tool.ts';

const local = { effects: 'none' } as const;
/** A text that no call before has stored. */
let made = 0;
const content = () => `Ann likes tea number ${++made}.`;

const idIn = ([result]: readonly unknown[]) =>
  isRecord(result) && isRecord(result['memory']) ? result['memory']['id'] : 'mem_x';
const onMemory = (args: (id: unknown) => object): ToolRow => ({
  ...local,
  get before() {
    return [['memory_add', { content: content() }]] as const;
  },
  args: (_stage, results) => args(idIn(results)),
});

export const rows: FamilyRows = {
  tools: {
    memory_search: { ...local, reach: 'private', args: { query: 'tea', scope: 'local', limit: 3 } },
    memory_add: { ...local, args: { content: 'Ann likes coffee.', tags: ['ann'] } },
    memory_edit: onMemory((id) => ({ entry: { id, content: content() } })),
    memory_forget: onMemory((id) => ({ id })),
  },
};
