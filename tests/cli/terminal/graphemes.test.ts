import { afterEach, expect, test, vi } from 'vitest';
import { fakeTerminal } from './fake-terminal.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

test('the segmenter, which takes long to make, is made for the first text that needs it, and once', async () => {
  const made = vi.spyOn(Intl, 'Segmenter');
  vi.resetModules();
  const { runCommand } = await import('../../../engine/src/cli/program.ts');
  const terminal = fakeTerminal({ argv: ['--help'] });
  expect(await runCommand(terminal)).toBe(0);
  expect(terminal.stdout()).toContain('validate');
  expect(made).not.toHaveBeenCalled();
  const { cellsOf, cutTo } = await import('../../../engine/src/cli/terminal/table.ts');
  expect([cellsOf('größe'), cellsOf('返品'), cutTo('größer als', 6)]).toEqual([5, 4, 'größe…']);
  expect(made).toHaveBeenCalledTimes(1);
});
