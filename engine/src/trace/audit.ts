import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { firstId } from '../base/id.ts';
import type { Redactor } from '../base/redact.ts';
import { bodyOf, isDamage } from '../store/damaged-row.ts';
import type { Change, Row, Store } from '../store/store.ts';
import type { AuditPart, EntryBody } from './entry.ts';

/** Longest summary of arguments or of a result, in characters. */
const MAX_SUMMARY = 500;
const MAX_TARGET = 200;

/** A tool call, allowed or not (seed 002, `AgentActionLog`). Times are ISO 8601; summaries have at most 500 characters. */
export interface AuditLine extends AuditPart {
  readonly id: string;
  readonly runId: string;
  /** Name of the tool. */
  readonly actionType: string;
  readonly inputSummary: string;
  readonly outputSummary: string;
  /** The rule or the person that decided, in one sentence. */
  readonly why: string;
  readonly createdAt: string;
}

/** An audit part with whole texts. */
export interface NewAuditPart extends Omit<AuditPart, 'target' | 'why'> {
  readonly target: string | undefined;
  readonly why: string | undefined;
}

/** The audit part of an entry, with secrets redacted and long texts cut. */
export function auditPart({ target, why, ...rest }: NewAuditPart, redactor: Pick<Redactor, 'text'>): AuditPart {
  return {
    ...rest,
    target: target === undefined ? null : cut(redactor.text(target), MAX_TARGET),
    ...(why !== undefined && { why: cut(redactor.text(why), MAX_SUMMARY) }),
  };
}

/** The audit line that an entry has; undefined for one that is not about a decision. `STORE_DAMAGED` where its body cannot be read. */
export function auditLineIn(row: Row<'entry'>): AuditLine | undefined {
  const { audit, detail, error, ...body } = bodyOf<EntryBody>('entry', row);
  if (audit === undefined) return undefined;
  return {
    id: `${row.scope}.${row.seq}`,
    runId: row.scope,
    actionType: detail.tool ?? '',
    inputSummary: summaryOf(detail.request),
    outputSummary: summaryOf('result' in body ? body.result : error && { error }),
    ...audit,
    why: audit.why ?? cut(error?.message ?? '', MAX_SUMMARY),
    createdAt: isoTime(row.at),
  };
}

/**
 * The line of a row of its own: one that an older version wrote, or one whose entry was deleted. `STORE_DAMAGED` where its body
 * cannot be read.
 */
export function auditLineOf(row: Row<'audit'>): AuditLine {
  const body = bodyOf<Omit<AuditLine, 'id' | 'runId' | 'createdAt'>>('audit', row);
  return { id: row.id, runId: row.run, ...body, createdAt: isoTime(row.at) };
}

/** Times that entries are looked for again, while others delete them. */
const MAX_TRIES = 10;

/**
 * Deletes the entries that `find` finds, and returns them. Their audit lines stay, in rows of their own. An entry that was deleted meanwhile, with its
 * run, leaves none. `STORE_CONFLICT` if that happens ten times.
 */
export async function deleteEntries(store: Store, find: () => Promise<Row<'entry'>[]>): Promise<Row<'entry'>[]> {
  for (let tries = 1; ; tries++) {
    const found = await find();
    try {
      await store.apply(found.flatMap(deleteEntry));
      return found;
    } catch (error) {
      const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isConflict || tries === MAX_TRIES) throw error;
    }
  }
}

/** The changes that delete an entry that is there. Its audit line stays, unless the entry cannot be read. */
function deleteEntry(row: Row<'entry'>): Change[] {
  const { scope, seq, at } = row;
  const isThere: Change = { op: 'update', table: 'entry', key: { scope, seq }, set: { at } };
  const forget: Change = { op: 'delete', table: 'entry', where: { scope, seq } };
  const line = readableLine(row);
  if (line === undefined) return [forget];
  const { id, runId: run, createdAt: _at, ...body } = line;
  // Sorts by the time of the call, like the ids of other lines.
  const own = { id: `${firstId('aud', at)}_${id}`, run, at, body: JSON.stringify(body) };
  return [isThere, forget, { op: 'put', table: 'audit', row: own }];
}

function readableLine(row: Row<'entry'>): AuditLine | undefined {
  try {
    return auditLineIn(row);
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function summaryOf(value: unknown): string {
  return cut(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), MAX_SUMMARY);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
