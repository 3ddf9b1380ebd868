import { changeOf } from '../file/notebook/change-rows.ts';
import { readableRows } from '../store/readable-rows.ts';
import type { Reader } from '../store/store.ts';

/** What an agent has used and changed in a session that a person opened (seed 002, agent sessions). */
export interface SessionMetrics {
  /** Input and output tokens together. */
  readonly tokensUsed: number;
  /** Requests to models. */
  readonly apiCallsMade: number;
  /** Files as `notebook:path`, in the order in which they were changed first. */
  readonly filesModified: readonly string[];
}

/** What one run adds. */
export interface RunMetrics {
  readonly usage: { readonly turns: number; readonly inputTokens: number; readonly outputTokens: number };
  readonly files: readonly string[];
}

const NOTHING: SessionMetrics = { tokensUsed: 0, apiCallsMade: 0, filesModified: [] };

/** The metrics of a session with those of one more run. */
export function addMetrics(before: SessionMetrics = NOTHING, more?: RunMetrics): SessionMetrics {
  if (more === undefined) return before;
  const { usage, files } = more;
  return {
    tokensUsed: before.tokensUsed + usage.inputTokens + usage.outputTokens,
    apiCallsMade: before.apiCallsMade + usage.turns,
    filesModified: [...new Set([...before.filesModified, ...files])],
  };
}

/** Files that a run has changed, as `notebook:path`, oldest change first. */
export async function filesModifiedBy(reader: Reader, runId: string): Promise<string[]> {
  const rows = await readableRows(reader, () => {}).list('fileChange', {
    where: [
      ['run', '=', runId],
      ['state', '=', 'written'],
    ],
    order: [['id', 'asc']],
  });
  return rows.map(changeOf).map(({ notebook, path }) => `${notebook}:${path}`);
}
