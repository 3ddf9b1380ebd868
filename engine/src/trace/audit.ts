import { isoTime } from '../base/clock.ts';
import { firstId } from '../base/id.ts';
import type { Redactor } from '../base/redact.ts';
import { bodyOf } from '../store/damaged-row.ts';
import type { Change, Condition, Reader, Row } from '../store/store.ts';

/** Longest summary of arguments or of a result, in characters. */
const MAX_SUMMARY = 500;
const MAX_TARGET = 200;
/** Characters of a text that a summary is made of. */
const MAX_READ = 20_000;

/** A tool call, allowed or not (seed 002, `AgentActionLog`). Times are ISO 8601; summaries have at most 500 characters. */
export interface AuditLine {
  readonly id: string;
  readonly runId: string;
  /** The thread of the caller: the session of an agent, or the thread of a director. */
  readonly sessionId: string;
  /** `''` where an agent works for a person. */
  readonly directorId: string;
  readonly agentId?: string;
  /** `system` or the id of a user. */
  readonly startedBy: string;
  /** Name of the tool. */
  readonly actionType: string;
  /** What the tool does outside our own store. */
  readonly effects: 'none' | 'read' | 'write';
  /** What the call acts on, such as recipients or a path; null where it names nothing. */
  readonly target: string | null;
  readonly inputSummary: string;
  readonly outputSummary: string;
  /** Whether the guards, or a person, let the call happen. */
  readonly wasAllowed: boolean;
  /** The rule or the person that decided, in one sentence. */
  readonly why: string;
  /** The approval by which a person decided. */
  readonly approvalId?: string;
  /** Milliseconds from the start of the call to its result; 0 for a call that was not allowed. */
  readonly executionTimeMs: number;
  readonly createdAt: string;
}

/** An audit line before it is stored. */
export interface NewAuditLine extends Omit<AuditLine, 'target' | 'inputSummary' | 'outputSummary' | 'createdAt'> {
  readonly target?: string | undefined;
  readonly input: unknown;
  readonly output: unknown;
}

/** The change that stores an audit line, with secrets redacted. `at` is its time in epoch milliseconds. */
export function auditChange(line: NewAuditLine, at: number, redactor: Pick<Redactor, 'text'>): Change {
  const { id, runId, sessionId, target, input, output, why, ...rest } = line;
  const body = {
    ...rest,
    sessionId,
    why: cut(redactor.text(why), MAX_SUMMARY),
    target: target === undefined ? null : cut(redactor.text(target), MAX_TARGET),
    inputSummary: summaryOf(input, redactor),
    outputSummary: summaryOf(output, redactor),
  };
  return { op: 'insert', table: 'audit', row: { id, run: runId, at, body: JSON.stringify(body) } };
}

/** Which lines to list: of these runs, from this time on (epoch milliseconds). */
export interface AuditQuery {
  readonly runIds?: readonly string[] | undefined;
  readonly since?: number | undefined;
}

/** Rows of audit lines by their id, oldest or newest first. */
export function listAuditRows(
  reader: Reader,
  { runIds, since }: AuditQuery,
  page: { readonly order: 'asc' | 'desc'; readonly after: string | undefined; readonly limit: number },
): Promise<Row<'audit'>[]> {
  const { order, after, limit } = page;
  const where: Condition<'audit'>[] = [];
  if (runIds !== undefined) where.push(['run', 'in', runIds]);
  if (since !== undefined) where.push(['id', '>=', firstId('aud', since)]);
  if (after !== undefined) where.push(['id', order === 'asc' ? '>' : '<', after]);
  return reader.list('audit', { where, order: [['id', order]], limit });
}

/** The line of a row. `STORE_DAMAGED` where its body cannot be read. */
export function auditLineOf(row: Row<'audit'>): AuditLine {
  const body = bodyOf<Omit<AuditLine, 'id' | 'runId' | 'createdAt'>>('audit', row);
  return { id: row.id, runId: row.run, ...body, createdAt: isoTime(row.at) };
}

function summaryOf(value: unknown, redactor: Pick<Redactor, 'text'>): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  // More than the summary, so that a secret at its end is still whole when it is redacted.
  return cut(redactor.text(text.slice(0, MAX_READ)), MAX_SUMMARY);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
