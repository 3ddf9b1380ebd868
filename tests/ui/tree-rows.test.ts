import { describe, expect, test } from 'vitest';
import { type Row, type StatusFilter, mailStatus, rowKey, treeRows } from '../../ui/mail/tree-rows.ts';
import type { RunStatus } from '../../ui/http/api-types.ts';
import { addRun, makeItem, makeMail } from '../browser/fake/fixtures.ts';
import { makeWorld } from '../browser/fake/world.ts';

const shown = (rows: readonly Row[]) => rows.map((row) => rowKey(row.ids));
const everything = { text: '', status: 'all' } as const;

describe('the rows of the tree of the Inbox', () => {
  test('mails are closed at first', () => {
    const { mails } = makeWorld();
    expect(shown(treeRows(mails, everything, new Map()))).toEqual(mails.map((mail) => mail.id));
  });

  test('an open mail shows its directors and their items', () => {
    const { mails } = makeWorld();
    const rows = shown(treeRows(mails.slice(1, 2), everything, new Map([['mail-urgent', true]])));
    expect(rows).toEqual(['mail-urgent', 'mail-urgent/run-urgent', 'mail-urgent/run-urgent/item-note']);
  });

  test('a closed director hides its items', () => {
    const { mails } = makeWorld();
    const open = new Map([
      ['mail-urgent', true],
      ['mail-urgent/run-urgent', false],
    ]);
    expect(shown(treeRows(mails.slice(1, 2), everything, open))).toEqual(['mail-urgent', 'mail-urgent/run-urgent']);
  });

  test.each<[StatusFilter, string[]]>([
    ['running', ['mail-urgent', 'mail-meeting']],
    ['failed', ['mail-failed']],
    ['unrouted', ['mail-news']],
  ])('the filter %s keeps the mails of that state', (status, expected) => {
    expect(shown(treeRows(makeWorld().mails, { text: '', status }, new Map()))).toEqual(expected);
  });

  test.each([
    ['a word of the subject, in any case', 'CABLE', ['mail-invoice']],
    ['the sender', 'núñez', ['mail-meeting']],
    ['the label of an item', 'reply draft', ['mail-invoice']],
    ['words that no single mail has together', 'cable newsletter', []],
  ])('search finds %s', (_name, text, expected) => {
    expect(shown(treeRows(makeWorld().mails, { text, status: 'all' }, new Map()))).toEqual(expected);
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
