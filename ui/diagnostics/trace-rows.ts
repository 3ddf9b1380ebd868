import type { NodeLevel, UnifiedNode } from '../http/api-types.ts';
import type { TreeEntry } from '../widget/tree.ts';

/** All levels, the most severe first. */
export const LEVELS = ['error', 'warn', 'info', 'debug'] as const satisfies readonly NodeLevel[];
export type TraceView = 'grouped' | 'flat';

/** Filter of the tree: rows of this level or a more severe one that contain every word. */
export interface TraceFilter {
  readonly level: NodeLevel;
  readonly text: string;
}

/** A row of the Diagnostics tree. */
export interface TraceRow extends TreeEntry {
  readonly node: UnifiedNode;
  /** The run that it belongs to; the bar shows its time relative to this run. */
  readonly run: UnifiedNode | undefined;
}

/** Whether a node passes the filter. */
export function matches(node: UnifiedNode, { level, text }: TraceFilter): boolean {
  if (LEVELS.indexOf(node.level) > LEVELS.indexOf(level)) return false;
  const haystack = `${node.title} ${node.phase ?? ''} ${node.status ?? ''} ${node.error?.code ?? ''} ${node.error?.message ?? ''}`;
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => haystack.toLowerCase().includes(word));
}

/** How many entries and provider events of each level contain every word of the filter. */
export function countLevels(nodes: readonly UnifiedNode[], text: string): Readonly<Record<NodeLevel, number>> {
  const counts = { error: 0, warn: 0, info: 0, debug: 0 };
  const walk = (node: UnifiedNode): void => {
    if ((node.kind === 'entry' || node.kind === 'event') && matches(node, { level: 'debug', text }))
      counts[node.level]++;
    node.children?.forEach(walk);
  };
  nodes.forEach(walk);
  return counts;
}

/** Whether a node is open before anybody opens or closes it: fetches, and everything that failed. */
export function isOpenAtFirst({ kind, level, status }: UnifiedNode): boolean {
  return kind === 'cycle' || level === 'error' || status === 'failed';
}

/** The visible rows, top to bottom: a tree, or in the flat view only entries and provider events, newest first. */
export function traceRows(
  nodes: readonly UnifiedNode[],
  options: { readonly view: TraceView; readonly filter: TraceFilter; readonly open: ReadonlyMap<string, boolean> },
): readonly TraceRow[] {
  return options.view === 'flat' ? flatRows(nodes, options.filter) : treeRows(nodes, options, 1, undefined);
}

/** Whether a node is a whole run: a director, or an agent that a person called (it has no director above it). */
function isRun({ kind, parentId }: UnifiedNode): boolean {
  return kind === 'director' || (kind === 'agent' && parentId === null);
}

function treeRows(
  nodes: readonly UnifiedNode[],
  options: Parameters<typeof traceRows>[1],
  level: number,
  run: UnifiedNode | undefined,
): TraceRow[] {
  const shown = nodes.filter((node) => isShown(node, options.filter));
  return shown.flatMap((node, i) => {
    const own = isRun(node) ? node : run;
    const children = (node.children ?? []).filter((child) => isShown(child, options.filter));
    const isOpen = options.open.get(node.id) ?? isOpenAtFirst(node);
    const isLeaf = children.length === 0;
    const row = { node, level, position: i + 1, siblings: shown.length, isOpen, isLeaf, run: own };
    return isOpen && !isLeaf ? [row, ...treeRows(children, options, level + 1, own)] : [row];
  });
}

/** Whether the node or anything below it passes the filter. */
function isShown(node: UnifiedNode, filter: TraceFilter): boolean {
  return matches(node, filter) || (node.children ?? []).some((child) => isShown(child, filter));
}

function flatRows(nodes: readonly UnifiedNode[], filter: TraceFilter): TraceRow[] {
  const lines: { node: UnifiedNode; run: UnifiedNode | undefined }[] = [];
  const walk = (node: UnifiedNode, run: UnifiedNode | undefined): void => {
    const own = isRun(node) ? node : run;
    if ((node.kind === 'entry' || node.kind === 'event') && matches(node, filter)) lines.push({ node, run: own });
    for (const child of node.children ?? []) walk(child, own);
  };
  for (const node of nodes) walk(node, undefined);
  lines.sort((a, b) => (a.node.timestamp < b.node.timestamp ? 1 : a.node.timestamp > b.node.timestamp ? -1 : 0));
  const siblings = lines.length;
  return lines.map(({ node, run }, i) => ({
    ...{ node, run, level: 1, position: i + 1, siblings, isOpen: false, isLeaf: true },
  }));
}

/** Ids of all entries in a branch. Only entries can be deleted. */
export function entryIds(node: UnifiedNode): string[] {
  return node.kind === 'entry' ? [node.id] : (node.children ?? []).flatMap(entryIds);
}

/** Start and length of a row within its run, in percent; undefined for the run itself and without a duration. */
export function barOf(
  { node, run }: Pick<TraceRow, 'node' | 'run'>,
  nowMs: number,
): { from: number; size: number } | undefined {
  if (run === undefined || run === node || node.durationMs === undefined) return undefined;
  const begin = Date.parse(run.startedAt);
  const whole = Math.max(1, run.durationMs ?? nowMs - begin);
  const from = Math.min(100, Math.max(0, (100 * (Date.parse(node.startedAt) - begin)) / whole));
  return { from, size: Math.min(100 - from, (100 * node.durationMs) / whole) };
}
