import type { UnifiedNode } from '../../../ui/http/api-types.ts';

const at = (second: number) => `2026-11-21T09:12:${String(second).padStart(2, '0')}.000Z`;

/** A fetch with a completed run and one whose agent failed, and a run that a person started. */
export function makeTraces(): UnifiedNode[] {
  const usage = { inputTokens: 2100, outputTokens: 310 };
  const run = (id: string, runId: string, parentId: string | null, more: Partial<UnifiedNode> = {}): UnifiedNode => ({
    ...{ id, runId, parentId, kind: 'director', title: `Client manager · ${id}`, level: 'info', status: 'completed' },
    ...{ timestamp: at(3), startedAt: at(3), durationMs: 8000, emailId: 'mail-invoice' },
    ...more,
  });
  const line = (id: string, parentId: string, second: number, more: Partial<UnifiedNode>): UnifiedNode => ({
    ...{ id, parentId, kind: 'entry', title: id, level: 'info', status: 'completed', phase: 'tool' },
    ...{ timestamp: at(second), startedAt: at(second - 1), durationMs: 1000, emailId: 'mail-invoice' },
    ...more,
  });
  const failed = run('th_failed', 'run_02', 'cycle_1', {
    level: 'error',
    status: 'failed',
    children: [
      line('run_02.1', 'th_failed', 4, { title: 'director_start', phase: 'director' }),
      line('th_failed.1', 'th_failed', 4, { kind: 'event', title: 'gpt-5 · turn 1', level: 'debug', phase: 'request' }),
      line('th_failed.2', 'th_failed', 6, { kind: 'event', title: 'gpt-5 · turn 1', phase: 'response', usage }),
      {
        ...line('th_agent', 'th_failed', 7, { kind: 'agent', title: 'Responder', level: 'error', status: 'failed' }),
        children: [
          line('run_02.2', 'th_agent', 8, {
            title: 'model_failed',
            level: 'error',
            status: 'failed',
            error: { code: 'MODEL_RATE_LIMIT', message: 'too many requests', hint: 'Wait a minute.' },
          }),
        ],
      },
      line('run_02.3', 'th_failed', 10, { title: 'workspace_add_item' }),
    ],
  });
  const good = run('th_good', 'run_01', 'cycle_1', {
    children: [line('run_01.1', 'th_good', 5, { title: 'memory_search' })],
  });
  const alone = run('th_alone', 'run_03', null, {
    title: 'Archivist · what did she ask?',
    children: [line('run_03.1', 'th_alone', 9, { title: 'list_agents', level: 'debug' })],
  });
  const { emailId: _mail, ...withoutMail } = alone;
  const cycle = run('cycle_1', '', null, { kind: 'cycle', title: 'fetch', level: 'error', children: [good, failed] });
  return [withoutMail, cycle].map((node) => ofRun(node, node.runId));
}

/** A run whose director asked a model once, and its agent twice. */
export function agentTrace(): UnifiedNode {
  const node = (id: string, kind: UnifiedNode['kind'], parentId: string | null, more: Partial<UnifiedNode>) => ({
    ...{ id, kind, parentId, title: id, level: 'info' as const, timestamp: at(3), startedAt: at(3) },
    ...more,
  });
  const usage = (cost: number) => ({ inputTokens: 2100, outputTokens: 310, cost });
  return node('th_run', 'director', null, {
    title: 'Client manager · Invoice 4411',
    children: [
      node('th_run.1', 'event', 'th_run', { usage: usage(0.001) }),
      node('th_responder', 'agent', 'th_run', {
        title: 'Responder',
        // The sum of what is below it, which must not be counted twice.
        usage: { ...usage(0.0031), inputTokens: 4200, outputTokens: 620 },
        children: [
          node('th_responder.1', 'event', 'th_responder', { usage: usage(0.0011) }),
          node('th_responder.2', 'event', 'th_responder', { usage: usage(0.002) }),
        ],
      }),
    ],
  });
}

/** Gives all nodes below a run its id. */
function ofRun(node: UnifiedNode, runId = ''): UnifiedNode {
  const own = node.runId ?? runId;
  const children = node.children?.map((child) => ofRun(child, own));
  return { ...node, ...(own !== '' && { runId: own }), ...(children !== undefined && { children }) };
}

/** Finds a node by its id. */
export function findTrace(nodes: readonly UnifiedNode[], id: string): UnifiedNode | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : findTrace(node.children ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Removes nodes from the tree by their ids. */
export function withoutTraces(nodes: readonly UnifiedNode[], ids: readonly string[]): UnifiedNode[] {
  return nodes
    .filter(({ id }) => !ids.includes(id))
    .map((node) => (node.children === undefined ? node : { ...node, children: withoutTraces(node.children, ids) }));
}
