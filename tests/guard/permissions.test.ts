import { describe, expect, test } from 'vitest';
import { globTest } from '../../engine/src/base/glob.ts';
import type { Permission, PermissionRules } from '../../engine/src/config/permissions.ts';
import { checkPermission } from '../../engine/src/guard/permissions.ts';

const write = { name: 'mail_send', effects: 'write', isOurs: false } as const;
const read = { name: 'mail_search', effects: 'read', isOurs: false } as const;
const ours = { name: 'workspace_add_item', effects: 'none', isOurs: true } as const;

const layer = (who: string, permissions: PermissionRules | undefined) =>
  ({ who, kind: 'director', id: 'boss', isNewest: false, permissions }) as const;

describe('permissions', () => {
  test.each<{
    name: string;
    tool: Parameters<typeof checkPermission>[0];
    layers: (PermissionRules | undefined)[];
    permission: Permission;
  }>([
    { name: 'let our own tools pass without a word', tool: ours, layers: [undefined], permission: 'allow' },
    {
      name: 'let our own tools pass beside rules that do not name them',
      tool: ours,
      layers: [{ allow: ['mail_*'] }],
      permission: 'allow',
    },
    { name: 'let declared reads pass', tool: read, layers: [{ allow: ['x'] }], permission: 'allow' },
    { name: 'ask about a write where there are no rules at all', tool: write, layers: [undefined], permission: 'ask' },
    { name: 'deny a write that no rule names', tool: write, layers: [{ allow: ['calendar_*'] }], permission: 'deny' },
    { name: 'deny where empty rules stand', tool: write, layers: [{}], permission: 'deny' },
    {
      name: 'put deny before ask and allow',
      tool: write,
      layers: [{ allow: ['*'], ask: ['*'], deny: ['mail_send'] }],
      permission: 'deny',
    },
    {
      name: 'put ask before allow',
      tool: write,
      layers: [{ allow: ['mail_send'], ask: ['mail_*'] }],
      permission: 'ask',
    },
    { name: 'let rules bind our own tools too', tool: ours, layers: [{ deny: ['workspace_*'] }], permission: 'deny' },
    {
      name: 'let the stricter of two layers win',
      tool: write,
      layers: [{ allow: ['mail_send'] }, { ask: ['mail_send'] }],
      permission: 'ask',
    },
    {
      name: 'let a denial of either layer win',
      tool: read,
      layers: [{ deny: ['mail_*'] }, { allow: ['*'] }],
      permission: 'deny',
    },
  ])('$name', ({ tool, layers, permission }) => {
    expect(
      checkPermission(
        tool,
        layers.map((permissions, n) => layer(`layer ${n}`, permissions)),
      ).permission,
    ).toBe(permission);
  });

  test('name the rule that decided', () => {
    expect(checkPermission(write, [layer('director boss', { deny: ['mail_*'] })]).reason).toBe(
      'director boss: permissions.deny has "mail_*"',
    );
  });
});

test.each([
  ['memory_*', 'memory_add', true],
  ['memory_*', 'memory_', true],
  ['memory_*', 'notmemory_add', false],
  ['*', 'anything', true],
  ['*_read', 'calendar_read', true],
  ['*_read', 'calendar_reader', false],
  ['a*b*c', 'a1b2c', true],
  ['a*b*c', 'abc', true],
  ['a*b*c', 'acb', false],
  ['ab*ba', 'aba', false],
  ['mail.send', 'mailxsend', false],
  ['mail_send', 'mail_send', true],
])('the glob %s on %s gives %s', (glob, name, expected) => {
  expect(globTest(glob)(name)).toBe(expected);
});
