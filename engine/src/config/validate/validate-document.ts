import { EngineError, errorBody } from '../../base/error.ts';
import { deepFreeze } from '../../base/json.ts';
import { createPool, type Pool } from '../../base/worker-pool.ts';
import type { Problem } from '../config.ts';
import { toProblems } from '../parse/parse.ts';
import { fileProblem, type Finding, toProblem } from '../problem.ts';
import type { Source } from '../parse/read.ts';
import { type Checks, type Validated, type ValidDocument, validateSource } from './validate.ts';
import type { LocationJob, ValidationJob } from './validate-worker.ts';

/** Characters of a document above which a worker thread reads it: YAML of 256 KB would hold the event loop for long. */
export const LARGE_CHARACTERS = 32 * 1024;

/** One thread for all configs of a process. It starts with the first large document, and ends when idle. */
let pool: Pool<ValidationJob | LocationJob, Validated> | undefined;

/**
 * As `validateSource`, but reads a large document in a worker thread. A document that exceeds the thread's limits of time or
 * memory is a problem of its own.
 */
export async function validateDocument(source: Source, checks: Checks): Promise<Validated> {
  const { text } = source;
  if (text.length < LARGE_CHARACTERS) return validateSource(source, checks);
  const names = Array.from(text.matchAll(/\$\{env:(\w{1,200})\}/g), ([, name = '']) => name);
  const set = [...new Set(names)].filter((name) => (checks.env(name) ?? '') !== '');
  const job = { source, catalog: checks.catalog, folders: checks.folders, set };
  const { document, draft, problems } = await inThread(job, (why) => {
    const hint = 'split it into several documents';
    return { problems: [fileProblem('CONFIG_TOO_LARGE', source.file, `the document ${why}`, hint)] };
  });
  const revive = (found: ValidDocument) => ({ ...found, source, typed: deepFreeze(found.typed) });
  return { problems, ...(document && { document: revive(document) }), ...(draft && { draft: revive(draft) }) };
}

/** Adds positions to findings of a document; in a large one a worker thread looks them up. */
export async function locateFindings(source: Source, findings: readonly Finding[]): Promise<readonly Problem[]> {
  if (findings.length === 0) return [];
  if (source.text.length < LARGE_CHARACTERS) return toProblems(source, findings);
  const { problems } = await inThread({ source, findings }, () => ({
    problems: findings.map((finding) => toProblem(finding, source.file, () => ({ line: 1, column: 1 }))),
  }));
  return problems;
}

/** Runs a job in the thread. `tooCostly` makes the result, from the reason, where it exceeds a limit. */
async function inThread(job: ValidationJob | LocationJob, tooCostly: (why: string) => Validated): Promise<Validated> {
  pool ??= createPool({
    entry: new URL('./validate-worker.ts', import.meta.url),
    ...{ size: 1, timeoutMs: 20_000, maxHeapMb: 256, tooCostly: 'TOO_LARGE' },
  });
  try {
    return await pool.run(job);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'TOO_LARGE') throw error;
    return tooCostly(errorBody(error).message);
  }
}
