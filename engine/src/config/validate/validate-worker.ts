import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../../base/worker-pool.ts';
import type { ToolCatalog } from '../config.ts';
import type { OwnFolders } from '../own-folders.ts';
import { createShapeCheck } from '../parse/schema.ts';
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

const checkShape = createShapeCheck();

serveJobs<ValidationJob, Validated>(parentPort, ({ source, catalog, folders, set }) =>
  validateSource(source, { checkShape, catalog, folders, env: (name) => (set.includes(name) ? 'set' : undefined) }),
);
