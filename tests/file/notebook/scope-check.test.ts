import { expect, test } from 'vitest';
import type { Scope } from '../../../engine/src/config/permissions.ts';
import { whyOutOfScope } from '../../../engine/src/file/notebook/scope-check.ts';

const scope = (rest: Partial<Scope>): Scope => ({
  notebooks: ['lab'],
  folders: ['*'],
  fileTypes: ['*'],
  operations: ['read'],
  ...rest,
});

const isOpen = (folders: readonly string[], path: string) =>
  whyOutOfScope(scope({ folders }), 'read', { notebook: 'lab', path }) === undefined;

test.each([
  ['/notes', 'notes/a.md', true],
  ['/notes', 'notes/sub/a.md', true],
  ['/notes', 'x/notes/a.md', false],
  ['notes', 'x/notes/a.md', true],
  ['/notes', 'Notes/a.md', false],
  ['/notes', 'notes.md', false],
  ['/experiments/*', 'experiments/1/deep/a.md', true],
  ['/experiments/*', 'experiments/a.md', true],
  ['/experiments/*/raw', 'experiments/1/raw/a.md', true],
  ['/experiments/*/raw', 'experiments/1/2/raw/a.md', false],
  ['/experiments/**/raw', 'experiments/1/2/raw/a.md', true],
  ['/*.md', 'a.md', true],
  ['/*.md', 'sub/a.md', false],
  ['*', 'any/where/a.md', true],
  ['/plan.md', 'plan.md', true],
])('the folder pattern %s and the file %s: open is %s', (pattern, path, expected) => {
  expect(isOpen([pattern], path)).toBe(expected);
});

test.each([
  ['*.md', 'any/where/a.md', true],
  ['*.md', 'a.MD', false],
  ['a.*', 'sub/a.txt', true],
  ['*.md', 'md/a.txt', false],
])('the file type %s and the file %s: open is %s', (pattern, path, expected) => {
  const why = whyOutOfScope(scope({ fileTypes: [pattern] }), 'read', { notebook: 'lab', path });
  expect(why === undefined).toBe(expected);
});

test('the operation is checked first, then the notebook, the folder and the name', () => {
  const narrow = scope({ folders: ['/notes'], fileTypes: ['*.md'] });
  const why = (operation: 'read' | 'write', notebook: string, path: string) =>
    whyOutOfScope(narrow, operation, { notebook, path });
  expect(why('write', 'hut', 'x/a.csv')).toBe('scope.operations has no "write"');
  expect(why('read', 'hut', 'x/a.csv')).toBe('scope.notebooks does not name "hut"');
  expect(why('read', 'lab', 'x/a.csv')).toBe('scope.folders has only /notes');
  expect(why('read', 'lab', 'notes/a.csv')).toBe('scope.fileTypes has only *.md');
  expect(why('read', 'lab', 'notes/a.md')).toBeUndefined();
});
