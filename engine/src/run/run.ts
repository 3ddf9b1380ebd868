import { isoTime } from '../base/clock.ts';
import type { ErrorBody } from '../base/error.ts';
import { damagedRow } from '../store/damaged-row.ts';
import { addToIndex } from '../search/search.ts';
import type { Change, Row } from '../store/store.ts';
import type { RunAttachment } from '../file/upload/upload.ts';
import type { RunRule } from '../guard/run-rule.ts';
import type { EntryScope } from '../trace/entries.ts';
import type { ToolLists } from '../tool/run-tools.ts';
import type { Origin } from '../workspace/item.ts';
import type { LimitWaits } from './limit-waits.ts';

/** Status of a run; the last three are final. */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';

/** Statuses of a run that is not over. */
export const OPEN_STATUSES = ['queued', 'running', 'waiting'] as const satisfies readonly RunStatus[];

/** Every status of a run. */
export const RUN_STATUSES = [...OPEN_STATUSES, 'completed', 'failed', 'cancelled'] as const;

/** What started a run. */
export interface Trigger {
  /** `chat`: the turn of a participant in a group chat. */
  readonly kind: 'mail' | 'message' | 'task' | 'date' | 'chat';
  readonly emailId?: string;
  readonly message?: string;
  /** The task that the run works on. */
  readonly taskId?: string;
  /** For a task, a date or a schedule: when the run was to start, ISO 8601. */
  readonly dueAt?: string;
  /** In a run that repeats another: who wrote the message. */
  readonly by?: string;
  /** For a turn in a chat: the chat, who speaks, and the api where the participant is no agent of the config. */
  readonly chatId?: string;
  readonly participantId?: string;
  readonly apiConfigId?: string;
  /** For a run that writes the summary of a chat, where nobody speaks. */
  readonly isSummary?: true;
  /** The agents whose `privacy` such a run keeps. */
  readonly privateFor?: readonly string[];
  /** What lists show in place of the message. */
  readonly title?: string;
  /** For a mail that was known already: the labels that were added to it and started the run. */
  readonly labels?: readonly string[];
}

/** What a run has used, its agents included. */
export interface RunUsage {
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null where the price is unknown. */
  readonly cost: number | null;
}

/**
 * A run as the API serves it: a director on one trigger, or an agent on one message of a session that a person opened.
 * Times are ISO 8601.
 */
export interface Run {
  readonly id: string;
  /** `orchestrate`, `session`, or another mode of the registry (run/mode/registry.ts). */
  readonly mode: string;
  readonly status: RunStatus;
  readonly waitingFor?: 'approval' | 'answer' | 'reply' | 'date' | 'draft' | 'limit';
  /** While the run waits for a limit: the limit, and when it opens. */
  readonly limit?: string;
  readonly until?: string;
  readonly startedBy: string;
  /** The failed run that this one repeats. */
  readonly retryOf?: string;
  /** The run that repeats this one: a failed run is repeated at most once. */
  readonly retriedBy?: string;
  /**
   * Tools with which the repeated runs have changed the world, or may have: each call of one of them waits for a
   * person.
   */
  readonly doneBefore?: readonly string[];
  readonly trigger: Trigger;
  readonly emailId?: string;
  /** `''` where an agent works for a person, as are `directorName` and `dirThreadId`. */
  readonly directorId: string;
  readonly directorName: string;
  /** The agent that works for a person, and their session. */
  readonly agentId?: string;
  readonly agentName?: string;
  readonly sessionId?: string;
  /** The conversation of a person with the director that the run goes on with. */
  readonly conversationId?: string;
  /** Files that a person attached to the message. */
  readonly attachments?: readonly RunAttachment[];
  readonly workspaceId: string;
  readonly dirThreadId: string;
  readonly fetchCycleId: string;
  readonly filterId?: string;
  readonly revision: string;
  /** The tools of MCP servers that the run keeps: the hash of a list by the id of its document. */
  readonly toolLists?: ToolLists;
  /** Content hash of each document that the run started with, by folder and id. */
  readonly documents: Readonly<Record<string, string>>;
  readonly gitCommit?: string;
  readonly machine: { readonly id: string; readonly version: string };
  /**
   * The apis that were chosen when the run began, and those that took over since (`fallback`); `scripted` is true where one of them is scripted rules, not a model.
   */
  readonly apis: readonly { readonly id: string; readonly provider: string; readonly model: string }[];
  readonly scripted: boolean;
  readonly usage: RunUsage;
  /** What a person has allowed for the rest of the run, oldest first. */
  readonly allowed?: readonly RunRule[];
  readonly error?: ErrorBody;
  /** The outage of its models after which an objective asks whether to go on, and when; gone once it goes on. */
  readonly outage?: (ErrorBody & { readonly at: string }) | undefined;
  /** The result in at most 200 characters. */
  readonly summary: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
}

