import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Objective } from '../../../engine/src/run/objective/objective.ts';
import { letterTo } from '../../contracts/mailbox.ts';
import { nextTry } from '../../next-try.ts';
import { type ObjectiveStage, objectiveStage } from './players.ts';

let stage: ObjectiveStage;
beforeAll(async () => {
  stage = await objectiveStage();
});
afterAll(() => stage.close());

const none = { summary: '', dates: [], names: [], openQuestions: [], wishes: [] };
const waits = { action: 'waitForReply', reason: 'Ann has to answer' };
const FACTS = /Fact \d+ is [a-z]+\./g;

/** Intake keeps the facts that it reads, in mails or in the summary of before; a planner that waits. */
beforeEach(() => {
  stage.asked.length = 0;
  stage.delay = () => Promise.resolve();
  stage.answer = (role, data) =>
    role === 'intake'
      ? { ...none, summary: [...new Set(data.match(FACTS))].join(' ') || 'Nothing.', userQuery: 'Sum it up' }
      : waits;
});

const written = (n: number) => `Date: ${new Date(Date.UTC(2026, 9, 1, 9, n)).toUTCString()}`;
const long = (chars: number, text: string) =>
  `${'Words that say nothing. '.repeat(chars / 48)}${text}${' More words.'.repeat(chars / 24)}`;

/**
 * Fetches mails of a thread, the newest of which starts an objective. It comes by itself: a fetch reads two mails at a time, so
 * the objective could begin before the one beside it is stored.
 */
async function fetchThread(name: string, count: number, text: (n: number) => string) {
  const one = (n: number, labels: readonly string[]) =>
    stage.mail(String(n), { thread: name, headers: [written(n)], text: text(n), labels });
  await stage.fetch(...Array.from({ length: count - 1 }, (_, n) => one(n, [])));
  await stage.fetch(one(count - 1, ['Autopilot']));
}
const reached = (name: string, waitingFor: Objective['waitingFor']) =>
  stage.reached((one) => one.threads[0]?.threadId === name && one.waitingFor === waitingFor);
const dataOf = (role: string) => stage.asked.filter((one) => one.role === role).map(({ data }) => data);
const mailsIn = (data: string) => [...data.matchAll(/^<<MAIL-/gm)].length;

test('a fact in the middle of a thread of 40 long mails reaches the planner', async () => {
  await fetchThread('forty', 40, (n) => long(9000, n === 17 ? 'Fact 17 is blue.' : `Mail ${n}.`));
  const { id } = await reached('forty', 'answer');
  const parts = dataOf('intake');
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.map(mailsIn).reduce((sum, mails) => sum + mails)).toBe(40);
  for (const part of parts) expect(part.length).toBeLessThan(70_000);
  const order = parts.flatMap((part) => [...part.matchAll(/Mail (\d+)\./g)].map(([, n]) => Number(n)));
  expect(order).toEqual(Array.from({ length: 40 }, (_, n) => n).filter((n) => n !== 17));
  expect(parts[0]).toMatch(/too long to be read at once: \d+ newer mails follow/);
  await stage.app.engine.message(id, { text: 'Sum it up', by: 'user' });
  const { history, summary } = await reached('forty', 'reply');
  expect(summary).toBe('Fact 17 is blue.');
  expect(dataOf('planner').at(-1)).toContain('Summary: Fact 17 is blue.');
  expect(history.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^Intake has read a part of a long thread; \d+ newer mails are left$/),
  );
  // The answer of the user brought no mail, and later wakes read what is new alone.
  expect(dataOf('intake').at(-1)).toContain('There are no new ones.');
  expect(mailsIn(dataOf('intake').at(-1) ?? '')).toBe(0);
  stage.asked.length = 0;
  await stage.fetch(stage.mail('40', { thread: 'forty', headers: [written(40)], text: 'Fact 40 is red.' }));
  await stage.reached((one) => one.wakes === 3 && one.waitingFor === 'reply');
  expect(dataOf('intake').map(mailsIn)).toEqual([1]);
  expect((await stage.objective(id)).summary).toBe('Fact 17 is blue. Fact 40 is red.');
});

