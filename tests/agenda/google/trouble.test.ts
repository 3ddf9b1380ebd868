import nock from 'nock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGoogleCalendar } from '../../../engine/src/agenda/google/google-calendar.ts';
import { createGoogleTasks } from '../../../engine/src/agenda/google/google-tasks.ts';
import { hastyClock, playTokens } from '../peer.ts';

const EVENTS = '/calendar/v3/calendars/primary/events';
const SPAN = { from: Date.UTC(2026, 10, 25), to: Date.UTC(2026, 10, 26) };
const HOW = { timeZone: 'Europe/Berlin', calendarId: 'primary' };

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

const open = () => {
  const [tokens, clock] = [playTokens(), hastyClock()];
  const ways = { accountId: 'jane', tokens, clock };
  return { tokens, clock, calendar: createGoogleCalendar(ways), list: createGoogleTasks(ways) };
};
const api = () => nock('https://www.googleapis.com');
const refusal = (code: number, reason: string, message = 'no') => ({ error: { code, message, errors: [{ reason }] } });

describe('Google', () => {
  test('is asked with a token of the least scope at its own address', async () => {
    const { tokens, calendar, list } = open();
    api()
      .matchHeader('authorization', 'Bearer token-1')
      .get(EVENTS)
      .query(
        ({ singleEvents, orderBy, timeZone }) =>
          `${String(singleEvents)} ${String(orderBy)} ${String(timeZone)}` === 'true startTime Europe/Berlin',
      )
      .reply(200, { items: [] });
    nock('https://tasks.googleapis.com')
      .get('/tasks/v1/lists/%40default/tasks')
      .query({ maxResults: '100', showCompleted: 'false', showHidden: 'false' })
      .reply(200, {});
    expect(await calendar.read(SPAN, HOW)).toEqual({ events: [], skipped: [] });
    expect(await list.list({ status: 'open', limit: 5 })).toEqual([]);
    expect(tokens.asked).toEqual([
      ['https://www.googleapis.com/auth/calendar.events.readonly'],
      ['https://www.googleapis.com/auth/tasks.readonly'],
    ]);
  });

  test('is asked once more with another token after a 401', async () => {
    const { calendar } = open();
    api().matchHeader('authorization', 'Bearer token-1').get(EVENTS).query(true).reply(401, refusal(401, 'authError'));
    api().matchHeader('authorization', 'Bearer token-2').get(EVENTS).query(true).reply(200, {});
    expect((await calendar.read(SPAN, HOW)).events).toEqual([]);
  });

  test.each([
    { name: 'a 429', status: 429, body: refusal(429, 'rateLimitExceeded') },
    { name: 'a 403 that means later', status: 403, body: refusal(403, 'userRateLimitExceeded') },
    { name: 'a 503', status: 503, body: refusal(503, 'backendError') },
  ])('is waited for as it says after $name', async ({ status, body }) => {
    const { calendar, clock } = open();
    api().get(EVENTS).query(true).reply(status, body, { 'retry-after': '7' });
    api().get(EVENTS).query(true).reply(200, {});
    expect((await calendar.read(SPAN, HOW)).events).toEqual([]);
    expect(clock.waits).toEqual([7000]);
  });

  test('is not read as a calendar without events where somebody else has answered', async () => {
    const { calendar } = open();
    api().get(EVENTS).query(true).times(4).reply(200, '<html>Sign in</html>', { 'content-type': 'text/html' });
    await expect(calendar.read(SPAN, HOW)).rejects.toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
  });

  test('is not waited for longer than a minute', async () => {
    const { calendar, clock } = open();
    api().get(EVENTS).query(true).reply(429, refusal(429, 'rateLimitExceeded'), { 'retry-after': '600' });
    await expect(calendar.read(SPAN, HOW)).rejects.toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    expect(clock.waits).toEqual([]);
  });

  test.each([
    {
      ...{ name: 'a missing scope', status: 403, body: refusal(403, 'insufficientPermissions') },
      error: { code: 'ACCOUNT_SCOPE_MISSING', message: 'account jane: at sign-in nobody allowed calendar.events' },
    },
    {
      ...{ name: 'an API that is switched off', status: 403, body: refusal(403, 'accessNotConfigured') },
      error: { code: 'ACCOUNT_FAILED', hint: expect.stringContaining('Enable the Google Calendar API') as string },
    },
    {
      ...{ name: 'a second 401', status: 401, body: refusal(401, 'authError') },
      error: { code: 'ACCOUNT_GRANT_LOST', hint: expect.stringContaining('accounts connect jane') as string },
    },
    {
      ...{ name: 'something it does not take', status: 400, body: refusal(400, 'invalid', 'Bad Request') },
      error: { code: 'ACCOUNT_FAILED', message: 'account jane: Google refused (invalid: Bad Request)' },
    },
    {
      ...{ name: 'a wrong address', status: 404, body: 'not found' },
      error: { code: 'NOT_FOUND' },
    },
  ])('answers $name: it is said what is wrong and what to do', async ({ status, body, error }) => {
    const { calendar } = open();
    api().post(EVENTS).query(true).times(2).reply(status, body);
    const event = { title: 'x', time: SPAN };
    const failed = calendar.add(event, { ...HOW, key: 'k' });
    await expect(failed).rejects.toMatchObject(error);
    const thrown: unknown = await failed.catch((reason: unknown) => reason);
    expect(JSON.stringify([thrown, (thrown as Error).cause])).not.toContain('token-');
  });
});

describe('events of Google', () => {
  const item = (id: string, more: object) => ({
    ...{ id, summary: id, status: 'confirmed' },
    ...{ start: { dateTime: '2026-11-25T10:00:00+01:00' }, end: { dateTime: '2026-11-25T11:00:00+01:00' } },
    ...more,
  });
  const read = async (...items: object[]) => {
    api().get(EVENTS).query(true).reply(200, { items });
    return open().calendar.read(SPAN, HOW);
  };

  test('that were declined are left out, and those without an answer are not', async () => {
    const self = (responseStatus: string) => ({ attendees: [{ self: true, responseStatus }] });
    const { events } = await read(
      item('a', self('declined')),
      item('b', self('tentative')),
      item('c', self('needsAction')),
    );
    expect(events.map(({ id, isBusy }) => [id, isBusy])).toEqual([
      ['b', true],
      ['c', true],
    ]);
  });

  test('that say where one works keep the time free', async () => {
    const days = { start: { date: '2026-11-25' }, end: { date: '2026-11-26' } };
    const { events } = await read(item('home', { ...days, eventType: 'workingLocation' }));
    expect(events).toMatchObject([{ id: 'home', isBusy: false, days: { start: '2026-11-25', end: '2026-11-26' } }]);
  });

  test('are more than anybody has: a shorter time has to be asked for', async () => {
    const many = Array.from({ length: 10_001 }, (_, n) => item(`e${n}`, {}));
    await expect(read(...many)).rejects.toMatchObject({ code: 'TOOL_FAILED', hint: 'ask for a shorter time' });
  });

  test('whose time cannot be read are named', async () => {
    expect(await read(item('odd', { start: {} }))).toEqual({
      events: [],
      skipped: [{ file: 'odd', reason: 'its time cannot be read' }],
    });
  });
});
