import { errorBody } from '../../base/error.ts';
import { mailOf, readMailRow } from '../../mail/mail-store.ts';
import { OPEN_STATUSES, recordOf, type Run } from '../run.ts';
import { isSession } from '../session/session.ts';
import { expiryOf, readThread } from '../thread.ts';
import { actorOf, deniedCalls, loadRun, pinnedChanges } from './check-run.ts';
import { objectiveChanges } from './check-objective.ts';
import { sessionChanges } from './check-session.ts';
import type { InFlight, InFlightSources } from './in-flight.ts';

/**
 * Loads every run, objective and session that is not over as the engine would with its next step, under the newest config and this
 * version, and says what becomes of each. Runs first, oldest first. Changes nothing. Abort ends it before the next one.
 */
export async function checkInFlight(
  sources: InFlightSources,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly InFlight[]> {
  const { store } = sources;
  const runs = await store.list('run', {
    where: [['status', 'in', [...OPEN_STATUSES]]],
    order: [['id', 'asc']],
    bodies: false,
  });
  const threads = await store.list('thread', {
    where: [
      ['kind', '=', 'agent'],
      ['status', '=', 'ongoing'],
    ],
    order: [['id', 'asc']],
    bodies: false,
  });
  const found: InFlight[] = [];
  for (const { id, status, director } of runs) {
    signal?.throwIfAborted();
    found.push(await checkRun(sources, { kind: 'run', id, status, actor: `director ${director}` }));
  }
  for (const { id, agent } of threads) {
    signal?.throwIfAborted();
    const session = await checkSession(sources, { kind: 'session', id, status: 'ongoing', actor: `agent ${agent}` });
    if (session !== undefined) found.push(session);
  }
  return found;
}

type Head = Pick<InFlight, 'kind' | 'id' | 'status' | 'actor'>;

async function checkRun(sources: InFlightSources, row: Head): Promise<InFlight> {
  let head = row;
  try {
    const stored = await sources.store.get('run', { id: row.id });
    if (stored === undefined) return { ...head, fate: 'same', reasons: [] };
    const { run } = recordOf(stored);
    head = { ...head, actor: actorOf(run), kind: run.mode === 'objective' ? 'objective' : 'run' };
    const reasons: string[] = [];
    const loaded = await loadRun(sources, run, reasons);
    const live = sources.config.current();
    const changes =
      run.mode === 'objective' ? await objectiveChanges(sources, loaded, live) : pinnedChanges(loaded, live);
    reasons.push(...changes, ...(await deniedCalls(sources, loaded, live)), ...(await goneAccount(sources, run)));
    return { ...head, fate: reasons.length === 0 ? 'same' : 'changes', reasons };
  } catch (error) {
    return refused(head, error);
  }
}

/** Accounts are used as they are now. */
async function goneAccount({ store, config }: InFlightSources, { emailId }: Run): Promise<string[]> {
  const row = emailId === undefined ? undefined : await readMailRow(store, emailId);
  const accountId = row && mailOf(row).summary.accountId;
  if (accountId === undefined || config.current().accounts.has(accountId)) return [];
  return [`account ${accountId} of its mail was deleted or disabled: calls that use it fail`];
}

/** Undefined for a thread that no person opened, and for a session that has expired. */
async function checkSession(sources: InFlightSources, head: Head): Promise<InFlight | undefined> {
  try {
    const record = await readThread(sources.store, head.id);
    if (record === undefined || !isSession(record) || expiryOf(record) <= sources.now) return undefined;
    const reasons = await sessionChanges(sources, record);
    return { ...head, fate: reasons.length === 0 ? 'same' : 'changes', reasons };
  } catch (error) {
    return refused(head, error);
  }
}

function refused(head: Head, error: unknown): InFlight {
  const { code, message } = errorBody(error);
  return { ...head, fate: 'refused', code, reasons: [message] };
}
