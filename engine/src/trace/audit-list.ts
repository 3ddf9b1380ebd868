import { setImmediate } from 'node:timers/promises';
import { firstId } from '../base/id.ts';
import { isRecord } from '../base/json.ts';
import { FIRST_ROWS, rowsOfStep } from '../store/bounded-list.ts';
import type { Condition, Reader, Row } from '../store/store.ts';
import { type AuditLine, auditLineIn, auditLineOf } from './audit.ts';

/** Entries of one read, at most: with the longest results some 30 ms, and after short ones nobody knows how long the next are. */
const MAX_STEP = 12;

/** Which lines to list: of these runs, from this time on (epoch milliseconds). */
export interface AuditQuery {
  readonly runIds?: readonly string[] | undefined;
  readonly since?: number | undefined;
}

/** A row that may have an audit line. */
export interface AuditRow {
  /** The place of the row in its list: what `after` takes. */
  readonly id: string;
  /** Characters of the row. */
  readonly size: number;
  /** The line; undefined for an entry that has none. `STORE_DAMAGED`. */
  readonly line: () => AuditLine | undefined;
}

/** The last row seen of each kind. */
interface Place {
  readonly entry?: Pick<Row<'entry'>, 'at' | 'scope' | 'seq'>;
  readonly own?: string;
}

interface ListPage {
  readonly order: 'asc' | 'desc';
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * Reads entries and audit lines in rows of their own, merged by their time: of all runs newest first, or of some runs in the order of
 * their entries.
 */
export async function listAuditRows(reader: Reader, query: AuditQuery, page: ListPage): Promise<AuditRow[]> {
  const { order, limit } = page;
  const after = readPlace(page.after);
  const [entries, own] = await Promise.all([
    inSteps(limit, (last, count) =>
      query.runIds === undefined
        ? recentEntries(reader, query, last ?? after.entry, count)
        : entriesOf(reader, { ...query, runIds: query.runIds }, { after: last ?? after.entry, order, limit: count }),
    ),
    ownRows(reader, query, { after: after.own, order, limit }),
  ]);
  const isFirst = (entry: Row<'entry'>, row: Row<'audit'>) =>
    order === 'asc' ? entry.at <= row.at : entry.at >= row.at;
  const rows: AuditRow[] = [];
  let place = after;
  for (let e = 0, o = 0; rows.length < limit;) {
    const [entry, row] = [entries[e], own[o]];
    if (entry !== undefined && (row === undefined || isFirst(entry, row))) {
      e++;
      const { at, scope, seq } = entry;
      place = { ...place, entry: { at, scope, seq } };
      rows.push({ id: JSON.stringify(place), size: entry.body.length, line: once(() => auditLineIn(entry)) });
    } else if (row !== undefined) {
      o++;
      place = { ...place, own: row.id };
      rows.push({ id: JSON.stringify(place), size: row.body.length, line: () => auditLineOf(row) });
    } else break;
  }
  return rows;
}

/** Parses a line when it is first asked for: a page asks when it chooses its rows, one by one, and again when it is written. */
function once(read: () => AuditLine | undefined): AuditRow['line'] {
  let known: { readonly line: AuditLine | undefined } | undefined;
  return () => (known ??= { line: read() }).line;
}

/** Reads entries a few at a time, since one may have a long result, with other work in between. */
async function inSteps(
  limit: number,
  read: (last: Row<'entry'> | undefined, count: number) => Promise<Row<'entry'>[]>,
): Promise<Row<'entry'>[]> {
  const rows: Row<'entry'>[] = [];
  for (let step = FIRST_ROWS; rows.length < limit;) {
    const count = Math.min(step, limit - rows.length);
    const some = await read(rows.at(-1), count);
    rows.push(...some);
    if (some.length < count) break;
    step = rowsOfStep(some, MAX_STEP);
    await setImmediate();
  }
  return rows;
}

/** Entries of all runs, newest first. */
async function recentEntries(
  reader: Reader,
  { since }: AuditQuery,
  after: Place['entry'],
  limit: number,
): Promise<Row<'entry'>[]> {
  const from: Condition<'entry'>[] = since === undefined ? [] : [['at', '>=', since]];
  // What is left of the run and of the millisecond of the cursor, then all that is older.
  const parts: Condition<'entry'>[][] =
    after === undefined
      ? [from]
      : [
          [...from, ['at', '=', after.at], ['scope', '=', after.scope], ['seq', '<', after.seq]],
          [...from, ['at', '=', after.at], ['scope', '<', after.scope]],
          [...from, ['at', '<', after.at]],
        ];
  const rows: Row<'entry'>[] = [];
  for (const where of parts)
    if (rows.length < limit)
      rows.push(
        ...(await reader.list('entry', {
          where,
          order: [
            ['at', 'desc'],
            ['scope', 'desc'],
            ['seq', 'desc'],
          ],
          limit: limit - rows.length,
        })),
      );
  return rows;
}

/** Entries of some runs, run by run. */
async function entriesOf(
  reader: Reader,
  { runIds, since }: AuditQuery & { readonly runIds: readonly string[] },
  { after, order, limit }: { readonly after: Place['entry']; readonly order: 'asc' | 'desc'; readonly limit: number },
): Promise<Row<'entry'>[]> {
  // The run of the cursor may have been deleted since.
  const left = runIds.filter((id) => after === undefined || (order === 'asc' ? id >= after.scope : id <= after.scope));
  const rows: Row<'entry'>[] = [];
  for (const scope of order === 'asc' ? left.toSorted() : left.toSorted().reverse()) {
    if (rows.length >= limit) break;
    const where: Condition<'entry'>[] = [['scope', '=', scope]];
    if (after?.scope === scope) where.push(['seq', order === 'asc' ? '>' : '<', after.seq]);
    if (since !== undefined) where.push(['at', '>=', since]);
    rows.push(...(await reader.list('entry', { where, order: [['seq', order]], limit: limit - rows.length })));
  }
  return rows;
}

/** Lines in rows of their own, by their id. */
function ownRows(
  reader: Reader,
  { runIds, since }: AuditQuery,
  {
    after,
    order,
    limit,
  }: { readonly after: string | undefined; readonly order: 'asc' | 'desc'; readonly limit: number },
): Promise<Row<'audit'>[]> {
  const where: Condition<'audit'>[] = [];
  if (runIds !== undefined) where.push(['run', 'in', runIds]);
  if (since !== undefined) where.push(['id', '>=', firstId('aud', since)]);
  if (after !== undefined) where.push(['id', order === 'asc' ? '>' : '<', after]);
  return reader.list('audit', { where, order: [['id', order]], limit });
}

/** A place that a row of the list had. The list reads from its beginning where the text is none. */
function readPlace(text: string | undefined): Place {
  if (text === undefined) return {};
  const { entry, own } = parse(text);
  return {
    ...(isRecord(entry) && {
      entry: { at: Number(entry['at']), scope: String(entry['scope']), seq: Number(entry['seq']) },
    }),
    ...(typeof own === 'string' && { own }),
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
