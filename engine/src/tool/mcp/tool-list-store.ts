import { bodyOf } from '../../store/damaged-row.ts';
import type { Change, Reader, Row, Store } from '../../store/store.ts';
import type { RemoteTool, ToolList } from './remote-tools.ts';

/** Rows deleted at a time. */
const BATCH = 50;

/** The list that a server sent last; undefined where it never did. */
export async function readLatestList(reader: Reader, server: string): Promise<ToolList | undefined> {
  const [row] = await reader.list('toolList', { where: [['server', '=', server]], order: [['at', 'desc']], limit: 1 });
  return row === undefined ? undefined : listOf(row);
}

/** A list by its hash. */
export async function readList(reader: Reader, hash: string): Promise<ToolList | undefined> {
  const row = await reader.get('toolList', { hash });
  return row === undefined ? undefined : listOf(row);
}

/** The change that stores a list, or notes that the server has sent it again. */
export function keepList(server: string, { hash, tools }: ToolList, at: number): Change {
  return { op: 'put', table: 'toolList', row: { hash, server, at, body: JSON.stringify({ tools }) } };
}

/** Deletes lists that no server has sent since `beforeMs`, in small commits. */
export async function deleteToolLists(store: Store, beforeMs: number): Promise<void> {
  for (;;) {
    const rows = await store.list('toolList', { where: [['at', '<', beforeMs]], limit: BATCH, bodies: false });
    if (rows.length === 0) return;
    await store.apply(rows.map(({ hash }) => ({ op: 'delete', table: 'toolList', where: { hash } })));
  }
}

function listOf(row: Row<'toolList'>): ToolList {
  return { hash: row.hash, tools: bodyOf<{ readonly tools: readonly RemoteTool[] }>('toolList', row).tools };
}
