import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../../engine/src/base/clock.ts';
import { createRedactor } from '../../../../engine/src/base/redact.ts';
import { createLogger } from '../../../../engine/src/base/log.ts';
import { makeKey } from '../../../../engine/src/store/cipher.ts';
import { type Desk, openDesk } from '../../harness.ts';

const VALUE = 'sk-agent-0123456789-abcdef';
const FILE = `# The helper of the desk.
id: helper
name: Helper # as people know it
description: Helps.
`;

/** Redacts nothing, so that a value in the log is seen. */
const NOTHING = createRedactor();

let desk: Desk;
const servers: Server[] = [];
afterEach(async () => {
  await desk.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Opened {
  /** Headers of the requests that the model server got. */
  readonly asked: IncomingHttpHeaders[];
  readonly logged: string[];
  readonly baseUrl: string;
}

/** A desk with a key, and a model server. */
async function open(files: Record<string, string> = {}): Promise<Opened> {
  const asked: IncomingHttpHeaders[] = [];
  const logged: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    request.resume();
    response.setHeader('content-type', 'application/json');
    const message = { role: 'assistant', content: 'done' };
    response.end(JSON.stringify({ model: 'm', choices: [{ index: 0, finish_reason: 'stop', message }] }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const key = makeKey();
  desk = await openDesk({
    files: {
      'apis/main.yaml': `id: main\nprovider: openai\nmodel: m\napiKey: \${env:KEY}\norganization: org-main\nbaseUrl: ${baseUrl}\n`,
      'agents/helper.yaml': FILE,
      ...files,
    },
    app: {
      env: (name) => (name === 'VX_MAILAGENT_KEY' ? key : 'sk-of-the-api'),
      log: createLogger({
        level: 'debug',
        clock: systemClock,
        redactor: NOTHING,
        json: false,
        color: false,
        write: (line) => void logged.push(line),
      }),
      models: undefined as never,
    },
  });
  return { asked, logged, baseUrl };
}

const file = () => readFileSync(join(desk.stage.root, 'config/agents/helper.yaml'), 'utf8');
const post = (body: object, id = 'helper') => desk.post(`/api/agents/${id}/credentials`, body);
const path = (key: string) => `/api/agents/helper/credentials/${key}`;
const put = (key: string, body: object) => desk.ask('PUT', path(key), { body });

/** Asks the agent as a person does, and waits for the end. */
async function askAgent(): Promise<void> {
  const { json } = await desk.post('/api/agents/helper/sessions');
  const answer = await desk.post(`/api/sessions/${json.id}/message`, { content: 'hello' });
  expect(answer.status).toBeLessThan(300);
  await desk.rest();
}

test('a credential becomes a secret and a reference in the file, and its value is in no answer, file or log', async () => {
  const { logged } = await open();
  const answer = await post({ key: 'api_key', value: VALUE });
  expect([answer.status, answer.text]).toEqual([201, '{"key":"apiKey"}']);
  expect(file()).toBe(`${FILE}credentials:\n  apiKey: \${secret:AGENT_HELPER_API_KEY}\n`);
  const shown = [
    answer,
    await desk.get('/api/agents/helper'),
    await desk.get('/api/agents'),
    await desk.get('/api/secrets'),
    await desk.get('/api/config'),
  ];
  expect(shown.map(({ text }) => text).join() + logged.join()).not.toContain(VALUE);
  expect(logged.join()).toContain('AGENT_HELPER_API_KEY');
  expect((await desk.get(path('apiKey'))).status).toBeGreaterThanOrEqual(404);
});

test('its key goes before the one of the api, from the next request on; the director keeps the api’s', async () => {
  const { asked } = await open();
  await askAgent();
  await post({ key: 'api_key', value: VALUE });
  await put('organization_id', { value: 'org-of-the-agent' });
  await askAgent();
  await put('apiKey', { value: `${VALUE}-2` });
  await askAgent();
  await desk.post('/api/runs', { directorId: 'boss', message: 'hello' });
  await desk.rest();
  expect(asked.map((headers) => [headers.authorization, headers['openai-organization']])).toEqual([
    ['Bearer sk-of-the-api', 'org-main'],
    [`Bearer ${VALUE}`, 'org-of-the-agent'],
    [`Bearer ${VALUE}-2`, 'org-of-the-agent'],
    ['Bearer sk-of-the-api', 'org-main'],
  ]);
});

test('a deleted credential leaves the file as it was, and its secret is gone', async () => {
  const { asked } = await open();
  await post({ key: 'apiKey', value: VALUE });
  await put('organization', { value: 'org-2' });
  expect((await desk.ask('DELETE', path('api_key'))).status).toBe(204);
  expect(file()).toContain('organization: ${secret:AGENT_HELPER_ORGANIZATION}');
  expect((await desk.ask('DELETE', path('organization'))).status).toBe(204);
  expect(file()).toBe(FILE);
  expect((await desk.get('/api/secrets')).json.items).toEqual([]);
  expect((await desk.ask('DELETE', path('apiKey'))).json.error.code).toBe('NOT_FOUND');
  await askAgent();
  expect(asked[0]?.authorization).toBe('Bearer sk-of-the-api');
});

test('a secret that another document names is neither overwritten nor deleted', async () => {
  await open({
    'apis/other.yaml':
      'id: other\nprovider: openai\nmodel: m\napiKey: ${secret:AGENT_HELPER_API_KEY}\nbaseUrl: https://other.example/v1\n',
  });
  await desk.ask('PUT', '/api/secrets/AGENT_HELPER_API_KEY', { body: { value: 'of-the-other' } });
  await post({ key: 'apiKey', value: VALUE });
  expect(file()).toContain('${secret:AGENT_HELPER_API_KEY_2}');
  expect(desk.stage.app.secrets.get('AGENT_HELPER_API_KEY')).toBe('of-the-other');
  await desk.ask('DELETE', path('apiKey'));
  expect(desk.stage.app.secrets.names()).toEqual(['AGENT_HELPER_API_KEY']);
});

test.each([
  ['an unknown key', { key: 'password', value: VALUE }, 'helper', 'BAD_REQUEST'],
  ['an unknown agent', { key: 'apiKey', value: VALUE }, 'nobody', 'NOT_FOUND'],
  ['a value that is no text', { key: 'apiKey', value: 12_345_678 }, 'helper', 'BAD_REQUEST'],
  ['no value', { key: 'apiKey' }, 'helper', 'BAD_REQUEST'],
] as const)('%s is refused, stores nothing and repeats nothing', async (_name, body, id, code) => {
  await open();
  const { json, text } = await post(body, id);
  expect(json.error.code).toBe(code);
  expect(text).not.toMatch(/12345678|sk-agent/);
  expect([file(), desk.stage.app.secrets.names()]).toEqual([FILE, []]);
});

test('a change of the api’s host does not take the agent’s key there', async () => {
  const { asked, baseUrl } = await open();
  await post({ key: 'apiKey', value: VALUE });
  const elsewhere = baseUrl.replace('127.0.0.1', 'localhost');
  desk.stage.write({
    'apis/main.yaml': `id: main\nprovider: openai\nmodel: m\napiKey: \${env:KEY}\nbaseUrl: ${elsewhere}\n`,
  });
  await desk.stage.app.config.refresh();
  await askAgent();
  expect(asked).toEqual([]);
  const runs = await desk.get('/api/runs');
  expect(runs.text).toMatch(/"status":"failed".*nobody has allowed/);
  await desk.post('/api/secrets/AGENT_HELPER_API_KEY/hosts', { host: elsewhere });
  await askAgent();
  expect(asked.map(({ authorization }) => authorization)).toEqual([`Bearer ${VALUE}`]);
});
