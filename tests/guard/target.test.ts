import { expect, test } from 'vitest';
import { targetOf } from '../../engine/src/guard/target.ts';
import type { WorldTool } from '../../engine/src/tool/tool.ts';

const tool: WorldTool = {
  name: 'any',
  family: 'any',
  description: '',
  parameters: {},
  effects: 'write',
  repeat: 'once',
  run: () => Promise.resolve(null),
};

test.each([
  ['recipients', { to: ['ann@example.org', 'bob@example.org'], subject: 'Hi' }, 'ann@example.org, bob@example.org'],
  ['a path', { path: 'drafts/a.md', content: 'x' }, 'drafts/a.md'],
  ['the title of an event', { event: { title: 'Lunch', start: '2026-12-01T12:00' } }, 'Lunch'],
  ['the title of a to-do', { task: { title: 'Call\nAnn' } }, 'Call Ann'],
  ['an argument of the call before one of its event', { title: 'Outer', event: { title: 'Inner' } }, 'Outer'],
  ['nothing', { text: 'words' }, undefined],
])('the target of a call is %s', (_name, args, target) => {
  expect(targetOf({ tool, arguments: args })).toBe(target);
});
