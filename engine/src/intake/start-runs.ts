import { EngineError } from '../base/error.ts';
import type { Snapshot } from '../config/config.ts';
import type { RoutingDecision } from '../filter/filter.ts';
import type { Change, Reader } from '../store/store.ts';
import { TABLES } from '../store/tables.ts';
import { createRun, type TriggerMail } from '../run/lifecycle/create.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { recordOf } from '../run/run.ts';

/**
 * Decides in a worker which directors take a mail. `subject` is JSON as the mail worker returned it. With `addedLabels`,
 * these labels were added to a known mail, and only filters with label conditions decide.
 */
export type RouteMail = (
  subject: string,
  config: Snapshot,
  addedLabels?: readonly string[],
) => Promise<RoutingDecision>;

/** The decision where no filter decides. */
export const NO_DECISION: RoutingDecision = { directors: [], passedOver: [], results: [] };

/** Tries of a decision: a process that stood still for a while exceeds the limit of time as well. */
const TRIES = 2;

/** The decision about a mail; undefined where its filters exceed their limits (`MAIL_TOO_COSTLY`) at each try. */
export async function decideWithin(decide: () => Promise<RoutingDecision>): Promise<RoutingDecision | undefined> {
  for (let tries = 1; tries <= TRIES; tries++)
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'MAIL_TOO_COSTLY') throw error;
    }
  return undefined;
}

/** Which directors start on which mail. */
export interface MailStart {
  readonly config: Snapshot;
  readonly directors: RoutingDecision['directors'];
  readonly mail: TriggerMail;
  readonly fetchCycleId: string;
  /** True where labels were added to a known mail, and the directors' filters ask for them. */
  readonly byLabel?: boolean;
}

/** The changes that start a run of each director on a mail, in the workspace that the director has for this mail. */
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

/** Runs of one mail refer to the same revision: its rows are written once. */
function dedupe(changes: readonly Change[]): Change[] {
  const seen = new Set<string>();
  return changes.filter((change) => {
    if (change.op !== 'put') return true;
    const values = TABLES[change.table].key.map((column) => change.row[column as keyof typeof change.row]);
    const key = JSON.stringify([change.table, ...values]);
    return !seen.has(key) && seen.add(key);
  });
}

/** The workspace of a director's first run on a mail, or undefined: a director has one workspace for each mail. */
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
