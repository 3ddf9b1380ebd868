import { setImmediate } from 'node:timers/promises';
import { firstId, timeOfId } from '../../../base/id.ts';
import { EngineError } from '../../../base/error.ts';
import { entryScope, recordOf, type RunRecord } from '../../../run/run.ts';
import { readThread, type ThreadRecord, viewThread } from '../../../run/thread.ts';
import { readRunTree } from '../../../run/run-trace.ts';
import type { Store } from '../../../store/store.ts';
import { readEntry } from '../../../trace/entries.ts';
import { readEvent } from '../../../trace/provider-events.ts';
import { cycleNode, type UnifiedNode } from '../../../trace/trace-tree.ts';
import type { AddRoutes, Services } from '../../api.ts';
import { reading } from '../../http/reading.ts';
import { tracePage } from './trace-list.ts';

/** Largest number of runs read to find those of one cycle. */
const MAX_LOOKED_AT = 2000;
const BATCH = 100;

/** A node with its record: the entry, the event with the exact request, the run, or the thread. */
export interface NodeView extends UnifiedNode {
  readonly detail: unknown;
}

/**
 * `GET /api/diagnostics/unified` (`?runId=`, `?emailId=`, `?directorId=`, `?status=`; `limit` counts runs, 20 by default)
 * · `GET /api/diagnostics/unified/:nodeId`. The tree is paged by run, newest first. A cycle whose runs
 * span several pages is on each of them, with the same id.
 */
export const traceRoutes: AddRoutes = (router, services) => {
  router.get(
    '/diagnostics/unified',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await tracePage(deps, ctx);
    }),
  );
  router.get(
    '/diagnostics/unified/:nodeId',
    reading(services, async ({ deps }, ctx) => {
      const id = String(ctx.params['nodeId']);
      const view = await findNode(deps, id);
      if (view === undefined) throw new EngineError('NOT_FOUND', `no diagnostics node "${id}"`);
      ctx.body = view;
    }),
  );
};

async function findNode({ store, clock }: Services['deps'], id: string): Promise<NodeView | undefined> {
  const dot = id.lastIndexOf('.');
  if (dot > 0) return findLine(store, id, id.slice(0, dot), Number(id.slice(dot + 1)));
  // A session has a node for each message, with the id of its run.
  const thread = (await readThread(store, id)) ?? (await threadOfMessage(store, id));
  if (thread === undefined) return findCycle(store, id);
  const record = await findRun(store, thread.id === id ? thread.runId : id);
  if (record === undefined) return undefined;
  const node = pick(await readRunTree(store, record), id);
  const view = await viewThread(store, thread, { messages: true, now: clock.now() });
  const isRoot = thread.kind === 'director' || thread.id !== id;
  return node && { ...node, detail: isRoot ? { run: record.run, thread: view } : { thread: view } };
}

async function threadOfMessage(store: Store, runId: string): Promise<ThreadRecord | undefined> {
  const sessionId = (await findRun(store, runId))?.run.sessionId;
  return sessionId === undefined ? undefined : readThread(store, sessionId);
}

/** The id of an entry is its run and number, that of an event its thread and number. */
async function findLine(store: Store, id: string, head: string, seq: number): Promise<NodeView | undefined> {
  if (!Number.isSafeInteger(seq) || seq < 1) return undefined;
  const thread = await readThread(store, head);
  const event = thread === undefined ? undefined : await readEvent(store, head, seq);
  const record = await findRun(store, thread === undefined ? head : (event?.runId ?? thread.runId));
  if (record === undefined) return undefined;
  const entry = thread === undefined ? await readEntry(store, entryScope(record), seq) : undefined;
  const node = pick(await readRunTree(store, record), id);
  if (node === undefined || (entry === undefined && event === undefined)) return undefined;
  return { ...node, detail: entry === undefined ? { event } : { entry } };
}

async function findCycle(store: Store, id: string): Promise<NodeView | undefined> {
  const began = timeOfId(id);
  if (Number.isNaN(began)) return undefined;
  const nodes: UnifiedNode[] = [];
  let after = firstId('run', began);
  for (let looked = 0; looked < MAX_LOOKED_AT; looked += BATCH) {
    const rows = await store.list('run', { where: [['id', '>', after]], order: [['id', 'asc']], limit: BATCH });
    for (const row of rows) {
      const record = recordOf(row);
      if (record.run.fetchCycleId !== id) continue;
      const { children: _lines, ...node } = await readRunTree(store, record);
      nodes.push(node);
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < BATCH) break;
    await setImmediate();
  }
  if (nodes.length === 0) return undefined;
  return { ...cycleNode(id, nodes), detail: { fetchCycleId: id, runIds: nodes.map(({ runId }) => runId) } };
}

async function findRun(store: Store, id: string): Promise<RunRecord | undefined> {
  const row = await store.get('run', { id });
  return row === undefined ? undefined : recordOf(row);
}

/** Finds the node with this id in a tree. */
function pick(node: UnifiedNode, id: string): UnifiedNode | undefined {
  if (node.id === id) return node;
  for (const child of node.children ?? []) {
    const found = pick(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}
