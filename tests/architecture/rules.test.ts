import { describe, expect, test } from 'vitest';
import { badNames, bannedWords, cycles, strangers, tooLong, wrongPackages, wrongWays } from './rules.ts';
import { type Source, sourceOf } from './source.ts';

/** Sources from `path: text`. */
const sources = (files: Record<string, string>): Source[] =>
  Object.entries(files).map(([path, text]) => sourceOf(path, text));

const RUN = 'engine/src/run/run.ts';
const BASE = 'engine/src/base/error.ts';
const MACHINE = 'engine/machines/run.ts';

describe('wrongWays', () => {
  test.each([
    { name: 'a room to the left', from: RUN, to: '../base/error.ts', files: [BASE] },
    { name: 'its own room', from: RUN, to: './queue.ts', files: ['engine/src/run/queue.ts'] },
    { name: 'machines from run', from: RUN, to: '../../machines/run.ts', files: [MACHINE] },
    { name: 'main to anything', from: 'engine/src/main.ts', to: './run/run.ts', files: [RUN] },
    { name: 'data', from: BASE, to: '../../../schemas/agent.schema.json', files: [] },
    { name: 'types from a machine', from: MACHINE, to: '../src/run/run.ts', files: [RUN], isType: true },
    { name: 'types from the viewer', from: 'ui/app.ts', to: '../engine/src/run/run.ts', files: [RUN], isType: true },
  ])('lets $name pass', ({ from, to, files, isType = false }) => {
    const text = `import ${isType ? 'type ' : ''}{ A } from '${to}';`;
    expect(wrongWays(sources({ [from]: text, ...Object.fromEntries(files.map((file) => [file, ''])) }))).toEqual([]);
  });

  test.each([
    { name: 'a room to the right', from: BASE, to: '../run/run.ts', files: [RUN], isType: false },
    { name: 'types of a room to the right', from: BASE, to: '../run/run.ts', files: [RUN], isType: true },
    { name: 'main', from: RUN, to: '../main.ts', files: ['engine/src/main.ts'], isType: false },
    {
      name: 'machines from another room',
      from: 'engine/src/api/a.ts',
      to: '../../machines/run.ts',
      files: [MACHINE],
      isType: false,
    },
    { name: 'values from a machine', from: MACHINE, to: '../src/base/error.ts', files: [BASE], isType: false },
    {
      name: 'values from the viewer',
      from: 'ui/app.ts',
      to: '../engine/src/base/error.ts',
      files: [BASE],
      isType: false,
    },
    { name: 'the viewer', from: RUN, to: '../../../ui/app.ts', files: ['ui/app.ts'], isType: false },
    { name: 'a file that is not there', from: RUN, to: './gone.ts', files: [], isType: false },
    { name: 'a path without its ending', from: RUN, to: './queue', files: ['engine/src/run/queue.ts'], isType: false },
  ])('refuses $name', ({ from, to, files, isType }) => {
    const text = `import ${isType ? 'type ' : ''}{ A } from '${to}';`;
    expect(wrongWays(sources({ [from]: text, ...Object.fromEntries(files.map((file) => [file, ''])) }))).toHaveLength(
      1,
    );
  });
});

test('strangers finds a folder that is no room', () => {
  expect(
    strangers(sources({ 'engine/src/utils/a.ts': '', [BASE]: '', 'engine/src/main.ts': '', [MACHINE]: '' })),
  ).toHaveLength(1);
});

test.each([
  { name: 'a declared package', path: RUN, text: `import a from 'koa';`, offences: 0 },
  { name: 'a path in a scoped package', path: RUN, text: `import a from '@koa/router/b';`, offences: 0 },
  { name: 'a module of Node', path: RUN, text: `import a from 'node:fs';`, offences: 0 },
  { name: 'types of anything', path: RUN, text: `import type a from 'vitest';`, offences: 0 },
  { name: 'an undeclared package', path: RUN, text: `import a from 'vitest';`, offences: 1 },
  { name: 'a module of Node without its prefix', path: RUN, text: `import a from 'fs';`, offences: 1 },
  { name: 'xstate in a machine', path: MACHINE, text: `import a from 'xstate';`, offences: 0 },
  { name: 'a module of Node in a machine', path: MACHINE, text: `import a from 'node:fs';`, offences: 1 },
])('wrongPackages counts $offences for $name', ({ path, text, offences }) => {
  expect(wrongPackages(sources({ [path]: text }), ['koa', '@koa/router', 'xstate'])).toHaveLength(offences);
});

test('cycles finds a circle of three files, types included, once', () => {
  const files = {
    'engine/src/base/a.ts': `import { b } from './b.ts';`,
    'engine/src/base/b.ts': `import type { C } from './c.ts';`,
    'engine/src/base/c.ts': `export { a } from './a.ts';`,
    'engine/src/base/d.ts': `import './a.ts';\nimport './b.ts';`,
  };
  expect(cycles(sources(files))).toEqual([
    'engine/src/base/a.ts -> engine/src/base/b.ts -> engine/src/base/c.ts -> engine/src/base/a.ts',
  ]);
});

test('tooLong finds 301 lines, and not 300, nor a generated file', () => {
  const files = { 'ui/a.ts': 'a\n'.repeat(301), 'ui/b.ts': 'a\n'.repeat(300), 'ui/c.gen.ts': 'a\n'.repeat(301) };
  expect(tooLong(sources(files))).toEqual(['ui/a.ts has 301 lines; the ceiling is 300']);
});

test.each([
  { name: 'a type of any', path: RUN, text: 'let a: any;', offences: 1 },
  { name: 'a cast to any', path: RUN, text: 'f(a as any);', offences: 1 },
  { name: 'any as an argument of a type', path: RUN, text: 'let a: Map<string, any>;', offences: 1 },
  { name: 'a member called any', path: RUN, text: 'f({ a, any: true }); a.any();', offences: 0 },
  { name: 'the word any in a comment', path: RUN, text: '// any | any', offences: 0 },
  { name: 'a note to do something later', path: RUN, text: `// ${'TO'}DO: later`, offences: 1 },
  { name: 'console in a room', path: RUN, text: 'console.log(1);', offences: 1 },
  { name: 'console in cli', path: 'engine/src/cli/start.ts', text: 'console.log(1);', offences: 0 },
  { name: 'the environment in a room', path: RUN, text: 'f(process.env);', offences: 1 },
  { name: 'an exit in a room', path: RUN, text: 'process.exit(1);', offences: 1 },
  { name: 'the environment in main', path: 'engine/src/main.ts', text: 'f(process.env);', offences: 0 },
  { name: 'the platform in a room', path: RUN, text: 'f(process.platform);', offences: 0 },
  { name: 'a default export', path: RUN, text: 'export default 1;', offences: 1 },
  { name: 'a barrel', path: RUN, text: `export * from './a.ts';`, offences: 1 },
])('bannedWords counts $offences for $name', ({ path, text, offences }) => {
  expect(bannedWords(sources({ [path]: text }))).toHaveLength(offences);
});

test.each(['engine/src/base/error.ts', 'engine/src/config/documents.gen.ts', 'tests/a-b.test.ts'])(
  'badNames lets %s pass',
  (path) => {
    expect(badNames(sources({ [path]: '' }))).toEqual([]);
  },
);

test.each(['engine/src/base/Error.ts', 'ui/app_view.ts', 'ui/appView.ts'])('badNames refuses %s', (path) => {
  expect(badNames(sources({ [path]: '' }))).toHaveLength(1);
});
