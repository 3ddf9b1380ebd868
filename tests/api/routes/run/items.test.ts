import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../../run/harness.ts';
import { type Desk, openDesk } from '../../harness.ts';

const BOSS = { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n' };

let desk: Desk;
let path = '';
beforeAll(async () => {
  desk = await openDesk({
    files: BOSS,
    play: ({ turn }) =>
      turn === 1
        ? { tool_calls: [call('c', 'workspace_add_item', { label: 'by the model', data: 'x' })] }
        : { content: 'done' },
  });
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.rest();
  path = `/api/workspaces/${json.workspaceId}/items`;
});
afterAll(() => desk.close());

test('a person adds an item, which says so', async () => {
  const answer = await desk.post(path, { label: 'mine', mimeType: 'text/markdown', data: '# Hi', tags: ['a'] });
  expect(answer.status).toBe(201);
  expect(answer.json).toMatchObject({
    label: 'mine',
    mimeType: 'text/markdown',
    encoding: 'utf8',
    revision: 1,
    deleted: false,
    context: { createdBy: 'user', director: { id: 'boss', name: 'Boss' } },
  });
  expect((await desk.get(`${path}/${answer.json.id}`)).json).toEqual(answer.json);
});

test('an item names the api and the model that made it', async () => {
  const { items } = (await desk.get(path)).json;
  const made = items.find(({ label }) => (label as unknown) === 'by the model');
  expect(made?.['context']).toMatchObject({ createdBy: 'director', apiId: 'main', model: 'test' });
  const { json } = await desk.post(path, { data: 'mine' });
  expect(json).not.toHaveProperty('context.model');
});

describe('the context of an added item', () => {
  test('can be given, and what it leaves out is that of the workspace', async () => {
    const context = {
      agent: { id: 'helper', name: 'Helper' },
      email: { id: 'm1', subject: 'Tea' },
      createdBy: 'agent',
    };
    const { status, json } = await desk.post(path, { data: 'x', context });
    expect(status).toBe(201);
    expect(json).toHaveProperty('context', {
      director: { id: 'boss', name: 'Boss' },
      agent: { id: 'helper', name: 'Helper' },
      email: { id: 'm1', subject: 'Tea', from: '', date: '' },
      createdBy: 'agent',
      agentId: 'helper',
      runId: expect.any(String),
    });
    expect((await desk.get(`${path}/${json.id}`)).json).toEqual(json);
  });

  test('goes behind a provenance', async () => {
    const { json } = await desk.post(path, {
      data: 'x',
      context: { createdBy: 'agent', agentId: 'helper', tool: 'a' },
      provenance: { by: 'tool', tool: 'b', conversationId: 'th_1' },
    });
    expect(json).toHaveProperty('context', {
      director: { id: 'boss', name: 'Boss' },
      createdBy: 'tool',
      agentId: 'helper',
      tool: 'b',
      conversationId: 'th_1',
      runId: expect.any(String),
    });
  });

  test.each([
    ['an unknown key', { context: { emial: {} } }, '"context" has an unknown key "emial"'],
    ['an unknown creator', { provenance: { createdBy: 'nobody' } }, '"provenance.createdBy" must be'],
    ['a subject that is no text', { context: { email: { subject: 1 } } }, '"context.email.subject" must be a string'],
  ])('is refused with %s', async (_name, body, message) => {
    const { status, json } = await desk.post(path, body);
    expect({ status, code: json.error.code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
    expect(json.error.message).toContain(message);
  });
});

test('an item is changed only from the revision that the writer saw', async () => {
  const { json } = await desk.post(path, { data: 'one' });
  const item = `${path}/${json.id}`;
  const changed = await desk.ask('PUT', item, { body: { data: 'two', expectedRevision: 1 } });
  expect(changed.json).toMatchObject({ data: 'two', revision: 2, context: { createdBy: 'user' } });
  const late = await desk.ask('PUT', item, { body: { data: 'three', expectedRevision: 1 } });
  expect([late.status, late.json.error.code]).toEqual([409, 'ITEM_REVISION']);
  expect((await desk.get(item)).json).toMatchObject({ data: 'two', revision: 2 });
});

test('a deleted item is hidden, and shown to one who asks', async () => {
  const { json } = await desk.post(path, { data: 'gone' });
  const item = `${path}/${json.id}`;
  expect((await desk.ask('DELETE', `${item}?expectedRevision=7`)).json.error.code).toBe('ITEM_REVISION');
  expect((await desk.ask('DELETE', item)).status).toBe(204);
  expect((await desk.get(item)).json.error.code).toBe('ITEM_NOT_FOUND');
  expect((await desk.get(`${item}?includeDeleted=true`)).json).toMatchObject({
    deleted: true,
    data: 'gone',
    revision: 2,
  });
  const ids = async (query: string) => (await desk.get(`${path}?limit=200${query}`)).json.items.map(({ id }) => id);
  expect(await ids('')).not.toContain(json.id);
  expect(await ids('&includeDeleted=true')).toContain(json.id);
  expect((await desk.ask('DELETE', `${item}?hard=true`)).status).toBe(204);
  expect(await ids('&includeDeleted=true')).not.toContain(json.id);
});

test('items are listed oldest first, and page', async () => {
  const all = (await desk.get(`${path}?limit=200`)).json.items;
  expect(all[0]).toMatchObject({ label: 'by the model', context: { createdBy: 'director' } });
  const first = (await desk.get(`${path}?limit=2`)).json;
  const second = (await desk.get(`${path}?limit=2&cursor=${first.nextCursor}`)).json;
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all.slice(0, 4).map(({ id }) => id));
});

test.each([
  ['data that is no base64', { encoding: 'base64', data: '%%' }, 400, 'BAD_REQUEST'],
  ['an encoding that is none', { encoding: 'utf16' }, 400, 'BAD_REQUEST'],
  ['an unknown key', { titel: 'x' }, 400, 'BAD_REQUEST'],
  ['tags that are no texts', { tags: [1] }, 400, 'BAD_REQUEST'],
  ['data above the limit', { data: 'x'.repeat(8_000_001) }, 413, 'TOO_LARGE'],
])('%s is refused', async (_name, body, status, code) => {
  const answer = await desk.post(path, body);
  expect([answer.status, answer.json.error.code]).toEqual([status, code]);
});

test('of many writers at once with one revision, one wins', async () => {
  const { json } = await desk.post(path, { data: '0' });
  const writes = Array.from({ length: 8 }, (_, i) =>
    desk.ask('PUT', `${path}/${json.id}`, { body: { data: String(i + 1), expectedRevision: 1 } }),
  );
  const statuses = (await Promise.all(writes)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
});

test('of many writers without a revision, each is heard in turn', async () => {
  const { json } = await desk.post(path, { data: '0' });
  const writes = Array.from({ length: 4 }, (_, i) =>
    desk.ask('PUT', `${path}/${json.id}`, { body: { data: String(i) } }),
  );
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await desk.get(`${path}/${json.id}`)).json.revision).toBe(5);
});

describe('the safe page of an item', () => {
  test.each([
    ['Markdown', { mimeType: 'text/markdown', data: '**bold** <script>x()</script> [a](javascript:x())' }],
    ['HTML', { mimeType: 'text/html; charset=utf-8', data: '<b onclick="x()">bold</b><script>x()</script>' }],
    [
      'HTML in base64',
      {
        mimeType: 'text/html',
        encoding: 'base64',
        data: Buffer.from('<b>bold</b><script>x()</script>').toString('base64'),
      },
    ],
  ])('shows %s without scripts, under the policy of mails', async (_name, input) => {
    const { json } = await desk.post(path, input);
    const { text, headers, status } = await desk.get(`${path}/${json.id}/body.html`);
    expect(status).toBe(200);
    expect(text).toContain('bold');
    expect(text).not.toMatch(/<script|onclick|javascript:/);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'.*sandbox allow-popups allow-popups-to-escape-sandbox$/,
    );
  });

  test('is there for HTML and Markdown only', async () => {
    const { json } = await desk.post(path, { mimeType: 'application/json', data: '{}' });
    expect((await desk.get(`${path}/${json.id}/body.html`)).json.error.code).toBe('BAD_REQUEST');
  });
});

describe('the events of an item', () => {
  const ICS = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', 'BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z'],
    ...['SUMMARY:Call', 'DTSTART:20261125T130000Z', 'DURATION:PT30M', 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n');

  test.each([
    ['text', { mimeType: 'text/calendar; charset=utf-8', data: ICS }],
    ['base64', { mimeType: 'text/calendar', encoding: 'base64', data: Buffer.from(ICS).toString('base64') }],
  ])('are read from a calendar file in %s', async (_name, input) => {
    const { json } = await desk.post(path, input);
    const { status, text } = await desk.get(`${path}/${json.id}/events`);
    expect([status, JSON.parse(text)]).toMatchObject([200, { events: [{ id: 'a', title: 'Call' }] }]);
  });

  test('are there for calendar files only', async () => {
    for (const input of [
      { mimeType: 'text/plain', data: ICS },
      { mimeType: 'text/calendar', data: 'hello' },
    ]) {
      const { json } = await desk.post(path, input);
      expect((await desk.get(`${path}/${json.id}/events`)).json.error.code).toBe('BAD_REQUEST');
    }
  });
});
