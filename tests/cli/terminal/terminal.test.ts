import { describe, expect, test } from 'vitest';
import { createContext } from '../../../engine/src/cli/context.ts';
import { listenKeys } from '../../../engine/src/cli/commands/server/hotkeys.ts';
import { cellsOf, formatTable, plain } from '../../../engine/src/cli/terminal/table.ts';
import { guardOutput, wantsColor, widthOf } from '../../../engine/src/cli/terminal/terminal.ts';
import { fakeTerminal } from './fake-terminal.ts';

describe('colours', () => {
  test.each([
    ['a terminal', {}, true, true],
    ['a pipe', {}, false, false],
    ['a dumb terminal', { TERM: 'dumb' }, true, false],
    ['NO_COLOR in a terminal', { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR', { NO_COLOR: '' }, true, true],
    ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, true],
    ['FORCE_COLOR=0 in a terminal', { FORCE_COLOR: '0' }, true, false],
    ['NO_COLOR beside FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ])('%s', (_name, env, isTty, wanted) => {
    expect(wantsColor(env, isTty)).toBe(wanted);
  });
});

describe('text of others', () => {
  test.each([
    ['an escape that clears the screen', 'a\x1b[2Jb', 'a\\u001b[2Jb'],
    ['an 8-bit escape', 'a\x9b2Jb', 'a\\u009b2Jb'],
    ['a bell and a carriage return', 'a\x07\rb', 'a\\u0007\\u000db'],
    ['a change of direction', 'a\u202eb', 'a\\u202eb'],
    ['line breaks and tabs, which stay', 'a\n\tb', 'a\n\tb'],
    ['letters of any language, which stay', 'größe 返品 ñ', 'größe 返品 ñ'],
  ])('%s', (_name, text, shown) => {
    expect(plain(text)).toBe(shown);
  });
});

test('a table lines its columns up', () => {
  expect(
    formatTable(
      ['ID', 'WORD'],
      [
        ['1', 'a'],
        ['1000', 'long word'],
      ],
    ),
  ).toBe('ID    WORD\n1     a\n1000  long word\n');
});

test('a table cuts the columns that may be cut, the most important ones last, until it fits', () => {
  const columns = ['ID', { head: 'WHO', cut: 1 }, { head: 'SUBJECT', cut: 2, min: 10 }];
  const rows = [
    ['1', 'a-very-long-director', '返品のお願い 返品のお願い 返品のお願い'],
    ['2', 'boss', 'hello'],
  ];
  for (const width of [80, 40, 26]) {
    const lines = formatTable(columns, rows, width).trimEnd().split('\n');
    expect(Math.max(...lines.map(cellsOf))).toBeLessThanOrEqual(width);
  }
  expect(formatTable(columns, rows, 40)).toContain('a-very-long-director  返品のお願い…');
  expect(formatTable(columns, rows, 26)).toMatch(/^1 {3}a-very-\w*… /m);
});

test.each([
  ['hello', 5],
  ['返品', 4],
  ['é e\u0301', 3],
  ['👩\u200d👧 ❤\ufe0f', 5],
])('%s is %i cells wide', (text, cells) => {
  expect(cellsOf(text)).toBe(cells);
});

test.each([
  ['of the terminal', { columns: 132, env: { COLUMNS: '90' } }, 132],
  ['of COLUMNS in a pipe', { env: { COLUMNS: '90' } }, 90],
  ['80 in a terminal without a size', { columns: 0, env: {} }, 80],
  ['80 otherwise', { env: { COLUMNS: 'wide' } }, 80],
])('the width of a table is that %s', (_name, terminal, width) => {
  expect(widthOf(terminal)).toBe(width);
});

test('nothing but colours, line breaks and tabs gets through, whatever a command prints', () => {
  const terminal = fakeTerminal();
  const { out, err } = guardOutput(terminal);
  out('\x1b[31mred\x1b[0m\ta\x1b[2Jb\x07\n');
  err('invoice\u202efdp.exe\r\x1b]52;c;eA==\x07\n');
  expect(terminal.stdout()).toBe('\x1b[31mred\x1b[0m\ta\\u001b[2Jb\\u0007\n');
  expect(terminal.stderr()).toBe('invoice\\u202efdp.exe\\u000d\\u001b]52;c;eA==\\u0007\n');
});

describe('keys of start', () => {
  const listen = (isTty: boolean, json = false) => {
    const terminal = fakeTerminal({ isTty, env: { NO_COLOR: '1' } });
    const heard: string[] = [];
    const context = createContext(terminal, { json }, 'info');
    const stop = listenKeys(context, {
      url: 'http://x',
      reload: async () => void heard.push('reload'),
      quit: (reason) => void heard.push(reason),
    });
    return { terminal, heard, stop };
  };

  test('are told, heard and given back', async () => {
    const { terminal, heard, stop } = listen(true);
    expect(terminal.stderr()).toBe('press h for help\n');
    expect(terminal.isRaw()).toBe(true);
    for (const key of ['h', 'r', 'x', '\u0003', 'q']) terminal.press(key);
    await expect.poll(() => heard).toEqual(['reload', 'SIGINT', 'q']);
    expect(terminal.stderr()).toContain('q  stop');
    stop();
    expect(terminal.isRaw()).toBe(false);
  });

  test.each([
    ['in a pipe', false, false],
    ['with --json', true, true],
  ])('are none of ours %s', (_name, isTty, json) => {
    const { terminal } = listen(isTty, json);
    expect([terminal.stderr(), terminal.isRaw()]).toEqual(['', false]);
  });
});
