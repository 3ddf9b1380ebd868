import type { ErrorBody } from '../base/error.ts';

/** How much a line matters; a branch is as bad as the worst line in it. */
export type NodeLevel = 'error' | 'warn' | 'info' | 'debug';

export interface NodeUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  /** US dollars; null where the price is not known. Only where a whole run is summed up. */
  readonly cost?: number | null;
}

/**
 * A node of the diagnostics tree (seed 000, 3.2.0): fetch cycle → director's thread → its entries, provider events and
 * agents' threads by time. Times are ISO 8601.
 */
export interface UnifiedNode {
  /** Id of the cycle, thread, entry or provider event that it stands for. */
  readonly id: string;
  readonly kind: 'cycle' | 'director' | 'agent' | 'entry' | 'event';
  readonly parentId: string | null;
  /** When it was written down; for a cycle or thread, when it began. Siblings are in this order. */
  readonly timestamp: string;
  /** Begin of what `durationMs` measures: a response was asked for, a tool was called earlier than they were noted. */
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
  /** On an agent's thread: the entry of the `agent__x` call that it answers, once that is noted. */
  readonly anchorId?: string;
  /** Set where a run has more lines than are shown. */
  readonly truncated?: true;
  readonly children?: readonly UnifiedNode[];
}

const SEVERITY: Readonly<Record<NodeLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** The worst of some levels, at least `info`. */
export function worstLevel(levels: Iterable<NodeLevel>): NodeLevel {
  let worst: NodeLevel = 'info';
  for (const level of levels) if (SEVERITY[level] > SEVERITY[worst]) worst = level;
  return worst;
}

/** Tokens of several nodes; undefined where none of them used any. */
export function sumUsage(usages: readonly (NodeUsage | undefined)[]): NodeUsage | undefined {
  const known = usages.filter((usage) => usage !== undefined);
  if (known.length === 0) return undefined;
  const cached = known.filter((usage) => usage.cachedInputTokens !== undefined);
  const costs = known.map((usage) => usage.cost).filter((cost) => cost !== undefined);
  return {
    inputTokens: known.reduce((sum, usage) => sum + usage.inputTokens, 0),
    outputTokens: known.reduce((sum, usage) => sum + usage.outputTokens, 0),
    ...(cached.length > 0 && {
      cachedInputTokens: cached.reduce((sum, usage) => sum + (usage.cachedInputTokens ?? 0), 0),
    }),
    // One unknown price makes the sum unknown.
    ...(costs.length > 0 && {
      cost: costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0),
    }),
  };
}

/** Directors' nodes under the cycles that started them, newest first; those that no fetch started stand by themselves. */
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

/** The node of a cycle over those of its runs that are known. */
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

/** Oldest first; what came at the same time keeps its order. */
export function byTime(a: UnifiedNode, b: UnifiedNode): number {
  return a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0;
}
