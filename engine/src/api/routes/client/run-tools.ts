import { recordOf, type RunRecord, viewOf } from '../../../run/run.ts';
import { readableRows } from '../../../store/readable-rows.ts';
import type { Condition, Row } from '../../../store/store.ts';
import { parameters } from '../../../tool/parameters.ts';
import { pageOfRows, readCursor } from '../../http/paging.ts';
import { RUN_STATUSES } from '../../../run/run.ts';
import { startRun } from '../run/start-run.ts';
import { defineClientTool, UNTRUSTED } from './client-tool.ts';

const LIST = 'mcp.runs';

/** `runs_list`: runs, newest first. */
export const runsList = defineClientTool({
  name: 'runs_list',
  effects: 'read',
  description: 'Lists runs of directors, newest first: what started each, how it ended or what it waits for.',
  parameters: parameters({
    status: { type: 'string', enum: RUN_STATUSES, description: 'Only runs in this status.' },
    directorId: { type: 'string', description: 'Only runs of this director.' },
    emailId: { type: 'string', description: 'Only runs on this mail.' },
    limit: { type: 'integer', minimum: 1, maximum: 50, default: 20, description: 'Most to return. Default 20.' },
    cursor: { type: 'string', description: 'nextCursor of an earlier answer, for the next page.' },
  }),
  async run({ status, directorId, emailId, limit = 20, cursor }, { services }) {
    const where: Condition<'run'>[] = [];
    if (status !== undefined) where.push(['status', '=', status]);
    if (emailId !== undefined) where.push(['mail', '=', emailId]);
    let damaged = 0;
    const store = readableRows(services.deps.store, () => void damaged++);
    const page = await pageOfRows<Row<'run'>>(LIST, {
      limit,
      after: cursor === undefined ? undefined : readCursor(cursor, LIST),
      load: (before, count) =>
        store.list('run', {
          where: before === undefined ? where : [...where, ['id', '<', before]],
          order: [['id', 'desc']],
          limit: count,
        }),
      ...(directorId !== undefined && { accept: (row: Row<'run'>) => row.director === directorId }),
    });
    const runs = page.items.map((row) => briefRun(recordOf(row)));
    return { runs, nextCursor: page.nextCursor, ...(damaged > 0 && { damaged }), note: UNTRUSTED };
  },
});

/** `run_start`: a new run of a director. */
export const runStart = defineClientTool({
  name: 'run_start',
  effects: 'write',
  description:
    'Starts a run of a director on a message or on a mail. It works while callsheet start runs; runs_list shows its status, items_list its results.',
  parameters: parameters(
    {
      directorId: { type: 'string', minLength: 1, description: 'The director.' },
      message: { type: 'string', maxLength: 100_000, description: 'What the director is asked. Leave emailId out.' },
      emailId: { type: 'string', description: 'The mail it works on, as runs_list names it. Leave message out.' },
    },
    ['directorId'],
  ),
  async run({ directorId, message, emailId }, { services }) {
    const { id, status, workspaceId } = await startRun(services, { directorId, message, emailId, startedBy: 'mcp' });
    return { runId: id, directorId, status, workspaceId };
  },
});

/** `run_answer`: the answer to the question of a run. A program answers as a program: its words are not trusted. */
export const runAnswer = defineClientTool({
  name: 'run_answer',
  effects: 'write',
  description:
    'Answers the question of a run that waits for an answer; approvals_list shows the questions. The run treats your words as those of a program, not of the user.',
  parameters: parameters(
    {
      runId: { type: 'string', minLength: 1, description: 'The run that asks.' },
      message: { type: 'string', minLength: 1, maxLength: 100_000, description: 'The answer.' },
    },
    ['runId', 'message'],
  ),
  async run({ runId, message }, { services }) {
    await services.engine.message(runId, { text: message, by: 'mcp' });
    return { runId, answered: true };
  },
});

function briefRun(record: RunRecord): object {
  const { id, directorId, directorName, agentId, status, waitingFor, until, emailId, ...run } = viewOf(record);
  const { subject, summary, error, createdAt, endedAt, usage } = run;
  return {
    ...{ id, status, waitingFor, until, directorId, directorName, agentId, emailId, subject, summary, error },
    ...{ createdAt, endedAt, cost: usage.cost },
  };
}
