import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock, systemClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import type { Letter } from '../../../engine/src/mail/send/compose.ts';
import { type SendDeps, deliver, type SendRequest, findOutcome } from '../../../engine/src/mail/send/deliver.ts';
import { createFolderMailbox } from '../../../engine/src/mail/folder/mailbox.ts';
import { createImapMailbox } from '../../../engine/src/mail/imap/mailbox.ts';
import type { Mailbox, Outgoing, SendOptions } from '../../../engine/src/mail/mailbox.ts';
import {
  deleteOutgoing,
  updateOutgoing,
  reserveSlot,
  releaseSlot,
} from '../../../engine/src/mail/send/outgoing-store.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { dovecot } from '../../available.ts';
import { ME } from '../../contracts/mailbox.ts';
import { type DovecotServer, startDovecot } from '../../dovecot.ts';
import { type SmtpPeer, startSmtp } from '../imap/smtp-peer.ts';

const workers = createMailWorkers({ workers: 1 });
afterAll(() => workers.close());

const LETTER: Letter = {
  ...{ from: ME, to: [{ name: '', address: 'ann@client.example' }], cc: [], bcc: [] },
  ...{ subject: 'Re: Offer', text: 'Thank you.\n', references: [], attachments: [] },
};

/** Never comes back, as in a process that has ended. */
const dead = new Promise<never>(() => {});

let root: string;
let store: Store;
let box: Mailbox;
let stores: Store[];

/** The same database as another process sees it. */
function openStore(): Store {
  const opened = openSqlite({ dir: join(root, 'data'), log: silentLogger });
  stores.push(opened);
  return opened;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'callsheet-deliver-'));
  stores = [];
  mkdirSync(join(root, 'inbox'));
  mkdirSync(join(root, 'data'));
  store = openStore();
  box = createFolderMailbox({ accountId: 'inbox', email: ME, path: join(root, 'inbox'), format: 'eml', workers });
});
afterEach(async () => {
  for (const one of stores) await one.close();
  rmSync(root, { recursive: true, force: true });
});

let opened = 0;
/** A process of its own on the same database. */
function processOn(patch: Partial<SendDeps> = {}): SendDeps {
  const own = opened++ === 0 ? store : openStore();
  return { store: own, clock: systemClock, log: silentLogger, worker: `worker_${opened}`, isShared: false, ...patch };
}

/** A database that fails so often to take down that a mail is out. */
function failingStore(times: number): Store {
  let left = times;
  const apply: Store['apply'] = async (changes) => {
    const isOut = changes.some((change) => change.op === 'update' && Reflect.get(change.set, 'state') === 'out');
    if (isOut && left-- > 0) throw new EngineError('STORE_FAILED', 'no room');
    return store.apply(changes);
  };
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = name === 'apply' ? apply : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const order = (patch: Partial<SendRequest> = {}): SendRequest => ({
  ...{ key: 'run_1/1/a', accountId: 'inbox', email: ME, mailbox: box, letter: async () => LETTER, isAutomatic: true },
  ...patch,
});
const sent = () => readdirSync(join(root, 'outbox')).length;
const failing = (error: unknown): Mailbox => ({ ...box, send: () => Promise.reject(error) });
/** A process that ends while it sends: where `send` calls `end`. */
async function endWhere(
  send: (mail: Outgoing, options: SendOptions, end: () => Promise<never>) => ReturnType<Mailbox['send']>,
): Promise<void> {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const end = () => {
    resolve();
    return dead;
  };
  const mailbox: Mailbox = { ...box, send: (mail, options = {}) => send(mail, options, end) };
  void deliver(order({ mailbox }), processOn());
  await gone;
}
/** It ends once the mail was sent, before it knows. */
const sendAndEnd = () =>
  endWhere(async (mail, _options, end) => {
    await box.send(mail);
    return end();
  });
/** Hangs until it is cut off. */
const hung = (): Mailbox => ({
  ...box,
  send: (_mail, { signal } = {}) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
});
/** Resolves once a process has begun to send. */
const begun = async () => {
  while ((await store.list('outgoing'))[0]?.state !== 'sending') await new Promise((resolve) => setImmediate(resolve));
};
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'fine',
    (error: unknown) => (error instanceof EngineError ? error.code : String(error)),
  );

