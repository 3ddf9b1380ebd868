import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCREENS } from '../../ui/shell/screens.ts';
import { split } from '../architecture/code.ts';
import { readSources } from '../architecture/source.ts';
import { root } from '../available.ts';

const ROUTES = SCREENS.map((screen) => screen.route);
const ROUTE = `['"\`](?:${ROUTES.join('|')})['"\`]`;
/** A value compared with the name of a route, or a case for it. */
const COMPARED = new RegExp(`(?:[!=]==?|\\bcase)\\s*${ROUTE}|${ROUTE}\\s*[!=]==?`, 'g');
const NAMED = /\b(?:go|hrefOf|idsOn)\(\s*'([^']*)'/g;

const files = readSources(root, ['ui'])
  .map(({ path }) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  .filter(({ path }) => path !== 'ui/shell/screens.ts');

test('the rows of the screens are these', () => {
  expect(SCREENS.map(({ route, key, title }) => [route, `g ${key}`, title])).toEqual([
    ['inbox', 'g i', 'Inbox'],
    ['ask', 'g k', 'Ask'],
    ['runs', 'g u', 'Runs'],
    ['diagnostics', 'g d', 'Diagnostics'],
    ['approvals', 'g a', 'Approvals'],
    ['chats', 'g h', 'Chats'],
    ['objectives', 'g b', 'Objectives'],
    ['todos', 'g t', 'Tasks'],
    ['notifications', 'g n', 'Notifications'],
    ['memory', 'g m', 'Memory'],
    ['spend', 'g s', 'Spend'],
    ['config', 'g c', 'Config'],
    ['changes', 'g e', 'Changes'],
    ['accounts', 'g o', 'Accounts'],
  ]);
});

test('each screen has a route and a key of its own', () => {
  expect(new Set(ROUTES).size).toBe(SCREENS.length);
  expect(new Set(SCREENS.map((screen) => screen.key)).size).toBe(SCREENS.length);
  expect(SCREENS.filter(({ route, key }) => !/^[a-z]+$/.test(route) || !/^[a-z]$/.test(key))).toEqual([]);
});

test('no other file of the viewer compares the name of a route', () => {
  const compared = (text: string) => [...text.matchAll(COMPARED)].map(([code]) => code);
  expect(compared("if (screen === 'runs') go(); case 'todos':")).toEqual(["=== 'runs'", "case 'todos'"]);
  expect(files.flatMap(({ path, text }) => compared(text).map((code) => `${path}: ${code}`))).toEqual([]);
});

test('no other file of the viewer has a table by route', () => {
  const isTable = (text: string) => {
    const { code } = split(text);
    return ROUTES.filter((route) => new RegExp(`^\\s*'?${route}'?:`, 'm').test(code)).length > 1;
  };
  expect(isTable('const WORDS = {\n  runs: 1,\n  todos: 2,\n};')).toBe(true);
  expect(files.filter(({ text }) => isTable(text)).map(({ path }) => path)).toEqual([]);
});

test('every link and jump of the viewer names a screen that exists', () => {
  const named = files.flatMap(({ text }) => [...text.matchAll(NAMED)].map(([, route]) => route ?? ''));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((route) => !ROUTES.includes(route))).toEqual([]);
});
