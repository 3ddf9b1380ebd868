import { parentPort, workerData } from 'node:worker_threads';
import { serveJobs } from '../../../engine/src/base/worker-pool.ts';
import type { WorkerStart } from '../../../engine/src/base/worker-entry.ts';
import { type PackedCommit, unpackChanges } from '../../../engine/src/store/sqlite/packed-commit.ts';
import { openBeside } from '../../../engine/src/store/sqlite/second-connection.ts';
import { Statements } from '../../../engine/src/store/sqlite/statements.ts';

// A thread that ends with its first commit: before it is made, within it or after it, as its address says. Or it only fails.
const { entry } = workerData as WorkerStart;
serveJobs(parentPort, (job: PackedCommit) => {
  const db = openBeside(job);
  const changes = unpackChanges(job);
  if (entry.endsWith('?after')) new Statements(db).commit(changes);
  else db.exec('BEGIN IMMEDIATE');
  if (entry.endsWith('?within')) for (const { text, values } of changes) db.prepare(text).run(...values);
  if (entry.endsWith('?failing')) throw new Error('not rolled back');
  process.exit();
});
