import type { ErrorCode } from '../../base/error-code.ts';
import { readableRows } from '../../store/readable-rows.ts';
import type { Reader } from '../../store/store.ts';
import { recordOf, type Run } from '../run.ts';

/** Errors of a run that no model answered, through no fault of the run: the same run may succeed later. */
const OUTAGES: readonly ErrorCode[] = [
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_RATE_LIMIT',
  'MODEL_NONE_AVAILABLE',
];

/** Whether an error code says that no model answered. */
export function isOutage(code: string | undefined): boolean {
  return OUTAGES.some((one) => one === code);
}

/** Whether a run, an objective, asks a person whether to go on since no model answered. */
export function isAskingAfterOutage({
  status,
  waitingFor,
  outage,
}: Pick<Run, 'status' | 'waitingFor' | 'outage'>): boolean {
  return status === 'waiting' && waitingFor === 'answer' && outage !== undefined;
}

/** Rows that are read at once. */
const PAGE = 200;

/** When an outage of its models ended or stopped a run that was not repeated. Messages of sessions are sent again by their person. */
function leftByOutageAt(run: Run): string | undefined {
  const { status, error, retriedBy, sessionId, endedAt = '', outage } = run;
  if (isAskingAfterOutage(run)) return outage?.at;
  const isLeft = status === 'failed' && isOutage(error?.code) && retriedBy === undefined && sessionId === undefined;
  return isLeft ? endedAt : undefined;
}

/**
 * Ids of the runs that an outage ended at `since` (ISO 8601) or later and that were not repeated, and of the objectives that ask since
 * then whether to go on: first the runs, oldest first, then the objectives, those that ask for longest first, so that one that an outage
 * stops again and again holds up no other. Damaged runs and paused objectives are left out.
 */
export async function runsLeftByOutage(reader: Reader, since: string): Promise<string[]> {
  const rows = readableRows(reader, () => {});
  const failed: string[] = [];
  const asking: { readonly id: string; readonly at: string }[] = [];
  for (let after = ''; ;) {
    const page = await rows.list('run', {
      where: [
        ['status', 'in', ['failed', 'waiting']],
        ['id', '>', after],
      ],
      order: [['id', 'asc']],
      limit: PAGE,
    });
    for (const { run } of page.map(recordOf)) {
      const { id } = run;
      const at = leftByOutageAt(run) ?? '';
      if (at < since || at === '') continue;
      if (!isAskingAfterOutage(run)) failed.push(id);
      else if ((await reader.get('objective', { id }))?.paused !== 1) asking.push({ id, at });
    }
    const last = page.at(-1);
    if (last === undefined)
      return [...failed, ...asking.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map(({ id }) => id)];
    after = last.id;
  }
}
