import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { filterQuestion } from '../../engine/src/filter/filter-question.ts';
import { identityKey, mailOf as storedMail } from '../../engine/src/mail/mail-store.ts';
import { createOutlookSource } from '../../engine/src/mail/outlook/source.ts';
import { Fetcher } from '../../engine/src/intake/fetcher.ts';
import { SourceState } from '../../engine/src/intake/source-state.ts';
import { openPostgres } from '../../engine/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Change, Row, Store } from '../../engine/src/store/store.ts';
import { LiveBus } from '../../engine/src/trace/live-bus.ts';
import { letterTo } from '../contracts/mailbox.ts';
import { startPglite } from '../postgres.ts';
import { startGraphPeer } from '../account/microsoft/graph-peer.ts';
import { BOX } from './fetching.ts';
import { playModels, setStage } from '../run/harness.ts';

const stores = {
  SQLite: async () => {
    const dir = mkdtempSync(join(tmpdir(), 'callsheet-kept-'));
    return { store: openSqlite({ dir, key: 'a1'.repeat(32) }), stop: async () => rmSync(dir, { recursive: true }) };
  },
  PGlite: async () => {
    const lite = await startPglite();
    return { store: await openPostgres({ database: lite.database }), stop: () => lite.stop() };
  },
};

describe.each(Object.entries(stores))('mails that are kept, on %s,', { timeout: 60_000 }, (_name, open) => {
  let store: Store;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const opened = await open();
    store = opened.store;
    close = async () => {
      await store.close();
      await opened.stop();
    };
  }, 60_000);
  afterAll(() => close());

  const put = (n: number, account: string, more: { removedAt?: string; state?: string } = {}): Change => {
    const id = `mail_${String(n).padStart(6, '0')}`;
    const summary = { id, accountId: account, labels: [`label ${n}`] };
    const { state = 'kept', ...rest } = more;
    const body = state === 'kept' ? JSON.stringify({ summary, providerId: `at ${n}`, ...rest }) : '{}';
    const row: Row<'mail'> = {
      ...{ id, account, state, body, identity: identityKey(store, account, `at ${n}`) },
      ...{ messageKey: '', threadKey: '', routed: 0, rev: 0 },
    };
    return { op: 'insert', table: 'mail', row };
  };
  const all = async (account: string, after = '') => {
    const found: string[] = [];
    for await (const { providerId } of new SourceState(store, account).knownMails(after)) found.push(providerId);
    return found;
  };

  test('are those of the account that are neither gone nor deleted here, from a place on', async () => {
    await store.apply([
      ...[put(1, 'few'), put(2, 'other'), put(3, 'few', { removedAt: '2026-01-01T00:00:00.000Z' })],
      ...[put(4, 'few', { state: 'deleted' }), put(5, 'few')],
    ]);
    expect(await all('few')).toEqual(['at 1', 'at 5']);
    const [first] = await Array.fromAsync(new SourceState(store, 'few').knownMails(''));
    expect(first).toEqual({ position: 'mail_000001', providerId: 'at 1', labels: ['label 1'] });
    expect(await all('few', first?.position)).toEqual(['at 5']);
  });

  test('are read little by little, however many there are of other accounts', async () => {
    for (let n = 0; n < 6; n++)
      await store.apply(Array.from({ length: 500 }, (_, i) => put(1000 + n * 500 + i, i % 250 === 0 ? 'few' : 'many')));
    let turns = 0;
    let isOver = false;
    const turn = () => void (turns++, isOver || setImmediate(turn));
    setImmediate(turn);
    const sizes: number[] = [];
    const watched: Store = Object.assign(Object.create(store) as Store, {
      list: async (...asked: Parameters<Store['list']>) => {
        const rows = await store.list(...asked);
        sizes.push(rows.length);
        return rows;
      },
    });
    const found = await Array.fromAsync(new SourceState(watched, 'few').knownMails('mail_001000'));
    isOver = true;
    expect(found).toHaveLength(11);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    expect(turns).toBeGreaterThanOrEqual(6);
  });

  test('are marked where Outlook lost the place, and no other', async () => {
    const stage = await setStage({ files: BOX, models: playModels(() => ({ content: 'Done.' })) });
    const peer = await startGraphPeer();
    const { api, tokens } = peer;
    const workers = stage.app.mailWorkers;
    const open = () =>
      createOutlookSource({
        ...{ accountId: 'box', email: 'team@example.org', workers, clock: systemClock, tokens, endpoints: { api } },
      });
    const look = () =>
      new Fetcher(
        { ...stage.app.deps, store, log: silentLogger, live: new LiveBus() },
        {
          openSource: open,
          routeMail: (subject, snapshot, putOn) =>
            stage.app.filterPool.decide(filterQuestion(subject, snapshot, putOn)),
          onNewMail: () => {},
        },
      ).fetch();
    const [one, two] = ['one', 'two', 'three'].map((subject) => peer.deliver(letterTo(subject)));
    await look();
    peer.remove(one ?? '');
    peer.change(two ?? '', { folder: 'archive' });
    peer.forgetPlaces();
    expect(await look()).toMatchObject({ taken: 0, failed: 0 });
    const rows = await store.list('mail', { where: [['account', '=', 'box']] });
    const marks = rows
      .map((row) => storedMail(row))
      .map((mail) => [mail.summary.subject, mail.removedAt !== undefined]);
    expect(Object.fromEntries(marks)).toEqual({ one: true, two: true, three: false });
    await peer.close();
    await stage.close();
  });
});
