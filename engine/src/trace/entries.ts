import { isoTime } from '../base/clock.ts';
import { type Redactor, redactValue } from '../base/redact.ts';
import type { Change, Reader, Row } from '../store/store.ts';
import type { EntryBody, OrchestrationEntry } from './entry.ts';
import { bodyOf } from '../store/damaged-row.ts';

/** Fields that all entries of a run share; stored once, in the run. */
export interface EntryScope {
  readonly runId: string;
  /** Both are `''` if an agent works for a person. */
  readonly director: { readonly id: string; readonly name: string };
  /** The agent that works for a person. Agents that a director asks are named in the entries instead. */
  readonly agent?: { readonly id: string; readonly name: string; readonly threadId: string };
  readonly emailSummary: string;
  readonly fetchCycleId: string;
  readonly dirThreadId: string;
}

/** A larger entry keeps only the beginning of its long texts, in characters. The transcript and the item have all of them. */
const MAX_ENTRY = 100_000;
const MAX_TEXT = 20_000;

/** The change that appends an entry, with secrets redacted and long texts cut; `seq` counts from 1 within the run. */
export function entryChange(
  runId: string,
  seq: number,
  at: number,
  given: EntryBody,
  redactor: Pick<Redactor, 'text'>,
): Change {
  const whole = JSON.stringify(given);
  const json = whole.length > MAX_ENTRY ? JSON.stringify(given, cutText) : whole;
  const body = json === whole ? given : (JSON.parse(json) as EntryBody);
  // Only test the whole JSON text: if a secret equals a key or a word of ours, redacting all of it would break the
  // entry.
  const isClean = redactor.text(json) === json;
  return {
    op: 'insert',
    table: 'entry',
    row: { scope: runId, seq, at, body: isClean ? json : JSON.stringify(redactBody(body, redactor)) },
  };
}

function cutText(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
  return `${value.slice(0, MAX_TEXT)} … [cut: ${MAX_TEXT} of ${value.length} characters]`;
}

function redactBody({ detail, result, error, ...body }: EntryBody, redactor: Pick<Redactor, 'text'>): EntryBody {
  // A secret of digits may be a part of a number: what is left of it is text.
  const digits = (_key: string, value: unknown) => {
    const text = typeof value === 'number' ? redactor.text(String(value)) : undefined;
    return text === undefined || text === String(value) ? value : text;
  };
  const clean = <T>(value: T): T => redactValue(redactor, JSON.parse(JSON.stringify(value, digits)) as T);
  return {
    ...body,
    detail: { ...detail, ...(detail.request !== undefined && { request: clean(detail.request) }) },
    ...(result !== undefined && { result: clean(result) }),
    ...(error !== undefined && { error: { ...error, message: redactor.text(error.message) } }),
  };
}

/** `seq` of the newest entry of a run, or 0. */
export async function lastEntrySeq(reader: Reader, runId: string): Promise<number> {
  const [row] = await reader.list('entry', {
    where: [['scope', '=', runId]],
    order: [['seq', 'desc']],
    limit: 1,
    bodies: false,
  });
  return row?.seq ?? 0;
}

/** Reads a page of a run's entries in order, each with all fields that seed 000, 3.2.0c requires. */
export async function listEntries(
  reader: Reader,
  scope: EntryScope,
  page: { after?: number; limit?: number } = {},
): Promise<OrchestrationEntry[]> {
  const rows = await reader.list('entry', {
    where: [
      ['scope', '=', scope.runId],
      ['seq', '>', page.after ?? 0],
    ],
    order: [['seq', 'asc']],
    ...(page.limit !== undefined && { limit: page.limit }),
  });
  return rows.map((row) => expand(scope, row));
}

/** Reads one entry; undefined if it does not exist. */
export async function readEntry(
  reader: Reader,
  scope: EntryScope,
  seq: number,
): Promise<OrchestrationEntry | undefined> {
  const row = await reader.get('entry', { scope: scope.runId, seq });
  return row === undefined ? undefined : expand(scope, row);
}

/** `seq` of an entry within its run. */
export function entrySeq({ id }: Pick<OrchestrationEntry, 'id'>): number {
  return Number(id.slice(id.lastIndexOf('.') + 1));
}

function expand(scope: EntryScope, row: Row<'entry'>): OrchestrationEntry {
  const body = bodyOf<EntryBody>('entry', row);
  const agent = body.agent ?? scope.agent;
  return {
    id: `${row.scope}.${row.seq}`,
    timestamp: isoTime(row.at),
    runId: scope.runId,
    director: scope.director.id,
    directorName: scope.director.name,
    agent: agent?.id ?? '',
    agentName: agent?.name ?? '',
    emailSummary: scope.emailSummary,
    phase: body.phase,
    fetchCycleId: scope.fetchCycleId,
    dirThreadId: scope.dirThreadId,
    agentThreadId: agent?.threadId ?? '',
    detail: body.detail,
    ...(body.result !== undefined && { result: body.result }),
    ...(body.error !== undefined && { error: body.error }),
  };
}
