import { computed, signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { FullMail, NodeView, Page, UnifiedNode } from '../http/api-types.ts';
import { go, idsOn } from '../shell/route.ts';
import type { TreeModel } from '../widget/tree.ts';
import { countLevels, entryIds, type TraceFilter, type TraceRow, traceRows, type TraceView } from './trace-rows.ts';

const PAGE_SIZE = 20;
const MAX_PAGE = 200;
/** Most entries that one request may delete. */
const MAX_IDS = 200;

/** The nodes of runs fetched so far, newest first. */
const directors = signal<readonly UnifiedNode[]>([]);
const cycles = signal<ReadonlyMap<string, UnifiedNode>>(new Map());
/** Start of the next page; null when there is none. */
export const tracesCursor = signal<string | null>(null);
/** Why the last fetch failed, if it did. */
export const tracesError = signal<ErrorBody | undefined>(undefined);
/** Whether the first fetch has succeeded. */
export const tracesLoaded = signal(false);

/** Grouped by fetch and thread, or flat. */
export const view = signal<TraceView>('grouped');
/** `clock`: time of day. `elapsed`: time since the run began. */
export type TimeFormat = 'elapsed' | 'clock';
/** The times that the rows show. */
export const times = signal<TimeFormat>('elapsed');
export const filter = signal<TraceFilter>({ level: 'info', text: '' });
/** Ids of the marked entries. */
export const marked = signal<ReadonlySet<string>>(new Set());
const open = signal<ReadonlyMap<string, boolean>>(new Map());

/** Runs under their fetches. Runs that no fetch started are at the top level. */
export const nodes = computed<readonly UnifiedNode[]>(() => {
  const roots: UnifiedNode[] = [];
  const indexes = new Map<string, number>();
  for (const node of directors.value) {
    const cycle = node.parentId === null ? undefined : cycles.value.get(node.parentId);
    if (cycle === undefined) {
      roots.push(node);
      continue;
    }
    const index = indexes.get(cycle.id);
    if (index === undefined) indexes.set(cycle.id, roots.push({ ...cycle, children: [node] }) - 1);
    else roots[index] = { ...cycle, children: [node, ...(roots[index]?.children ?? [])] };
  }
  return roots;
});

export const rows = computed(() =>
  traceRows(nodes.value, { view: view.value, filter: filter.value, open: open.value }),
);
/** Rows of each level in the runs fetched so far. */
export const levelCounts = computed(() => countLevels(nodes.value, filter.value.text));
export const selectedId = computed(() => idsOn('diagnostics')[0] ?? '');
/** Index of the selected row among the visible ones, or -1. */
export const selectedIndex = computed(() => rows.value.findIndex(({ node }) => node.id === selectedId.value));

/** The selected node with its details. */
export const shownNode = createResource((id, signal) =>
  request<NodeView>('GET', path`/api/diagnostics/unified/${id}`, { signal }),
);
/** The e-mail that started the selected node. */
export const shownMail = createResource((id, signal) => request<FullMail>('GET', path`/api/emails/${id}`, { signal }));

/** False until the screen is opened for the first time. */
let isOpened = false;

/** Fetches the shown runs again, or with `more` the next page. Fetches nothing before a call with `open`. */
export async function loadTraces({ more = false, open = false } = {}): Promise<void> {
  isOpened ||= open;
  if (!isOpened) return;
  const limit = more ? PAGE_SIZE : Math.min(MAX_PAGE, Math.max(PAGE_SIZE, directors.value.length));
  const cursor = more ? tracesCursor.value : null;
  const query = new URLSearchParams({ limit: String(limit), ...(cursor !== null && { cursor }) });
  try {
    const page = await request<Page<UnifiedNode>>('GET', `/api/diagnostics/unified?${query}`);
    const heads = page.items.filter(({ kind }) => kind === 'cycle');
    cycles.value = new Map([...cycles.value, ...heads.map(({ children: _runs, ...head }) => [head.id, head] as const)]);
    const fetched = page.items
      .flatMap((node) => (node.kind === 'cycle' ? (node.children ?? []) : [node]))
      .toSorted(newestFirst);
    directors.value = more ? [...directors.value, ...fetched] : fetched;
    tracesCursor.value = page.nextCursor;
    tracesError.value = undefined;
    tracesLoaded.value = true;
  } catch (thrown) {
    tracesError.value = errorOfThrown(thrown);
  }
}

/** Run ids begin with their time of creation, so they sort by time. */
const newestFirst = (a: UnifiedNode, b: UnifiedNode) => ((a.runId ?? '') < (b.runId ?? '') ? 1 : -1);

/** Deletes entries; their runs and threads stay. */
export async function deleteEntries(ids: readonly string[]): Promise<void> {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) await request('DELETE', path`/api/diagnostics/${only}`);
  else
    for (let from = 0; from < ids.length; from += MAX_IDS)
      await request(
        'DELETE',
        `/api/diagnostics?ids=${ids
          .slice(from, from + MAX_IDS)
          .map(encodeURIComponent)
          .join(',')}`,
      );
  marked.value = new Set();
  await loadTraces();
}

/** Opens or closes a branch. */
export function setOpen(id: string, isOpen: boolean): void {
  open.value = new Map(open.value).set(id, isOpen);
}

/** Marks these entries; removes the marks when all of them are marked. */
export function toggleMarks(ids: readonly string[]): void {
  const next = new Set(marked.value);
  const all = ids.every((id) => next.has(id));
  for (const id of ids)
    if (all) next.delete(id);
    else next.add(id);
  marked.value = next;
}

/** The model for the keys of the tree. Moving along the tree adds no entries to the browser's history. */
export const treeModel: TreeModel<TraceRow> = {
  rows,
  index: selectedIndex,
  select: ({ node }) => go('diagnostics', [node.id], { replace: true }),
  setOpen: ({ node }, isOpen) => setOpen(node.id, isOpen),
  mark() {
    const row = rows.value[selectedIndex.value];
    if (row !== undefined) toggleMarks(entryIds(row.node));
  },
};
