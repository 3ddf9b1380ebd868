import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Desk, letter, openDesk } from '../../harness.ts';

const HELPER = '# The one who helps.\nid: helper\nname: Helper # short\ndescription: Helps.\n';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ files: { 'agents/helper.yaml': HELPER, 'agents/other.yaml': 'id: other\nname: Other\n' } });
});
afterEach(() => desk.close());

const file = (name: string) => join(desk.stage.root, 'config', name);

test('the state of the config is told', async () => {
  const { json } = await desk.get('/api/config');
  expect(json).toMatchObject({
    revision: desk.stage.app.config.current().revision,
    root: desk.stage.root,
    problems: [],
  });
  expect(json).toHaveProperty(
    'documents',
    expect.arrayContaining([
      { kind: 'agent', id: 'helper', file: 'config/agents/helper.yaml', hash: expect.any(String), state: 'live' },
    ]),
  );
});

test.each([['directors'], ['agents'], ['filters'], ['apis'], ['accounts'], ['prompts'], ['tools'], ['chat-presets']])(
  '%s are listed',
  async (kind) => {
    const { status, json } = await desk.get(`/api/${kind}`);
    expect(status).toBe(200);
    expect(json.nextCursor).toBeNull();
    for (const item of json.items) expect(item.document.state).toBe('live');
  },
);

test('a preset of chats is made, changed and deleted in its folder', async () => {
  const body = { id: 'review', participants: [{ displayName: 'Ada', apiConfigId: 'main' }] };
  expect((await desk.post('/api/chat-presets', body)).status).toBe(201);
  expect(existsSync(file('chats/review.yaml'))).toBe(true);
  const changed = await desk.ask('PUT', '/api/chat-presets/review', { body: { ...body, title: 'Review' } });
  expect(changed.json).toMatchObject({ title: 'Review', participants: [{ displayName: 'Ada', persona: '' }] });
  expect((await desk.ask('DELETE', '/api/chat-presets/review')).status).toBe(204);
  expect(existsSync(file('chats/review.yaml'))).toBe(false);
});

test('lists page', async () => {
  const first = (await desk.get('/api/agents?limit=1')).json;
  const second = (await desk.get(`/api/agents?limit=1&cursor=${first.nextCursor}`)).json;
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['helper', 'other']);
  expect(second.nextCursor).toBeNull();
});

test('a document that was read can be written back changed, and its comments stay', async () => {
  const { json } = await desk.get('/api/agents/helper');
  expect(json).toMatchObject({ id: 'helper', enabled: true, document: { text: HELPER } });
  const answer = await desk.ask('PUT', `/api/agents/helper?expectedHash=${json.document.fileHash}`, {
    body: { ...json, description: 'Helps a lot.' },
  });
  expect(answer.status).toBe(200);
  expect(readFileSync(file('agents/helper.yaml'), 'utf8')).toBe(HELPER.replace('Helps.', 'Helps a lot.'));
  expect(desk.stage.app.config.current().agents.get('helper')?.description).toBe('Helps a lot.');
});

test('a file that was changed meanwhile is not written over', async () => {
  const answer = await desk.ask('PUT', `/api/agents/helper?expectedHash=${'0'.repeat(64)}`, {
    body: { id: 'helper', name: 'X' },
  });
  expect([answer.status, answer.json.error.code]).toEqual([409, 'CONFLICT']);
});

test('an edit that is not valid is refused and written nowhere', async () => {
  const answer = await desk.ask('PUT', '/api/agents/helper', {
    body: { id: 'helper', name: 'Helper', tools: ['serch'] },
  });
  expect([answer.status, answer.json.error.code]).toEqual([422, 'CONFIG_INVALID']);
  expect(answer.json.error.where).toMatchObject({ file: 'config/agents/helper.yaml' });
  expect(readFileSync(file('agents/helper.yaml'), 'utf8')).toBe(HELPER);
});

