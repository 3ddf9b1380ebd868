import { EngineError } from '../../../base/error.ts';
import { isUnreadable } from '../../../run/lifecycle/unreadable.ts';
import { viewRun } from '../../../run/lifecycle/view-run.ts';
import { OPEN_STATUSES, recordOf, type Run, RUN_STATUSES, type ServedRun, viewOf } from '../../../run/run.ts';
import { searchCandidates } from '../../../search/candidates.ts';
import { SEARCHED_RUNS, searchedTexts } from '../../../run/searched-runs.ts';
import type { Condition, Row, Store } from '../../../store/store.ts';
import { type StartedBy, withStarter } from '../../auth/starter.ts';
import { type Page, pageOfRows, readPage, SEARCH_MS } from '../../http/paging.ts';
import {
  hasWords,
  mayHaveWords,
  queryIdPrefix,
  queryText,
  queryWord,
  queryWords,
  type WithQuery,
} from '../../http/query.ts';
import type { Rows, WithPath } from '../../http/rows.ts';
import { searchedRows } from '../../http/searched-rows.ts';

const LIST = 'runs';

/** A run of the list. Of one that cannot be read it has the columns and the error, so that other runs stay listed. */
export type ListedRun = (ServedRun | DamagedRun) & StartedBy;

type DamagedRun = Pick<Run, 'id' | 'directorId' | 'error'> & { readonly status?: undefined };

/**
 * The answer of `GET /api/runs`: newest first, filtered by `?status=`, `?directorId=`, `?agentId=` (of sessions), `?emailId=`,
 * `?idPrefix=` and `?q=`, words that title, director, agent, summary and error together contain.
 */
export async function listRuns({ store, users }: Rows, ctx: WithQuery): Promise<Page<ListedRun>> {
  const { items, nextCursor } = await listRows(store, ctx);
  return { items: await Promise.all(items.map((row) => withStarter({ users }, shown(row)))), nextCursor };
}

function listRows(store: Store, ctx: WithQuery): Promise<Page<Row<'run'>>> {
  const page = readPage(ctx, LIST);
  const status = queryWord(ctx, 'status', RUN_STATUSES);
  const mail = queryText(ctx, 'emailId');
  const director = queryText(ctx, 'directorId');
  const agent = queryText(ctx, 'agentId');
  const words = queryWords(ctx);
  // The title of a run on a message ends with … where the stored message goes on.
  const uncut = words.filter((word) => !word.includes('…'));
  const where: Condition<'run'>[] = [...queryIdPrefix(ctx)];
  if (status !== undefined) where.push(['status', '=', status]);
  if (mail !== undefined) where.push(['mail', '=', mail]);
  const listed = (before: string | undefined, limit: number) =>
    store.list('run', {
      where: before === undefined ? where : [...where, ['id', '<', before]],
      order: [['id', 'desc']],
      limit,
    });
  const accept = (row: Row<'run'>) =>
    (director === undefined || row.director === director) &&
    ((agent === undefined && words.length === 0) ||
      (mayHaveWords(row.body, uncut) && isWanted(shown(row), agent, words)));

  // Runs of a mail, of an id, or that are open, are few.
  const isFew =
    mail !== undefined ||
    where.length > (status === undefined ? 0 : 1) ||
    OPEN_STATUSES.some((open) => open === status);
  const first = page.after === undefined ? undefined : String(page.after[0]);
  const candidates = isFew ? undefined : searchCandidates(store, SEARCHED_RUNS, words, { before: first });
  const load =
    candidates === undefined
      ? listed
      : searchedRows(candidates, (ids) =>
          store.list('run', { where: [...where, ['id', 'in', ids]], order: [['id', 'desc']] }),
        );
  const isPicky = director !== undefined || agent !== undefined || words.length > 0;
  const maxMs = words.length > 0 ? { maxMs: SEARCH_MS } : {};
  return pageOfRows(LIST, { ...page, load, ...maxMs, ...(isPicky && { accept }) });
}

/** Whether a run is of an agent and contains all words. */
function isWanted(run: ReturnType<typeof shown>, agent: string | undefined, words: readonly string[]): boolean {
  if (run.status === undefined) return false;
  if (agent !== undefined && run.agentId !== agent) return false;
  return hasWords(searchedTexts(run), words);
}

/** A run in a list. For a damaged row only its columns and the error, so that other runs stay listed. */
function shown(row: Row<'run'>): ServedRun | DamagedRun {
  try {
    return viewOf(recordOf(row));
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { id: row.id, directorId: row.director, error: error.toJSON() };
  }
}

/** The answer of `GET /api/runs/:id`. `NOT_FOUND`. */
export async function shownRun({ store, users }: Rows, ctx: WithPath): Promise<ServedRun & StartedBy> {
  return withStarter({ users }, await runOf(store, ctx));
}

/** The run of the path. `NOT_FOUND`. */
export async function runOf(store: Store, ctx: WithPath): Promise<ServedRun> {
  const id = String(ctx.params['id']);
  const row = await store.get('run', { id });
  if (row === undefined) throw new EngineError('NOT_FOUND', `no run "${id}"`);
  return viewRun(store, row);
}
