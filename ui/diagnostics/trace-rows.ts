import type { NodeLevel, UnifiedNode } from '../http/api-types.ts';
import type { TreeEntry } from '../widget/tree.ts';

/** From the worst down. */
export const LEVELS = ['error', 'warn', 'info', 'debug'] as const satisfies readonly NodeLevel[];
export type TraceView = 'grouped' | 'flat';

/** What the tree is narrowed to: lines of this level and worse that hold each of the words. */
export interface TraceFilter {
  readonly level: NodeLevel;
  readonly text: string;
}

/** A row of the Diagnostics tree. */
export interface TraceRow extends TreeEntry {
  readonly node: UnifiedNode;
  /** The run that it belongs to, against which its time is drawn. */
  readonly run: UnifiedNode | undefined;
}

/** Whether a line is of this level or worse, and holds each of the words. */
export function matches(node: UnifiedNode, { level, text }: TraceFilter): boolean {
  if (LEVELS.indexOf(node.level) > LEVELS.indexOf(level)) return false;
  const haystack = `${node.title} ${node.phase ?? ''} ${node.status ?? ''} ${node.error?.code ?? ''} ${node.error?.message ?? ''}`;
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => haystack.toLowerCase().includes(word));
}

/** What failed opens by itself, and so does what a fetch has brought. */
export function isOpenAtFirst({ kind, level, status }: UnifiedNode): boolean {
  return kind === 'cycle' || level === 'error' || status === 'failed';
}

/** The lines that show, top to bottom: as a tree, or what happened by itself, the newest first. */
export function traceRows(
  nodes: readonly UnifiedNode[],
  options: { readonly view: TraceView; readonly filter: TraceFilter; readonly open: ReadonlyMap<string, boolean> },
): readonly TraceRow[] {
  return options.view === 'flat' ? flatRows(nodes, options.filter) : treeRows(nodes, options, 1, undefined);
}

/** A director at work, or an agent for a person: that one has no director above it. */
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

/** A branch stands for what is in it. */
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

/** Ids of the entries in a branch: those are what can be deleted. */
export function entryIds(node: UnifiedNode): string[] {
  return node.kind === 'entry' ? [node.id] : (node.children ?? []).flatMap(entryIds);
}

/** Share of a row in the time of its run, in percent; undefined for the run itself and for what took no time. */
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
