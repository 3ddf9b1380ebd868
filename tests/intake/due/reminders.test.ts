import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { DueReminders } from '../../../engine/src/intake/due/reminders.ts';
import { listNotifications } from '../../../engine/src/notification/notification-rows.ts';
import type { Message } from '../../../engine/src/model/model.ts';
import { takeMail } from '../../contracts/tool-stage.ts';
import { call, playModels, setStage, type Stage } from '../../run/harness.ts';
import { soon } from '../soon.ts';

/** 2026-11-22T12:00:00Z, a Sunday. */
const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR = 3_600_000;

let stage: Stage;
let clock: SimulatedClock;
let plan: readonly (readonly [string, object])[] = [];
let seen: readonly Message[] = [];

const FILES = {
  'settings.yaml': 'calendar: { timeZone: Europe/Berlin }\nnotifications: [reminder]\n',
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\ntools: [reminder]\npermissions: { allow: ["*"] }\nprompt: [{ role: user, content: "{{message}}" }]\n',
  'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
};

const open = async () => {
  clock = new SimulatedClock(NOW);
  stage = await setStage({
    clock,
    files: FILES,
    models: playModels(({ turn, messages }) => {
      seen = messages;
      const step = plan[turn - 1];
      return step === undefined ? { content: 'Done.' } : { tool_calls: [call(`c${turn}`, ...step)] };
    }),
  });
};
beforeEach(open);
afterEach(() => stage.close());

/** Runs the director, who makes these calls; returns what it reads. */
async function calls(...steps: typeof plan): Promise<readonly Record<string, never>[]> {
  plan = steps;
  const { dirThreadId } = await stage.ended(await stage.begin());
  plan = [];
  const messages = await stage.messages(dirThreadId);
  return messages.flatMap((message) =>
    message.role === 'tool' ? [JSON.parse(message.content) as Record<string, never>] : [],
  );
}

const notifications = () => listNotifications(stage.app.deps.store, { limit: 100 });
const reminder = async () => (await stage.app.deps.store.list('reminder')).map(({ status, due }) => [status, due]);

