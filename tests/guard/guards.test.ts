import { expect, test } from 'vitest';
import type { Guard, GuardContext, Verdict } from '../../engine/src/guard/guard.ts';
import { runGuards } from '../../engine/src/guard/guards.ts';
import type { WorldTool } from '../../engine/src/tool/tool.ts';

const tool: WorldTool = {
  name: 'mail_send',
  family: 'mail',
  description: '',
  parameters: {},
  effects: 'write',
  repeat: 'once',
  run: () => Promise.resolve(null),
};
const call = { tool, arguments: { to: ['ann@example.org', 'bob@example.org'] } };
const target = 'ann@example.org, bob@example.org';
const rule = { kind: 'director', id: 'boss', isNewest: false, list: 'permissions.ask', entry: 'mail_*' } as const;

function check(...verdicts: Verdict[]) {
  const guards = verdicts.map((verdict, n): Guard => ({ name: `guard ${n}`, check: () => verdict }));
  return runGuards(call, {} as GuardContext, guards);
}

test('a call passes where all guards let it pass, with the rules that allow it and its target', async () => {
  expect(await check({ decision: 'pass' }, { decision: 'pass', rules: [rule] })).toEqual({
    decision: 'allow',
    reason: '',
    rules: [rule],
    target,
  });
});

test('a call asks where one guard asks, with every reason', async () => {
  const outcome = await check(
    { decision: 'ask', reason: 'one', rules: [rule] },
    { decision: 'pass' },
    { decision: 'ask', reason: 'two' },
  );
  const asks = [
    { guard: 'guard 0', reason: 'one', rules: [rule] },
    { guard: 'guard 2', reason: 'two', rules: [] },
  ];
  expect(outcome).toEqual({ decision: 'ask', reason: 'one; two', rules: [rule], asks, target });
});

test('a refusal ends the check, with the guard, the code and the target', async () => {
  const outcome = await check(
    { decision: 'ask', reason: 'one' },
    { decision: 'refuse', code: 'OUT_OF_SCOPE', reason: 'no', hint: 'stay' },
    { decision: 'pass' },
  );
  const error: unknown = expect.objectContaining({ code: 'OUT_OF_SCOPE', message: 'no', hint: 'stay' });
  expect(outcome).toEqual({ decision: 'refuse', guard: 'guard 1', reason: 'no', rules: [], target, error });
});
