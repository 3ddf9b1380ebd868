import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../../base/worker-pool.ts';
import { type PackedCommit, unpackChanges } from './packed-commit.ts';
import { openBeside } from './second-connection.ts';
import { Statements } from './statements.ts';

let statements: Statements | undefined;

serveJobs(parentPort, (job: PackedCommit) => {
  statements ??= new Statements(openBeside(job));
  statements.commit(unpackChanges(job));
});
