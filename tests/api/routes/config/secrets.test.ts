import { afterEach, expect, test } from 'vitest';
import { makeKey } from '../../../../engine/src/store/cipher.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
afterEach(() => desk.close());

const withKey = () => {
  const key = makeKey();
  return openDesk({ app: { env: (name) => (name === 'VX_MAILAGENT_KEY' ? key : 'sk-test-key') } });
};
const put = (name: string, body: unknown) => desk.ask('PUT', `/api/secrets/${name}`, { body });

test('secrets are set, listed by name alone and deleted', async () => {
  desk = await withKey();
  for (const name of ['C', 'A', 'B']) expect((await put(name, { value: `value-of-${name}` })).status).toBe(204);
  const first = await desk.get('/api/secrets?limit=2');
  expect(first.json.items).toEqual([
    { name: 'A', hosts: [] },
    { name: 'B', hosts: [] },
  ]);
  const next = await desk.get(`/api/v1/secrets?limit=2&cursor=${first.json.nextCursor}`);
  expect([next.json.items, next.json.nextCursor]).toEqual([[{ name: 'C', hosts: [] }], null]);
  expect(first.text + next.text).not.toContain('value-of');
  expect((await desk.ask('DELETE', '/api/secrets/A')).status).toBe(204);
  expect((await desk.ask('DELETE', '/api/secrets/A')).json.error.code).toBe('NOT_FOUND');
});

test.each([
  ['a value that is no text', 'A', { value: 12_345_678 }],
  ['no value', 'A', {}],
  ['an unknown key', 'A', { value: 'x', plain: true }],
  ['a name that cannot be referred to', 'no-dash', { value: 'x' }],
])('%s is refused, and not repeated', async (_name, name, body) => {
  desk = await withKey();
  const { status, json, text } = await put(name, body);
  expect([status, json.error.code]).toEqual([400, 'BAD_REQUEST']);
  expect(text).not.toContain('12345678');
});

test('in plain text a secret is stored only where the request says so', async () => {
  desk = await openDesk();
  const refused = await put('A', { value: 'a-value' });
  expect([refused.status, refused.json.error.code]).toEqual([409, 'SECRET_NEEDS_KEY']);
  expect(refused.json.error.hint).toContain('callsheet key make');
  expect((await put('A', { value: 'a-value', plaintext: true })).status).toBe(204);
  expect((await desk.get('/api/secrets')).json.items).toEqual([{ name: 'A', hosts: [] }]);
});

test('runtime information says how the data lie on the disk', async () => {
  desk = await withKey();
  expect((await desk.get('/api/diagnostics/runtime')).text).toContain('"storage":"encrypted"');
});

const api = (baseUrl: string) => ({
  'apis/main.yaml': `id: main\nprovider: openai\nmodel: m\napiKey: \${secret:A}\nbaseUrl: ${baseUrl}\n`,
});

test('a host that waits is allowed, and the document that waited runs when the answer arrives', async () => {
  desk = await withKey();
  const { stage } = desk;
  stage.write(api('https://one.example'));
  await stage.app.config.refresh();
  await put('A', { value: 'value-of-A' });
  stage.write(api('https://two.example'));
  await stage.app.config.refresh();
  const waiting = await desk.get('/api/config');
  expect(waiting.text).toContain('"code":"CONFIG_SECRET_NEW_HOST"');
  expect(waiting.text).toContain('"secretHost":{"name":"A","host":"two.example"}');
  const allowed = await desk.post('/api/secrets/A/hosts', { host: 'two.example' });
  expect([allowed.status, allowed.json]).toEqual([200, { name: 'A', hosts: ['one.example', 'two.example'] }]);
  expect((await desk.get('/api/config')).text).not.toContain('CONFIG_SECRET_NEW_HOST');
  expect(stage.app.config.current().apis.get('main')).toMatchObject({ baseUrl: 'https://two.example' });
});

test.each([
  ['a secret that nobody stored', 'B', { host: 'a.example' }, 'NOT_FOUND'],
  ['no host', 'A', { host: 'a b' }, 'BAD_REQUEST'],
  ['a host without a text', 'A', { host: 1 }, 'BAD_REQUEST'],
])('%s is not allowed', async (_name, name, body, code) => {
  desk = await withKey();
  await put('A', { value: 'value-of-A' });
  expect((await desk.post(`/api/secrets/${name}/hosts`, body)).json.error.code).toBe(code);
});

test('an edit over HTTP that takes a value elsewhere is saved, and waits like one of the file', async () => {
  desk = await withKey();
  desk.stage.write(api('https://one.example'));
  await desk.stage.app.config.refresh();
  await put('A', { value: 'value-of-A' });
  const value = desk.stage.app.config.current().apis.get('main');
  const { json } = await desk.ask('PUT', '/api/apis/main', { body: { ...value, baseUrl: 'https://two.example' } });
  expect(json.document.state).toBe('stale');
  expect(desk.stage.app.config.current().apis.get('main')).toMatchObject({ baseUrl: 'https://one.example' });
});
