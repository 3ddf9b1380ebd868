import type { UnifiedNode } from '../../trace/trace-tree.ts';
import { oneLine } from './table.ts';

const COLORS = { error: '31', warn: '33', info: '', debug: '90' } as const;
const DIM = '90';
/** Kind of an entry that only marks a state. */
const MARK = '·';

type Paint = (code: string, text: string) => string;

/** Formats a diagnostics tree for a terminal: time, kind, title, duration, tokens; an error below the failed node. */
export function formatTree(nodes: readonly UnifiedNode[], options: { readonly color: boolean }): string {
  const paint = painter(options.color);
  const lines: string[] = [];
  const walk = (node: UnifiedNode, depth: number): void => {
    // A request is shown with its answer; only an unanswered request has a line of its own.
    if (node.phase !== 'request' || node.status !== undefined) lines.push(...linesOf(node, { depth, paint }));
    for (const child of node.children ?? []) walk(child, depth + 1);
    if (node.truncated === true) lines.push(truncatedLine(node, depth));
  };
  for (const node of nodes) walk(node, 0);
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * Formats what is new in a diagnostics tree, one line when a step has ended: answers of models, tool calls, agents that began.
 * `seen` contains the ids of printed nodes and is extended. With `isBrief`, entries that only mark a state are left out.
 */
export function formatNewSteps(
  nodes: readonly UnifiedNode[],
  seen: Set<string>,
  options: { readonly color: boolean; readonly isBrief: boolean },
): string {
  const paint = painter(options.color);
  const lines: string[] = [];
  const walk = (node: UnifiedNode, depth: number): void => {
    const isHidden = options.isBrief && (depth === 0 || kindOf(node) === MARK);
    if (!seen.has(node.id) && node.phase !== 'request') {
      seen.add(node.id);
      // A thread is printed when it begins: its duration and its usage are not known yet.
      const { durationMs: _ms, usage: _usage, status: _status, error: _error, ...begun } = node;
      if (!isHidden)
        lines.push(...linesOf(node.kind === 'entry' || node.kind === 'event' ? node : begun, { depth, paint }));
    }
    for (const child of node.children ?? []) walk(child, node.kind === 'cycle' ? depth : depth + 1);
    if (node.truncated === true && !seen.has(`${node.id} more`)) {
      seen.add(`${node.id} more`);
      lines.push(truncatedLine(node, depth));
    }
  };
  for (const node of nodes) walk(node, 0);
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * Formats the tool calls, agents and steps of plans of a diagnostics tree that are not in `seen`, without times. Adds their ids to
 * `seen`. A conversation in the terminal prints them.
 */
export function formatNewCalls(
  nodes: readonly UnifiedNode[],
  seen: Set<string>,
  options: { readonly color: boolean },
): string {
  const paint = painter(options.color);
  const lines: string[] = [];
  const walk = (node: UnifiedNode, depth: number): void => {
    const kind = kindOf(node);
    if (!seen.has(node.id) && (kind === 'tool' || kind === 'agent' || kind === 'plan')) {
      seen.add(node.id);
      const time = kind === 'tool' && node.durationMs !== undefined ? `  ${formatMs(node.durationMs)}` : '';
      const failed = node.error === undefined ? '' : `  ${paint(COLORS.error, `✗ ${oneLine(node.error.message)}`)}`;
      lines.push(`${'  '.repeat(depth)}${paint(DIM, `${MARK} ${oneLine(node.title)}${time}`)}${failed}\n`);
    }
    for (const child of node.children ?? []) walk(child, kind === 'agent' ? depth + 1 : depth);
  };
  for (const node of nodes) walk(node, 1);
  return lines.join('');
}

/** The unanswered request of a tree that began last; undefined if the run waits for no model. */
export function openRequest(nodes: readonly UnifiedNode[]): UnifiedNode | undefined {
  let last: UnifiedNode | undefined;
  const walk = (node: UnifiedNode): void => {
    const isOpen = node.phase === 'request' && node.status === 'running';
    if (isOpen && (last === undefined || node.startedAt > last.startedAt)) last = node;
    for (const child of node.children ?? []) walk(child);
  };
  for (const node of nodes) walk(node);
  return last;
}

function painter(color: boolean): Paint {
  return (code, text) => (color && code !== '' ? `\x1b[${code}m${text}\x1b[0m` : text);
}

function linesOf(node: UnifiedNode, { depth, paint }: { readonly depth: number; readonly paint: Paint }): string[] {
  const indent = '  '.repeat(depth);
  const what = `${indent}${kindOf(node).padEnd(6)} ${oneLine(node.title)}`;
  const tail = factsOf(node);
  const time = paint(DIM, node.startedAt.slice(11, 23));
  const lines = [`${time}  ${paint(COLORS[node.level], what)}${tail && `  ${paint(DIM, tail)}`}`];
  if (node.error !== undefined) {
    const { code, message, hint } = node.error;
    lines.push(`${' '.repeat(14)}${indent}${paint(COLORS.error, `✗ ${code}: ${oneLine(message)}`)}`);
    if (hint !== undefined) lines.push(`${' '.repeat(14)}${indent}  ${oneLine(hint)}`);
  }
  return lines;
}

function truncatedLine({ runId }: UnifiedNode, depth: number): string {
  return `${' '.repeat(14)}${'  '.repeat(depth)}  … and more: callsheet export --run ${runId}`;
}

function kindOf({ kind, phase, title, parentId }: UnifiedNode): string {
  if (kind === 'cycle') return 'fetch';
  if (kind === 'director') return 'run';
  if (kind === 'event') return 'model';
  // An agent without a parent belongs to a session.
  if (kind === 'agent') return parentId === null ? 'run' : 'agent';
  if (phase === 'tool') return /^(approval|question)/.test(title) ? 'person' : 'tool';
  return /^(plan of|step \d+)[ :]/.test(title) ? 'plan' : MARK;
}

function factsOf({ durationMs, usage, status, kind }: UnifiedNode): string {
  const parts: string[] = [];
  if (status !== undefined && (kind !== 'entry' || status !== 'completed') && kind !== 'event') parts.push(status);
  if (kind === 'event' && status !== undefined && status !== 'completed') parts.push(status);
  if (durationMs !== undefined) parts.push(formatMs(durationMs));
  if (usage !== undefined) {
    parts.push(`${short(usage.inputTokens)}→${short(usage.outputTokens)} tokens`);
    const { cachedInputTokens: cached = 0 } = usage;
    if (cached > 0) parts.push(`cached ${Math.round((100 * cached) / Math.max(1, usage.inputTokens))} %`);
    // Within a run, what costs nothing says nothing.
    if (usage.cost !== undefined && (usage.cost !== 0 || kind === 'director'))
      parts.push(usage.cost === null ? 'price not known' : formatCost(usage.cost));
  }
  return parts.join('  ');
}

/** `$0.0123`, `$1.20`, `?` for an unknown price */
export function formatCost(cost: number | null): string {
  return cost === null ? '?' : `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
}

/** `812 ms`, `4.1 s`, `12 min`, `3.5 h` */
export function formatMs(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

function short(count: number): string {
  return count < 1000 ? String(count) : count < 1e6 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1e6).toFixed(1)}M`;
}
