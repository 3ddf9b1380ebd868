import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { serveJobs } from '../../../engine/src/base/worker-pool.ts';
import type { WorkerStart } from '../../../engine/src/base/worker-entry.ts';
import { type PackedCommit, unpackChanges } from '../../../engine/src/store/sqlite/packed-commit.ts';
import { Statements } from '../../../engine/src/store/sqlite/statements.ts';

// A thread that ends with its first commit: before it is made, or after it where its address says so.
const { entry } = workerData as WorkerStart;
serveJobs(parentPort, (job: PackedCommit) => {
  const db = new DatabaseSync(job.file);
  if (entry.endsWith('?after')) new Statements(db).commit(unpackChanges(job));
  else db.exec('BEGIN IMMEDIATE');
  process.exit();
});
