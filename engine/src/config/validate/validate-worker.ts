import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../../base/worker-pool.ts';
import type { ToolCatalog } from '../config.ts';
import type { OwnFolders } from '../own-folders.ts';
import { toProblems } from '../parse/parse.ts';
import { createShapeCheck } from '../parse/schema.ts';
import type { Finding } from '../problem.ts';
import type { Source } from '../parse/read.ts';
import { type Validated, validateSource } from './validate.ts';

/** A document to validate in a worker thread, which has no environment. */
export interface ValidationJob {
  readonly source: Source;
  readonly catalog: ToolCatalog;
  readonly folders?: OwnFolders | undefined;
  /** Names of environment variables that are set, as far as the text names them. */
  readonly set: readonly string[];
}

/** A document in which the positions of findings are looked up. */
export interface LocationJob {
  readonly source: Source;
  readonly findings: readonly Finding[];
}

const checkShape = createShapeCheck();

serveJobs<ValidationJob | LocationJob, Validated>(parentPort, (job) => {
  const { source } = job;
  if ('findings' in job) return { problems: toProblems(source, job.findings) };
  const env = (name: string) => (job.set.includes(name) ? 'set' : undefined);
  return validateSource(source, { checkShape, catalog: job.catalog, folders: job.folders, env });
});
