import { expect, test } from 'vitest';
import { isoTime } from '../../engine/src/base/clock.ts';
import type { OrchestrationEntry } from '../../engine/src/trace/entry.ts';
import type { StoredEvent } from '../../engine/src/trace/provider-events.ts';
import { directorNode } from '../../engine/src/trace/run-tree.ts';

const AT = Date.UTC(2026, 0, 5);

function entry(id: string, phase: OrchestrationEntry['phase'], action: string): OrchestrationEntry {
  return {
    ...{ id, timestamp: isoTime(AT), runId: 'run', director: 'd', directorName: 'D', agent: '', agentName: '' },
    ...{ emailSummary: '', phase, fetchCycleId: '', dirThreadId: 'thread', agentThreadId: '', detail: { action } },
  };
}

const about = { runId: 'run', turn: 1, attempt: 0, apiId: 'main', provider: 'openai', model: 'test' };
const request: StoredEvent = {
  seq: 1,
  at: AT,
  body: { ...about, kind: 'request', from: 0, to: 1, tools: '', params: {} } as unknown as StoredEvent['body'],
};
const response: StoredEvent = { seq: 2, at: AT, body: { ...about, kind: 'response', latencyMs: 0, payload: '' } };

test('a run that takes less than a millisecond begins with its start and ends with its end', () => {
  const director = {
    id: 'thread',
    title: 'D',
    status: 'completed',
    createdAt: isoTime(AT),
    events: [request, response],
  };
  const { children } = directorNode({
    ...{ runId: 'run', fetchCycleId: '', cost: null, isTruncated: false, director, agents: [] },
    entries: [entry('a', 'director', 'director_start'), entry('b', 'director', 'director_complete')],
  });
  expect(children?.map(({ title }) => title)).toEqual([
    'director_start',
    'test · turn 1',
    'test · turn 1',
    'director_complete',
  ]);
});
