import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openLines } from '../../../engine/src/cli/terminal/line-reader.ts';

function open(isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: () => input });
  let shown = '';
  const output = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  output.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  return { input, lines: openLines(input, output), shown: () => shown };
}

test('piped lines come one by one, then the end, and nothing is printed', async () => {
  const { input, lines, shown } = open(false);
  input.end('one\ntwo\nthree');
  const texts = [];
  for (let n = 0; n < 4; n++) texts.push(await lines.next('> '));
  expect(texts).toEqual([...['one', 'two', 'three'].map((text) => ({ kind: 'line', text })), { kind: 'end' }]);
  expect([lines.isInteractive, shown()]).toEqual([false, '']);
});

test('a person sees the prompt, can change a given text, and ends the input with Ctrl-D', async () => {
  const { input, lines, shown } = open(true);
  const first = lines.next('name: ', { initial: 'Ada' });
  input.write(' Ray\r');
  expect(await first).toEqual({ kind: 'line', text: 'Ada Ray' });
  expect(shown()).toContain('name: ');
  const second = lines.next('> ');
  input.write('\u0004');
  expect(await second).toEqual({ kind: 'end' });
});

test('of several lines that are pasted, none is lost, nor what was typed after them', async () => {
  const { input, lines } = open(true);
  const first = lines.next('> ');
  input.write('one\rtwo\rthr');
  expect(await first).toEqual({ kind: 'line', text: 'one' });
  expect(await lines.next('> ')).toEqual({ kind: 'line', text: 'two' });
  const third = lines.next('> ');
  input.write('ee\r\u0004');
  expect(await third).toEqual({ kind: 'line', text: 'three' });
  expect(await lines.next('> ')).toEqual({ kind: 'end' });
});

test('a question drops the lines that were pasted before it', async () => {
  const { input, lines, shown } = open(true);
  const first = lines.next('> ');
  input.write('one\ry\ry');
  await first;
  const next = lines.next('allow? ', { isFresh: true });
  while (!shown().includes('allow?')) await new Promise((resolve) => setImmediate(resolve));
  input.write('n\r');
  expect(await next).toEqual({ kind: 'line', text: 'n' });
});

test('Ctrl-C empties the line, and interrupts on an empty one', async () => {
  const { input, lines } = open(true);
  const next = lines.next('> ');
  input.write('wrong\u0003');
  input.write('right\r');
  expect(await next).toEqual({ kind: 'line', text: 'right' });
  const last = lines.next('> ');
  input.write('\u0003');
  expect(await last).toEqual({ kind: 'interrupt' });
});

test('what was typed before a question is no answer to it', async () => {
  const { input, lines, shown } = open(true);
  input.write('y\r');
  const next = lines.next('allow? ', { isFresh: true });
  while (!shown().includes('allow?')) await new Promise((resolve) => setImmediate(resolve));
  input.write('n\r');
  expect(await next).toEqual({ kind: 'line', text: 'n' });
});

test('the arrow brings back messages, and no answers to questions', async () => {
  const { input, lines } = open(true);
  const ask = async (typed: string, isPrivate: boolean) => {
    const next = lines.next('> ', { isPrivate });
    input.write(typed);
    return next;
  };
  await ask('hello\r', false);
  await ask('secret\r', true);
  expect(await ask('\u001b[A\r', false)).toEqual({ kind: 'line', text: 'hello' });
});