test('a restart between two parts of a thread reads no part twice, and loses none', async () => {
  let isHanging = false;
  stage.delay = () => {
    if (isHanging || dataOf('intake').length < 3) return Promise.resolve();
    isHanging = true;
    return new Promise(() => {});
  };
  await fetchThread('cut', 20, (n) => long(9000, `Fact ${n} is blue.`));
  for (let tries = 0; !isHanging; tries++) await nextTry(tries);
  await stage.restart();
  const { summary } = await reached('cut', 'answer');
  expect(summary?.match(FACTS)).toHaveLength(20);
  const parts = dataOf('intake');
  // The request that the restart has cut off is made again.
  expect(parts[3]).toBe(parts[2]);
  expect(new Set(parts).size).toBe(parts.length - 1);
  expect([...new Set(parts)].map(mailsIn).reduce((sum, mails) => sum + mails)).toBe(20);
});

test('a mail that comes between two parts is read in its turn, once', async () => {
  let isThere = false;
  stage.delay = async () => {
    if (isThere) return;
    isThere = true;
    await stage.fetch(stage.mail('late', { thread: 'late', headers: [written(30)], text: 'Fact 30 is red.' }));
  };
  await fetchThread('late', 12, (n) => long(9000, `Fact ${n} is blue.`));
  const { summary } = await stage.reached(
    ({ threads, wakes, waitingFor }) => threads[0]?.threadId === 'late' && wakes === 2 && waitingFor === 'answer',
  );
  expect(summary?.match(FACTS)).toHaveLength(13);
  expect(
    dataOf('intake')
      .map(mailsIn)
      .reduce((sum, mails) => sum + mails),
  ).toBe(13);
});

test('of a thread that needs more than ten parts, the summary says what is not read', async () => {
  await fetchThread('endless', 13, (n) => long(55_000, `Fact ${n} is blue.`));
  const { id, summary } = await reached('endless', 'answer');
  expect(dataOf('intake')).toHaveLength(10);
  const facts = Array.from({ length: 10 }, (_, n) => `Fact ${n + 3} is blue.`).join(' ');
  const notRead = 'Not read: 3 mails from before 2026-10-01T09:03:00.000Z.';
  expect(summary).toBe(`${facts}\n${notRead}`);
  await stage.app.engine.message(id, { text: 'Sum it up', by: 'user' });
  expect((await reached('endless', 'reply')).summary).toBe(`${facts}\n${notRead}`);
  expect(dataOf('planner').at(-1)).toContain(notRead);
});

test('mails that were never fetched are read in parts too, and roles read the beginning of those that are long', async () => {
  mkdirSync(join(stage.root, 'inbox'), { recursive: true });
  for (let n = 0; n < 8; n++) {
    const headers = ['References: <order@example.com>', written(n)];
    const raw = letterTo(`old${n}`, headers, long(25_000, `Fact ${n} is blue.`));
    writeFileSync(join(stage.root, 'inbox', `old${n}.eml`), raw);
  }
  await stage.fetch(
    stage.mail('1', {
      ...{ thread: '<order@example.com>', messageId: '<offer@example.com>', labels: ['Autopilot'] },
      ...{ headers: [written(20), 'References: <order@example.com>'], text: 'Fact 20 is red.' },
    }),
  );
  const { id, summary } = await reached('<order@example.com>', 'answer');
  expect(summary?.match(FACTS)).toHaveLength(9);
  expect(dataOf('intake').length).toBeGreaterThan(2);
  await stage.app.engine.message(id, { text: 'Sum it up', by: 'user' });
  await reached('<order@example.com>', 'reply');
  const planner = dataOf('planner').at(-1) ?? '';
  expect(mailsIn(planner)).toBe(9);
  expect(planner.length).toBeLessThan(70_000);
  expect(mailsIn(dataOf('intake').at(-1) ?? '')).toBe(0);
});
