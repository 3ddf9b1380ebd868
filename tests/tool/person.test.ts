import { expect, test } from 'vitest';
import { builtInToolCatalog } from '../../engine/src/app/tool-catalog.ts';
import type { Agent } from '../../engine/src/config/config.ts';
import { checkTools } from '../../engine/src/config/validate/check-tools.ts';
import { ASK_USER, personFamily } from '../../engine/src/tool/person.ts';
import { buildToolset } from '../../engine/src/tool/toolset.ts';
import { toolServices } from './tool-services.ts';

test.each([
  ['a director is', true],
  ['an agent is not', false],
])('%s offered the question to the user', (_who, hasDiscovery) => {
  const registry = new Map(personFamily.tools(toolServices()).map((tool) => [tool.name, tool]));
  const permissionOf = () => 'allow' as const;
  const { tools } = buildToolset({ registry, names: ['person', ASK_USER], roster: [], hasDiscovery, permissionOf });
  expect(tools.has(ASK_USER)).toBe(hasDiscovery);
});

test.each([['person'], [ASK_USER]])('an agent that names %s is told that only directors ask', (name) => {
  const helper = { id: 'helper', tools: [name] } as unknown as Agent;
  expect(checkTools(helper, undefined, builtInToolCatalog())).toMatchObject([
    { code: 'CONFIG_UNKNOWN_TOOL', path: ['tools', 0] },
  ]);
  expect(checkTools(helper, [], builtInToolCatalog())).toEqual([]);
});
