import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../engine/src/base/clock.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { createGmailSource } from '../../engine/src/mail/gmail/source.ts';
import { mailOf as storedMail } from '../../engine/src/mail/mail-store.ts';
import type { MailWorkers } from '../../engine/src/mail/parse/mail-workers.ts';
import type { AccountTokens } from '../../engine/src/account/account.ts';
import type { Fetcher } from '../../engine/src/intake/fetcher.ts';
import type { Change } from '../../engine/src/store/store.ts';
import { sourceContract } from '../contracts/source.ts';
import { mailOf } from '../mail/fixtures.ts';
import { startGmail, TOKEN } from '../mail/gmail/gmail-emulator.ts';
import { GmailPeer, said } from '../mail/gmail/gmail-peer.ts';
import { fixedTokens } from '../mail/gmail/gmail-tokens.ts';
import { BOX, fetcherOf } from './fetching.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

const EMAIL = 'team@example.org';

const letter = (subject: string) =>
  mailOf('From: ann@client.example', `Subject: ${subject}`, `Message-ID: <${subject}@client.example>`, '', 'Hello.');

const sourceAt = (api: string, workers: MailWorkers, tokens: AccountTokens = fixedTokens(TOKEN), clock = systemClock) =>
  createGmailSource({
    ...{ accountId: 'box', email: EMAIL, labels: ['INBOX'], workers, clock, tokens, endpoints: { api } },
  });

/** Labels that people make, by id and name. */
const LABELS = { Orders: 'Label_1', STARRED: 'STARRED' } as const;
const ids = (names: readonly string[] = []) => names.map((name) => LABELS[name as keyof typeof LABELS]);

sourceContract('Gmail, as the emulator plays it,', async (workers) => {
  const gmail = await startGmail(EMAIL);
  return {
    labels: ['Orders', 'STARRED'],
    open: () => sourceAt(gmail.url, workers),
    deliver: (mime) => gmail.deliver(mime),
    label: (mail, { add, remove }) => gmail.modify(mail, ids(add), ids(remove)),
    remove: (mail) => gmail.remove(mail),
    close: () => gmail.close(),
  };
});

sourceContract('Gmail, as a peer plays it that says little,', async (workers) => {
  const peer = new GmailPeer();
  const url = await peer.start();
  peer.isTerse = true;
  peer.hasEmptyPages = true;
  const threads = new Map<string, string>();
  return {
    labels: ['Orders', 'STARRED'],
    open: () => sourceAt(url, workers),
    async deliver(mime) {
      const text = Buffer.from(mime).toString('utf8');
      const answers = /In-Reply-To: (\S+)/.exec(text)?.[1] ?? '';
      const id = peer.deliver(mime, ['INBOX', 'UNREAD'], threads.get(answers));
      threads.set(/Message-ID: (\S+)/.exec(text)?.[1] ?? '', peer.mails.get(id)?.threadId ?? id);
      return id;
    },
    label: async (mail, { add, remove }) => peer.modify(mail, ids(add), ids(remove)),
    remove: async (mail) => peer.remove(mail),
    forget: async () => peer.forget(),
    close: () => peer.close(),
  };
});

