import { transcriptFaults } from '../run/harness.ts';
import { readMessages } from '../../engine/src/run/thread.ts';
import type { Store } from '../../engine/src/store/store.ts';

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
  return open;
}

/** Faults of all transcripts. */
export async function brokenTranscripts(store: Store): Promise<string[]> {
  const faults: string[] = [];
  for (const { id } of await store.list('thread'))
    for (const fault of transcriptFaults(await readMessages(store, id))) faults.push(`${id}: ${fault}`);
  return faults;
}
