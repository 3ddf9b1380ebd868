import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MailStateView } from '../../../../engine/src/api/routes/mail/mail-state.ts';
import { systemClock } from '../../../../engine/src/base/clock.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

/** How far the clock of the engine is ahead. */
let aheadMs = 0;
let desk: Desk;
/** Ids of the mails by their subject. */
const ids = new Map<string, string>();

beforeAll(async () => {
  desk = await openDesk({
    app: { clock: { ...systemClock, now: () => Date.now() + aheadMs } },
    files: { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [ask_user]\n' },
    play: (request) =>
      request.turn === 1 && JSON.stringify(request.messages).includes('Question')
        ? { tool_calls: [call('q', 'ask_user', { question: 'Which day?' })] }
        : { content: 'done' },
  });
  for (const subject of ['First', 'Second', 'Question']) {
    desk.drop(`${subject}.eml`, letter(subject));
    await desk.fetch();
  }
  for (const { id, subject } of (await desk.get('/api/emails')).json.items) ids.set(subject, id);
});
afterAll(() => desk.close());
beforeEach(async () => {
  await put('/api/emails/state?ids=' + [...ids.values()].join(','), {
    ...{ value: null, unread: false, archived: false, snoozedUntil: null },
  });
});

const put = (path: string, body: object) => desk.ask('PUT', path, { body });
const set = (subject: string, body: object) => put(`/api/emails/${ids.get(subject)}/state`, body);
const subjects = async (view: string) =>
  (await desk.get(`/api/emails?view=${view}`)).json.items.map(({ subject }) => subject);
const stateOf = async (subject: string) =>
  (await desk.get(`/api/emails/${ids.get(subject)}`)).json as unknown as { readonly state: MailStateView };
const inHours = (hours: number) => new Date(Date.now() + aheadMs + hours * 3_600_000).toISOString();

test('a new mail is unread until somebody says otherwise', async () => {
  desk.drop('Fresh.eml', letter('Fresh'));
  await desk.fetch();
  expect(await subjects('unread')).toEqual(['Fresh']);
  const id = (await desk.get('/api/emails?limit=1')).json.items[0]?.id;
  expect((await put(`/api/emails/${id}/state`, { unread: false })).json).toMatchObject({ unread: false });
  expect(await subjects('unread')).toEqual([]);
  await desk.ask('DELETE', `/api/emails/${id}`);
});

test('a mail whose run asks the user needs the user, but the own word of the user wins', async () => {
  expect((await stateOf('Question')).state).toMatchObject({ value: 'needsMe', setBy: 'callsheet' });
  expect(await subjects('needsMe')).toEqual(['Question']);
  expect((await set('Question', { value: 'waiting' })).json).toMatchObject({ value: 'waiting', setBy: 'user' });
  expect([await subjects('needsMe'), await subjects('waiting')]).toEqual([[], ['Question']]);
  expect((await set('Question', { value: null })).json).toMatchObject({ value: 'needsMe', setBy: 'callsheet' });
});

test('a mail counts as replied once a reply was sent', async () => {
  await desk.post(`/api/emails/${ids.get('First')}/reply`, { mode: 'send', text: 'Gladly.' });
  expect((await stateOf('First')).state).toMatchObject({ value: 'replied', setBy: 'callsheet' });
  expect(await subjects('replied')).toEqual(['First']);
});

test('what is done or archived leaves the inbox, and its mailbox is as it was', async () => {
  await set('First', { value: 'done' });
  await set('Second', { archived: true });
  expect(await subjects('inbox')).toEqual(['Question']);
  expect([await subjects('done'), await subjects('archived')]).toEqual([['First'], ['Second']]);
  expect((await desk.get('/api/emails')).json.items.length).toBe(3);
});

test('a snoozed mail comes back unread by its time, with a reminder', async () => {
  const open = async () => (await desk.get('/api/reminders')).json.items.map((item) => item['text']);
  await set('Second', { snoozedUntil: inHours(2) });
  expect([await subjects('snoozed'), (await subjects('inbox')).includes('Second')]).toEqual([['Second'], false]);
  expect(await open()).toEqual(['Snoozed e-mail: Second']);
  aheadMs += 3 * 3_600_000;
  expect([await subjects('snoozed'), await subjects('unread')]).toEqual([[], ['Second']]);
  expect((await subjects('inbox')).includes('Second')).toBe(true);
});

test.each([
  ['without a snooze', { snoozedUntil: null }],
  ['archived', { archived: true }],
])('the reminder of a snoozed mail is cancelled when the mail is %s', async (_name, body) => {
  await set('First', { snoozedUntil: inHours(5) });
  const texts = async () => (await desk.get('/api/reminders')).json.items.map((item) => item['text']);
  expect(await texts()).toContain('Snoozed e-mail: First');
  expect((await set('First', body)).json).not.toHaveProperty('snoozedUntil');
  expect(await texts()).not.toContain('Snoozed e-mail: First');
});

test('a mail that two tabs snooze at once has one reminder, at the time that is shown', async () => {
  await Promise.all([2, 5].map((hours) => set('First', { snoozedUntil: inHours(hours) })));
  const due = (await desk.get('/api/reminders')).json.items
    .filter((item) => item['text'] === 'Snoozed e-mail: First')
    .map((item) => item['dueAt']);
  expect(due).toEqual([(await stateOf('First')).state.snoozedUntil]);
});

test('several mails change at once, and unknown ids are left out', async () => {
  const path = `/api/emails/state?ids=${ids.get('First')},mail_none,${ids.get('Second')}`;
  expect((await put(path, { archived: true })).json).toEqual({ changed: [ids.get('First'), ids.get('Second')] });
});

test.each([
  ['a time that has passed', { snoozedUntil: '2020-01-01T00:00:00Z' }, 400],
  ['a time that is none', { snoozedUntil: 'tomorrow' }, 400],
  ['a word that is no state', { value: 'later' }, 400],
  ['an unknown key', { read: true }, 400],
  ['a snooze of a mail that is archived by it', { archived: true, snoozedUntil: '2026-12-31T00:00:00Z' }, 400],
])('%s is refused', async (_name, body, status) => {
  expect((await set('First', body)).status).toBe(status);
});

test('a mail that is not there is not found', async () => {
  expect((await put('/api/emails/mail_none/state', { unread: true })).status).toBe(404);
});
