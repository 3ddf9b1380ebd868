import { isoTime } from '../base/clock.ts';
import type { ErrorBody } from '../base/error.ts';
import { damagedRow } from '../store/damaged-row.ts';
import type { ChangeOf, Row } from '../store/store.ts';
import type { EntryScope } from '../trace/entries.ts';
import type { Origin } from '../workspace/item.ts';
import type { LimitWaits } from './limit-waits.ts';

export type RunStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';

/** States in which a run may still do something. */
export const OPEN_STATUSES = ['queued', 'running', 'waiting'] as const satisfies readonly RunStatus[];

export interface Trigger {
  readonly kind: 'mail' | 'message';
  readonly emailId?: string;
  readonly message?: string;
  /** The labels that were put on the mail, where it was here before and they started the run. */
  readonly labels?: readonly string[];
}

export interface RunUsage {
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null where the price is not known. */
  readonly cost: number | null;
}

/**
 * A director at work on one trigger, or an agent on one message of a session that a person opened, as the API gives it.
 * Times are ISO 8601.
 */
export interface Run {
  readonly id: string;
  /** `orchestrate`, `session`, or another mode of the registry (run/mode/registry.ts). */
  readonly mode: string;
  readonly status: RunStatus;
  readonly waitingFor?: 'approval' | 'limit';
  /** While it waits for a limit: which, and when it opens. */
  readonly limit?: string;
  readonly until?: string;
  readonly startedBy: string;
  readonly trigger: Trigger;
  readonly emailId?: string;
  /** `''`, as are its name and its thread, where an agent works for a person. */
  readonly directorId: string;
  readonly directorName: string;
  /** The agent that works for a person, and their session. */
  readonly agentId?: string;
  readonly agentName?: string;
  readonly sessionId?: string;
  readonly workspaceId: string;
  readonly dirThreadId: string;
  readonly fetchCycleId: string;
  readonly filterId?: string;
  readonly revision: string;
  /** Content hash of each document that it was started with, by folder and id. */
  readonly documents: Readonly<Record<string, string>>;
  readonly gitCommit?: string;
  readonly machine: { readonly id: string; readonly version: string };
  /** The apis that answer, once they are chosen; `scripted` where the director's one is no AI. */
  readonly apis: readonly { readonly id: string; readonly provider: string; readonly model: string }[];
  readonly scripted: boolean;
  readonly usage: RunUsage;
  readonly error?: ErrorBody;
  /** At most 200 characters on what came of it. */
  readonly summary: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
}

/** What the engine keeps beside the run as shown: what items and entries repeat. */
export interface RunRecord {
  readonly run: Run;
  readonly origin: Origin;
  /** Of a session's message: how many messages and provider events its thread had before. */
  readonly before?: { readonly messages: number; readonly events: number };
  /** Limits that its machines wait for, whatever the run as a whole does meanwhile. */
  readonly waits?: LimitWaits;
}

/** Longest summary of a run, in characters. */
const MAX_SUMMARY = 200;

/** First characters of a text, white space folded. */
export function summarise(text: string): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  return folded.length > MAX_SUMMARY ? `${folded.slice(0, MAX_SUMMARY - 1)}…` : folded;
}

/** The record of a row. `STORE_DAMAGED` where it cannot be read. */
export function recordOf(row: Row<'run'>): RunRecord {
  try {
    return JSON.parse(row.body) as RunRecord;
  } catch (cause) {
    throw damagedRow(`run ${row.id}`, cause);
  }
}

function rowOf({ run, ...rest }: RunRecord): Row<'run'> {
  return {
    id: run.id,
    status: run.status,
    director: run.directorId,
    mail: run.emailId ?? '',
    body: JSON.stringify({ run, ...rest }),
  };
}

/** The change that stores a new run. */
export function insertRun(record: RunRecord): ChangeOf<'run'> {
  return { op: 'insert', table: 'run', row: rowOf(record) };
}

/** The change that replaces a run, and the record as it then is. */
export function updateRun(
  record: RunRecord,
  patch: Partial<Run>,
  now: number,
): { change: ChangeOf<'run'>; record: RunRecord } {
  const next = { ...record, run: { ...record.run, ...patch, updatedAt: isoTime(now) } };
  const { id, ...set } = rowOf(next);
  return { change: { op: 'update', table: 'run', key: { id }, set }, record: next };
}

/** What the live stream tells of a run. */
export function runNews(run: Run): Readonly<Record<string, unknown>> {
  const { id, status, waitingFor, limit, until, emailId = null, directorId, agentId, sessionId } = run;
  return { id, status, waitingFor, limit, until, emailId, directorId, agentId, sessionId };
}

/** The thread in which a run is worked. */
export function threadOfRun({ sessionId, dirThreadId }: Run): string {
  return sessionId ?? dirThreadId;
}

/** What the entries of a run have in common. */
export function entryScope({ run, origin }: RunRecord): EntryScope {
  const { email, agent } = origin;
  return {
    runId: run.id,
    director: origin.director,
    ...(agent !== undefined && { agent: { ...agent, threadId: threadOfRun(run) } }),
    emailSummary: email === undefined ? summarise(run.trigger.message ?? '') : `${email.subject} · ${email.from}`,
    fetchCycleId: run.fetchCycleId,
    dirThreadId: run.dirThreadId,
  };
}
