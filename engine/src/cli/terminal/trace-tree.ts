import type { UnifiedNode } from '../../trace/trace-tree.ts';
import { oneLine } from './table.ts';

const COLORS = { error: '31', warn: '33', info: '', debug: '90' } as const;
const DIM = '90';

/** Formats a diagnostics tree for a terminal: time, kind, title, duration, tokens; an error below the failed node. */
export function formatTree(nodes: readonly UnifiedNode[], options: { readonly color: boolean }): string {
  const lines: string[] = [];
  const paint = (code: string, text: string) => (options.color && code !== '' ? `\x1b[${code}m${text}\x1b[0m` : text);
  const walk = (node: UnifiedNode, depth: number): void => {
    const indent = '  '.repeat(depth);
    // A request is shown with its answer; only an unanswered request has a line of its own.
    const isShown = node.phase !== 'request' || node.status !== undefined;
    if (isShown) {
      const what = `${indent}${kindOf(node).padEnd(6)} ${oneLine(node.title)}`;
      const tail = factsOf(node);
      lines.push(
        `${paint(DIM, node.startedAt.slice(11, 23))}  ${paint(COLORS[node.level], what)}${tail && `  ${paint(DIM, tail)}`}`,
      );
      if (node.error !== undefined) {
        const { code, message, hint } = node.error;
        lines.push(`${' '.repeat(14)}${indent}${paint(COLORS.error, `✗ ${code}: ${oneLine(message)}`)}`);
        if (hint !== undefined) lines.push(`${' '.repeat(14)}${indent}  ${oneLine(hint)}`);
      }
    }
    for (const child of node.children ?? []) walk(child, depth + 1);
    if (node.truncated === true)
      lines.push(`${' '.repeat(14)}${indent}  … and more: callsheet export --run ${node.runId}`);
  };
  for (const node of nodes) walk(node, 0);
  return lines.map((line) => `${line}\n`).join('');
}

function kindOf({ kind, phase, title, parentId }: UnifiedNode): string {
  if (kind === 'cycle') return 'fetch';
  if (kind === 'director') return 'run';
  if (kind === 'event') return 'model';
  // An agent without a parent belongs to a session.
  if (kind === 'agent') return parentId === null ? 'run' : 'agent';
  if (phase === 'tool') return title.startsWith('approval') ? 'person' : 'tool';
  return '·';
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
    if (usage.cost !== undefined) parts.push(usage.cost === null ? 'price not known' : `$${usage.cost.toFixed(4)}`);
  }
  return parts.join('  ');
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
