import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const BODY = { ref: 'next', percent: 10, maxCostPerDay: 2 };

describe('/api/shadow', () => {
  test('has no shadow at first, and nothing to drop', async () => {
    const { status, json } = await desk.get('/api/shadow');
    expect([status, json]).toEqual([200, { shadow: null }]);
    expect((await desk.ask('DELETE', '/api/shadow')).json.error.code).toBe('NOT_FOUND');
  });

  test.each([
    ['no share', { ...BODY, percent: 0 }, 'BAD_REQUEST'],
    ['more than all mail', { ...BODY, percent: 101 }, 'BAD_REQUEST'],
    ['a negative limit', { ...BODY, maxCostPerDay: -1 }, 'BAD_REQUEST'],
    ['a limit that is no number', { ...BODY, maxCostPerDay: '2' }, 'BAD_REQUEST'],
    ['no limit', { ref: 'next', percent: 10 }, 'BAD_REQUEST'],
    ['a config folder without a repository', BODY, 'USAGE'],
  ])('refuses %s', async (_name, body, code) => {
    const { status, json } = await desk.post('/api/shadow', body);
    expect([status, json.error.code]).toEqual([400, code]);
    expect((await desk.get('/api/shadow')).json).toEqual({ shadow: null });
  });
});
