import type { RetryResult } from '../../../api/routes/run/retry.ts';
import { EngineError } from '../../../base/error.ts';
import type { Run } from '../../../run/run.ts';
import type { ApiClient } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { findId } from '../../find-id.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';
import { pages, readSince } from './export.ts';

interface RetryOptions {
  readonly failed?: boolean;
  readonly outage?: boolean;
  readonly since?: string;
}

/** Ids in one request. */
const BATCH = 100;

/**
 * `runs retry ID… | --failed --since 1d | --outage [--since 1d]`: repeats failed runs, each once, and does not wait for their end.
 * Objectives that an outage of their models has stopped go on. Without a running server they begin at the next start. Exit 1 if a run was refused.
 */
export async function retryRuns(
  context: CommandContext,
  options: RetryOptions,
  ids: readonly string[],
): Promise<number> {
  const from = readFrom(options, ids);
  const { result, isLive } = await withApi(context, { isDriving: false }, async (client) => ({
    result:
      options.outage === true
        ? await retryOutage(client, from)
        : await retryAll(client, from === undefined ? await fullIds(client, ids) : await failedSince(client, from)),
    isLive: client.isLive,
  }));
  if (context.isJson) context.print(result);
  else printResult(context, result, isLive);
  return result.refused.length > 0 ? EXIT.warning : EXIT.fine;
}

/** The time from which failed runs are repeated, ISO 8601; undefined where runs are named. `USAGE`. */
function readFrom({ failed = false, outage = false, since }: RetryOptions, ids: readonly string[]): string | undefined {
  const isRight = failed
    ? ids.length === 0 && since !== undefined && !outage
    : outage
      ? ids.length === 0
      : ids.length > 0 && since === undefined;
  if (!isRight)
    throw new EngineError('USAGE', 'runs retry needs ids of runs, or --failed with --since, or --outage', {
      hint: 'callsheet runs retry --failed --since 1d',
    });
  return since === undefined ? undefined : readSince(since, Date.now());
}

/** Full ids. An id that does not exist is kept: the server refuses it, and repeats the others. */
async function fullIds(client: ApiClient, ids: readonly string[]): Promise<string[]> {
  const full = async (id: string) => {
    try {
      return await findId(client, 'run', id);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'NOT_FOUND') return id;
      throw error;
    }
  };
  return [...new Set(await Promise.all(ids.map(full)))];
}

/** Ids of runs that failed since then and were not repeated, oldest first. Messages of sessions are left out. */
async function failedSince(client: ApiClient, from: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const run of pages<Partial<Run> & Pick<Run, 'id'>>(client, '/api/runs?status=failed&limit=200')) {
    const isWanted = run.retriedBy === undefined && run.sessionId === undefined;
    if (isWanted && (run.endedAt ?? '') >= from) ids.unshift(run.id);
  }
  return ids;
}

/** Repeats the runs that failed on an outage of their models, and lets objectives go on that it has stopped, in as many requests as they need. */
async function retryOutage(client: ApiClient, since: string | undefined): Promise<RetryResult> {
  const results: RetryResult[] = [];
  const body = { outage: true, ...(since !== undefined && { since }) };
  const seen = new Set<string>();
  for (let isMore = true; isMore;) {
    const result = await client.request<RetryResult>('POST', '/api/runs/retry', { body });
    const fresh = result.retried.filter(({ retryOf }) => !seen.has(retryOf));
    for (const { retryOf } of fresh) seen.add(retryOf);
    results.push({ ...result, retried: fresh });
    // An objective that the outage stops again comes back: each goes on once.
    isMore = (result.left ?? 0) > 0 && fresh.length > 0;
  }
  // Each request meets what an earlier one was refused.
  return { ...joined(results), refused: results.at(-1)?.refused ?? [] };
}

function joined(results: readonly RetryResult[]): RetryResult {
  return {
    retried: results.flatMap(({ retried }) => retried),
    refused: results.flatMap(({ refused }) => refused),
  };
}

async function retryAll(client: ApiClient, ids: readonly string[]): Promise<RetryResult> {
  const results: RetryResult[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const query = new URLSearchParams({ ids: ids.slice(at, at + BATCH).join(',') });
    results.push(await client.request<RetryResult>('POST', `/api/runs/retry?${query}`));
  }
  return joined(results);
}

function printResult({ say }: CommandContext, { retried, refused }: RetryResult, isLive: boolean): void {
  if (retried.length + refused.length === 0) return say('no failed runs to repeat');
  for (const { id, retryOf, started } of retried)
    if (id === retryOf) say(`objective ${id} goes on where it was`);
    else say(started ? `run ${id} repeats run ${retryOf}` : `run ${retryOf} was repeated before, by run ${id}`);
  for (const { error } of refused) say(`${oneLine(error.message)} (${error.code})`);
  if (!isLive && retried.some(({ started }) => started)) say('they begin at the next callsheet start');
}
