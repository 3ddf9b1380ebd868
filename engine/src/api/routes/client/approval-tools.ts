import type { ApprovalRecord } from '../../../guard/approval.ts';
import { bodyOf } from '../../../store/damaged-row.ts';
import { readableRows } from '../../../store/readable-rows.ts';
import { parameters } from '../../../tool/parameters.ts';
import { readPreview } from '../../../tool/preview.ts';
import { viewApprovals } from '../run/approval-view.ts';
import { defineClientTool, UNTRUSTED } from './client-tool.ts';

/** Headers and files of the mail that a call writes. Other previews show the arguments once more. */
function mailOf(preview: ApprovalRecord['preview']) {
  const shown = readPreview(preview);
  return shown?.kind === 'mail' ? { mail: { headers: shown.headers, attachments: shown.attachments } } : {};
}

/** `approvals_list`: calls and questions that wait for a person. No tool decides a call. */
export const approvalsList = defineClientTool({
  name: 'approvals_list',
  effects: 'read',
  description:
    'Lists tool calls and questions of runs that wait for a person, oldest first. Only a person can decide a call, in Callsheet; run_answer answers a question.',
  parameters: parameters({
    runId: { type: 'string', description: 'Only those of this run.' },
    limit: { type: 'integer', minimum: 1, maximum: 50, default: 20, description: 'Most to return. Default 20.' },
  }),
  async run({ runId, limit = 20 }, { services }) {
    const { deps } = services;
    let damaged = 0;
    const store = readableRows(deps.store, () => void damaged++);
    const rows = await store.list('approval', {
      where: [['status', '=', 'pending'], ...(runId === undefined ? [] : [['run', '=', runId] as const])],
      order: [['id', 'asc']],
      limit: limit + 1,
    });
    const records = rows.slice(0, limit).map((row) => bodyOf<ApprovalRecord>('approval', row));
    const views = await viewApprovals(store, records);
    const approvals = views.map(({ preview, threadId: _threadId, ...approval }) => ({
      ...approval,
      ...mailOf(preview),
    }));
    const more = rows.length > limit && { truncated: `there are more than ${limit}` };
    return { approvals, ...more, ...(damaged > 0 && { damaged }), note: UNTRUSTED };
  },
});
