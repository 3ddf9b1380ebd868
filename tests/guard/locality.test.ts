import { expect, test } from 'vitest';
import type { Permissions } from '../../engine/src/config/documents.gen.ts';
import type { GuardContext } from '../../engine/src/guard/guard.ts';
import { localityGuard } from '../../engine/src/guard/locality.ts';
import type { WorldTool } from '../../engine/src/tool/tool.ts';

const http = (url: string) => ({ kind: 'http', id: 'web', request: { url } });
const FAR = http('https://search.example.com/');

function check(
  declared: object | undefined,
  {
    isLocal = true,
    director,
    agent,
  }: { isLocal?: boolean; director?: Partial<Permissions> | undefined; agent?: Partial<Permissions> } = {},
) {
  const tool = { name: 'web', family: 'web', effects: 'read', repeat: 'free', description: '', parameters: {} };
  const layers = [
    { kind: 'director', permissions: director },
    ...(agent === undefined ? [] : [{ kind: 'agent', permissions: agent }]),
  ];
  const config = { tools: new Map(declared === undefined ? [] : [['web', declared]]) };
  const context = { caller: { isLocal }, config, layers } as unknown as GuardContext;
  return localityGuard.check({ tool: tool as unknown as WorldTool, arguments: { q: 'x' } }, context);
}

test.each([
  ['a tool of another host', FAR, {}],
  ['a server of another host', { kind: 'mcp', id: 'web', url: 'https://mcp.example.com/' }, {}],
  ['a server that is a program', { kind: 'mcp', id: 'web', command: 'server' }, {}],
  ['one that only the agent allows', FAR, { agent: { allow: ['web'] } }],
  ['one that is allowed with other arguments', FAR, { director: { allow: ['web(q=y)'] } }],
])('a local run asks about %s', (_, declared, options) => {
  expect(check(declared, options)).toMatchObject({
    decision: 'ask',
    reason: expect.stringContaining('locality: local'),
  });
});

test.each([
  ['a tool that a rule of the director names', FAR, { director: { allow: ['web'] } }],
  ['one that a pattern names', FAR, { director: { allow: ['w*'] } }],
  ['one that its arguments name', FAR, { director: { allow: ['web(q=x)'] } }],
  ['a tool on this machine', http('http://127.0.0.1:8080/'), {}],
  ['a command', { kind: 'command', id: 'web', command: 'du' }, {}],
  ['a built-in tool', undefined, {}],
  ['a tool in a run that may leave the machine', FAR, { isLocal: false }],
])('%s passes', (_, declared, options) => {
  expect(check(declared, options)).toEqual({ decision: 'pass' });
});