describe('a Gmail account', { timeout: 60_000 }, () => {
  let peer: GmailPeer;
  let url: string;
  let stage: Stage;
  let tokens: AccountTokens;
  let fetcher: Fetcher;
  beforeEach(async () => {
    peer = new GmailPeer();
    url = await peer.start();
    tokens = fixedTokens(TOKEN);
    stage = await setStage({ files: BOX, models: playModels(() => ({ content: 'Done.' })) });
    fetcher = openFetcher();
  });
  afterEach(async () => {
    await fetcher.stop();
    await stage.close();
    await peer.close();
  });

  const openFetcher = () => fetcherOf(stage, () => sourceAt(url, stage.app.mailWorkers, tokens));

  /** The next process. */
  async function startAnew(): Promise<void> {
    await fetcher.stop();
    await stage.restart();
    fetcher = openFetcher();
  }

  /** The store of this process refuses some changes from now on, as if it had been killed before. */
  function refuse(isRefused: (change: Change) => boolean): void {
    const { store } = stage.app.deps;
    const apply = store.apply.bind(store);
    store.apply = (changes) =>
      changes.some(isRefused) ? Promise.reject(new Error('the process is dead')) : apply(changes);
  }

  async function subjects(): Promise<string[]> {
    const rows = await stage.app.deps.store.list('mail', { order: [['id', 'asc']] });
    return rows.map((row) => storedMail(row).summary.subject);
  }

  const fill = (count: number) => {
    for (let n = 1; n <= count; n++) peer.deliver(letter(`mail ${n}`));
  };
  const all = (count: number) => Array.from({ length: count }, (_, n) => `mail ${n + 1}`).toSorted();
  const reads = () => peer.asked.filter((request) => /^GET \/messages\/./.test(request)).length;

  test('takes every mail once where the process dies between a mail and its place', async () => {
    fill(60);
    refuse((change) => change.op === 'put' && change.table === 'account');
    expect(await fetcher.fetch()).toMatchObject({ taken: 50, failed: 1 });
    await startAnew();
    expect(await fetcher.fetch()).toMatchObject({ taken: 10, failed: 0 });
    expect((await subjects()).toSorted()).toEqual(all(60));
    // What was taken is not even read again.
    expect(reads()).toBe(60);
  });

  test('goes on in the middle of a full sync, new mail first', async () => {
    fill(120);
    let taken = 0;
    refuse((change) => change.op === 'insert' && change.table === 'mail' && ++taken > 70);
    expect(await fetcher.fetch()).toMatchObject({ failed: 1 });
    const before = (await subjects()).length;
    peer.deliver(letter('mail 121'));
    await startAnew();
    expect(await fetcher.fetch()).toMatchObject({ taken: 121 - before, failed: 0 });
    expect((await subjects()).toSorted()).toEqual(all(121));
    expect((await subjects())[before]).toBe('mail 121');
    expect(await fetcher.fetch()).toMatchObject({ taken: 0, failed: 0 });
  });

  test('takes every mail where one leaves the label just before the last page is listed', async () => {
    fill(60);
    const [newest] = peer.having('INBOX');
    peer.fault = (request, query) => {
      if (request === 'GET /messages' && query.has('pageToken')) peer.modify(newest!.id, [], ['INBOX']);
      return undefined;
    };
    await fetcher.fetch();
    expect((await subjects()).toSorted()).toEqual(all(60));
  });

  test('follows labels that changed while it was away too long, and takes nothing twice', async () => {
    fill(3);
    await fetcher.fetch();
    const [newest] = peer.having('INBOX');
    peer.modify(newest!.id, ['Label_1'], ['UNREAD']);
    peer.deliver(letter('mail 4'));
    peer.forget();
    await startAnew();
    expect(await fetcher.fetch()).toMatchObject({ taken: 1, failed: 0 });
    const rows = await stage.app.deps.store.list('mail', {});
    const labels = rows.map((row) => storedMail(row).summary).find(({ subject }) => subject === 'mail 3')?.labels;
    expect(labels).toEqual(['INBOX', 'Orders']);
    expect(rows).toHaveLength(4);
  });

  test('stays where it is when the sign-in is lost in the middle, and blames no mail', async () => {
    fill(3);
    let given = 0;
    tokens = {
      accessToken: async () => {
        if (++given > 6) throw new EngineError('ACCOUNT_GRANT_LOST', 'account box: Google does not take its sign-in');
        return TOKEN;
      },
    };
    await startAnew();
    expect((await fetcher.fetch()).failed).toBe(1);
    expect(fetcher.status().accounts).toMatchObject([
      { state: 'failed', lastError: { code: 'ACCOUNT_GRANT_LOST' }, unreadable: [] },
    ]);
    tokens = fixedTokens(TOKEN);
    await startAnew();
    await fetcher.fetch();
    expect((await subjects()).toSorted()).toEqual(all(3));
  });

  test('takes every mail where the database is gone for a moment while one is read', async () => {
    fill(3);
    let isGone = false;
    // The next token is for a mail of this page.
    peer.fault = (request) => void (isGone ||= request === 'GET /messages');
    tokens = {
      accessToken: async () => {
        if (!isGone) return TOKEN;
        peer.fault = () => undefined;
        isGone = false;
        throw new EngineError('STORE_FAILED', 'the sign-in cannot be read: Connection terminated', { retryable: true });
      },
    };
    await startAnew();
    expect(await fetcher.fetch()).toMatchObject({ failed: 1 });
    expect(fetcher.status().accounts).toMatchObject([
      { state: 'failed', lastError: { code: 'STORE_FAILED' }, unreadable: [] },
    ]);
    expect(await fetcher.fetch()).toMatchObject({ failed: 0 });
    expect((await subjects()).toSorted()).toEqual(all(3));
  });

  test('takes the others where Gmail fails at one mail, and that one when Gmail gives it', async () => {
    let nowMs = Date.now();
    // Nobody waits for real.
    const clock: Clock = { now: () => nowMs, delay: (work) => systemClock.delay(work, 0) };
    fetcher = fetcherOf(stage, () => sourceAt(url, stage.app.mailWorkers, tokens, clock));
    fill(3);
    const broken = peer.having('INBOX')[1]?.id;
    peer.fault = (request) =>
      request === `GET /messages/${broken}` ? { status: 500, body: said(500, 'backendError') } : undefined;
    expect(await fetcher.fetch()).toMatchObject({ taken: 2, failed: 1 });
    expect(fetcher.status().accounts).toMatchObject([
      { state: 'idle', unreadable: [{ name: broken, error: { code: 'MAIL_UNREADABLE' } }] },
    ]);
    peer.fault = () => undefined;
    expect(await fetcher.fetch()).toMatchObject({ taken: 0 });
    nowMs += 10 * 60_000;
    expect(await fetcher.fetch()).toMatchObject({ taken: 1, failed: 0 });
    expect(fetcher.status().accounts).toMatchObject([{ state: 'idle', unreadable: [] }]);
  });

  test('waits out a busy Gmail in the middle of a backlog', async () => {
    fill(5);
    let refusals = 0;
    peer.fault = (request) =>
      /^GET \/messages\/./.test(request) && refusals++ < 2
        ? { status: 429, body: said(429, 'rateLimitExceeded'), headers: { 'retry-after': '0' } }
        : undefined;
    expect(await fetcher.fetch()).toMatchObject({ taken: 5, failed: 0 });
  });
});
