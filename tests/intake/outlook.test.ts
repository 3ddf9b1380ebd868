import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../engine/src/base/clock.ts';
import { mailOf as storedMail } from '../../engine/src/mail/mail-store.ts';
import { createOutlookSource } from '../../engine/src/mail/outlook/source.ts';
import type { MailWorkers } from '../../engine/src/mail/parse/mail-workers.ts';
import type { Fetcher } from '../../engine/src/intake/fetcher.ts';
import { letterTo } from '../contracts/mailbox.ts';
import { sourceContract } from '../contracts/source.ts';
import { until } from '../mail/until.ts';
import { type GraphPeer, problem, startGraphPeer } from '../account/microsoft/graph-peer.ts';
import { BOX, fetcherOf } from './fetching.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

const sourceAt = ({ api, tokens }: GraphPeer, workers: MailWorkers, clock: Clock = systemClock) =>
  createOutlookSource({
    ...{ accountId: 'box', email: 'team@example.org', workers, clock, tokens, endpoints: { api } },
  });

sourceContract('Outlook', async (workers) => {
  const peer = await startGraphPeer();
  return {
    labels: ['Autopilot InProgress', '\\Flagged'],
    open: () => sourceAt(peer, workers),
    deliver: async (mime) => peer.deliver(mime),
    async label(mail, { add = [], remove = [] }) {
      const { categories = [], flag = '' } = peer.mails.get(mail) ?? {};
      peer.change(mail, {
        categories: [...categories, ...add.filter((label) => label !== '\\Flagged')].filter(
          (label) => !remove.includes(label),
        ),
        flag: add.includes('\\Flagged') ? 'flagged' : remove.includes('\\Flagged') ? 'notFlagged' : flag,
      });
    },
    remove: async (mail) => peer.change(mail, { folder: 'archive' }),
    restore: async (mail) => peer.change(mail, { folder: 'inbox' }),
    forget: async () => peer.forgetPlaces(),
    close: () => peer.close(),
  };
});

describe('an Outlook account', { timeout: 60_000 }, () => {
  let peer: GraphPeer;
  let stage: Stage;
  let fetcher: Fetcher;
  beforeEach(async () => {
    peer = await startGraphPeer();
    stage = await setStage({ files: BOX, models: playModels(() => ({ content: 'Done.' })) });
    fetcher = openFetcher();
  });
  afterEach(async () => {
    await fetcher.stop();
    await stage.close();
    await peer.close();
  });

  const openFetcher = () => fetcherOf(stage, () => sourceAt(peer, stage.app.mailWorkers));

  const mails = async () => (await stage.app.deps.store.list('mail', {})).map((row) => storedMail(row));
  const accountOf = () => fetcher.status().accounts[0];

  test('is fetched once where a process ends in the middle of a backlog, and of a page', async () => {
    for (let n = 1; n <= 130; n++) peer.deliver(letterTo(`mail ${n}`));
    const cut = fetcher.fetch();
    await until(async () => (await mails()).length >= 70);
    await fetcher.stop();
    await cut.catch(() => {});
    const before = (await mails()).length;
    expect(before).toBeLessThan(130);
    fetcher = openFetcher();
    const { taken } = await fetcher.fetch();
    expect(taken).toBe(130 - before);
    expect(new Set((await mails()).map(({ providerId }) => providerId))).toEqual(new Set(peer.mails.keys()));
    expect(await mails()).toHaveLength(130);
    expect(accountOf()).toMatchObject({ state: 'idle' });
  });

  test('goes on after Graph has lost the place in the middle of a backlog', async () => {
    for (let n = 1; n <= 130; n++) peer.deliver(letterTo(`mail ${n}`));
    let left = 3;
    peer.intercept(({ path }) => {
      if (left > 0 && path.includes('!100!')) {
        left--;
        peer.forgetPlaces();
      }
      return undefined;
    });
    // It begins anew once in a look; what is lost again then is for the next one.
    expect(await fetcher.fetch()).toMatchObject({ taken: 100, failed: 1 });
    expect(accountOf()).toMatchObject({ state: 'failed', lastError: { code: 'ACCOUNT_FAILED' } });
    expect(await fetcher.fetch()).toMatchObject({ taken: 30, failed: 0 });
    const reads = peer.asked.filter(({ path }) => path.endsWith('/$value')).map(({ path }) => path);
    expect(new Set(reads).size).toBe(reads.length);
  });

  test('takes nothing and keeps its place where somebody has to sign in again', async () => {
    peer.deliver(letterTo('one'));
    await fetcher.fetch();
    const place = await stage.app.deps.store.get('account', { id: 'box' });
    peer.deliver(letterTo('two'));
    peer.acceptOnly('none');
    await fetcher.fetch();
    expect(accountOf()).toMatchObject({ state: 'failed', unreadable: [], lastError: { code: 'ACCOUNT_GRANT_LOST' } });
    expect(await stage.app.deps.store.get('account', { id: 'box' })).toEqual(place);
  });

  test('keeps its place where the right to read a mail is missing, and marks no mail as unreadable', async () => {
    peer.deliver(letterTo('one'));
    let isMissing = true;
    peer.intercept(({ path }) =>
      isMissing && path.endsWith('/$value') ? { status: 403, body: problem('ErrorAccessDenied') } : undefined,
    );
    await fetcher.fetch();
    expect(accountOf()).toMatchObject({
      state: 'failed',
      unreadable: [],
      lastError: { code: 'ACCOUNT_SCOPE_MISSING' },
    });
    isMissing = false;
    expect((await fetcher.fetch()).taken).toBe(1);
  });

  test('takes the others where Exchange fails at one mail, and names that one until it is gone', async () => {
    const broken = peer.deliver(letterTo('broken'));
    peer.deliver(letterTo('fine'));
    failAt(broken);
    expect((await fetcher.fetch()).taken).toBe(1);
    expect(accountOf()).toMatchObject({ state: 'idle', unreadable: [{ error: { code: 'MAIL_UNREADABLE' } }] });
    peer.remove(broken);
    await fetcher.fetch();
    expect(accountOf()?.unreadable).toEqual([]);
  });

  test('takes a mail that Exchange has failed at when it gives it, without a restart', async () => {
    let nowMs = Date.now();
    const clock: Clock = { ...systemClock, now: () => nowMs };
    fetcher = fetcherOf(stage, () => sourceAt(peer, stage.app.mailWorkers, clock));
    const broken = peer.deliver(letterTo('broken'));
    const mend = failAt(broken);
    expect((await fetcher.fetch()).taken).toBe(0);
    mend();
    expect((await fetcher.fetch()).taken).toBe(0);
    nowMs += 10 * 60_000;
    expect((await fetcher.fetch()).taken).toBe(1);
    expect(accountOf()?.unreadable).toEqual([]);
  });

  /** Exchange fails at a mail until the function that is given is called. */
  function failAt(id: string): () => void {
    let isBroken = true;
    peer.intercept(({ path }) =>
      isBroken && path.endsWith('/$value') && path.includes(encodeURIComponent(id))
        ? { status: 500, body: problem('ErrorMimeContentConversionFailed') }
        : undefined,
    );
    return () => (isBroken = false);
  }
});
