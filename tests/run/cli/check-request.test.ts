import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { PermissionRules } from '../../../engine/src/config/permissions.ts';
import { checkRequest, permissionName } from '../../../engine/src/run/cli/check-request.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'callsheet-permission-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'src'));
});

const answer = (rules: PermissionRules | undefined, kind: string, input?: unknown) =>
  checkRequest([rules], { title: 'x', kind, ...(input !== undefined && { input }) }, dir).permission;

describe('a permission request of a command-line agent', () => {
  test.each<[string, PermissionRules | undefined, string, unknown, string]>([
    ['asks without permissions, also to read', undefined, 'read', { path: 'a' }, 'ask'],
    ['asks where no rule names it', { allow: ['cli_read'] }, 'edit', { path: 'a' }, 'ask'],
    ['is allowed by its name', { allow: ['cli_read'] }, 'read', { path: 'a' }, 'allow'],
    ['is known without the prefix, too', { allow: ['read'] }, 'read', { path: 'a' }, 'allow'],
    ['of an unknown kind has a name of its own', { allow: ['cli_other'] }, 'dance', { a: 1 }, 'allow'],
    ['is denied before it is allowed', { allow: ['*'], deny: ['cli_fetch'] }, 'fetch', { url: 'x' }, 'deny'],
    ['asks before it is allowed', { allow: ['*'], ask: ['cli_edit'] }, 'edit', { path: 'a' }, 'ask'],
    [
      'is allowed for a command that matches',
      { allow: ['cli_execute(command=git *)'] },
      'execute',
      { command: 'git log' },
      'allow',
    ],
    ['asks for another command', { allow: ['cli_execute(command=git *)'] }, 'execute', { command: 'rm -r x' }, 'ask'],
    [
      'asks for a second program behind a pattern',
      { allow: ['cli_execute(command=git *)'] },
      'execute',
      { command: 'git log; rm -r x' },
      'ask',
    ],
    [
      'asks for a second line behind a pattern',
      { allow: ['cli_execute(command=git *)'] },
      'execute',
      { command: 'git log\nrm x' },
      'ask',
    ],
    ['without input is not allowed by its name', { allow: ['cli_execute'] }, 'execute', undefined, 'ask'],
    ['without input is not allowed by everything', { allow: ['*'] }, 'execute', undefined, 'ask'],
    [
      'without input is denied by a rule with patterns',
      { deny: ['cli_execute(command=rm *)'] },
      'execute',
      undefined,
      'deny',
    ],
  ])('%s', (_name, rules, kind, input, expected) => {
    expect(answer(rules, kind, input)).toBe(expected);
  });

  test('counts a path from the folder, by whatever name the tool gives it', () => {
    const rules = { allow: ['cli_edit(path=src/**)'] };
    expect(answer(rules, 'edit', { file_path: join(dir, 'src/a.ts') })).toBe('allow');
    expect(answer(rules, 'edit', { path: 'src/a.ts' })).toBe('allow');
    expect(answer(rules, 'edit', { path: join(dir, 'other.ts') })).toBe('ask');
    expect(answer(rules, 'edit', { path: 'src/../other.ts' })).toBe('ask');
    expect(answer({ deny: ['cli_edit(path=src/**)'] }, 'edit', { abs_path: join(dir, 'src/a.ts') })).toBe('deny');
  });

  test('does not follow a link out of the folder', () => {
    symlinkSync('/etc', join(dir, 'src', 'link'));
    expect(answer({ allow: ['cli_edit(path=src/**)'] }, 'edit', { path: 'src/link/passwd' })).toBe('ask');
  });

  test('gets the strictest answer of all documents', () => {
    const request = { title: 'x', kind: 'read', input: { path: 'a' } };
    expect(checkRequest([{ allow: ['*'] }, { ask: ['*'] }], request, dir).permission).toBe('ask');
    expect(checkRequest([{ allow: ['*'] }, undefined, { deny: ['*'] }], request, dir).permission).toBe('deny');
    expect(checkRequest([], request, dir).permission).toBe('ask');
    expect(permissionName({ kind: 'constructor' })).toBe('cli_other');
  });
});
