import { describe, expect, test } from 'vitest';
import { filterQuery, MAIN_VIEWS, MORE_VIEWS, readFilter, viewOf } from '../../ui/mail/state/filter.ts';
import { hasText, mailStatus, rowKey, type Rows, treeRows } from '../../ui/mail/tree-rows.ts';
import type { RunStatus } from '../../ui/http/api-types.ts';
import { addRun, makeItem, makeMail } from '../browser/fake/fixtures.ts';
import { makeWorld } from '../browser/fake/world.ts';

const shown = (rows: Rows) => rows.slice(0, rows.length).map((row) => rowKey(row.ids));
const opened = (...byKey: readonly (readonly [string, boolean])[]) => ({ everyMail: false, byKey: new Map(byKey) });

describe('the rows of the tree of the Inbox', () => {
  test('mails are closed at first', () => {
    const { mails } = makeWorld();
    expect(shown(treeRows(mails, opened()))).toEqual(mails.map((mail) => mail.id));
  });

  test('an open mail shows its directors and their items', () => {
    const { mails } = makeWorld();
    const rows = shown(treeRows(mails.slice(1, 2), opened(['mail-urgent', true])));
    expect(rows).toEqual(['mail-urgent', 'mail-urgent/run-urgent', 'mail-urgent/run-urgent/item-note']);
  });

  test('a closed director hides its items', () => {
    const { mails } = makeWorld();
    const open = opened(['mail-urgent', true], ['mail-urgent/run-urgent', false]);
    expect(shown(treeRows(mails.slice(1, 2), open))).toEqual(['mail-urgent', 'mail-urgent/run-urgent']);
  });

  test('each row has one place, whichever mails are open', () => {
    const { mails } = makeWorld();
    const many = Array.from({ length: 40 }, (_, n) => ({ ...mails[n % mails.length]!, id: `m${n}` }));
    for (const everyMail of [false, true])
      for (let step = 1; step < 12; step++) {
        const byKey = new Map(many.flatMap(({ id }, n) => (n % step === 0 ? [[id, !everyMail] as const] : [])));
        const rows = treeRows(many, { everyMail, byKey });
        const all = many.flatMap((mail, n) => {
          const isOpen = byKey.get(mail.id) ?? everyMail;
          const own = mail.runs.flatMap(({ id, latest, items }) => [
            `${mail.id}/${id}`,
            ...(latest ? items.map((item) => `${mail.id}/${id}/${item.id}`) : []),
          ]);
          return [`m${n}`, ...(isOpen ? own : [])];
        });
        expect(shown(rows)).toEqual(all);
        expect(rows.slice(7, 31).map(({ ids }) => rowKey(ids))).toEqual(all.slice(7, 31));
        expect(all.map((_, i) => rowKey(rows.at(i)?.ids ?? []))).toEqual(all);
        expect(all.map((key) => rows.indexOf(key.split('/')))).toEqual([...all.keys()]);
        expect(many.map((_, n) => rows.ofMail(n))).toEqual(many.map(({ id }) => all.indexOf(id)));
        expect([rows.at(-1), rows.at(all.length), rows.indexOf(['none']), rows.ofMail(40)]).toEqual([
          undefined,
          undefined,
          -1,
          all.length,
        ]);
      }
  });

  test('of 100,000 mails only those are looked into that are open or read', () => {
    let reads = 0;
    const mail = makeMail('m');
    const many = Array.from({ length: 100_000 }, (_, n) => ({
      ...mail,
      id: `m${n}`,
      get runs() {
        reads++;
        return mail.runs;
      },
    }));
    const rows = treeRows(many, opened(['m500', true]));
    rows.slice(rows.ofMail(99_000), rows.ofMail(99_020));
    expect(rows.indexOf(['m99999'])).toBe(99_999);
    expect(reads).toBeLessThan(10);
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
