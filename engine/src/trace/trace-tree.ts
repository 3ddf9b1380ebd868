import type { ErrorBody } from '../base/error.ts';
import { addCost } from '../budget/budget.ts';

/** Severity of a node; a parent has the highest severity of its children. */
export type NodeLevel = 'error' | 'warn' | 'info' | 'debug';

/** Tokens and cost: of an answer, or the sum below a node. */
export interface NodeUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  /** US dollars; null if the price is not known. Absent in answers that older versions stored. */
  readonly cost?: number | null;
}

/**
 * A node of the diagnostics tree (seed 000, 3.2.0): fetch cycle → director's thread → its entries, provider events and
 * agents' threads, in order of time. Times are ISO 8601.
 */
export interface UnifiedNode {
  /** Id of the cycle, thread, entry or provider event that the node represents. */
  readonly id: string;
  readonly kind: 'cycle' | 'director' | 'agent' | 'entry' | 'event';
  readonly parentId: string | null;
  /** When the entry or event was stored; for a cycle or thread, when it began. Siblings are sorted by it. */
  readonly timestamp: string;
  /** Start of `durationMs`: a request was sent, or a tool called, before its response or entry was stored. */
  readonly startedAt: string;
  readonly title: string;
  readonly level: NodeLevel;
  readonly status?: string;
  readonly durationMs?: number;
  readonly usage?: NodeUsage;
  readonly error?: ErrorBody;
  /** `director | agent | tool | result` of an entry, `request | response | error` of an event. */
  readonly phase?: string;
  readonly runId?: string;
  readonly emailId?: string;
  /** On an agent's thread: the entry of the `agent__x` call that it answers, once that entry is stored. */
  readonly anchorId?: string;
  /** Set if the run has more entries or events than the tree shows. */
  readonly truncated?: true;
  readonly children?: readonly UnifiedNode[];
}

const SEVERITY: Readonly<Record<NodeLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** The highest severity of some levels, at least `info`. */
export function worstLevel(levels: Iterable<NodeLevel>): NodeLevel {
  let worst: NodeLevel = 'info';
  for (const level of levels) if (SEVERITY[level] > SEVERITY[worst]) worst = level;
  return worst;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** Adds up the usage of several nodes; undefined if none of them has any. */
export function sumUsage(usages: readonly (NodeUsage | undefined)[]): NodeUsage | undefined {
  const known = usages.filter((usage) => usage !== undefined);
  if (known.length === 0) return undefined;
  const cached = known.map((usage) => usage.cachedInputTokens).filter((tokens) => tokens !== undefined);
  const costs = known.map((usage) => usage.cost).filter((cost) => cost !== undefined);
  return {
    inputTokens: sum(known.map((usage) => usage.inputTokens)),
    outputTokens: sum(known.map((usage) => usage.outputTokens)),
    ...(cached.length > 0 && { cachedInputTokens: sum(cached) }),
    // One unknown price makes the sum unknown.
    ...(costs.length > 0 && { cost: costs.reduce<number | null>(addCost, 0) }),
  };
}

/**
 * Puts directors' nodes under the cycles that started them, in the given order; nodes without a cycle stay at the top.
 */
export function groupByCycle(
  directors: readonly { readonly cycleId: string; readonly node: UnifiedNode }[],
): UnifiedNode[] {
  const tops: { id: string; nodes: UnifiedNode[] }[] = [];
  const cycles = new Map<string, { id: string; nodes: UnifiedNode[] }>();
  for (const { cycleId, node } of directors) {
    const known = cycleId === '' ? undefined : cycles.get(cycleId);
    if (known !== undefined) {
      known.nodes.push(node);
      continue;
    }
    const top = { id: cycleId, nodes: [node] };
    if (cycleId !== '') cycles.set(cycleId, top);
    tops.push(top);
  }
  return tops.flatMap(({ id, nodes }) => (id === '' ? nodes : [cycleNode(id, nodes)]));
}

/** Creates the node of a cycle from the nodes of its known runs. */
export function cycleNode(id: string, directors: readonly UnifiedNode[]): UnifiedNode {
  const children = directors.toSorted(byTime).map((node) => ({ ...node, parentId: id }));
  const first = children[0]?.timestamp ?? '';
  const ends = children.map((node) => Date.parse(node.startedAt) + (node.durationMs ?? 0));
  const isOpen = children.some((node) => node.durationMs === undefined);
  const usage = sumUsage(children.map((node) => node.usage));
  return {
    id,
    kind: 'cycle',
    parentId: null,
    timestamp: first,
    startedAt: first,
    title: `fetch · ${children.length} ${children.length === 1 ? 'run' : 'runs'}`,
    level: worstLevel(children.map((node) => node.level)),
    ...(!isOpen && first !== '' && { durationMs: Math.max(...ends) - Date.parse(first) }),
    ...(usage !== undefined && { usage }),
    children,
  };
}

/** Comparison for sorting by time, oldest first; nodes of the same time keep their order. */
export function byTime(a: UnifiedNode, b: UnifiedNode): number {
  return a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0;
}
