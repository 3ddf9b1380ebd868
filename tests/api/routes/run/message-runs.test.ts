import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../available.ts';
import { type Desk, openDesk } from '../../harness.ts';

const TEXT = 'Can you print 200 flyers until Friday? Order code ZX-4711.';

/** Every file of the shipped config, by path. */
function shipped(): Record<string, string> {
  const dir = join(root, 'config');
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(dir, name), 'utf8')]));
}

/** An app with the model providers of the product; without a key, runs use the scripted api. */
const scripted = (files: Readonly<Record<string, string>>) =>
  openDesk({ files, app: { models: undefined, env: () => undefined } });

describe('a message to a shipped director', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await scripted(shipped());
  });
  afterAll(() => desk.close());

  async function run(directorId: string) {
    const { json } = await desk.post('/api/runs', { directorId, message: TEXT });
    const { status, scripted: isScripted } = await desk.stage.ended(json.id);
    expect({ status, isScripted }).toEqual({ status: 'completed', isScripted: true });
    return json;
  }

  test.each(['client-manager', 'on-call', 'reading-list'])('reaches the model of %s, once', async (id) => {
    const { dirThreadId } = await run(id);
    const { messages } = (await desk.get(`/api/conversations/${dirThreadId}`)).json;
    expect(messages.filter(({ role }) => role === 'user')).toEqual([{ role: 'user', content: TEXT }]);
  });

  test('is handed on to the agents', async () => {
    const { id } = await run('client-manager');
    const { items } = (await desk.get('/api/conversations?limit=100')).json;
    const agents = items.filter((item) => item['kind'] === 'agent' && item['runId'] === id);
    expect(agents).toHaveLength(2);
    for (const agent of agents) {
      const { messages } = (await desk.get(`/api/conversations/${agent.id}`)).json;
      expect(messages.find(({ role }) => role === 'user')?.content).toContain('ZX-4711');
    }
  });
});

const ECHO = 'id: echo\nprovider: scripted\nscript:\n  - when: { any: true }\n    say: "I read: {{lastUserText}}"\n';

test.each([
  { name: 'an example', prompt: '[{ role: user, content: Example? }, { role: assistant, content: Yes. }]' },
  { name: 'the mail only', prompt: '[{ role: user, content: "{{email}}" }]' },
  { name: 'the message', prompt: '[{ role: user, content: "{{message}}" }]' },
])('a prompt with $name answers the message', async ({ prompt }) => {
  const desk = await scripted({
    'apis/echo.yaml': ECHO,
    'directors/chief.yaml': `id: chief\napiConfigId: echo\nprompt: ${prompt}\n`,
  });
  const { id } = (await desk.post('/api/runs', { directorId: 'chief', message: TEXT })).json;
  expect((await desk.stage.ended(id)).summary).toBe(`I read: ${TEXT}`);
  await desk.close();
});

test('an agent with an example in its prompt answers what the director asks first', async () => {
  const caller = [
    '  - when: { role: director, turn: 1 }',
    `    call: { tool: agent__helper, arguments: { input: "${TEXT}" } }`,
    '  - when: { role: director }',
    '    say: "{{lastToolResult.output}}"',
    '  - when: { any: true }',
    '    say: "I read: {{lastUserText}}"',
  ].join('\n');
  const desk = await scripted({
    'apis/echo.yaml': `id: echo\nprovider: scripted\nscript:\n${caller}\n`,
    'directors/chief.yaml': 'id: chief\napiConfigId: echo\nagents: [helper]\n',
    'agents/helper.yaml':
      'id: helper\nprompt:\n  - { role: system, content: Answer. }\n  - { role: user, content: Example? }\n  - { role: assistant, content: Yes. }\n',
  });
  const { id } = (await desk.post('/api/runs', { directorId: 'chief', message: 'go' })).json;
  expect((await desk.stage.ended(id)).summary).toBe(`I read: ${TEXT}`);
  await desk.close();
});
