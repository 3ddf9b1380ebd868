import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../engine/src/base/clock.ts';
import type { Task } from '../../../../engine/src/task/task.ts';
import { call, resultText } from '../../../run/harness.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
const clock = new SimulatedClock(Date.UTC(2026, 10, 23, 12));
const DAY = 86_400_000;

beforeAll(async () => {
  desk = await openDesk({
    // Reads the attached file, and says what is in it.
    play: ({ tools, messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool') return { content: resultText(last.content) };
      const canRead = tools.some((tool) => tool.function.name === 'document_read');
      return canRead ? { tool_calls: [call('r', 'document_read', { document: 'upload:1' })] } : { content: 'done' };
    },
    files: {
      'directors/boss.yaml':
        "id: boss\napiConfigId: main\nagents: [helper]\nschedule: { cron: '0 8 * * mon', timeZone: Asia/Tokyo, message: Start }\n",
      'directors/late.yaml':
        "id: late\napiConfigId: main\nschedule: { cron: '0 9 * * mon', timeZone: Asia/Tokyo, message: Go on }\n",
      'directors/bad.yaml': 'id: bad\n',
      'directors/reader.yaml':
        'id: reader\napiConfigId: main\ntools: [document]\npermissions: { allow: [document_read] }\n',
    },
    // A Monday.
    app: { clock },
  });
});
afterAll(() => desk.close());

const add = async (body: object) => (await desk.post('/api/tasks', { title: 'x', assignedTo: 'boss', ...body })).json;

test('a task is added, listed, shown, cancelled and tried again, under both addresses', async () => {
  const { status, json } = await desk.post('/api/v1/tasks', {
    ...{ title: 'Tidy up', instructions: 'All of it.', assignedTo: 'helper', files: ['lab:/a.md'] },
    ...{ dueAt: '2026-12-01T08:00:00Z', priority: 'high' },
  });
  expect(status).toBe(201);
  const task = {
    ...{ id: json.id, title: 'Tidy up', instructions: 'All of it.', assignedTo: 'helper', assignee: 'agent' },
    ...{ files: ['lab:/a.md'], dueAt: '2026-12-01T08:00:00.000Z', priority: 'high', status: 'pending' },
    ...{ createdBy: 'local', createdAt: '2026-11-23T12:00:00.000Z' },
  };
  expect(json).toEqual(task);
  expect((await desk.get(`/api/tasks/${json.id}`)).json).toEqual(task);
  expect((await desk.post(`/api/tasks/${json.id}/cancel`)).json).toMatchObject({ status: 'cancelled' });
  expect((await desk.post(`/api/tasks/${json.id}/cancel`)).json.error.code).toBe('CONFLICT');
  expect((await desk.post(`/api/tasks/${json.id}/retry`)).json).toMatchObject({ status: 'pending' });
});

test('tasks are listed newest first, page by page, by status and by assignee', async () => {
  for (const title of ['one', 'two', 'three']) await add({ title, dueAt: '2027-01-01' });
  const agents = await add({ title: 'four', assignedTo: 'helper', dueAt: '2027-01-01' });
  await desk.post(`/api/tasks/${agents.id}/cancel`);
  const titles = async (query: string) => {
    const { json } = await desk.get(`/api/tasks?${query}`);
    return [json.items.map((item) => item['title']), json.nextCursor] as const;
  };
  const [first, cursor] = await titles('assignedTo=boss&limit=2');
  expect(first).toEqual(['three', 'two']);
  expect((await titles(`assignedTo=boss&limit=2&cursor=${cursor}`))[0]).toEqual(['one']);
  expect((await titles('status=cancelled'))[0]).toEqual(['four']);
  expect((await desk.get('/api/tasks?status=done')).json.error.code).toBe('BAD_REQUEST');
});

test.each([
  { name: 'without a title', body: { title: '' }, code: 'BAD_REQUEST' },
  { name: 'for nobody', body: { assignedTo: 'nobody' }, code: 'NOT_FOUND' },
  { name: 'for a director that is not valid', body: { assignedTo: 'bad' }, code: 'CONFIG_INVALID' },
  { name: 'with another priority', body: { priority: 'highest' }, code: 'BAD_REQUEST' },
  { name: 'with an unknown key', body: { due: '2027-01-01' }, code: 'BAD_REQUEST' },
])('a task $name is refused', async ({ body, code }) => expect((await add(body)).error.code).toBe(code));

test('a task that has not started gets another priority, and only such a task', async () => {
  const { id } = await add({ title: 'Later', dueAt: '2027-01-01' });
  const order = (priority: string) => desk.ask('PUT', `/api/tasks/${id}`, { body: { priority } });
  expect((await order('urgent')).json).toMatchObject({ id, priority: 'urgent' });
  expect((await order('huge')).status).toBe(400);
  await desk.post(`/api/tasks/${id}/cancel`);
  expect((await order('low')).json.error.code).toBe('CONFLICT');
  expect((await desk.get(`/api/tasks/${id}`)).json).toMatchObject({ priority: 'urgent' });
});

test('a task that does not exist is not found', async () => {
  for (const answer of [desk.get('/api/tasks/task_none'), desk.post('/api/tasks/task_none/cancel')])
    expect((await answer).json.error.code).toBe('NOT_FOUND');
});

test('schedules are listed with their next start, the next one first', async () => {
  expect((await desk.get('/api/schedules')).json.items).toEqual([
    {
      directorId: 'boss',
      cron: '0 8 * * mon',
      timeZone: 'Asia/Tokyo',
      message: 'Start',
      nextAt: '2026-11-29T23:00:00.000Z',
    },
    {
      directorId: 'late',
      cron: '0 9 * * mon',
      timeZone: 'Asia/Tokyo',
      message: 'Go on',
      nextAt: '2026-11-30T00:00:00.000Z',
    },
  ]);
});

test('files that are attached to a task wait for its run, and go with it', async () => {
  const headers = { 'content-type': 'application/octet-stream' };
  const { json: file } = await desk.ask('POST', '/api/uploads?name=week.txt', { raw: 'Monday was fine.', headers });
  const task = await add({ assignedTo: 'reader', attachments: [file.id], dueAt: '2026-12-05T08:00:00Z' });
  expect(task).toMatchObject({ attachments: [{ id: file.id, name: 'week.txt', number: 1 }] });
  expect((await add({ assignedTo: 'reader', attachments: [file.id] })).error.code).toBe('CONFLICT');
  const { stage } = desk;
  clock.advance(11 * DAY);
  await stage.app.retention.sweep();
  stage.app.notices.start();
  clock.advance(DAY);
  const view = async () => (await desk.get(`/api/tasks/${task.id}`)).json as unknown as Task;
  await expect.poll(async () => (await view()).status).toBe('completed');
  const { runId = '', summary } = await view();
  expect(summary).toContain('Monday was fine.');
  await desk.ask('DELETE', `/api/runs/${runId}`);
  expect((await desk.get(`/api/uploads/${file.id}`)).json.error.code).toBe('NOT_FOUND');
  expect((await desk.get(`/api/tasks/${task.id}`)).json.error.code).toBe('NOT_FOUND');
});

test('files that are attached to an agent are refused, and still wait', async () => {
  const headers = { 'content-type': 'application/octet-stream' };
  const { json: file } = await desk.ask('POST', '/api/uploads?name=week.txt', { raw: 'Monday was fine.', headers });
  expect((await add({ assignedTo: 'helper', attachments: [file.id] })).error.code).toBe('BAD_REQUEST');
  expect((await add({ assignedTo: 'reader', attachments: [file.id] })).error).toBeUndefined();
});
