import { describe, expect, test } from 'vitest';
import { alwaysTargets, suggestPattern, withPattern } from '../../engine/src/guard/always.ts';
import type { AskReason } from '../../engine/src/guard/guard.ts';
import { answeringRule, type RunRule } from '../../engine/src/guard/run-rule.ts';
import { stricterReasons } from '../../engine/src/guard/stricter.ts';
import type { Caller } from '../../engine/src/tool/tool.ts';
import type { OfferedTool } from '../../engine/src/tool/offered-tool.ts';

const tool: OfferedTool = { kind: 'agent', name: 'post', description: '', parameters: {}, agentId: 'post' };
const origin = { director: { id: 'boss', name: 'Boss' } };
const caller: Caller = { runId: 'run_1', workspaceId: 'run_1', threadId: 'th_1', origin };
const call = (to: string, by = caller) => ({
  ...{ tool, arguments: { to }, caller: by, participants: async () => new Set<string>() },
  reader: { get: async () => undefined, list: async () => [] },
});
const rule = (more: Partial<RunRule> = {}): RunRule => ({
  ...{ tool: 'post', pattern: 'post(to=ann)', guards: ['permissions'], approvalId: 'a', by: 'jane', at: '' },
  ...more,
});
const asks = (...guards: string[]) => guards.map((guard) => ({ guard }));

describe('a rule of a run', () => {
  test.each([
    { name: 'answers the guards that asked then', rules: [rule()], guards: ['permissions'], isAnswered: true },
    {
      name: 'leaves a further guard to a person',
      rules: [rule()],
      guards: ['permissions', 'taint'],
      isAnswered: false,
    },
    { name: 'is about one tool', rules: [rule({ tool: 'fax' })], guards: ['permissions'], isAnswered: false },
    { name: 'is about one agent', rules: [rule({ agentId: 'helper' })], guards: ['permissions'], isAnswered: false },
    {
      name: 'needs its pattern',
      rules: [rule({ pattern: 'post(to=bob)' })],
      guards: ['permissions'],
      isAnswered: false,
    },
    {
      name: 'needs its call',
      rules: [rule({ pattern: undefined, call: 'x' })],
      guards: ['permissions'],
      isAnswered: false,
    },
  ])('$name', async ({ rules, guards, isAnswered }) => {
    expect((await answeringRule(rules, call('ann'), asks(...guards))) !== undefined).toBe(isAnswered);
  });
});

const asked = (guard: string, list: string, entry?: string): AskReason => ({
  ...{ guard, reason: 'why' },
  rules: [{ kind: 'director', id: 'boss', isNewest: false, list, ...(entry !== undefined && { entry }) }],
});

test.each<readonly [string, readonly AskReason[], unknown]>([
  [
    'the lists of each document, once',
    [
      asked('permissions', 'permissions.ask'),
      asked('taint', 'untrusted.act'),
      asked('permissions', 'permissions.allow'),
    ],
    [{ kind: 'director', id: 'boss', lists: ['permissions.allow', 'untrusted.act'] }],
  ],
  [
    'nothing where a rule of "ask" names the call',
    [asked('permissions', 'permissions.ask', 'post')],
    expect.any(String),
  ],
  ['nothing where a guard has no rules', [{ guard: 'repeats', reason: 'why', rules: [] }], expect.any(String)],
])('"always" adds to %s', (_name, reasons, found) => {
  expect(alwaysTargets(reasons)).toEqual(found);
});

test('a suggested pattern is about whom or what a call acts on, not about what it says', () => {
  expect(suggestPattern(tool, { to: ['ann@example.org'], text: 'Hi', cc: ['a@b.c', 'd@e.f'] })).toBe(
    'post(to=ann@example.org)',
  );
  expect(suggestPattern(tool, { path: '/a*b.md' })).toBe('post');
});

test('a document without permissions asks about its other tools from then on, as before', () => {
  const target = { kind: 'director', id: 'boss', lists: ['permissions.allow', 'untrusted.act'] } as const;
  expect(withPattern({ id: 'boss' }, target, 'post', ['fax'])).toEqual({
    ...{ id: 'boss', permissions: { allow: ['post'], ask: ['fax'] } },
    untrusted: { act: ['post'] },
  });
  expect(withPattern({ permissions: { allow: ['post'], deny: ['x'] } }, target, 'post', ['fax'])).toMatchObject({
    permissions: { allow: ['post'], deny: ['x'] },
  });
});

test.each([
  ['a guard that asked then', false, ['permissions'], []],
  ['a guard that did not', false, ['recipients'], ['recipients']],
  ['a thread that has read text of strangers since', false, ['taint'], []],
  ['a call since then of which nobody knows whether it happened', false, ['unknown'], []],
  ['a rule on such text that was there then, and is gone', true, ['taint'], ['taint']],
] as const)('the rules have become stricter: %s', (_name, wasTainted, now, found) => {
  const before = { asks: [asked('permissions', 'permissions.ask')], wasTainted };
  const reasons = now.map((guard) => asked(guard, 'x'));
  expect(stricterReasons(before, reasons).map(({ guard }) => guard)).toEqual(found);
});
