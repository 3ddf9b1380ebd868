import { SEARCHED_MAILS } from '../mail/searched-mails.ts';
import type { Searched } from '../search/search.ts';
import { bodyOf } from '../store/damaged-row.ts';
import { OPEN_STATUSES, type RunRecord, type ServedRun, viewOf } from './run.ts';

/** Runs as the search index knows them: blocks have those that are over, since the text of an open run changes. */
export const SEARCHED_RUNS: Searched = {
  kind: 'run',
  // Not with `in`: the database would read the index by status, and sort what it finds.
  list: (reader, { where = [], ...query }) =>
    reader.list('run', {
      ...query,
      where: [...where, ...OPEN_STATUSES.map((status) => ['status', '!=', status] as const)],
    }),
  textsOf: (row) => searchedTexts(viewOf(bodyOf<RunRecord>('run', row))),
};

/** The kinds that have a search index. */
export const SEARCHED: readonly Searched[] = [SEARCHED_MAILS, SEARCHED_RUNS];

/** Title, director, agent, summary, error and models, which a search looks at. */
export function searchedTexts(run: ServedRun): string[] {
  const { subject, directorId, directorName, agentName = '', summary, error, apis } = run;
  return [
    ...[subject, directorId, directorName, agentName, summary, error?.code ?? '', error?.message ?? ''],
    ...apis.map(({ model }) => model),
  ];
}
