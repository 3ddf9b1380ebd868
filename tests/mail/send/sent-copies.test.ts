import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock, systemClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createFolderMailbox } from '../../../engine/src/mail/folder/mailbox.ts';
import { createImapMailbox } from '../../../engine/src/mail/imap/mailbox.ts';
import type { Mailbox } from '../../../engine/src/mail/mailbox.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import type { Letter } from '../../../engine/src/mail/send/compose.ts';
import { deliver, type SendDeps, type SendRequest } from '../../../engine/src/mail/send/deliver.ts';
import { deleteOutgoing } from '../../../engine/src/mail/send/outgoing-store.ts';
import { SentCopies } from '../../../engine/src/mail/send/sent-copies.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { dovecot } from '../../available.ts';
import { type DovecotServer, startDovecot } from '../../dovecot.ts';
import { type SmtpPeer, startSmtp } from '../imap/smtp-peer.ts';

const workers = createMailWorkers({ workers: 1 });
afterAll(() => workers.close());

const ME = 'me@example.org';
const LETTER: Letter = {
  ...{ from: ME, to: [{ name: '', address: 'ann@client.example' }], cc: [], bcc: [] },
  ...{ subject: 'Re: Offer', text: `Thank you. ${'Really. '.repeat(60_000)}\n`, references: [], attachments: [] },
};

/** Never comes back, as in a process that has ended. */
const dead = new Promise<never>(() => {});

let root: string;
let store: Store;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'callsheet-copies-'));
  mkdirSync(join(root, 'data'));
  store = openSqlite({ dir: join(root, 'data'), log: silentLogger });
});
afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

/** What another process sees: deliveries under way are known to one store object only. */
const seenByAnother = (): Store => new Proxy(store, { get: (target, name) => bound(target, name) });
function bound(target: Store, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}

function processOn(patch: Partial<SendDeps> = {}): SendDeps {
  const deps = { store: seenByAnother(), clock: systemClock, log: silentLogger, worker: 'worker_1', isShared: false };
  return { ...deps, ...patch };
}

const copies = (box: Mailbox, patch: Partial<SendDeps> = {}) =>
  new SentCopies({ ...processOn({ worker: 'worker_2', ...patch }), mailboxOf: async () => box });
const order = (mailbox: Mailbox): SendRequest => ({
  ...{ key: 'run_1/1/a', accountId: 'team', email: ME, mailbox, letter: async () => LETTER, isAutomatic: true },
});
const left = () => store.count('mailRaw');

/** A process that ends where `at` says: before or after the mail is in Sent. */
async function endAt(box: Mailbox, at: 'before' | 'after', patch: Partial<SendDeps> = {}): Promise<void> {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const end = () => (resolve(), dead);
  const mailbox: Mailbox = {
    ...box,
    async send(mail, options = {}) {
      await box.send(mail, {
        ...options,
        async onSent() {
          await options.onSent?.();
          if (at === 'before') await end();
        },
      });
      return end();
    },
  };
  void deliver(order(mailbox), processOn(patch));
  await gone;
}

describe.skipIf(dovecot === undefined)('the copy in Sent (left out without Dovecot)', () => {
  let imap: DovecotServer;
  let smtp: SmtpPeer;
  let box: Mailbox;
  beforeEach(async () => {
    imap = await startDovecot();
    smtp = await startSmtp();
    const login = { host: '127.0.0.1', secure: false, user: imap.user, password: () => imap.password };
    box = createImapMailbox({
      ...{ ...login, accountId: 'team', port: imap.port, email: imap.user, mailbox: 'INBOX', workers },
      smtp: { ...login, accountId: 'team', port: smtp.port, savesSent: false },
    });
  });
  afterEach(async () => {
    await smtp.close();
    await imap.remove();
  });
  const inSent = () => box.search({ subject: LETTER.subject }, { limit: 5 });

  test.each(['before', 'after'] as const)(
    'is there once if the process ends %s it was saved, and the mail is sent once',
    async (at) => {
      await endAt(box, at);
      expect(await inSent()).toHaveLength(at === 'before' ? 0 : 1);
      const sweeper = copies(box);
      await sweeper.sweep();
      await sweeper.sweep();
      const found = await inSent();
      expect(found).toHaveLength(1);
      expect((await box.read(found[0]!.ref)).mime.byteLength).toBeGreaterThan(LETTER.text.length);
      expect(smtp.taken).toHaveLength(1);
      expect(await left()).toBe(0);
      expect(await deliver(order(box), processOn())).toMatchObject({ ref: found[0]!.ref });
    },
  );

  test('is made up after the server refused it for a while', async () => {
    const { messageId, note } = await deliver(order({ ...box, send: refusesCopy }), processOn());
    expect([messageId, note]).toEqual([expect.any(String), expect.stringContaining('not in Sent')]);
    await copies(box).sweep();
    expect(await inSent()).toHaveLength(1);
  });

  test('leaves nothing behind where all goes well, or where the mail is refused', async () => {
    await deliver(order(box), processOn());
    expect(await left()).toBe(0);
    smtp.manner = { recipient: () => '550 no such user' };
    await expect(deliver({ ...order(box), key: 'other' }, processOn())).rejects.toMatchObject({ code: 'MAIL_REFUSED' });
    expect(await left()).toBe(0);
  });
});

/** Sends, and the copy fails. */
const refusesCopy: Mailbox['send'] = async (_mail, { onSent } = {}) => {
  await onSent?.();
  return { note: 'it was sent, but is not in Sent: over quota' };
};

