import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, letter, openDesk } from '../../harness.ts';

const HELPER = '# Help.\nid: helper\ntools: [mail]\napiConfigId: main\n';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({
    files: {
      'agents/helper.yaml': HELPER,
      'settings.yaml': '# ours\nroots: { clients: ./clients }\n',
      'prompts/greet.yaml':
        'id: greet\nvariables: { tone: calm }\nmessages: [{ role: system, content: "Be {{tone}}." }]\n',
    },
  });
  mkdirSync(join(desk.stage.root, 'clients/ray/2026'), { recursive: true });
  mkdirSync(join(desk.stage.root, 'clients/.git'));
  writeFileSync(join(desk.stage.root, 'clients/notes.md'), 'x');
  desk.drop('one.eml', letter('Invoice 4411', 'The cable is listed twice.'));
  await desk.fetch();
});
afterAll(() => desk.close());

test.each([
  ['director', 'agents', 'agent.name'],
  ['agent', 'agent.name', 'email'],
  ['prompt', 'email', 'nothing'],
])('the form of a %s has the schema and the variables that are not always empty', async (kind, has, lacks) => {
  const { json } = await desk.get(`/api/config/forms/${kind}`);
  const { schema, variables } = json as unknown as { schema: { properties: object }; variables: { name: string }[] };
  expect(schema.properties).toHaveProperty('id');
  const names = variables.map(({ name }) => name);
  expect(names).toContain(has);
  expect(names).not.toContain(lacks);
});

test('an unknown kind has no form', async () => {
  expect((await desk.get('/api/config/forms/boss')).status).toBe(404);
});

test.each([
  ['(?i)urgent', 'This is URGENT', { matched: true, engine: 'native' }],
  ['^urgent', 'This is urgent', { matched: false, engine: 'native' }],
  ['(a|b)*c', 'ababc', { matched: true, engine: 're2' }],
])('the pattern %s is tried on a text by the engine of the filters', async (regex, text, expected) => {
  expect((await desk.post('/api/config/regex', { regex, text })).json).toEqual(expected);
});

test('a costly pattern is stopped, and other requests are answered meanwhile', async () => {
  // Each letter of a text without order makes another of 2^900 states.
  let random = 7;
  const letters = Array.from({ length: 250_000 }, () => {
    random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
    return random > 2 ** 30 ? 'a' : 'b';
  });
  let isAnswered = false;
  const trial = desk
    .post('/api/config/regex', { regex: '(a|b)*a(a|b){900}c', text: `c${letters.join('')}` })
    .finally(() => (isAnswered = true));
  await desk.get('/api/config/forms/filter');
  expect(isAnswered).toBe(false);
  expect((await trial).json).toEqual({ problem: expect.stringContaining('took longer than 2 s') });
  expect((await desk.post('/api/config/regex', { regex: 'a', text: 'a' })).json).toMatchObject({ matched: true });
});

test('a pattern that the engine cannot use is explained', async () => {
  const { json } = await desk.post('/api/config/regex', { regex: '(?=x)', text: '' });
  expect(json).toEqual({ problem: expect.stringContaining('look-ahead') });
  expect((await desk.post('/api/config/regex', { regex: 'x'.repeat(2001), text: '' })).json).toHaveProperty('problem');
});

test('YAML is read and written for text boxes', async () => {
  expect((await desk.post('/api/config/yaml', { value: { a: [1, 'x'] } })).json).toEqual({
    text: 'a:\n  - 1\n  - x\n',
  });
  expect((await desk.post('/api/config/yaml', { text: 'a: [1, x]' })).json).toEqual({ value: { a: [1, 'x'] } });
  const wrong = await desk.post('/api/config/yaml', { text: 'a: [1' });
  expect([wrong.status, wrong.json.error.message]).toEqual([400, expect.stringMatching(/^line 1, column \d+: /)]);
  for (const body of [{ text: 'x'.repeat(70_000) }, { value: ['x'.repeat(70_000)] }]) {
    expect((await desk.post('/api/config/yaml', body)).json.error.code).toBe('TOO_LARGE');
  }
});

test('the folders of a notebook are listed, without files and hidden folders', async () => {
  expect((await desk.get('/api/folders')).json).toMatchObject({ notebook: null, folders: ['clients'] });
  expect((await desk.get('/api/folders?notebook=clients')).json).toEqual({
    notebook: 'clients',
    path: '/',
    folders: ['/ray'],
    isTruncated: false,
  });
  expect((await desk.get('/api/folders?notebook=clients&path=/ray')).json).toMatchObject({ folders: ['/ray/2026'] });
});

test.each([
  ['notebook=others', 404],
  ['notebook=clients&path=/../..', 403],
])('no folder outside the notebooks is listed: %s', async (query, status) => {
  expect((await desk.get(`/api/folders?${query}`)).status).toBe(status);
});

