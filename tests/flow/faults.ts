import { transcriptFaults } from '../run/harness.ts';
import { firstId } from '../../engine/src/base/id.ts';
import { type RunSpend, useOf } from '../../engine/src/budget/spend.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import { readMessages } from '../../engine/src/run/thread.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { auditLines } from '../trace/audit-lines.ts';
import type { EntryBody } from '../../engine/src/trace/entry.ts';

/** What is not over in a store in which everything should be: words, none if all is well. */
export async function leftOpen(store: Store): Promise<string[]> {
  const open: string[] = [];
  const over = new Set(['completed', 'failed', 'cancelled']);
  for (const run of await store.list('run')) if (!over.has(run.status)) open.push(`run ${run.id} is ${run.status}`);
  for (const row of await store.list('machine', { where: [['status', '!=', 'done']] }))
    open.push(`${row.kind} ${row.id} is ${row.status}`);
  for (const row of await store.list('timer')) open.push(`timer ${row.name} of ${row.machine}`);
  for (const row of await store.list('ledger', { where: [['state', 'in', ['intended', 'started', 'ambiguous']]] }))
    open.push(`call ${row.machine}/${row.call} is ${row.state}: ${row.body}`);
  for (const row of await store.list('approval', { where: [['status', '=', 'pending']] }))
    open.push(`approval ${row.id}`);
  for (const row of await store.list('thread', { where: [['status', '=', 'ongoing']] })) open.push(`thread ${row.id}`);
  for (const row of await store.list('task', { where: [['status', 'in', ['pending', 'running']]] }))
    open.push(`task ${row.id} is ${row.status}`);
  return open;
}

/** Tasks that did not start exactly one run, or that say something else than it. */
export async function taskFaults(store: Store): Promise<string[]> {
  const runs = (await store.list('run')).map((row) => recordOf(row).run);
  return (await store.list('task')).flatMap((task) => {
    const own = runs.filter(({ trigger }) => trigger.taskId === task.id);
    const [run] = own;
    if (own.length === 1 && run?.id === task.run && run.status === task.status) return [];
    return [
      `task ${task.id} is ${task.status} with run ${task.run}: ${own.map(({ id, status }) => `${id} ${status}`)}`,
    ];
  });
}

/** How many tokens of the runs that began on the last day are missing in what was counted of it. */
export async function uncounted(store: Store): Promise<number> {
  const row = await store.get('counter', { name: 'day' });
  const { day, sum } = JSON.parse(row?.body ?? '{}') as { day: number; sum: { tokens: number } };
  const first = firstId('run', day * 24 * 3_600_000);
  const spends = await store.list('spend', { where: [['run', '>', first]] });
  const used = spends.reduce((all, { body }) => all + useOf((JSON.parse(body) as RunSpend).apis).tokens, 0);
  return used - sum.tokens;
}

/** Faults of all transcripts. */
export async function brokenTranscripts(store: Store): Promise<string[]> {
  const faults: string[] = [];
  for (const { id } of await store.list('thread'))
    for (const fault of transcriptFaults(await readMessages(store, id))) faults.push(`${id}: ${fault}`);
  return faults;
}

/** Threads whose calls did not each leave one audit line. */
export async function auditFaults(store: Store): Promise<string[]> {
  const lines = new Map<string, number>();
  for (const { sessionId } of await auditLines(store)) lines.set(sessionId, (lines.get(sessionId) ?? 0) + 1);
  const faults: string[] = [];
  for (const { id } of await store.list('thread')) {
    const answered = (await readMessages(store, id)).filter(({ role }) => role === 'tool').length;
    const audited = lines.get(id) ?? 0;
    if (answered !== audited) faults.push(`${id}: ${answered} answered calls, ${audited} audit lines`);
  }
  return faults;
}

/** Gaps in what is numbered, calls that are not answered once in the log, and runs that are over and do not say so once. */
export async function gapsInLogs(store: Store): Promise<string[]> {
  const gaps: string[] = [];
  const number = (table: string, owner: string, seqs: readonly number[]) => {
    if (seqs.some((seq, at) => seq !== at + 1)) gaps.push(`${table} of ${owner}: ${seqs.join(' ')}`);
  };
  const runs = await store.list('run');
  for (const { id, status } of runs) {
    const entries = await store.list('entry', { where: [['scope', '=', id]], order: [['seq', 'asc']] });
    number('entries', id, seqsOf(entries));
    const details = entries.map(({ body }) => (JSON.parse(body) as EntryBody).detail);
    const ends = details.filter(({ action }) => action === `director_${status === 'completed' ? 'complete' : status}`);
    if (ends.length !== 1) gaps.push(`run ${id} is ${status} and says so ${ends.length} times`);
    const answered = details.flatMap(({ action, callId }) => (action === undefined ? [String(callId)] : [])).sort();
    const threads = await store.list('thread', { where: [['run', '=', id]] });
    const told: string[] = [];
    for (const { id: thread } of threads) {
      const page = { where: [['thread', '=', thread]], order: [['seq', 'asc']] } as const;
      const messages = await store.list('message', page);
      number('messages', thread, seqsOf(messages));
      number('events', thread, seqsOf(await store.list('event', page)));
      for (const message of await readMessages(store, thread))
        if (message.role === 'tool') told.push(message.tool_call_id);
    }
    if (told.sort().join(' ') !== answered.join(' '))
      gaps.push(`run ${id} was told of ${told.join(' ')} and its log tells of ${answered.join(' ')}`);
  }
  return gaps;
}

const seqsOf = (rows: readonly { readonly seq: number }[]) => rows.map(({ seq }) => seq);
