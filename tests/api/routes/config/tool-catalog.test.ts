import { afterEach, expect, test } from 'vitest';
import type { ListedFamily } from '../../../../engine/src/tool/catalog.ts';
import { FAMILIES } from '../../../../engine/src/tool/registry.ts';
import type { WorldTool } from '../../../../engine/src/tool/tool.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk | undefined;
afterEach(() => desk?.close());

const families = async () => {
  const { status, text } = await desk!.get('/api/tools/catalog');
  expect(status).toBe(200);
  return (JSON.parse(text) as { families: readonly ListedFamily[] }).families;
};

test('the catalog has every family and tool with parameters, effects and default permission', async () => {
  desk = await openDesk();
  const listed = await families();
  expect(listed.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...FAMILIES.map(({ name }) => name), 'discovery', 'agent']),
  );
  const tools = new Map(listed.flatMap((family) => family.tools.map((tool) => [tool.name, tool])));
  expect(tools.get('mail_send')).toMatchObject({
    ...{ effects: 'write', reach: 'outward', repeat: 'lookup', permission: 'ask', permissionWithRules: 'deny' },
    parameters: { type: 'object', properties: { to: { type: 'array' } } },
  });
  expect(tools.get('mail_read')).toMatchObject({ effects: 'read', permission: 'allow', aliases: ['read_email'] });
  expect(tools.get('read_api_docs')).toMatchObject({ effects: 'none', permission: 'allow' });
  expect([...tools.values()].filter(({ description }) => description === '')).toEqual([]);
});

test('a tool that was added to the app is in the catalog', async () => {
  const look: WorldTool = {
    ...{ name: 'look', family: 'outside', effects: 'read', repeat: 'free', description: 'Looks.' },
    parameters: { type: 'object', properties: {} },
    run: () => Promise.resolve(null),
  };
  desk = await openDesk({ app: { tools: [look] } });
  expect(await families()).toContainEqual({
    ...{ name: 'outside', use: 'named' },
    tools: [expect.objectContaining({ name: 'look' })],
  });
});
