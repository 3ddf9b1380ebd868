import { expect, test } from 'vitest';
import { createAnswerWriter } from '../../../engine/src/cli/terminal/answer-writer.ts';

function screen(columns: number | undefined) {
  let text = '';
  const write = (more: string) => void (text += more);
  const writer = createAnswerWriter({ out: write, say: (remark) => write(`[${remark}]\n`), columns });
  const piece = (at: number, more: string, turn = 1, done = false) =>
    writer.piece({ runId: 'run_1', threadId: 'th_1', turn, at, text: more, ...(done && { done }) });
  return { writer, piece, text: () => text };
}

test('pieces are printed as they arrive, in whole words that break at the width', () => {
  const { piece, writer, text } = screen(12);
  piece(0, 'Tea is a dr');
  expect(text()).toBe('Tea is a');
  piece(11, 'ink, and hot.\n\nYes');
  writer.finish('Tea is a drink, and hot.\n\nYes.');
  expect(text()).toBe('Tea is a\ndrink, and\nhot.\n\nYes.\n');
});

test('without a terminal only the whole answer is printed', () => {
  const { piece, writer, text } = screen(undefined);
  piece(0, 'Tea ');
  expect(text()).toBe('');
  writer.finish('Tea is a drink, and hot.');
  expect(text()).toBe('Tea is a drink, and hot.\n');
});

test('an answer that is broken off begins anew on a line of its own', () => {
  const { piece, writer, text } = screen(80);
  piece(0, 'Wrong ');
  piece(0, '', 1, true);
  piece(0, 'Right');
  writer.finish('Right.');
  expect(text()).toBe('Wrong\n[… the answer was broken off]\nRight.\n');
});

test('an answer that the checks have changed is printed as a whole', () => {
  const { piece, writer, text } = screen(80);
  piece(0, 'Ada waits and ');
  writer.finish('Ada waits. No mail was sent.');
  expect(text()).toBe('Ada waits and\n[… the answer was changed by the checks:]\nAda waits. No mail was sent.\n');
});

test('where a piece is missing, the rest comes with the whole answer', () => {
  const { piece, writer, text } = screen(80);
  piece(0, 'One ');
  piece(8, 'three ');
  writer.finish('One two three four');
  expect(text()).toBe('One two three four\n');
});

test('the text of a turn before stays, and control characters are escaped', () => {
  const { piece, writer, text } = screen(80);
  piece(0, 'I look.', 1);
  piece(7, '', 1, true);
  piece(0, 'Done \u001b[2J', 2);
  writer.finish('Done \u001b[2J!');
  expect(text()).toBe('I look.\nDone \\u001b[2J!\n');
});