describe('a reminder', () => {
  test.each([
    { name: 'a local time', args: { at: '2026-11-25T14:00' }, due: '2026-11-25T13:00:00.000Z' },
    { name: 'a time with an offset', args: { at: '2026-11-25T14:00+05:00' }, due: '2026-11-25T09:00:00.000Z' },
    {
      name: 'a time in another zone',
      args: { at: '2026-11-25T14:00', timeZone: 'America/New_York' },
      due: '2026-11-25T19:00:00.000Z',
    },
    { name: 'a day', args: { at: '2026-11-25' }, due: '2026-11-25T08:00:00.000Z' },
    { name: 'a duration', args: { in: 'PT90M' }, due: '2026-11-22T13:30:00.000Z' },
    { name: 'days across a change of clocks', args: { in: 'P180D' }, due: '2027-05-21T11:00:00.000Z' },
  ])('is due at $name', async ({ args, due }) => {
    const [made] = await calls(['reminder_create', { text: 'Call Anna', ...args }]);
    expect(made).toMatchObject({ reminder: { text: 'Call Anna', status: 'open', dueAt: due } });
  });

  test.each([
    { name: 'no time', args: {}, says: /once/ },
    { name: 'two times', args: { at: '2026-11-25', in: 'PT1H' }, says: /once/ },
    {
      name: 'a run so soon that reminders could follow each other without end',
      args: { in: 'PT9M', startRun: true },
      says: /in: a reminder starts a run after 10 minutes at the earliest/,
    },
    { name: 'a time in the past', args: { at: '2026-11-21T14:00' }, says: /at: 2026-11-21T14:00 is in the past/ },
    { name: 'a negative duration', args: { in: '-PT1H' }, says: /past/ },
    { name: 'words', args: { in: 'two hours' }, says: /no duration/ },
    { name: 'an unknown zone', args: { at: '2026-11-25T14:00', timeZone: 'Europe/Berlim' }, says: /Europe\/Berlin/ },
    { name: 'a time that the clocks skip', args: { at: '2027-03-28T02:30' }, says: /does not exist/ },
    { name: 'a time in a hundred years', args: { at: '2126-01-01' }, says: /ten years|10 years/ },
    { name: 'a duration beyond all calendars', args: { in: 'P9999999Y' }, says: /10 years/ },
  ])('with $name is refused', async ({ args, says }) => {
    const [made] = await calls(['reminder_create', { text: 'x', ...args }]);
    expect(made).toMatchObject({ error: { code: 'TOOL_ARGUMENTS', message: expect.stringMatching(says) as string } });
    expect(await reminder()).toEqual([]);
  });

  test('is due at a whole millisecond, which every store can keep', async () => {
    await calls(['reminder_create', { text: 'Call Anna', in: 'PT1.0000001H' }]);
    expect(await reminder()).toEqual([['open', NOW + HOUR]]);
  });

  test('becomes a notification at its time, once, and not before', async () => {
    stage.app.notices.start();
    await calls(['reminder_create', { text: 'Call Anna', in: 'PT1H' }]);
    clock.advance(HOUR - 1000);
    await soon(() => stage.app.deps.store.list('reminder'));
    expect(await notifications()).toEqual([]);
    clock.advance(1000);
    const [told] = await soon(notifications);
    expect(told).toMatchObject({ kind: 'reminder', title: 'Reminder', text: 'Call Anna', status: 'unread' });
    expect(told).not.toHaveProperty('lateSince');
    for (let n = 0; n < 5; n++) clock.advance(HOUR);
    expect(await reminder()).toEqual([['fired', NOW + HOUR]]);
    expect(await notifications()).toHaveLength(1);
  });

  test('fires at once after a downtime, marked as late', async () => {
    await calls(['reminder_create', { text: 'Call Anna', in: 'PT1H' }]);
    await stage.restart();
    clock.advance(48 * HOUR);
    stage.app.notices.start();
    expect(await soon(notifications)).toMatchObject([
      { title: 'Late reminder', text: 'Call Anna', lateSince: '2026-11-22T13:00:00.000Z' },
    ]);
  });

  test('starts a run of its director with the text as message, about the same mail', async () => {
    stage.app.notices.start();
    const mail = await takeMail(stage, 'proofs');
    await calls(['reminder_create', { text: 'Ask again', in: 'PT1H', startRun: true }]);
    const { store } = stage.app.deps;
    const [row] = await store.list('reminder');
    const body = { ...(JSON.parse(row!.body) as object), emailId: mail.id };
    await store.apply([{ op: 'update', table: 'reminder', key: { id: row!.id }, set: { body: JSON.stringify(body) } }]);
    clock.advance(HOUR);
    const [told] = await soon(notifications);
    const run = await stage.ended(String(told?.runId));
    expect(run).toMatchObject({ directorId: 'boss', emailId: mail.id, startedBy: 'system', status: 'completed' });
    expect(run.trigger.message).toBe(
      'A reminder that you set is due (2026-11-22T13:00:00.000Z, Europe/Berlin): Ask again',
    );
    expect(seen.map(({ content }) => content).join('\n')).toContain('Ask again');
  });

  test('whose director is gone still becomes a notification', async () => {
    await calls(['reminder_create', { text: 'Ask again', in: 'PT1H', startRun: true }]);
    const { store } = stage.app.deps;
    const [row] = await store.list('reminder');
    const body = { ...(JSON.parse(row!.body) as object), startsRunOf: 'nobody' };
    await store.apply([{ op: 'update', table: 'reminder', key: { id: row!.id }, set: { body: JSON.stringify(body) } }]);
    stage.app.notices.start();
    clock.advance(HOUR);
    const [told] = await soon(notifications);
    expect(told).toMatchObject({ text: 'Ask again' });
    expect(told).not.toHaveProperty('runId');
  });

  test('about a mail that cannot be read fires as if that was deleted', async () => {
    const mail = await takeMail(stage, 'proofs');
    await calls(['reminder_create', { text: 'Ask again', in: 'PT1H', startRun: true }]);
    const { store } = stage.app.deps;
    const [row] = await store.list('reminder');
    const body = { ...(JSON.parse(row!.body) as object), emailId: mail.id };
    await store.apply([{ op: 'update', table: 'reminder', key: { id: row!.id }, set: { body: JSON.stringify(body) } }]);
    const db = new DatabaseSync(join(stage.root, 'data', 'callsheet.db'));
    db.prepare(`UPDATE mail SET body = '{"cut' WHERE id = ?`).run(mail.id);
    db.close();
    stage.app.notices.start();
    clock.advance(HOUR);
    const [told] = await soon(notifications);
    expect(told).toMatchObject({ text: 'Ask again' });
    expect(await stage.ended(String(told?.runId))).toMatchObject({ directorId: 'boss', status: 'completed' });
  });

  test('that was cancelled does not fire, and one that fired cannot be cancelled', async () => {
    stage.app.notices.start();
    const [first, second] = await calls(
      ['reminder_create', { text: 'one', in: 'PT1H' }],
      ['reminder_create', { text: 'two', in: 'PT2H' }],
    );
    const idOf = (made: unknown) => (made as { reminder: { id: string } }).reminder.id;
    const [cancelled, again] = await calls(
      ['reminder_cancel', { id: idOf(first) }],
      ['reminder_cancel', { id: idOf(first) }],
    );
    expect([cancelled, again]).toMatchObject([
      { reminder: { status: 'cancelled' } },
      { reminder: { status: 'cancelled' } },
    ]);
    clock.advance(2 * HOUR);
    expect(await soon(notifications)).toMatchObject([{ text: 'two' }]);
    const [late, none, open] = await calls(
      ['reminder_cancel', { id: idOf(second) }],
      ['reminder_cancel', { id: 'rem_none' }],
      ['reminder_list', {}],
    );
    expect([late, none]).toMatchObject([{ error: { code: 'CONFLICT' } }, { error: { code: 'NOT_FOUND' } }]);
    expect(open).toEqual({ reminders: [] });
  });

  test('fires once although two processes find it at the same time', async () => {
    await calls(['reminder_create', { text: 'Call Anna', in: 'PT1H', startRun: true }]);
    clock.advance(HOUR);
    const both = [1, 2].map(() => new DueReminders(stage.app.deps, () => stage.app.engine.queued()));
    for (const one of both) one.start();
    await soon(notifications);
    await Promise.all(both.map((one) => one.stop()));
    expect(await notifications()).toHaveLength(1);
    expect((await stage.app.deps.store.list('run')).length).toBe(2);
  });
});
