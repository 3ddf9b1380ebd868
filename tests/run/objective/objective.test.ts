import { expect, test } from 'vitest';
import { newObjective, serveObjective, withLine } from '../../../engine/src/run/objective/objective.ts';

const NOW = Date.parse('2026-11-23T09:00:00Z');
const FIRST = newObjective(
  {
    id: 'run1',
    directorId: 'autopilot',
    userQuery: 'Get the invoice',
    threads: [{ accountId: 'me', threadId: '<a@x>' }],
    maxFollowUps: 3,
    because: 'The label was put on the thread',
  },
  NOW,
);

test('a new objective has the fields of seed 001 and their defaults', () => {
  expect(serveObjective(FIRST)).toMatchObject({
    id: 'run1',
    userQuery: 'Get the invoice',
    status: 'pending',
    waitingFor: null,
    paused: false,
    outcome: null,
    linkedThreadIds: ['<a@x>'],
    summary: null,
    constraints: {},
    lastActionTime: null,
    followUp: { nextAt: null, sent: 0, max: 3 },
    history: [{ at: '2026-11-23T09:00:00.000Z', text: 'The label was put on the thread', kind: 'begin' }],
  });
  expect(serveObjective(FIRST)).not.toHaveProperty('unread');
});

test('a long story keeps its first line and its newest ones, and says how many it lacks', () => {
  let objective = FIRST;
  for (let n = 1; n <= 600; n++) objective = withLine(objective, NOW + n, { text: `line ${n}`, kind: 'action' });
  expect(objective.history).toHaveLength(500);
  expect(objective.history[0]?.kind).toBe('begin');
  expect(objective.history.at(1)?.text).toBe('line 102');
  expect(objective.history.at(-1)?.text).toBe('line 600');
  // One line of the beginning and 600 later ones, of which 500 are kept.
  expect(serveObjective(objective)).toMatchObject({ droppedLines: 101 });
});
