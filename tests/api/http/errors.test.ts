import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, type Desk, openDesk } from '../harness.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const json = { 'content-type': 'application/json' };

test.each<[name: string, line: string, ask: Ask, status: number, code: string]>([
  ['an unknown route', 'GET /api/nothing', {}, 404, 'NOT_FOUND'],
  ['an unknown page', 'GET /nothing', {}, 404, 'NOT_FOUND'],
  ['a run that is not there', 'GET /api/runs/run_x', {}, 404, 'NOT_FOUND'],
  ['a mail that is not there', 'GET /api/emails/mail_x', {}, 404, 'NOT_FOUND'],
  ['a mail that is not there, to be deleted', 'DELETE /api/emails/mail_x', {}, 404, 'NOT_FOUND'],
  ['a conversation that is not there', 'GET /api/conversations/th_x', {}, 404, 'NOT_FOUND'],
  ['a workspace that is not there', 'GET /api/workspaces/x/items', {}, 404, 'NOT_FOUND'],
  ['an approval that is not there', 'POST /api/approvals/x', { body: { decision: 'deny' } }, 404, 'NOT_FOUND'],
  ['a document that is not there', 'GET /api/agents/x', {}, 404, 'NOT_FOUND'],
  ['a cancel of nothing', 'POST /api/runs/x/cancel', {}, 404, 'NOT_FOUND'],
  ['a director that is not there', 'POST /api/runs', { body: { directorId: 'x', message: 'm' } }, 404, 'NOT_FOUND'],
  ['another method', 'PATCH /api/runs', {}, 405, 'METHOD_NOT_ALLOWED'],
  ['another method on a thing', 'POST /api/emails/x', {}, 405, 'METHOD_NOT_ALLOWED'],
  ['a body that is no JSON', 'POST /api/runs', { raw: '{"directorId":', headers: json }, 400, 'BAD_REQUEST'],
  ['a body that is no object', 'POST /api/runs', { raw: '[]', headers: json }, 400, 'BAD_REQUEST'],
  [
    'a body of a form',
    'POST /api/runs',
    { raw: 'directorId=boss', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'JSON that says it is text',
    'POST /api/runs',
    { raw: '{}', headers: { 'content-type': 'text/plain' } },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['a body without a type', 'POST /api/runs', { raw: '{}' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'a body above 10 MB',
    'POST /api/runs',
    { raw: JSON.stringify({ message: 'x'.repeat(10.1 * 1024 * 1024) }), headers: json },
    413,
    'TOO_LARGE',
  ],
  ['an unknown key', 'POST /api/runs', { body: { directorId: 'boss', mesage: 'm' } }, 400, 'BAD_REQUEST'],
  [
    'a conversation that is not there',
    'POST /api/runs',
    { body: { directorId: 'boss', message: 'm', conversationId: 'c' } },
    404,
    'NOT_FOUND',
  ],
  ['a key of the wrong type', 'POST /api/runs', { body: { directorId: 7, message: 'm' } }, 400, 'BAD_REQUEST'],
  ['no trigger', 'POST /api/runs', { body: { directorId: 'boss' } }, 400, 'BAD_REQUEST'],
  ['two triggers', 'POST /api/runs', { body: { directorId: 'boss', message: 'm', emailId: 'e' } }, 400, 'BAD_REQUEST'],
  ['an empty message', 'POST /api/runs', { body: { directorId: 'boss', message: ' ' } }, 400, 'BAD_REQUEST'],
  ['a decision that is none', 'POST /api/approvals/x', { body: { decision: 'maybe' } }, 400, 'BAD_REQUEST'],
  ['a limit of 0', 'GET /api/runs?limit=0', {}, 400, 'BAD_REQUEST'],
  ['a limit of 201', 'GET /api/emails?limit=201', {}, 400, 'BAD_REQUEST'],
  ['a limit that is no number', 'GET /api/runs?limit=ten', {}, 400, 'BAD_REQUEST'],
  ['a cursor that is none', 'GET /api/runs?cursor=x', {}, 400, 'BAD_REQUEST'],
  [
    'a cursor of another list',
    `GET /api/runs?cursor=${Buffer.from('["emails","x"]').toString('base64url')}`,
    {},
    400,
    'BAD_REQUEST',
  ],
  ['a parameter given twice', 'GET /api/runs?limit=1&limit=2', {}, 400, 'BAD_REQUEST'],
  ['a status that is none', 'GET /api/runs?status=busy', {}, 400, 'BAD_REQUEST'],
  ['a delete of everything', 'DELETE /api/emails', {}, 400, 'BAD_REQUEST'],
  ['a delete of no ids', 'DELETE /api/runs?ids=', {}, 400, 'BAD_REQUEST'],
  ['a missing parameter', 'GET /api/conversations/byDirectorEmail?directorId=boss', {}, 400, 'BAD_REQUEST'],
])('%s is answered as an error of the one shape', async (_name, line, ask, status, code) => {
  const [method = '', path = ''] = line.split(' ');
  const answer = await desk.ask(method, path, ask);
  expect(answer.json).toEqual({
    error: expect.objectContaining({ code, message: expect.stringMatching(/\S/) }),
  });
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.json.error).every((key) => ['code', 'message', 'hint', 'where'].includes(key))).toBe(true);
  expect(answer.text).not.toMatch(/\bat .*\.ts:\d+/);
});

test('405 names the methods that are taken', async () => {
  const { headers } = await desk.ask('PATCH', '/api/runs');
  expect(String(headers['allow']).split(', ')).toEqual(expect.arrayContaining(['GET', 'HEAD', 'POST', 'DELETE']));
});

test('HEAD answers like GET, without a body', async () => {
  const answer = await desk.ask('HEAD', '/api/runs');
  expect([answer.status, answer.text]).toEqual([200, '']);
});

test('the alias of the first version reaches the same routes', async () => {
  expect((await desk.get('/api/v1/runs')).json).toEqual({ items: [], nextCursor: null });
  expect((await desk.get('/api/prompt-templates')).json).toEqual({ items: [], nextCursor: null });
  expect((await desk.get('/api/v1/prompt-templates')).status).toBe(200);
});

test('an error of ours is logged and hidden', async () => {
  const fail = () => Promise.reject(new Error('a secret path /etc/x'));
  const own = await openDesk({
    patch: { fetcher: { status: () => fail() as never, start() {}, stop: fail, fetch: fail } },
  });
  const answer = await own.post('/api/fetcher/fetch');
  expect(answer.status).toBe(500);
  expect(answer.json.error.code).toBe('INTERNAL');
  expect(answer.text).not.toContain('secret path');
  await own.close();
});
