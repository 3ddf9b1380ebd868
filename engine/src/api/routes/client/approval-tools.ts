import type { ApprovalRecord } from '../../../guard/approval.ts';
import { bodyOf } from '../../../store/damaged-row.ts';
import { readableRows } from '../../../store/readable-rows.ts';
import { parameters } from '../../../tool/parameters.ts';
import { viewApprovals } from '../run/approval-view.ts';
import { defineClientTool, UNTRUSTED } from './client-tool.ts';

/** `approvals_list`: calls that wait for a person. No tool answers them. */
export const approvalsList = defineClientTool({
  name: 'approvals_list',
  effects: 'read',
  description:
    'Lists tool calls of runs that wait for a person, oldest first. Only a person can answer them, in Callsheet.',
  parameters: parameters({
    runId: { type: 'string', description: 'Only those of this run.' },
    limit: { type: 'integer', minimum: 1, maximum: 50, default: 20, description: 'Most to return. Default 20.' },
  }),
  async run({ runId, limit = 20 }, { services }) {
    const { deps, config } = services;
    let damaged = 0;
    const store = readableRows(deps.store, () => void damaged++);
    const rows = await store.list('approval', {
      where: [['status', '=', 'pending'], ...(runId === undefined ? [] : [['run', '=', runId] as const])],
      order: [['id', 'asc']],
      limit: limit + 1,
    });
    const records = rows.slice(0, limit).map((row) => bodyOf<ApprovalRecord>('approval', row));
    const views = await viewApprovals(store, records, config.current().accounts);
    // The preview shows the arguments once more.
    const approvals = views.map(({ preview: _preview, threadId: _threadId, ...approval }) => approval);
    const more = rows.length > limit && { truncated: `there are more than ${limit}` };
    return { approvals, ...more, ...(damaged > 0 && { damaged }), note: UNTRUSTED };
  },
});
