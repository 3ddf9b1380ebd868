import type { Snapshot } from '../config/config.ts';
import type { RoutingDecision } from '../filter/filter.ts';
import type { Change, Reader } from '../store/store.ts';
import { createRun, type TriggerMail } from '../run/lifecycle/create.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { recordOf } from '../run/run.ts';

/**
 * Decides in a worker which directors take a mail; `subject` is JSON as the mail room gave it. With `putOn` these labels came
 * to a mail that is known (see `Decider`).
 */
export type RouteMail = (subject: string, config: Snapshot, putOn?: readonly string[]) => Promise<RoutingDecision>;

export interface MailStart {
  readonly config: Snapshot;
  readonly directors: RoutingDecision['directors'];
  readonly mail: TriggerMail;
  readonly fetchCycleId: string;
  /** The mail was here, and the directors' labels were put on it. */
  readonly byLabel?: boolean;
}

/** The changes that start a run of each director on a mail, in the workspace that it has there already. */
export async function startOnMail(deps: Dependencies, start: MailStart): Promise<Change[]> {
  const { config, mail, fetchCycleId, byLabel = false } = start;
  const changes: Change[] = [];
  for (const { directorId, filterId, labels } of start.directors) {
    const workspaceId = byLabel ? await workspaceOn(deps.store, mail.id, directorId) : undefined;
    const created = await createRun(deps, {
      ...{ config, directorId, filterId, mail, fetchCycleId, startedBy: 'system' },
      trigger: { kind: 'mail', emailId: mail.id, ...(byLabel && labels !== undefined && { labels }) },
      ...(workspaceId !== undefined && { workspaceId }),
    });
    changes.push(...created.changes);
  }
  return dedupe(changes);
}

/** Two runs of one mail keep the same revision: the same puts need to be written once. */
function dedupe(changes: readonly Change[]): Change[] {
  const seen = new Set<string>();
  return changes.filter((change) => {
    if (change.op !== 'put') return true;
    const key = JSON.stringify([change.table, Object.values(change.row)[0]]);
    return !seen.has(key) && seen.add(key);
  });
}

/** The workspace of a director's first run on a mail: one director on one mail has one. Undefined where it has none yet. */
export async function workspaceOn(reader: Reader, mailId: string, directorId: string): Promise<string | undefined> {
  const [first] = await reader.list('run', {
    where: [
      ['mail', '=', mailId],
      ['director', '=', directorId],
    ],
    order: [['id', 'asc']],
    limit: 1,
  });
  return first && recordOf(first).run.workspaceId;
}
