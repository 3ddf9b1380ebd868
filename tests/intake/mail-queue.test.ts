import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MailQueue } from '../../engine/src/intake/mail-queue.ts';
import type { FoundMail } from '../../engine/src/mail/source.ts';

/** A queue, and the names of the mails that went on to their commit, in groups. */
function makeQueue() {
  const queue = new MailQueue();
  const groups: string[][] = [];
  let open: string[] | undefined;
  const commit = async (name: string, bytes = 100) => {
    // A mail is read first.
    await undefined;
    await queue.shareCommit(bytes);
    if (open === undefined) groups.push((open = []));
    open.push(name);
    // The store commits in the next turn what goes on in this one.
    await setImmediate();
    open = undefined;
  };
  return { queue, groups, commit };
}

const mailOf = (size: number | undefined) =>
  ({ kind: 'mail', name: 'm', ...(size !== undefined && { seen: { size, mtimeMs: 0 } }) }) as FoundMail;

test('mails go on to their commit together once all that are worked on are ready', async () => {
  const { queue, groups, commit } = makeQueue();
  const reads = ['a', 'b', 'c'].map((name) => ({ name, read: Promise.withResolvers<void>() }));
  for (const { name, read } of reads)
    queue.add(
      100,
      read.promise.then(() => commit(name)),
    );
  for (const { read } of reads.slice(0, 2)) read.resolve();
  await setImmediate();
  expect(groups).toEqual([]);
  reads[2]?.read.resolve();
  await queue.all();
  expect(groups).toEqual([['a', 'b', 'c']]);
});

test('a mail that ends without a commit makes no other one wait', async () => {
  const { queue, groups, commit } = makeQueue();
  const unreadable = Promise.withResolvers<void>();
  queue.add(100, commit('a'));
  queue.add(100, unreadable.promise);
  queue.add(100, commit('b'));
  unreadable.resolve();
  await setImmediate();
  expect(groups).toEqual([['a', 'b']]);
});

test('a mail that waits for one of its thread makes no other one wait, and is in the next group', async () => {
  const { queue, groups, commit } = makeQueue();
  for (const name of ['a', 'b'])
    queue.add(
      100,
      queue.inThread('thread', () => commit(name)),
    );
  queue.add(
    100,
    queue.inThread('other', () => commit('c')),
  );
  await queue.all();
  expect(groups.map((group) => group.toSorted())).toEqual([['a', 'c'], ['b']]);
});

test('the failure of a mail leaves the next one of its thread alone', async () => {
  const { queue, groups, commit } = makeQueue();
  const failing = queue.inThread('thread', () => Promise.reject(new Error('the disk is full')));
  queue.add(
    100,
    failing.catch(() => {}),
  );
  queue.add(
    100,
    queue.inThread('thread', () => commit('b')),
  );
  await queue.all();
  expect(groups).toEqual([['b']]);
});

test('a mail that takes long to read delays the others for a moment only', async () => {
  const { queue, groups, commit } = makeQueue();
  const slow = Promise.withResolvers<void>();
  queue.add(100, slow.promise);
  const ready = commit('a');
  queue.add(100, ready);
  await ready;
  expect(groups).toEqual([['a']]);
  slow.resolve();
  await queue.all();
});

test.each([
  ['32 mails', 100, 32],
  ['mails of 256 KB', 64 * 1024, 4],
])('%s go on while others are read', async (_name, bytes, count) => {
  const { queue, groups, commit } = makeQueue();
  const slow = Promise.withResolvers<void>();
  queue.add(100, slow.promise);
  for (let n = 0; n < count - 1; n++) queue.add(bytes, commit(String(n), bytes));
  await setImmediate();
  expect(groups).toEqual([]);
  queue.add(bytes, commit('last', bytes));
  await setImmediate();
  expect(groups.map((group) => group.length)).toEqual([count]);
  slow.resolve();
  await queue.all();
});

test.each([
  ['small ones', 64 * 1024, 64],
  ['large ones', 64 * 1024 + 1, 2],
  ['ones of unknown size', undefined, 2],
])('of %s so many are worked on at once', async (_name, size, most) => {
  const { queue } = makeQueue();
  const slow = Promise.withResolvers<void>();
  // The others have lanes of their own.
  queue.add(size === 64 * 1024 ? undefined : 100, slow.promise);
  let begun = 0;
  const filling = (async () => {
    for (; begun < 80; begun++) {
      await queue.room(mailOf(size));
      queue.add(size, slow.promise);
    }
  })();
  await setImmediate();
  expect(begun).toBe(most);
  slow.resolve();
  await filling;
  await queue.all();
});

test('an event that is no mail waits for all mails', async () => {
  const { queue } = makeQueue();
  const slow = Promise.withResolvers<void>();
  queue.add(100, slow.promise);
  let isHandled = false;
  const handled = queue.room({ kind: 'present', names: new Set() }).then(() => (isHandled = true));
  await setImmediate();
  expect(isHandled).toBe(false);
  slow.resolve();
  await handled;
});
