import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forFull, isFull } from '../../available.ts';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { EngineError } from '../../../engine/src/base/error.ts';
import { createImapMailbox } from '../../../engine/src/mail/imap/mailbox.ts';
import { createImapSource } from '../../../engine/src/mail/imap/source.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import type { FoundMail, MailSource } from '../../../engine/src/mail/source.ts';
import { mailOf } from '../fixtures.ts';
import { type Fetch, type ImapPeer, startImap } from './imap-peer.ts';

const letter = (subject: string) =>
  mailOf('From: ann@client.example', `Subject: ${subject}`, `Message-ID: <${subject}@client.example>`, '', 'Hello.');

describe.skipIf(!isFull)(`an IMAP server that is not as most are${forFull}`, () => {
  const workers = createMailWorkers({ workers: 1 });
  let server: ImapPeer;
  let clock: SimulatedClock;
  let stops: (() => Promise<void>)[];
  beforeEach(async () => {
    server = await startImap();
    clock = new SimulatedClock(Date.parse('2026-07-18T10:00:00Z'));
    stops = [];
    for (const subject of ['one', 'two', 'three']) server.deliver(letter(subject));
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
    await server.close();
  });
  afterAll(() => workers.close());

  const account = () => ({
    ...{ accountId: 'team', email: 'team@example.org', host: '127.0.0.1', port: server.port, secure: false },
    ...{ user: 'team', password: () => 'secret', mailbox: 'INBOX', workers, clock },
  });
  const sourceOf = (): MailSource => createImapSource(account());

  /** Reads all that a source gives, as the engine does: what cannot be read is left, and the others go on. */
  async function look(source: MailSource, cursor?: unknown, unreadable: ReadonlySet<string> = new Set()) {
    const read: { subject: string; receivedAt: string; size: number | undefined }[] = [];
    const failed: { name: string; code: string; message: string }[] = [];
    const take = async (found: FoundMail) => {
      const { summary } = await found.read({ id: 'm', receivedAt: '' });
      const { subject, receivedAt } = JSON.parse(summary) as { subject: string; receivedAt: string };
      read.push({ subject, receivedAt, size: found.seen?.size });
    };
    const asked = { seen: () => undefined, cursor, isUnreadable: (name: string) => unreadable.has(name) };
    for await (const one of source.list(asked))
      if (one.kind === 'reached') cursor = one.cursor(failed.map(({ name }) => name));
      else if (one.kind === 'mail')
        await take(one).catch(({ code, message }: EngineError) => {
          if (code.startsWith('ACCOUNT_')) throw new Error(message);
          if (code !== 'MAIL_UNSETTLED') failed.push({ name: one.name, code, message });
        });
    return { subjects: read.map(({ subject }) => subject), read, failed, cursor: cursor as { done: unknown } };
  }

  test('loses no mail when it tells of flags of others before the answer', async () => {
    // Another program has just read mail 1 (RFC 9051 7.5.2: at any time).
    server.manner = { before: ({ isBody }) => (isBody ? '* 1 FETCH (UID 1 FLAGS (\\Seen))' : '') };
    const { subjects, cursor } = await look(sourceOf());
    expect(subjects).toEqual(['three', 'two', 'one']);
    expect(cursor.done).toEqual([[1, 3]]);
  });

  test.each([
    ['told as such', 'COUNT 3 ALL 1:3', true],
    ['told one by one', 'COUNT 3 ALL 3,1,2', true],
    ['fewer than it counts', 'COUNT 3 ALL 1:2', false],
    ['more than it counts', 'COUNT 3 ALL 1:4294967295', false],
    ['not counted', 'ALL 1:3', false],
    ['not told', 'COUNT 3', false],
    ['no numbers', 'COUNT 3 ALL 1:*', false],
  ])('finds every mail where ranges are %s', async (_name, ranges, isTaken) => {
    server.manner = { ranges: () => ranges };
    const { subjects, cursor } = await look(sourceOf());
    expect([subjects, cursor.done]).toEqual([['three', 'two', 'one'], [[1, 3]]]);
    expect(server.searches.slice(0, 2).map((asked) => asked.includes('RETURN'))).toEqual([true, isTaken]);
  });

  test('has the mail read that is asked for, whatever it tells of others', async () => {
    server.manner = { before: () => '* 1 FETCH (UID 1 FLAGS (\\Seen))' };
    const { mime, entry } = await createImapMailbox({ ...account(), smtp: undefined }).read('1:2:INBOX');
    expect([entry.subject, Buffer.from(mime).equals(letter('two'))]).toEqual(['two', true]);
  });

  test.each(['before', 'after'] as const)(
    'knows size and time of a mail whose flags it tells again %s',
    async (when) => {
      server.manner = {
        [when]: ({ isBody }: { isBody: boolean }) => (isBody ? '' : '* 2 FETCH (UID 2 FLAGS (\\Seen))'),
      };
      const { read } = await look(sourceOf());
      const size = letter('two').length;
      expect(read[1]).toEqual({ subject: 'two', receivedAt: '2026-07-17T02:44:25.000Z', size });
    },
  );

  test.each([
    { name: 'says NO', manner: { end: 'NO [SERVERBUG] FETCH Server error' } },
    { name: 'says BAD', manner: { end: 'BAD Command Error. 10' } },
    { name: 'gives nothing', manner: { body: 'NIL' } },
    { name: 'gives an empty text', manner: { body: '""' } },
  ])('keeps no mail from being taken by one for which it $name, and is asked for that again', async ({ manner }) => {
    const end = (fetch: { uids: readonly number[]; isBody: boolean }) =>
      fetch.isBody && fetch.uids.includes(2) ? (manner.end ?? 'OK done') : 'OK done';
    const body = (uid: number) => (uid === 2 ? manner.body : undefined);
    server.manner = { end, body };
    const source = sourceOf();
    stops.push(await source.watch(() => {}));
    const first = await look(source);
    expect(first.subjects).toEqual(['three', 'one']);
    expect(first.failed).toEqual([
      { name: '1:2', code: 'MAIL_UNREADABLE', message: expect.stringMatching(/mail 1:2/) as string },
    ]);
    expect(first.cursor.done).toEqual([
      [1, 1],
      [3, 3],
    ]);
    // It is known as one that could not be read, and left alone for a while.
    const unreadable = new Set(['1:2']);
    expect(await look(source, first.cursor, unreadable)).toMatchObject({ subjects: [], failed: [] });
    clock.advance(300_000);
    expect((await look(source, first.cursor, unreadable)).failed).toHaveLength(1);
    server.manner = {};
    clock.advance(300_000);
    const last = await look(source, first.cursor, unreadable);
    expect([last.subjects, last.cursor.done]).toEqual([['two'], [[1, 3]]]);
    expect(server.logins).toBe(1);
  });

  test.each([
    { name: 'its text', cut: ({ isBody }: Fetch) => isBody },
    { name: 'its flags and size', cut: ({ isBody }: Fetch) => !isBody },
  ])('that closes the connection when it is asked for $name of one mail gives all others', async ({ cut }) => {
    for (const subject of ['four', 'five']) server.deliver(letter(subject));
    server.manner = { end: (fetch) => (cut(fetch) && fetch.uids.includes(2) ? 'cut' : 'OK done') };
    const source = sourceOf();
    stops.push(await source.watch(() => {}));
    /** As often as it takes, from where it came before; with what was read. */
    const all = async (cursor?: object, unreadable: ReadonlySet<string> = new Set(), looks = 1) => {
      for (; looks <= 5; looks++) {
        const one = await look(source, cursor, unreadable).catch(() => undefined);
        if (one !== undefined) return { ...one, looks };
      }
      throw new Error('it does not get through');
    };
    const first = await all();
    expect(first.looks).toBe(3);
    expect(first.failed).toEqual([
      {
        name: '1:2',
        code: 'MAIL_UNREADABLE',
        message: 'the server does not deliver mail 1:2 ("it closes the connection")',
      },
    ]);
    expect(first.subjects.toSorted()).toEqual(['five', 'four', 'one', 'three']);
    expect(first.cursor.done).toEqual([
      [1, 1],
      [3, 5],
    ]);
    const unreadable = new Set(['1:2']);
    expect(await look(source, first.cursor, unreadable)).toMatchObject({ subjects: [], failed: [] });
    server.deliver(letter('six'));
    expect((await look(source, first.cursor, unreadable)).subjects).toEqual(['six']);
    server.manner = {};
    clock.advance(300_000);
    const last = await look(source, first.cursor, unreadable);
    expect([last.subjects.toSorted(), last.cursor.done]).toEqual([['six', 'two'], [[1, 6]]]);
  });

  test.each(['NO [UNAVAILABLE] the disks are away', 'NO [LIMIT] come back later', 'NO [INUSE] somebody has it'])(
    'is asked for all again when it fails for now: %s',
    async (end) => {
      server.manner = { end: ({ isBody }) => (isBody ? end : 'OK done') };
      const source = sourceOf();
      await expect(look(source)).rejects.toThrow(/the connection to .* failed/);
      server.manner = {};
      expect((await look(source)).subjects).toEqual(['three', 'two', 'one']);
    },
  );

  test('is signed in to ever less often while each look breaks off, and soon again once one has ended', async () => {
    const source = sourceOf();
    let changes = 0;
    stops.push(await source.watch(() => changes++));
    /** Seconds until the source wants to be looked at again. */
    const wait = () => {
      const before = changes;
      for (let seconds = 1; ; seconds++) {
        clock.advance(1000);
        if (changes > before) return seconds;
      }
    };
    const broken = async () => {
      await expect(look(source)).rejects.toThrow(/the connection to .* failed/);
      return wait();
    };
    server.manner = { end: ({ isBody }) => (isBody ? 'NO [UNAVAILABLE] later' : 'OK done') };
    expect([await broken(), await broken(), await broken(), await broken()]).toEqual([1, 2, 4, 8]);
    server.manner = {};
    expect((await look(source)).subjects).toEqual(['three', 'two', 'one']);
    server.manner = { end: () => 'cut' };
    expect(await broken()).toBe(1);
    expect(server.logins).toBe(5);
  });

  test.each([
    { login: 'cut', message: /the connection to .* failed/ },
    {
      login: 'NO [UNAVAILABLE] Temporary authentication failure',
      message: /failed \(Temporary authentication failure\)/,
    },
  ])('that fails while one signs in ($login) has said nothing about the password', async ({ login, message }) => {
    const source = sourceOf();
    const failure = () => look(source).catch((error: unknown) => error as EngineError);
    server.manner = { login: () => login };
    expect(await failure()).toMatchObject({ message: expect.stringMatching(message) as string });
    server.manner = {};
    expect((await look(source)).subjects).toEqual(['three', 'two', 'one']);
    server.manner = { login: () => 'NO [AUTHENTICATIONFAILED] no' };
    const other = sourceOf();
    await expect(look(other)).rejects.toThrow(/does not accept the user name or the password/);
    await expect(look(other)).rejects.toThrow(/does not accept the user name or the password/);
    expect(server.logins).toBe(3);
  });
});
