import { expect, test } from 'vitest';
import { addPiece, dropAnswers, hasLiveAnswer } from '../../ui/run/live-answer.ts';

test('answers that are over and that nobody looks at are kept only while they are among the newest', () => {
  const ids = Array.from({ length: 200 }, (_one, n) => `th_${n}`);
  addPiece({ runId: 'r', threadId: 'arriving', turn: 1, at: 0, text: 'It begins' });
  for (const threadId of ids) {
    addPiece({ runId: 'r', threadId, turn: 1, at: 0, text: 'Hello' });
    addPiece({ runId: 'r', threadId, turn: 1, at: 5, text: '.', done: true });
  }
  expect([hasLiveAnswer('arriving'), ids.filter(hasLiveAnswer).length, hasLiveAnswer('th_199')]).toEqual([
    true,
    50,
    true,
  ]);
  dropAnswers();
});