test('the links between documents are listed, with the tools and the filters of all accounts', async () => {
  const { json } = await desk.get('/api/config/links');
  expect(json).toMatchObject({
    items: expect.arrayContaining([
      { from: 'agents/helper', to: 'apis/main', path: '/apiConfigId' },
      { from: 'filters/all', to: 'directors/boss', path: '/directorId/0' },
    ]),
    tools: expect.arrayContaining([{ from: 'agents/helper', name: 'mail' }]),
    openFilters: ['filters/all'],
  });
});

test('a document comes with the keys that its file spells', async () => {
  expect((await desk.get('/api/agents/helper')).json.document).toMatchObject({
    written: { id: 'helper', tools: ['mail'], apiConfigId: 'main' },
    text: HELPER,
  });
  expect((await desk.get('/api/settings')).json.document).toMatchObject({
    written: { roots: { clients: './clients' } },
  });
});

test('a refused edit names every error with its key', async () => {
  const body = { id: 'helper', tools: ['serch'], limits: { requestsPerHour: 0 } };
  const { status, json } = await desk.ask('PUT', '/api/agents/helper', { body });
  expect(status).toBe(422);
  expect(json.error.where?.problems?.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/limits/requestsPerHour']),
  );
  for (const problem of json.error.where?.problems ?? []) expect(problem.message).not.toBe('');
});

test('a value that is a known secret is marked, so that no form writes the mark back', async () => {
  desk.services.deps.redactor.add('hunter22hunter22');
  writeFileSync(join(desk.stage.root, 'config/agents/leaky.yaml'), 'id: leaky\ndescription: hunter22hunter22\n');
  await desk.stage.app.config.refresh();
  expect((await desk.get('/api/agents/leaky')).json).toMatchObject({ isRedacted: true, description: '[redacted]' });
  expect((await desk.get('/api/agents/helper')).json).not.toHaveProperty('isRedacted');
});

test('a client that writes back what it read cannot replace a secret by its mark', async () => {
  desk.services.deps.redactor.add('hunter33hunter33');
  const file = join(desk.stage.root, 'config/agents/spilt.yaml');
  writeFileSync(file, 'id: spilt\ndescription: hunter33hunter33\n');
  await desk.stage.app.config.refresh();
  const read = (await desk.get('/api/agents/spilt')).json as unknown as Record<string, unknown>;
  const { isRedacted: _known, ...rest } = read;
  for (const [method, path, body] of [
    ['PUT', '/api/agents/spilt', read],
    ['PUT', '/api/agents/spilt', rest],
    ['POST', '/api/agents', { ...read, id: 'copy' }],
  ] as const) {
    const { status, json } = await desk.ask(method, path, { body });
    expect([status, json.error]).toEqual([400, expect.objectContaining({ hint: expect.stringContaining('secret') })]);
  }
  expect(readFileSync(file, 'utf8')).toContain('hunter33hunter33');
  // Where no secret stands, the word is a text as any other.
  const body = { id: 'spilt', description: 'Says [redacted].' };
  writeFileSync(file, 'id: spilt\n');
  await desk.stage.app.config.refresh();
  expect((await desk.ask('PUT', '/api/agents/spilt', { body })).status).toBe(200);
});

test('a prompt that is not stored is previewed on a mail, with unknown and empty variables and its tokens', async () => {
  const [mail] = (await desk.get('/api/emails')).json.items;
  const prompt = [
    { role: 'system', content: 'You are {{director.name}}. {{nmae}} {{scope}}' },
    { role: 'user', content: 'About {{email.subject}}' },
  ];
  const { json } = await desk.post('/api/prompts/preview', { directorId: 'boss', emailId: mail?.id, prompt });
  expect(json.messages[0]?.content).toContain('{{nmae}}');
  expect(json.messages[1]?.content).toContain('Invoice 4411');
  expect(json).toMatchObject({ unknown: ['nmae'], empty: ['scope'], tokens: expect.any(Number) });
  const chars = json.messages.reduce((sum, { content }) => sum + content.length, 0);
  expect(json).toMatchObject({ tokens: Math.ceil(chars / 4) });
});

test('a draft of a template has variables, and a draft can use a stored template', async () => {
  const template = [{ role: 'system', content: 'Be {{tone}}.' }];
  const own = await desk.post('/api/prompts/preview', {
    agentId: 'helper',
    prompt: template,
    variables: { tone: 'bold' },
  });
  expect(own.json.messages[0]?.content).toBe('Be bold.');
  const used = await desk.post('/api/prompts/preview', { agentId: 'helper', prompt: { use: 'greet' } });
  expect(used.json.messages[0]?.content).toBe('Be calm.');
});

test.each([
  ['a role that there is not', [{ role: 'boss', content: 'x' }], '/prompt/0/role'],
  ['a text that is none', [{ role: 'user', content: 1 }], '/prompt/0/content'],
  ['no prompt', 'x', '/prompt'],
])('a draft with %s is refused at its place', async (_name, prompt, path) => {
  const { status, json } = await desk.post('/api/prompts/preview', { agentId: 'helper', prompt });
  expect([status, json.error.where?.path]).toEqual([400, path]);
});
