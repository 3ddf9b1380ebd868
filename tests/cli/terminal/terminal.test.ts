import { describe, expect, test } from 'vitest';
import { createContext } from '../../../engine/src/cli/context.ts';
import { listenKeys } from '../../../engine/src/cli/commands/server/hotkeys.ts';
import { formatTable, plain } from '../../../engine/src/cli/terminal/table.ts';
import { wantsColor } from '../../../engine/src/cli/terminal/terminal.ts';
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
    ['an escape that clears the screen', 'a\x1b[2Jb', 'a[2Jb'],
    ['an 8-bit escape', 'a\x9b2Jb', 'a2Jb'],
    ['a bell and a carriage return', 'a\x07\rb', 'ab'],
    ['a change of direction', 'a\u202eb', 'ab'],
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
