import type { App } from '../../../app/app.ts';
import { errorBody } from '../../../base/error.ts';
import type { ServedRun } from '../../../run/run.ts';
import { viewRun } from '../../../run/lifecycle/view-run.ts';
import type { CommandContext } from '../../context.ts';
import { formatCost, formatMs } from '../../terminal/trace-tree.ts';
import { nextCommand, waitsForPerson, whoOf } from '../run/facts.ts';

/** States that are logged: ends and waits. */
const LOGGED: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled', 'waiting']);
/** Runs whose last logged state is remembered. */
const MAX_REMEMBERED = 1000;

/**
 * Logs the end, the failure and each wait of every run, with subject, director, duration and cost, until the returned function
 * is called.
 */
export function reportRuns(context: CommandContext, { deps }: Pick<App, 'deps'>): () => void {
  const startedAt = new Date(deps.clock.now()).toISOString();
  const logged = new Map<string, string>();
  // One after another, so that lines come in the order of the events.
  let queue: Promise<void> = Promise.resolve();
  const report = async (id: string) => {
    const row = await deps.store.get('run', { id });
    if (row === undefined || !LOGGED.has(row.status)) return;
    const run = await viewRun(deps.store, row);
    const state = `${run.status} ${run.waitingFor ?? ''} ${run.limit ?? ''}`;
    // A change of a run that ended before this process began is no end.
    if (logged.get(id) === state || (run.endedAt ?? startedAt) < startedAt) return;
    logged.delete(id);
    logged.set(id, state);
    for (const oldest of logged.keys()) {
      if (logged.size <= MAX_REMEMBERED) break;
      logged.delete(oldest);
    }
    logRun(context, run, deps.clock.now());
  };
  const failed = (error: unknown) =>
    context.log.debug('a run could not be reported', { why: errorBody(error).message });
  return deps.live.subscribe(({ name, data }) => {
    const { id, status } = data;
    if (name !== 'run' || typeof id !== 'string') return;
    if (status === 'running') logged.delete(id);
    if (LOGGED.has(status)) queue = queue.then(() => report(id)).catch(failed);
  });
}

function logRun({ log }: CommandContext, run: ServedRun, nowMs: number): void {
  const { id, status, subject, waitingFor, limit, until, error, usage, createdAt, endedAt } = run;
  const ms = (endedAt === undefined ? nowMs : Date.parse(endedAt)) - Date.parse(createdAt);
  const facts = {
    subject: subject === '' ? undefined : subject,
    director: whoOf(run),
    duration: formatMs(Math.max(0, ms)),
    cost: formatCost(usage.cost),
    run: id,
  };
  if (status === 'failed') {
    const { code, message, hint } = error ?? { code: 'INTERNAL', message: 'no reason is stored' };
    log.error('run failed', { ...facts, code, why: message, hint });
  } else if (status !== 'waiting') log.info(`run ${status}`, facts);
  else if (waitsForPerson(run))
    log.warn('run waits for a person', { ...facts, hint: `answer in the viewer, or with ${nextCommand(run)}` });
  else if (waitingFor === 'limit') log.info('run waits for a limit', { ...facts, limit, until });
  else log.info('run waits', { ...facts, for: waitingFor });
}