describe('a mail on its way out', () => {
  test('is sent once however often it is asked for, with the same Message-ID and date', async () => {
    const clock = new SimulatedClock(Date.UTC(2026, 10, 22, 10));
    const first = await deliver(order(), processOn({ clock }));
    clock.advance(3_600_000);
    expect(await deliver(order(), processOn({ clock }))).toEqual(first);
    expect(sent()).toBe(1);
    const { mime } = await box.read(first.ref ?? '');
    const mail = await PostalMime.parse(mime);
    expect(mail).toMatchObject({ messageId: first.messageId, date: '2026-11-22T10:00:00.000Z' });
  });

  test('is not sent again where the process ended after it was sent and before it knew', async () => {
    await sendAndEnd();
    const again = processOn();
    expect(await findOutcome(order(), again)).toMatchObject({ ref: expect.stringMatching(/^outbox\//) });
    expect(await deliver(order({ mailbox: failing(new Error('sent twice')) }), again)).toBeDefined();
    expect(sent()).toBe(1);
  });

  test('is sent where the process ended before it was', async () => {
    await endWhere((_mail, _options, end) => end());
    expect(await findOutcome(order(), processOn())).toBeUndefined();
    await deliver(order(), processOn());
    expect(sent()).toBe(1);
  });

  test('is sent again by nobody once it is known to be out', async () => {
    await endWhere(async (_mail, { onSent }, end) => {
      await onSent?.();
      return end();
    });
    const { messageId } = await deliver(order({ mailbox: failing(new Error('sent twice')) }), processOn());
    expect(messageId).toMatch(/^<callsheet\./);
  });

  test('is out though what follows fails, and says so', async () => {
    const mailbox: Mailbox = {
      ...box,
      async send(mail, { onSent } = {}) {
        await box.send(mail);
        await onSent?.();
        throw new EngineError('ACCOUNT_FAILED', 'Sent is full', { retryable: true });
      },
    };
    expect(await deliver(order({ mailbox }), processOn())).toMatchObject({ note: 'after it was sent: Sent is full' });
  });

  test.each([
    ['MAIL_REFUSED', false],
    ['MAIL_REFUSED', true],
    ['MAIL_NOT_SENT', true],
    ['ACCOUNT_NOT_CONNECTED', false],
    ['ACCOUNT_GRANT_LOST', false],
    ['ACCOUNT_SCOPE_MISSING', false],
    ['ACCOUNT_FAILED', false],
  ] as const)('may be tried again after %s (retryable: %s), since nothing was sent', async (code, retryable) => {
    const deps = processOn();
    const error = new EngineError(code, 'no', { retryable });
    const lost: Mailbox = { ...failing(error), findSent: () => Promise.reject(new Error('nobody asks')) };
    expect(await codeOf(deliver(order({ mailbox: lost }), deps))).toBe(code);
    expect(await store.count('outgoing')).toBe(0);
    await deliver(order(), deps);
    expect(sent()).toBe(1);
  });

  test('is looked for after an answer that was lost', async () => {
    const error = new EngineError('ACCOUNT_FAILED', 'the connection was lost', { retryable: true });
    const arrived: Mailbox = {
      ...box,
      async send(mail) {
        await box.send(mail);
        throw error;
      },
    };
    expect(await deliver(order({ mailbox: arrived }), processOn())).toMatchObject({ ref: expect.anything() });
    expect(await codeOf(deliver(order({ key: 'b', mailbox: failing(error) }), processOn()))).toBe('ACCOUNT_FAILED');
    expect(sent()).toBe(1);
  });

  test('is left to a person where nobody can tell, until they insist', async () => {
    const unsure: Mailbox = {
      ...failing(new EngineError('ACCOUNT_FAILED', 'the connection was lost', { retryable: true })),
      findSent: () => Promise.reject(new EngineError('TOOL_OUTCOME_UNKNOWN', 'it cannot be asked')),
    };
    expect(await codeOf(deliver(order({ mailbox: unsure }), processOn()))).toBe('TOOL_OUTCOME_UNKNOWN');
    const blind: Mailbox = { ...box, findSent: unsure.findSent };
    expect(await codeOf(deliver(order({ mailbox: blind }), processOn()))).toBe('TOOL_OUTCOME_UNKNOWN');
    await deliver(order({ mailbox: blind }), processOn(), { insists: true });
    expect(sent()).toBe(1);
  });

  test('is still in doubt where a person insists and the next attempt sends nothing', async () => {
    const unasked = new EngineError('TOOL_OUTCOME_UNKNOWN', 'it cannot be asked');
    const blind = (error: unknown): Mailbox => ({ ...failing(error), findSent: () => Promise.reject(unasked) });
    await deliver(order({ mailbox: blind(unasked) }), processOn()).catch(() => {});
    const mailbox = blind(new EngineError('MAIL_NOT_SENT', 'nobody listens', { retryable: true }));
    const again = deliver(order({ mailbox }), processOn(), { insists: true });
    await expect(again).rejects.toMatchObject({
      code: 'TOOL_OUTCOME_UNKNOWN',
      message: expect.stringContaining('nobody listens'),
    });
    expect((await store.list('outgoing')).map(({ state }) => state)).toEqual(['sending']);
    const attachments = [{ name: 'a', mimeType: 'image/png', bytes: new Uint8Array(25 * 1024 * 1024) }];
    const large = order({ mailbox, letter: async () => ({ ...LETTER, attachments }) });
    expect(await codeOf(deliver(large, processOn(), { insists: true }))).toBe('TOO_LARGE');
    expect((await store.list('outgoing')).map(({ state }) => state)).toEqual(['sending']);
  });

  test('is in no doubt where it is taken back before anything was sent', async () => {
    const stop = new AbortController();
    const letter = async () => {
      stop.abort(new Error('enough'));
      return LETTER;
    };
    expect(await codeOf(deliver(order({ letter }), processOn(), { signal: stop.signal }))).toBe('Error: enough');
    expect((await store.list('outgoing')).map(({ state }) => state)).toEqual(['ready']);
  });

  test('is looked for by nobody where it is taken back while it is sent, and stays in doubt', async () => {
    const stop = new AbortController();
    const mailbox: Mailbox = { ...hung(), findSent: () => Promise.reject(new Error('nobody asks')) };
    const work = codeOf(deliver(order({ mailbox }), processOn(), { signal: stop.signal }));
    await begun();
    stop.abort(new Error('enough'));
    expect(await work).toBe('Error: enough');
    expect((await store.list('outgoing')).map(({ state }) => state)).toEqual(['sending']);
  });

  test('is sent again by one of two where a person insists twice', async () => {
    const clock = new SimulatedClock();
    await sendAndEnd();
    clock.advance(10_000);
    let count = 0;
    const mailbox: Mailbox = {
      ...box,
      findSent: () => Promise.reject(new EngineError('TOOL_OUTCOME_UNKNOWN', 'it cannot be asked')),
      send: async () => (count++, {}),
    };
    const again = () => codeOf(deliver(order({ mailbox }), processOn({ clock }), { insists: true }));
    expect((await Promise.all([again(), again()])).toSorted()).toEqual(['BUSY', 'fine']);
    expect(count).toBe(1);
  });

  test('is not sent again where a person insists and it is found', async () => {
    await sendAndEnd();
    const found = await deliver(order({ mailbox: { ...box, send: failing(new Error('twice')).send } }), processOn(), {
      insists: true,
    });
    expect(found.ref).toMatch(/^outbox\//);
  });

  test('is sent once by two that ask at the same time, in one process and in two', async () => {
    let count = 0;
    const slow: Mailbox = {
      ...box,
      async send(mail) {
        count++;
        await new Promise((resolve) => setImmediate(resolve));
        return box.send(mail);
      },
    };
    const [one, two] = [processOn(), processOn()];
    const codes = await Promise.all([one, one, two].map((deps) => codeOf(deliver(order({ mailbox: slow }), deps))));
    expect(count).toBe(1);
    expect(codes.slice(0, 2)).toEqual(['fine', 'fine']);
  });

  /** A mail that another process sends while it is written. */
  const overtaken = (by: (other: SendDeps) => Promise<unknown>, patch: Partial<SendRequest> = {}) => {
    const other = processOn();
    const letter = async () => {
      await by(other);
      return LETTER;
    };
    const mailbox = failing(new Error('sent twice'));
    return codeOf(deliver(order({ letter, mailbox, ...patch }), processOn()));
  };

  test('is not sent again by one that was slow to write it', async () => {
    expect(await overtaken((other) => deliver(order(), other))).toBe('fine');
    const code = await overtaken((other) => deliver(order({ key: 'b', fingerprint: 'b' }), other), {
      ...{ key: 'b', fingerprint: 'c' },
    });
    expect(code).toBe('CONFLICT');
    expect(sent()).toBe(2);
  });

  test('is left to who is at it by one that was slow to write it', async () => {
    const code = await overtaken(async (other) => {
      void deliver(order({ mailbox: { ...box, send: () => dead } }), other);
      await begun();
    });
    expect(code).toBe('BUSY');
  });

  test('waits, where others may be at it, until they must have ended', async () => {
    const clock = new SimulatedClock();
    void deliver(order({ mailbox: { ...box, send: () => dead } }), processOn({ clock, isShared: true }));
    await begun();
    let isDone = false;
    const other = deliver(order(), processOn({ clock, isShared: true })).then(() => (isDone = true));
    for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    while (!isDone) {
      clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await other;
    expect(sent()).toBe(1);
  });

  test('is out for who has waited, where another process has sent it meanwhile', async () => {
    const clock = new SimulatedClock();
    const { promise: sends, resolve } = Promise.withResolvers<object>();
    const first = deliver(order({ mailbox: { ...box, send: () => sends } }), processOn({ clock, isShared: true }));
    await begun();
    const blind: Mailbox = { ...box, findSent: () => Promise.reject(new Error('nobody has to ask')) };
    const other = codeOf(findOutcome(order({ mailbox: blind }), processOn({ clock, isShared: true })));
    for (let n = 0; n < 50; n++) await new Promise((done) => setImmediate(done));
    resolve({});
    await first;
    clock.advance(121_000);
    expect(await other).toBe('fine');
  });

  test('takes too long for nobody: after a while it is looked for', async () => {
    const clock = new SimulatedClock();
    const work = codeOf(deliver(order({ mailbox: hung() }), processOn({ clock })));
    await begun();
    clock.advance(90_100);
    expect(await work).toBe('ACCOUNT_FAILED');
    expect(await store.count('outgoing')).toBe(0);
  });

  test('has longer where it is large, so that a slow line can carry it, and others wait for that', async () => {
    const clock = new SimulatedClock();
    const attachments = [{ name: 'a', mimeType: 'image/png', bytes: new Uint8Array(15 * 1024 * 1024) }];
    const letter = async () => ({ ...LETTER, attachments });
    let looks = 0;
    const mailbox = hung();
    const watched = {
      ...mailbox,
      findSent: (...args: Parameters<Mailbox['findSent']>) => (looks++, mailbox.findSent(...args)),
    };
    const work = codeOf(deliver(order({ mailbox: watched, letter }), processOn({ clock, isShared: true })));
    await begun();
    const other = codeOf(findOutcome(order({ mailbox: watched }), processOn({ clock, isShared: true })));
    const pass = async (ms: number) => {
      clock.advance(ms);
      for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve));
      return looks;
    };
    // 21 MB at a megabit a second, and 90 s.
    expect(await pass(0)).toBe(0);
    expect(await pass(250_000)).toBe(0);
    expect(await pass(15_000)).toBe(1);
    expect(await work).toBe('ACCOUNT_FAILED');
    expect(await pass(20_000)).toBe(1);
    expect(await pass(10_000)).toBe(2);
    expect(await other).toBe('fine');
  });

  test('is another one under a key that was used before', async () => {
    await deliver(order({ fingerprint: 'a' }), processOn());
    expect(await codeOf(deliver(order({ fingerprint: 'b' }), processOn()))).toBe('CONFLICT');
    expect(await codeOf(deliver(order({ fingerprint: 'a' }), processOn()))).toBe('fine');
  });

  test('that cannot be written takes no place', async () => {
    const deps = processOn();
    const letter = () => Promise.reject(new EngineError('BAD_REQUEST', 'no'));
    expect(await codeOf(deliver(order({ letter }), deps))).toBe('BAD_REQUEST');
    const attachments = [{ name: 'a', mimeType: 'image/png', bytes: new Uint8Array(25 * 1024 * 1024) }];
    const large = order({ letter: async () => ({ ...LETTER, attachments }) });
    expect(await codeOf(deliver(large, deps))).toBe('TOO_LARGE');
    expect(await store.count('outgoing')).toBe(0);
  });
});

test('what is known of a mail is forgotten in the end, unless it may have been sent', async () => {
  const clock = new SimulatedClock();
  const deps = processOn({ clock });
  await deliver(order(), deps);
  void deliver(order({ key: 'b', mailbox: { ...box, send: () => dead } }), deps);
  while ((await store.count('outgoing', [['state', '=', 'sending']])) === 0)
    await new Promise((resolve) => setImmediate(resolve));
  await deleteOutgoing(store, clock.now());
  expect(await store.count('outgoing')).toBe(2);
  await deleteOutgoing(store, clock.now() + 1);
  expect((await store.list('outgoing')).map(({ state }) => state)).toEqual(['sending']);
});

test('what one process has written down is not taken back by another one that had read it before', async () => {
  const row = { id: 'a', at: 1, dateMs: 1, accountId: 'inbox', messageId: '<a@example.org>', worker: 'worker_1' };
  const places = { threadKey: 'thread', perDay: 3 };
  const [ready, same] = [await reserveSlot(store, row, places), await reserveSlot(store, row, places)];
  expect(same).toEqual(ready);
  const sending = await updateOutgoing(store, ready, { state: 'sending', at: 2 });
  await releaseSlot(store, ready);
  expect((await store.list('outgoing')).map(({ state }) => state)).toEqual(['sending']);
  await releaseSlot(store, sending);
  expect(await store.count('outgoing')).toBe(0);
});

describe('the places of a thread', () => {
  const slots = { threadKey: 'thread', perDay: 3 };

  test('are taken by so many a day, however many processes ask at the same time', async () => {
    const couriers = Array.from({ length: 4 }, () => processOn());
    const codes = await Promise.all(
      Array.from({ length: 12 }, (_, n) => codeOf(deliver(order({ key: `k${n}`, slots }), couriers[n % 4]!))),
    );
    expect(codes.filter((code) => code === 'fine')).toHaveLength(3);
    expect(new Set(codes)).toEqual(new Set(['fine', 'REPLY_LIMIT']));
    expect(sent()).toBe(3);
  });

  test('are free again on the next day, and those of other threads always were', async () => {
    const clock = new SimulatedClock(Date.UTC(2026, 10, 22, 23, 59));
    const deps = processOn({ clock });
    const ask = (key: string, threadKey = 'thread') =>
      codeOf(deliver(order({ key, slots: { threadKey, perDay: 1 } }), deps));
    expect([await ask('a'), await ask('b'), await ask('c', 'other')]).toEqual(['fine', 'REPLY_LIMIT', 'fine']);
    clock.advance(60_000);
    expect(await ask('b')).toBe('fine');
  });

  test('are not used up by trying again, nor by what was never sent', async () => {
    const deps = processOn();
    const one = { threadKey: 'thread', perDay: 1 };
    const refused = failing(new EngineError('MAIL_REFUSED', 'no'));
    expect(await codeOf(deliver(order({ key: 'a', slots: one, mailbox: refused }), deps))).toBe('MAIL_REFUSED');
    for (let n = 0; n < 3; n++) expect(await codeOf(deliver(order({ key: 'b', slots: one }), deps))).toBe('fine');
  });
});

describe.skipIf(dovecot === undefined)('over SMTP (left out without Dovecot)', () => {
  let imap: DovecotServer;
  let smtp: SmtpPeer;
  beforeEach(async () => {
    imap = await startDovecot();
    smtp = await startSmtp();
    const login = {
      accountId: 'team',
      host: '127.0.0.1',
      secure: false,
      user: imap.user,
      password: () => imap.password,
    };
    box = createImapMailbox({
      ...{ ...login, port: imap.port, email: imap.user, mailbox: 'INBOX', workers },
      smtp: { ...login, port: smtp.port, savesSent: false },
    });
  });
  afterEach(async () => {
    await smtp.close();
    await imap.remove();
  });

  test('a mail whose answer was lost is never sent twice: a person is asked', async () => {
    smtp.manner = { end: () => 'cut' };
    expect(await codeOf(deliver(order(), processOn()))).toBe('TOOL_OUTCOME_UNKNOWN');
    smtp.manner = {};
    expect(await codeOf(deliver(order(), processOn()))).toBe('TOOL_OUTCOME_UNKNOWN');
    expect(smtp.taken).toHaveLength(1);
    await deliver(order(), processOn(), { insists: true });
    expect(smtp.taken).toHaveLength(2);
  });

  test('a process that ends between SMTP and Sent does not send again', async () => {
    await endWhere((mail, options, end) =>
      box.send(mail, {
        ...options,
        async onSent() {
          await options.onSent?.();
          return end();
        },
      }),
    );
    expect(await codeOf(deliver(order(), processOn()))).toBe('fine');
    expect(smtp.taken).toHaveLength(1);
  });

  test.each([
    ['for a moment', 1, 'out'],
    ['for longer', 99, 'sending'],
  ])('a mail that is out is in no doubt where that cannot be written down %s', async (_name, times, state) => {
    const deps = processOn({ store: failingStore(times) });
    expect(await deliver(order(), deps)).toMatchObject({ note: expect.stringContaining('no room') });
    expect((await store.list('outgoing')).map((row) => row.state)).toEqual([state]);
    expect(await findOutcome(order(), processOn())).toBeDefined();
    expect(await deliver(order(), processOn())).toBeDefined();
    expect(smtp.taken).toHaveLength(1);
    expect(await box.search({ subject: LETTER.subject }, { limit: 5 })).toHaveLength(1);
  });

  test('what the server put off is sent when it is tried again', async () => {
    const deps = processOn();
    smtp.manner = { recipient: () => '451 4.7.1 come again' };
    expect(await codeOf(deliver(order(), deps))).toBe('MAIL_REFUSED');
    smtp.manner = {};
    const { ref } = await deliver(order(), deps);
    expect(ref).toMatch(/:Sent$/);
    expect(smtp.taken).toHaveLength(1);
  });
});
