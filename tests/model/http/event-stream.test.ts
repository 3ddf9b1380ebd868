import { expect, test } from 'vitest';
import { splitEvents, splitLines } from '../../../engine/src/model/http/event-stream.ts';

/** What comes of `text` when it arrives in two pieces, cut before its character `at`. */
function split(splitter: typeof splitEvents, text: string, at: number): string[] {
  const found: string[] = [];
  const { push, end } = splitter((piece) => found.push(piece));
  push(text.slice(0, at));
  push(text.slice(at));
  end();
  return found;
}

const positions = (text: string) => Array.from({ length: text.length + 1 }, (_, at) => at);

test.each([
  { name: 'LF', text: 'data: one\n\ndata:two\n\n', found: ['one', 'two'] },
  { name: 'CR LF', text: 'data: one\r\n\r\ndata: two\r\n\r\n', found: ['one', 'two'] },
  { name: 'CR', text: 'data: one\r\rdata: two\r\r', found: ['one', 'two'] },
  { name: 'a byte order mark', text: '\uFEFFdata: one\n\n', found: ['one'] },
  { name: 'comments and names', text: ': hello\n\nevent: x\nid: 7\ndata: one\n\n', found: ['one'] },
  { name: 'data of several lines', text: 'data: one\ndata:  two\ndata\n\n', found: ['one\n two'] },
  { name: 'no empty line at the end', text: 'data: one\n\ndata: two', found: ['one', 'two'] },
  { name: 'nothing', text: '', found: [] },
])('events with $name are the same wherever the text is cut', ({ text, found }) => {
  for (const at of positions(text)) expect(split(splitEvents, text, at)).toEqual(found);
});

test('lines are the same wherever the text is cut, with and without an end', () => {
  const text = '{"a":1}\r\n\n{"b":2}';
  for (const at of positions(text)) expect(split(splitLines, text, at)).toEqual(['{"a":1}', '', '{"b":2}']);
});
