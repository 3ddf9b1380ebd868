import { describe, expect, test } from 'vitest';
import {
  backwardImports,
  crowdedFolders,
  kindSwitches,
  repeatedTypes,
  retiredNames,
  unmatchedTests,
  unplacedFolders,
} from './layout.ts';
import { type Source, sourceOf } from './source.ts';

/** Sources from `path: text`. */
const sources = (files: Record<string, string>): Source[] =>
  Object.entries(files).map(([path, text]) => sourceOf(path, text));

test.each([
  { files: 20, offences: 0 },
  { files: 21, offences: 1 },
])('crowdedFolders counts $offences for $files files', ({ files, offences }) => {
  const names = Array.from({ length: files }, (_, n) => [`engine/src/base/a${n}.ts`, ''] as const);
  expect(crowdedFolders(sources(Object.fromEntries(names)))).toHaveLength(offences);
});

describe('backwardImports', () => {
  const importing = (from: string, to: string) =>
    backwardImports(sources({ [`engine/src/${from}`]: `import { a } from '${to}';` }));

  test.each([
    { name: 'a folder to the left', from: 'run/turn/a.ts', to: '../step/b.ts' },
    { name: 'a contract', from: 'run/engine/a.ts', to: '../run.ts' },
    { name: 'a provider from the registry', from: 'mail/providers.ts', to: './imap/b.ts' },
    { name: 'another file of the folder', from: 'mail/imap/a.ts', to: './b.ts' },
    { name: 'another room', from: 'mail/mail.ts', to: '../base/b.ts' },
  ])('lets $name pass', ({ from, to }) => {
    expect(importing(from, to)).toEqual([]);
  });

  test.each([
    { name: 'a folder to the right', from: 'run/step/a.ts', to: '../turn/b.ts' },
    { name: 'a folder from a contract', from: 'mail/mail.ts', to: './parse/b.ts' },
    { name: 'a sibling', from: 'mail/imap/a.ts', to: '../gmail/b.ts' },
    { name: 'the registry from a provider', from: 'mail/imap/a.ts', to: '../providers.ts' },
  ])('refuses $name', ({ from, to }) => {
    expect(importing(from, to)).toHaveLength(1);
  });
});

test('unplacedFolders finds a folder that the order of its room does not name', () => {
  expect(unplacedFolders(sources({ 'engine/src/run/extra/a.ts': '', 'engine/src/run/step/a.ts': '' }))).toHaveLength(1);
});

test('unmatchedTests finds folders that only one side has', () => {
  const engine = sources({ 'engine/src/run/step/a.ts': '', 'engine/src/mail/a.ts': '' });
  const tests = sources({ 'tests/run/step/a.test.ts': '', 'tests/run/loop/a.test.ts': '', 'tests/flow/a.test.ts': '' });
  expect(unmatchedTests(engine, tests, ['flow'])).toEqual([
    'tests/run/loop mirrors no room',
    'engine/src/mail has no folder in tests',
  ]);
});

test('repeatedTypes finds a type that two files export, and no function', () => {
  const files = {
    'engine/src/run/a.ts': 'export interface Seen {}\nexport function read() {}',
    'engine/src/mail/a.ts': 'export type Seen = 1;\nexport function read() {}',
    'engine/src/mail/b.ts': 'type Seen = 2;',
  };
  expect(repeatedTypes(sources(files))).toHaveLength(1);
});

test.each([
  { text: 'export interface SourceWays {}', offences: 1 },
  { text: 'export function openOffice() {}', offences: 1 },
  { text: 'export const PLACE_KEY = 1;', offences: 1 },
  { text: 'export function replaceText() {}', offences: 0 },
  { text: 'function openOffice() {}', offences: 0 },
])('retiredNames counts $offences in "$text"', ({ text, offences }) => {
  expect(retiredNames(sources({ 'engine/src/run/a.ts': text }))).toHaveLength(offences);
});

test.each([
  { text: 'switch (account.provider) {}', offences: 1 },
  { text: 'switch (provider) {}', offences: 1 },
  { text: 'switch (job.kind) {}', offences: 0 },
  { text: '// switch (provider) {}', offences: 0 },
])('kindSwitches counts $offences in "$text"', ({ text, offences }) => {
  expect(kindSwitches(sources({ 'engine/src/run/a.ts': text }))).toHaveLength(offences);
});
