import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../engine/src/base/error.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import type { Agenda } from '../../engine/src/agenda/agenda.ts';
import { openAgenda } from '../../engine/src/agenda/open-agenda.ts';
import { closeAwaiting } from '../../engine/src/agenda/replied-todos.ts';
import { idempotencyKey } from '../../engine/src/run/ledger.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { builtInTools } from '../../engine/src/tool/registry.ts';
import type { Caller, WorldTool } from '../../engine/src/tool/tool.ts';
import { ics, workers } from './folder.ts';
import { type GooglePeer, startGooglePeer } from './google/google-peer.ts';
import { type GraphPeer, startGraphPeer } from './microsoft/graph-peer.ts';
import { hastyClock, playTokens } from './peer.ts';
import { toolServices } from '../tool/tool-services.ts';

const MAIL = JSON.stringify({ routing: { directors: [], note: '' } });
const EVENT = { title: 'Call', start: '2026-11-25T14:00', end: '2026-11-25T14:30' };

let dir: string;
let store: Store;
let google: GooglePeer;
let graph: GraphPeer;
let agenda: Agenda;
let told: string[];

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-agenda-'));
  store = openSqlite({ dir, synchronous: 'NORMAL' });
  [google, graph] = [await startGooglePeer(), await startGraphPeer()];
  told = [];
  const accounts = [
    { id: 'archive', provider: 'folder', email: 'Me@example.org' },
    { id: 'jane', provider: 'gmail', email: 'jane@example.org', endpoints: { api: google.url } },
    { id: 'office', provider: 'outlook', email: 'jane@example.com', endpoints: { api: graph.url } },
  ];
  const settings = {
    calendar: {
      ...{ path: './calendar', timeZone: 'Europe/Berlin' },
      workingHours: { start: '09:00', end: '17:00', days: ['wed'] },
    },
  };
  const config = {
    settings,
    accounts: new Map(accounts.map((one) => [one.id, one])),
    directors: new Map([['boss', {}]]),
  };
  const tokens = playTokens();
  agenda = openAgenda({
    config: () => config as never,
    ...{ baseDir: dir, store, clock: hastyClock(), workers },
    tokensOf: () => tokens,
    onTodo: (id) => void told.push(id),
  });
});
afterEach(async () => {
  await Promise.all([google.close(), graph.close(), store.close()]);
  rmSync(dir, { recursive: true });
});

/** Calls a tool as a director does that works on a mail of this account, or on none. */
async function call(name: string, args: object, account?: string): Promise<Record<string, unknown>> {
  const id = `mail_${account}`;
  if (account !== undefined && (await store.get('mail', { id })) === undefined) {
    const keys = { identity: id, messageKey: id, threadKey: id, state: 'kept', routed: 1, rev: 1, body: MAIL };
    await store.apply([{ op: 'insert', table: 'mail', row: { id, account, ...keys } }]);
  }
  const email = account === undefined ? {} : { email: { id, subject: '', from: '', date: '' } };
  const origin = { ...email, director: { id: 'boss', name: 'Boss' } };
  const caller: Caller = { runId: 'r', workspaceId: 'r', threadId: 't', origin };
  const tool = builtInTools(toolServices({ agenda: () => agenda })).find((one) => one.name === name) as WorldTool;
  const said = await tool.run(args as Record<string, unknown>, { caller, key: idempotencyKey('m', name) });
  return said as Record<string, unknown>;
}

const kept = async () => ({
  google: [google.events.length, google.tasks.length],
  microsoft: [graph.events.length, graph.tasks.length],
  local: [readdirSync(dir).includes('calendar') ? 1 : 0, await store.count('todo')],
});
const NONE = { google: [0, 0], microsoft: [0, 0], local: [0, 0] };

test.each([
  ['jane', 'google', 'jane'],
  ['office', 'microsoft', 'office'],
  ['archive', 'local', undefined],
] as const)(
  'on a mail of %s an event and a to-do go to %s, and the answer says whose they are',
  async (mail, place, accountId) => {
    const added = await call('calendar_add', { event: EVENT }, mail);
    expect(added['accountId']).toBe(accountId);
    expect(added).toMatchObject({ timeZone: 'Europe/Berlin', event: { start: '2026-11-25T14:00:00+01:00' } });
    const todo = await call('todo_add', { task: { title: 'Proofs', due: '2026-11-25' } }, mail);
    expect([todo['accountId'], todo['task']]).toMatchObject([accountId, { title: 'Proofs', due: '2026-11-25' }]);
    expect(await kept()).toEqual({ ...NONE, [place]: [1, 1] });
    expect(told).toHaveLength(place === 'local' ? 1 : 0);

    const dateRange = { start: '2026-11-25', end: '2026-11-25' };
    expect(await call('calendar_read', { dateRange }, mail)).toMatchObject({ events: [{ title: 'Call' }] });
    expect(await call('todo_list', {}, mail)).toMatchObject({ tasks: [{ title: 'Proofs' }] });
    expect(await call('calendar_free_slots', { dateRange, durationMinutes: 60 }, mail)).toMatchObject({
      slots: [
        { start: '2026-11-25T09:00:00+01:00', end: '2026-11-25T14:00:00+01:00' },
        { start: '2026-11-25T14:30:00+01:00', end: '2026-11-25T17:00:00+01:00' },
      ],
    });
  },
);