/** A run in answers of the API. */
export interface ServedRun extends Run {
  /** Subject of the mail, or the first 200 characters of the message. */
  readonly subject: string;
}

/** A stored run: the run as the API serves it, and what its items and entries repeat. */
export interface RunRecord {
  readonly run: Run;
  readonly origin: Origin;
  /** For a run on a message of a session: how many messages and provider events the thread had before it. */
  readonly before?: { readonly messages: number; readonly events: number };
  /** Limits that machines of the run wait for, also while the run as a whole works. */
  readonly waits?: LimitWaits;
}

/** Longest summary of a run, in characters. */
const MAX_SUMMARY = 200;

/** The first 200 characters of a text, with white space folded. */
export function summarise(text: string): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  return folded.length > MAX_SUMMARY ? `${folded.slice(0, MAX_SUMMARY - 1)}…` : folded;
}

/** The record of a row. `STORE_DAMAGED` where its body cannot be parsed. */
export function recordOf(row: Row<'run'>): RunRecord {
  try {
    return JSON.parse(row.body) as RunRecord;
  } catch (cause) {
    throw damagedRow(`run ${row.id}`, cause);
  }
}

/** What a run without a mail is about, in one line. */
export function aboutOf({ trigger }: Pick<Run, 'trigger'>): string {
  return summarise(trigger.title ?? trigger.message ?? '');
}

/** The run of a record, for answers of the API. */
export function viewOf({ run, origin }: RunRecord): ServedRun {
  return { ...run, subject: origin.email?.subject ?? aboutOf(run) };
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

/** The changes that insert a new run. */
export function insertRun(record: RunRecord): Change[] {
  return [{ op: 'insert', table: 'run', row: rowOf(record) }, addToIndex('run', record.run.id, false)];
}

/** The changes that update a run, and the updated record. `now` in epoch milliseconds. */
export function updateRun(
  record: RunRecord,
  patch: Partial<Run>,
  now: number,
): { changes: Change[]; record: RunRecord } {
  const next = { ...record, run: { ...record.run, ...patch, updatedAt: isoTime(now) } };
  const { id, ...set } = rowOf(next);
  const update: Change = { op: 'update', table: 'run', key: { id }, set };
  return { changes: isOpen(next.run) ? [update] : [update, addToIndex('run', id, true)], record: next };
}

function isOpen({ status }: Pick<Run, 'status'>): boolean {
  return OPEN_STATUSES.some((open) => open === status);
}

/** The fields of a run in live events. */
export function liveRunFields(run: Run): Readonly<Record<string, unknown>> {
  const { id, status, waitingFor, limit, until, emailId = null, directorId, agentId, sessionId, trigger } = run;
  const { chatId } = trigger;
  return { id, status, waitingFor, limit, until, emailId, directorId, agentId, sessionId, chatId };
}

/** Names of those that start runs and are no person. */
const PROGRAMS: readonly string[] = ['system', 'mcp'];

/** Whether whoever started or answered a run is a person, and no program. */
export function isPerson(by: string): boolean {
  return !PROGRAMS.includes(by);
}

/** Whether a person wrote the message or the task of a run: no mail, no program such as a model over MCP, and no reminder. */
export function isPersonsMessage({ trigger, startedBy }: Pick<Run, 'trigger' | 'startedBy'>): boolean {
  const isWritten = trigger.kind === 'message' || trigger.kind === 'task';
  return isWritten && isPerson(trigger.by ?? startedBy);
}

/** Whether a person reads the answer of a run while it is written: who wrote to it, or who watches the chat. */
export function isReadLive(run: Pick<Run, 'trigger' | 'startedBy'>): boolean {
  return isPersonsMessage(run) || run.trigger.kind === 'chat';
}

/**
 * Id of what the run is part of, whose runs share private values: its chat, its session, its conversation, or else the run alone.
 */
export function conversationOf(run: Pick<Run, 'id' | 'sessionId' | 'conversationId' | 'trigger'>): string {
  const { kind, chatId } = run.trigger;
  return (kind === 'chat' ? chatId : undefined) ?? run.sessionId ?? run.conversationId ?? run.id;
}

/** Id of the thread that the run works in. */
export function threadOfRun({ sessionId, dirThreadId }: Run): string {
  return sessionId ?? dirThreadId;
}

/** The fields that all entries of a run share. */
export function entryScope({ run, origin }: RunRecord): EntryScope {
  const { email, agent } = origin;
  return {
    runId: run.id,
    director: origin.director,
    ...(agent !== undefined && { agent: { ...agent, threadId: threadOfRun(run) } }),
    emailSummary: email === undefined ? aboutOf(run) : `${email.subject} · ${email.from}`,
    fetchCycleId: run.fetchCycleId,
    dirThreadId: run.dirThreadId,
  };
}