test('documents are created and deleted, unless somebody names them', async () => {
  const made = await desk.post('/api/agents', { id: 'fresh', name: 'Fresh' });
  expect([made.status, made.json.id]).toEqual([201, 'fresh']);
  expect(readFileSync(file('agents/fresh.yaml'), 'utf8')).toMatch(/^# yaml-language-server: .*\nid: fresh\n/);
  expect((await desk.post('/api/agents', { id: 'fresh', name: 'Again' })).json.error.code).toBe('CONFLICT');
  expect((await desk.ask('DELETE', '/api/agents/fresh')).status).toBe(204);
  expect(existsSync(file('agents/fresh.yaml'))).toBe(false);
  expect((await desk.ask('DELETE', '/api/agents/helper')).json.error.code).toBe('CONFLICT');
});

test.each([['../../x'], ['a/b'], ['.x'], ['']])('the id %j leads out of no folder', async (id) => {
  const answer = await desk.post('/api/agents', { id, name: 'X' });
  expect(answer.status).toBe(422);
  expect(existsSync(join(desk.stage.root, 'x.yaml'))).toBe(false);
});

test('an id does not change', async () => {
  const answer = await desk.ask('PUT', '/api/agents/helper', { body: { id: 'other', name: 'X' } });
  expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
});

test('the order of documents is written into them', async () => {
  expect((await desk.ask('PUT', '/api/agents/order', { body: { ids: ['other', 'helper'] } })).status).toBe(204);
  const orders = ['other', 'helper'].map((id) => desk.stage.app.config.current().agents.get(id)?.order);
  expect(orders).toEqual([10, 20]);
  const listed = (await desk.get('/api/agents')).json.items.map(({ id }) => id);
  expect(listed).toEqual(['other', 'helper']);
  const [first] = (await desk.get('/api/agents?limit=1')).json.items;
  expect(first?.id).toBe('other');
  const { documents } = (await desk.get('/api/config')).json as unknown as {
    documents: { kind: string; id: string }[];
  };
  expect(documents.filter(({ kind }) => kind === 'agent').map(({ id }) => id)).toEqual(['other', 'helper']);
});

test('an agent is switched off and on', async () => {
  await desk.post('/api/agents/other/activate', { enabled: false });
  expect(desk.stage.app.config.current().agents.has('other')).toBe(false);
  await desk.post('/api/agents/other/activate');
  expect(desk.stage.app.config.current().agents.has('other')).toBe(true);
});

test('settings have their defaults and can be changed', async () => {
  const { json } = await desk.get('/api/settings');
  expect(json).toMatchObject({ sessionTimeoutMinutes: 15 });
  expect((await desk.ask('PUT', '/api/settings', { body: { sessionTimeoutMinutes: 20 } })).json).toMatchObject({
    sessionTimeoutMinutes: 20,
  });
  expect(readFileSync(file('settings.yaml'), 'utf8')).toContain('sessionTimeoutMinutes: 20');
});

test('a broken document is named, with the text that is broken', async () => {
  writeFileSync(file('agents/broken.yaml'), 'id: broken\nnmae: X\n');
  await desk.stage.app.config.refresh();
  const { json } = await desk.get('/api/agents/broken');
  expect(json).toMatchObject({ id: 'broken', document: { state: 'invalid', text: 'id: broken\nnmae: X\n' } });
});

test('keys of providers are references, never values', async () => {
  const { text } = await desk.get('/api/apis/main');
  expect(text).toContain('${env:KEY}');
  expect(text).not.toContain('sk-test-key');
});

describe('trying a mail', () => {
  const expected = {
    mail: { subject: 'hi', from: 'ada@example.org', accountId: 'inbox' },
    directors: [{ directorId: 'boss', filterId: 'all' }],
    passedOver: [],
    results: [expect.objectContaining({ filterId: 'all', matched: true, verdict: expect.anything() })],
    agents: { boss: ['helper'] },
  };

  test('says for text and for base64 what would become of it, and keeps nothing', async () => {
    const raw = letter('hi');
    expect((await desk.post('/api/config/try', { raw })).json).toEqual(expected);
    expect(
      (await desk.post('/api/config/try', { raw: Buffer.from(raw).toString('base64'), encoding: 'base64' })).json,
    ).toEqual(expected);
    expect((await desk.get('/api/emails')).json.items).toEqual([]);
  });

  test('says it for a mail that is here', async () => {
    desk.drop('a.eml', letter('hi'));
    await desk.fetch();
    const emailId = (await desk.get('/api/emails')).json.items[0]?.id;
    expect((await desk.post('/api/config/try', { emailId })).json).toEqual(expected);
  });

  test.each([
    ['nothing', {}],
    ['both', { raw: 'x', emailId: 'y' }],
    ['an account that is not there', { raw: 'x', accountId: 'nope' }],
  ])('refuses %s', async (_name, body) => {
    expect((await desk.post('/api/config/try', body)).json.error.code).toBe('BAD_REQUEST');
  });
});

describe('the preview of a prompt', () => {
  test('is what the director would be told about a mail', async () => {
    desk.drop('a.eml', letter('hi', 'The text.'));
    await desk.fetch();
    const emailId = (await desk.get('/api/emails')).json.items[0]?.id ?? '';
    const { json } = await desk.post('/api/prompts/preview', { directorId: 'boss', emailId });
    const thread = (await desk.get(`/api/conversations/byDirectorEmail?directorId=boss&emailId=${emailId}`)).json;
    expect(json.messages).toEqual(thread.messages.slice(0, json.messages.length));
    expect(json.messages.at(-1)?.content).toContain('The text.');
  });

  test('is what an agent would be told with its input', async () => {
    const { json } = await desk.post('/api/prompts/preview', { agentId: 'helper', message: 'Help me.' });
    expect(json.messages.at(-1)).toEqual({ role: 'user', content: 'Help me.' });
    expect(json.messages[0]?.content).toContain('Helper');
  });

  test('of nobody is refused', async () => {
    expect((await desk.post('/api/prompts/preview', {})).json.error.code).toBe('BAD_REQUEST');
    expect((await desk.post('/api/prompts/preview', { directorId: 'nobody' })).json.error.code).toBe('NOT_FOUND');
  });
});