test('what one of the accounts has declined leaves its time in the local calendar free', async () => {
  const event = (id: string, ...lines: string[]) => [
    ...[`UID:${id}`, `SUMMARY:${id}`, 'DTSTART;TZID=Europe/Berlin:20261118T100000', 'DURATION:PT1H', ...lines],
  ];
  const files = {
    declined: ics(event('Declined', 'ATTENDEE;PARTSTAT=DECLINED:mailto:ME@example.org')),
    accepted: ics(event('Accepted', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:me@example.org')),
    others: ics(event('Others', 'ATTENDEE;PARTSTAT=DECLINED:mailto:ada@example.org')),
    weekly: ics(event('Weekly', 'RRULE:FREQ=WEEKLY', 'ATTENDEE;PARTSTAT=NEEDS-ACTION:MAILTO:jane@example.org'), [
      ...['UID:Weekly', 'SUMMARY:Weekly', 'RECURRENCE-ID;TZID=Europe/Berlin:20261125T100000'],
      ...['DTSTART;TZID=Europe/Berlin:20261125T100000', 'DURATION:PT1H'],
      'ATTENDEE;PARTSTAT=declined:MAILTO:jane@example.org',
    ]),
  };
  mkdirSync(join(dir, 'calendar'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, 'calendar', `${name}.ics`), text);
  const titles = async (day: string) => {
    const { events } = await call('calendar_read', { dateRange: { start: day, end: day } }, 'archive');
    return (events as { title: string }[]).map(({ title }) => title);
  };
  expect(await titles('2026-11-18')).toEqual(['Accepted', 'Others', 'Weekly']);
  expect(await titles('2026-11-25')).toEqual([]);
  expect(await titles('2026-12-02')).toEqual(['Weekly']);
});

test('another account than that of the mail is used where it is named, and no other', async () => {
  await call('calendar_add', { accountId: 'office', event: EVENT }, 'jane');
  await call('todo_add', { provider: 'local', task: { title: 'Proofs' } }, 'jane');
  expect(await kept()).toEqual({ ...NONE, microsoft: [1, 0], local: [0, 1] });
});

test('without a mail nothing is guessed where several could be meant', async () => {
  await expect(call('todo_add', { task: { title: 'Proofs' } })).rejects.toMatchObject({ code: 'TOOL_ARGUMENTS' });
  await call('todo_add', { provider: 'google', task: { title: 'Proofs' } });
  expect(await kept()).toEqual({ ...NONE, google: [0, 1] });
});

const statuses = () => ({
  jane: google.tasks.map(({ title, status }) => [title, status]),
  office: graph.tasks.map(({ title, status }) => [title, status]),
});

test.each(['jane', 'office'] as const)(
  'a reply to a mail of %s closes the to-do that asked for it',
  async (account) => {
    await call('todo_add', { task: { title: 'Send the reply', closesOnReply: true } }, account);
    await agenda.todos({ accountId: account }).then((list) => list.add({ title: 'Another' }, { key: 'other' }));
    await closeAwaiting({ agenda, store, log: silentLogger }, 'mail_nobody');
    expect(statuses()[account].map(([, status]) => status)).not.toContain('completed');
    await closeAwaiting({ agenda, store, log: silentLogger }, `mail_${account}`);
    const after = Object.fromEntries(statuses()[account] as [string, string][]);
    expect([after['Send the reply'], after['Another'] === 'completed']).toEqual(['completed', false]);
    const row = await store.get('mail', { id: `mail_${account}` });
    expect(row?.body).toBe(MAIL);
  },
);

test('the to-do of an account that does not answer is closed by the next reply', async () => {
  await call('todo_add', { task: { title: 'Send the reply', closesOnReply: true } }, 'jane');
  const broken = { todos: () => Promise.reject(new EngineError('ACCOUNT_FAILED', 'offline')) };
  const said: string[] = [];
  const log = { ...silentLogger, warn: (text: string) => void said.push(text) };
  await closeAwaiting({ agenda: broken, store, log }, 'mail_jane');
  expect([said, statuses().jane]).toEqual([
    ['the to-do of a sent reply could not be closed'],
    [['Send the reply', 'needsAction']],
  ]);
  await closeAwaiting({ agenda, store, log }, 'mail_jane');
  expect([said.length, statuses().jane]).toEqual([1, [['Send the reply', 'completed']]]);
});
