import type { Reader } from '../../engine/src/store/store.ts';
import type { AuditLine } from '../../engine/src/trace/audit.ts';
import { type AuditQuery, listAuditRows } from '../../engine/src/trace/audit-list.ts';

/** All audit lines of a store, newest first. */
export async function auditLines(reader: Reader, query: AuditQuery = {}): Promise<AuditLine[]> {
  const rows = await listAuditRows(reader, query, { order: 'desc', after: undefined, limit: 1_000_000 });
  return rows.flatMap((row) => row.line() ?? []);
}
