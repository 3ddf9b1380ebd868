import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { amend, go, route, startRoute } from '../../ui/shell/route.ts';

/** The address bar of a browser, with the number of its history's entries. */
const bar = { hash: '', entries: 0 };
let stop: () => void;

beforeEach(() => {
  Object.assign(bar, { hash: '', entries: 1 });
  vi.stubGlobal('location', bar);
  vi.stubGlobal('history', {
    pushState: (_state: unknown, _title: string, href: string) =>
      Object.assign(bar, { hash: href, entries: bar.entries + 1 }),
    replaceState: (_state: unknown, _title: string, href: string) => Object.assign(bar, { hash: href }),
  });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  stop = startRoute(['inbox', 'memory']);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

test('a screen changes its own address, and the history stays as long', () => {
  go('inbox', ['a']);
  amend('inbox', ['b'], 'view=done');
  expect([bar.hash, bar.entries]).toEqual(['#/inbox/b?view=done', 2]);
});

test('a screen that is left does not come back by a late change of its address', () => {
  go('inbox', ['a']);
  go('memory');
  amend('inbox', ['b'], 'view=done');
  expect([bar.hash, route.value.screen]).toEqual(['#/memory', 'memory']);
});
