import { describe, expect, test } from 'vitest';
import { filterQuery, MAIN_VIEWS, MORE_VIEWS, readFilter, viewOf } from '../../ui/mail/state/filter.ts';
import { hasText, type Row, mailStatus, rowKey, treeRows } from '../../ui/mail/tree-rows.ts';
import type { RunStatus } from '../../ui/http/api-types.ts';
import { addRun, makeItem, makeMail } from '../browser/fake/fixtures.ts';
import { makeWorld } from '../browser/fake/world.ts';

const shown = (rows: readonly Row[]) => rows.map((row) => rowKey(row.ids));

describe('the rows of the tree of the Inbox', () => {
  test('mails are closed at first', () => {
    const { mails } = makeWorld();
    expect(shown(treeRows(mails, new Map()))).toEqual(mails.map((mail) => mail.id));
  });

  test('an open mail shows its directors and their items', () => {
    const { mails } = makeWorld();
    const rows = shown(treeRows(mails.slice(1, 2), new Map([['mail-urgent', true]])));
    expect(rows).toEqual(['mail-urgent', 'mail-urgent/run-urgent', 'mail-urgent/run-urgent/item-note']);
  });

  test('a closed director hides its items', () => {
    const { mails } = makeWorld();
    const open = new Map([
      ['mail-urgent', true],
      ['mail-urgent/run-urgent', false],
    ]);
    expect(shown(treeRows(mails.slice(1, 2), open))).toEqual(['mail-urgent', 'mail-urgent/run-urgent']);
  });

  test.each([
    ['running', ['mail-urgent', 'mail-meeting']],
    ['failed', ['mail-failed']],
    ['unrouted', ['mail-news']],
  ])('the view %s keeps the mails of that state', (view, expected) => {
    const { has } = viewOf(view);
    expect(
      makeWorld()
        .mails.filter((mail) => has(mail, Date.now()))
        .map(({ id }) => id),
    ).toEqual(expected);
  });

  test.each([
    ['plain', {}, ['inbox', 'all']],
    ['unread', { unread: true }, ['inbox', 'unread', 'all']],
    ['one that needs the user', { value: 'needsMe' as const }, ['inbox', 'needsMe', 'all']],
    ['done', { value: 'done' as const }, ['done', 'all']],
    ['archived and unread', { archived: true, unread: true }, ['archived', 'all']],
    ['snoozed', { value: 'waiting' as const, snoozedUntil: '2026-11-22T10:00:00Z' }, ['snoozed', 'all']],
    [
      'back from a snooze',
      { value: 'waiting' as const, snoozedUntil: '2026-11-22T08:00:00Z' },
      ['inbox', 'waiting', 'all'],
    ],
  ])('a mail that is %s is in its views', (_name, over, expected) => {
    const mail = makeMail('m', { routed: true, state: { value: null, unread: false, archived: false, ...over } });
    const now = Date.parse('2026-11-22T09:00:00Z');
    const found = [...MAIN_VIEWS, ...MORE_VIEWS].filter(({ has }) => has(mail, now)).map(({ id }) => id);
    expect(found).toEqual(expected);
  });

  test.each([
    ['the whole Inbox', { text: '', view: 'inbox' }, ''],
    ['words', { text: 'a b&c', view: 'inbox' }, 'q=a+b%26c'],
    ['a view with words', { text: 'x', view: 'done' }, 'view=done&q=x'],
  ])('%s can be in the address', (_name, filter, query) => {
    expect([filterQuery(filter), readFilter(query)]).toEqual([query, filter]);
  });

  test.each([
    ['a word of the subject, in any case', 'CABLE', ['mail-invoice']],
    ['the sender', 'núñez', ['mail-meeting']],
    ['the label of an item', 'reply draft', ['mail-invoice']],
    ['words that no single mail has together', 'cable newsletter', []],
  ])('search finds %s', (_name, text, expected) => {
    expect(
      makeWorld()
        .mails.filter((mail) => hasText(mail, text))
        .map(({ id }) => id),
    ).toEqual(expected);
  });
});

test.each<[string, RunStatus[], RunStatus | undefined]>([
  ['no run', [], undefined],
  ['one done, one failed', ['completed', 'failed'], 'failed'],
  ['one failed, one still running', ['failed', 'running'], 'running'],
  ['one that waits for a person', ['running', 'waiting'], 'waiting'],
])('a mail with %s shows one state', (_name, states, expected) => {
  const world = { ...makeWorld(), mails: [makeMail('m')] };
  states.forEach((status, i) => addRun(world, 'm', `run-${i}`, [makeItem('x')], { status }));
  const [mail] = world.mails;
  expect(mail && mailStatus(mail)).toBe(expected);
});
