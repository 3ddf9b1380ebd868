import { ImapFlow } from 'imapflow';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock, systemClock } from '../../../engine/src/base/clock.ts';
import type { EngineError } from '../../../engine/src/base/error.ts';
import { createImapSource, type ImapSourceOptions } from '../../../engine/src/mail/imap/source.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import type { SourceEvent, ListOptions, MailSource, SeenMail } from '../../../engine/src/mail/source.ts';
import { forDovecot, longDovecot } from '../../available.ts';
import { type DovecotServer, startDovecot } from '../../dovecot.ts';
import { mailOf } from '../fixtures.ts';
import { until } from '../until.ts';

const letter = (subject: string) =>
  mailOf('From: ann@client.example', `Subject: ${subject}`, `Message-ID: <${subject}@client.example>`, '', 'Hello.');

describe.skipIf(longDovecot === undefined)(`an IMAP mailbox${forDovecot}`, () => {
  const workers = createMailWorkers({ workers: 1 });
  let server: DovecotServer;
  let stops: (() => Promise<void>)[];
  /** What was kept of the mails that were read. */
  let seen: Map<string, SeenMail>;
  beforeEach(async () => {
    seen = new Map();
    server = await startDovecot();
    stops = [];
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
    await server.remove();
  });
  afterAll(() => workers.close());

  function sourceOf(options: Partial<ImapSourceOptions> = {}): MailSource {
    return createImapSource({
      ...{ accountId: 'team', email: server.user, host: '127.0.0.1', port: server.port, secure: false },
      ...{ user: server.user, password: () => server.password, mailbox: 'INBOX', workers, clock: systemClock },
      ...options,
    });
  }

  /** Reads all that a source gives; returns the subjects in order and the cursor that was reached. */
  async function look(source: MailSource, options: Partial<ListOptions> = {}) {
    const subjects: string[] = [];
    const labels: string[][] = [];
    let cursor = options.cursor;
    let read: Promise<unknown> = Promise.resolve();
    for await (const one of source.list({ seen: (name) => seen.get(name), ...options })) {
      await read;
      if (one.kind === 'reached') cursor = one.cursor([]);
      else if (one.kind === 'mail') {
        const { summary, facts } = await one.read({ id: 'm', receivedAt: '' });
        subjects.push(facts.subject);
        if (one.seen !== undefined) seen.set(one.name, one.seen);
        labels.push((JSON.parse(summary) as { labels: string[] }).labels);
      }
    }
    return { subjects, labels, cursor: JSON.parse(JSON.stringify(cursor ?? null)) as unknown };
  }

  /** What a source tells of mails that were taken. */
  async function newsOf(source: MailSource, cursor: unknown): Promise<SourceEvent[]> {
    const news: SourceEvent[] = [];
    for await (const one of source.list({ seen: (name) => seen.get(name), cursor }))
      if (one.kind !== 'reached') news.push(one);
    return news;
  }

  /** Another program with the mailbox open. */
  async function connected(): Promise<ImapFlow> {
    const other = new ImapFlow({
      ...{ host: '127.0.0.1', port: server.port, secure: false, logger: false },
      auth: { user: server.user, pass: server.password },
    });
    await other.connect();
    await other.mailboxOpen('INBOX');
    stops.push(() => other.logout());
    return other;
  }

  const failureOf = async (source: MailSource) =>
    look(source).then(
      () => undefined,
      (error: unknown) => error as EngineError,
    );

  test('gives a backlog newest first, and what arrives afterwards in order', async () => {
    for (const subject of ['one', 'two', 'three']) server.deliver(letter(subject));
    const source = sourceOf();
    const first = await look(source);
    expect(first.subjects).toEqual(['three', 'two', 'one']);
    for (const subject of ['four', 'five']) server.deliver(letter(subject));
    const second = await look(source, { cursor: first.cursor });
    expect(second.subjects).toEqual(['four', 'five']);
    expect((await look(source, { cursor: second.cursor })).subjects).toEqual([]);
  });

  test('goes on in the middle of a backlog after what has arrived in between', async () => {
    for (let n = 1; n <= 60; n++) server.deliver(letter(`mail ${n}`));
    let cursor: unknown;
    for await (const one of sourceOf().list({ seen: () => undefined }))
      if (one.kind === 'reached') {
        cursor = one.cursor([]);
        break;
      }
    server.deliver(letter('late'));
    const { subjects } = await look(sourceOf(), { cursor });
    expect(subjects).toEqual(['late', ...Array.from({ length: 10 }, (_, n) => `mail ${10 - n}`)]);
  });

  test('tells flags as labels, and leaves drafts and deleted mails until they are no more', async () => {
    server.deliver(letter('seen'), 'FS');
    server.deliver(letter('draft'), 'D');
    server.deliver(letter('deleted'), 'T');
    const { subjects, labels, cursor } = await look(sourceOf());
    expect(subjects).toEqual(['seen']);
    expect(labels[0]?.toSorted()).toEqual(['\\Flagged', '\\Seen']);
    expect(cursor).toMatchObject({ done: [[1, 1]] });
  });

  test('changes nothing at the server: what was read is still new there', async () => {
    server.deliver(letter('one'));
    await look(sourceOf());
    expect((await look(sourceOf())).labels).toEqual([[]]);
  });

  test('gives a mail that could not be read again, but not to a process that knows that', async () => {
    for (const subject of ['one', 'two']) server.deliver(letter(subject));
    let cursor: unknown;
    let unread = '';
    for await (const one of sourceOf().list({ seen: () => undefined }))
      if (one.kind === 'mail') unread ||= one.name;
      else if (one.kind === 'reached') cursor = one.cursor([unread]);
    expect((await look(sourceOf(), { cursor })).subjects).toEqual(['two']);
    expect((await look(sourceOf(), { cursor, isUnreadable: (name) => name === unread })).subjects).toEqual([]);
  });

  test('tells of a mail as it arrives, and makes a lost connection again', async () => {
    const clock = new SimulatedClock(Date.now());
    const source = sourceOf({ clock });
    let changes = 0;
    stops.push(await source.watch(() => changes++));
    const { cursor } = await look(source);
    server.deliver(letter('one'));
    await until(() => changes === 1);
    expect((await look(source, { cursor })).subjects).toEqual(['one']);
    await server.kill();
    await until(() => {
      clock.advance(1000);
      return changes === 2;
    });
    expect(await failureOf(source)).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    await server.start();
    await until(() => {
      clock.advance(2000);
      return changes === 3;
    });
    expect((await look(source, { cursor })).subjects).toEqual(['one']);
  });

  test('tells of flags that are changed and mail that goes, as it happens', async () => {
    for (const subject of ['one', 'two']) server.deliver(letter(subject));
    const source = sourceOf();
    let changes = 0;
    stops.push(await source.watch(() => changes++));
    const { cursor } = await look(source);
    const other = await connected();
    const before = changes;
    await other.messageFlagsAdd('1', ['\\Flagged'], { uid: true });
    await until(() => changes > before);
    expect(await newsOf(source, cursor)).toEqual([
      { kind: 'labels', name: expect.stringMatching(/:1$/) as string, labels: ['\\Flagged'] },
    ]);
    const then = changes;
    await other.messageDelete('2', { uid: true });
    await until(() => changes > then);
    const names = new Set([expect.stringMatching(/:1$/)]);
    expect(await newsOf(source, cursor)).toMatchObject([{ kind: 'labels' }, { kind: 'present', names }]);
    expect(await newsOf(source, cursor)).toMatchObject([{ kind: 'labels' }]);
  });

  test('says that a password is wrong, and leaves the server alone for a while then', async () => {
    let password = 'wrong';
    const source = sourceOf({ password: () => password });
    const error = await failureOf(source);
    expect(error).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: false });
    expect(error?.message).toMatch(/does not accept the user name or the password of team@example\.org/);
    const { subjects } = await server.kill().then(async () => {
      expect(await failureOf(source)).toMatchObject({ message: error?.message });
      await server.start();
      password = server.password;
      return look(source);
    });
    expect(subjects).toEqual([]);
  });

  test.each<{ name: string; wrong: () => Partial<ImapSourceOptions>; message: RegExp }>([
    {
      name: 'an unknown host',
      wrong: () => ({ host: 'nowhere.invalid' }),
      message: /the host nowhere\.invalid is not known/,
    },
    { name: 'a port where nobody listens', wrong: () => ({ port: 1 }), message: /nothing listens at 127\.0\.0\.1:1$/ },
    {
      name: 'a port that does not begin with TLS',
      wrong: () => ({ secure: true }),
      message: /does not begin with TLS/,
    },
    { name: 'no TLS on another machine', wrong: () => ({ host: '127.1' }), message: /offers no TLS/ },
    {
      name: 'a mailbox that is not there',
      wrong: () => ({ mailbox: 'Nowhere' }),
      message: /there is no mailbox Nowhere on/,
    },
  ])('says what is wrong with $name, and what to do', async ({ wrong, message }) => {
    const error = await failureOf(sourceOf(wrong()));
    expect(error).toMatchObject({ code: 'ACCOUNT_FAILED', message: expect.stringMatching(message) as string });
    expect(error?.hint).not.toBe('');
  });

  test.each([
    { name: 'a connection in TLS', secure: true },
    { name: 'a connection that goes over to TLS', secure: false },
  ])('trusts no certificate that nobody vouches for, on $name', async ({ secure }) => {
    const other = await startDovecot({ tls: true });
    stops.push(() => other.remove());
    const error = await failureOf(sourceOf({ port: secure ? other.tlsPort : other.port, secure }));
    expect(error?.message).toMatch(/the certificate of .* cannot be trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
    expect(error?.hint).toMatch(/NODE_EXTRA_CA_CERTS/);
  });

  test('ends a look that is aborted', async () => {
    server.deliver(letter('one'));
    const controller = new AbortController();
    const source = sourceOf();
    const reading = (async () => {
      for await (const one of source.list({ seen: () => undefined, signal: controller.signal })) {
        controller.abort(new Error('enough'));
        if (one.kind === 'mail') await one.read({ id: 'm', receivedAt: '' }, { signal: controller.signal });
      }
    })();
    await expect(reading).rejects.toThrow('enough');
  });
});