describe('copies that wait', () => {
  const saved: string[] = [];
  beforeEach(() => void saved.splice(0));
  const plain = {
    send: async (_mail: unknown, { onSent }: { onSent?: () => Promise<void> } = {}) => (await onSent?.(), { ref: 'x' }),
    saveSent: async ({ messageId }: { messageId: string }) => (saved.push(messageId), { ref: 'Sent/1' }),
  };
  const box = plain as unknown as Mailbox;

  test('are tried again while the account cannot be reached', async () => {
    await endAt(box, 'before');
    let isDown = true;
    const saveSent = async (...args: Parameters<typeof plain.saveSent>) => {
      if (isDown) throw new EngineError('ACCOUNT_FAILED', 'no connection', { retryable: true });
      return plain.saveSent(...args);
    };
    const clock = new SimulatedClock(Date.now());
    const sweeper = copies({ ...box, saveSent }, { clock });
    sweeper.start();
    await sweeper.idle();
    isDown = false;
    expect([saved.length, await left()]).toEqual([0, 2]);
    clock.advance(10 * 60_000);
    await sweeper.idle();
    expect([saved.length, await left()]).toEqual([1, 0]);
    await sweeper.stop();
  });

  test('of a mail that this process is sending are left to it', async () => {
    const deps = processOn();
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const waits = {
      ...box,
      send: async (...args: Parameters<Mailbox['send']>) => (await args[1]?.onSent?.(), resolve(), dead),
    };
    void deliver(order(waits), deps);
    await gone;
    await new SentCopies({ ...deps, mailboxOf: async () => box }).sweep();
    expect(saved).toEqual([]);
  });

  test('of a mail that another process may be saving are left until it is certainly over', async () => {
    await endAt(box, 'before');
    await copies(box, { isShared: true }).sweep();
    expect(saved).toEqual([]);
    const later = { ...systemClock, now: () => Date.now() + 10 * 60_000 };
    await copies(box, { isShared: true, clock: later }).sweep();
    expect(saved).toHaveLength(1);
  });

  test('are saved by one of two processes', async () => {
    await endAt(box, 'before');
    await Promise.all([copies(box).sweep(), copies(box, { worker: 'worker_3' }).sweep()]);
    expect(saved).toHaveLength(1);
  });

  test('are forgotten with the record of their mail', async () => {
    await endAt(box, 'before');
    await deleteOutgoing(store, Date.now() + 1);
    expect(await left()).toBe(0);
  });
});

describe('files that an ended process left beside an outbox', () => {
  const MINUTE_MS = 60_000;
  const DAY_MS = 1440 * MINUTE_MS;
  let box: Mailbox;
  let outbox: string;
  beforeEach(() => {
    mkdirSync(join(root, 'inbox', '.labels'), { recursive: true });
    outbox = join(root, 'outbox');
    mkdirSync(outbox);
    mkdirSync(join(root, 'drafts'));
    box = createFolderMailbox({ accountId: 'team', email: ME, path: join(root, 'inbox'), format: 'eml', workers });
  });
  const sweep = () =>
    new SentCopies({
      ...processOn(),
      mailboxOf: async () => box,
      localMailboxes: () => [Promise.resolve(box)],
    }).sweep();
  function leave(path: string, ageMs: number): void {
    writeFileSync(join(root, path), 'From: x');
    const at = new Date(Date.now() - ageMs);
    utimesSync(join(root, path), at, at);
  }
  const names = () => readdirSync(outbox).filter((name) => name.startsWith('.'));

  test('are deleted once the mail is out', async () => {
    await deliver(order(box), processOn());
    const [sent = ''] = readdirSync(outbox);
    for (const end of ['mark', 'part']) leave(`outbox/.${sent}.${end}`, 20 * MINUTE_MS);
    await sweep();
    expect(names()).toEqual([]);
    expect(readdirSync(outbox)).toEqual([sent]);
  });

  test('stay while the mail may have been sent, since only they tell whether it was picked up', async () => {
    void deliver(order({ ...box, send: () => dead }), processOn());
    await expect.poll(async () => (await store.list('outgoing'))[0]?.state).toBe('sending');
    const [{ id = '' } = {}] = await store.list('outgoing');
    leave(`outbox/.${id}.eml.mark`, 40 * DAY_MS);
    await sweep();
    expect(names()).toEqual([`.${id}.eml.mark`]);
  });

  test('are deleted after a day if no record tells of the mail, and not before', async () => {
    const [old, young] = ['a'.repeat(40), 'b'.repeat(40)];
    for (const end of ['mark', 'part']) {
      leave(`outbox/.${old}.eml.${end}`, DAY_MS + MINUTE_MS);
      leave(`outbox/.${young}.eml.${end}`, DAY_MS - MINUTE_MS);
    }
    await sweep();
    expect(names().toSorted()).toEqual([`.${young}.eml.mark`, `.${young}.eml.part`]);
  });

  test('are deleted with those beside drafts and labels, and files of others stay', async () => {
    leave(`drafts/.${'c'.repeat(40)}.eml.77.tmp`, 2 * DAY_MS);
    leave(`inbox/.labels/.${'d'.repeat(64)}.77.tmp`, 2 * DAY_MS);
    const others = ['outbox/.mine.part', 'outbox/notes.mark', 'drafts/.x.tmp', `drafts/${'e'.repeat(40)}.eml`];
    for (const path of others) leave(path, 99 * DAY_MS);
    await sweep();
    expect(readdirSync(join(root, 'inbox', '.labels'))).toEqual([]);
    for (const path of others) expect(existsSync(join(root, path)), path).toBe(true);
    expect(readdirSync(join(root, 'drafts'))).toHaveLength(2);
  });
});
