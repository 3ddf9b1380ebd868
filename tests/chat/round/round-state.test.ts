import { expect, test } from 'vitest';
import { advanceRound, newRound, roundChange, roundOfRow } from '../../../engine/src/chat/round/round-state.ts';
import type { Row } from '../../../engine/src/store/store.ts';

const facts = { by: 'user', messageId: 'm_1', runs: {}, causes: {}, upTo: 3 };
const queued = newRound({ id: 'rnd_1', chatId: 'c_1', facts }, { maxRounds: 3, number: 1, participants: ['a', 'b'] });

/** The row that a change stores. */
function rowOf(change: ReturnType<typeof roundChange>): Row<'chatRound'> {
  if (change.op !== 'insert' || change.table !== 'chatRound') throw new Error('no row');
  return change.row as Row<'chatRound'>;
}

test('rounds that were stored go on where they were, with the orders of their machine as data', () => {
  const stored = roundOfRow(rowOf(roundChange(queued, 5)));
  expect(stored).toEqual({ ...queued, rev: 1 });
  const { round, orders } = advanceRound(stored, { type: 'START' });
  expect(orders).toEqual([{ type: 'startRuns', number: 1, participants: ['a', 'b'] }]);
  expect(roundChange(round, 9)).toMatchObject({ op: 'update', set: { status: 'open', rev: 2 }, expect: { rev: 1 } });
});

test('rounds that are over are stored as done, and take no event', () => {
  const { round } = advanceRound(queued, { type: 'CANCEL' });
  expect(rowOf(roundChange(round, 5)).status).toBe('done');
  expect(advanceRound(round, { type: 'START' })).toEqual({ round, orders: [] });
});

test.each([
  ['of a later version', JSON.stringify({ version: '9', facts, value: 'queued', context: {} }), 'MACHINE_VERSION'],
  ['that cannot be read', '{', 'STORE_DAMAGED'],
])('rounds %s are refused', (_name, body, code) => {
  const row = { ...rowOf(roundChange(queued, 5)), body };
  expect(() => roundOfRow(row)).toThrow(expect.objectContaining({ code }) as Error);
});
