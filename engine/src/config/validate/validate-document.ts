import { EngineError, errorBody } from '../../base/error.ts';
import { deepFreeze } from '../../base/json.ts';
import { createPool, type Pool } from '../../base/worker-pool.ts';
import { fileProblem } from '../problem.ts';
import type { Source } from '../parse/read.ts';
import { type Checks, type Validated, type ValidDocument, validateSource } from './validate.ts';
import type { ValidationJob } from './validate-worker.ts';

/** Characters of a document above which a worker thread reads it: YAML of 256 KB would hold the event loop for long. */
export const LARGE_CHARACTERS = 32 * 1024;

/** One thread for all configs of a process. It starts with the first large document, and ends when idle. */
let pool: Pool<ValidationJob, Validated> | undefined;

/**
 * As `validateSource`, but reads a large document in a worker thread. A document that exceeds the thread's limits of time or
 * memory is a problem of its own.
 */
export async function validateDocument(source: Source, checks: Checks): Promise<Validated> {
  const { text } = source;
  if (text.length < LARGE_CHARACTERS) return validateSource(source, checks);
  const names = Array.from(text.matchAll(/\$\{env:(\w{1,200})\}/g), ([, name = '']) => name);
  const set = [...new Set(names)].filter((name) => (checks.env(name) ?? '') !== '');
  pool ??= createPool({
    entry: new URL('./validate-worker.ts', import.meta.url),
    ...{ size: 1, timeoutMs: 20_000, maxHeapMb: 256, tooCostly: 'TOO_LARGE' },
  });
  try {
    const { document, draft, problems } = await pool.run({
      source,
      catalog: checks.catalog,
      folders: checks.folders,
      set,
    });
    const revive = (found: ValidDocument) => ({ ...found, source, typed: deepFreeze(found.typed) });
    return { problems, ...(document && { document: revive(document) }), ...(draft && { draft: revive(draft) }) };
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'TOO_LARGE') throw error;
    const hint = 'split it into several documents';
    return {
      problems: [fileProblem('CONFIG_TOO_LARGE', source.file, `the document ${errorBody(error).message}`, hint)],
    };
  }
}
