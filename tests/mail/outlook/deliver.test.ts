import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../engine/src/base/log.ts';
import type { Letter } from '../../../engine/src/mail/send/compose.ts';
import { deliver } from '../../../engine/src/mail/send/deliver.ts';
import { createOutlookMailbox } from '../../../engine/src/mail/outlook/mailbox.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { ME } from '../../contracts/mailbox.ts';
import { type GraphPeer, problem, startGraphPeer } from '../../account/microsoft/graph-peer.ts';
import { hastyClock } from '../hasty-clock.ts';

const LETTER: Letter = {
  ...{ from: ME, to: [{ name: '', address: 'ann@client.example' }], cc: [] },
  ...{ bcc: [{ name: '', address: 'hidden@client.example' }], subject: 'Re: Offer', text: 'Thank you.\n' },
  ...{ references: [], attachments: [] },
};

/** Requests of one attempt are at most so many. */
const STEPS = [1, 2, 3, 4, 5, 6];

describe('a mail that leaves through Outlook', () => {
  let peer: GraphPeer;
  let root: string;
  let store: Store;
  beforeEach(async () => {
    peer = await startGraphPeer();
    root = mkdtempSync(join(tmpdir(), 'callsheet-outlook-'));
    store = openSqlite({ dir: root, log: silentLogger });
  });
  afterEach(async () => {
    await store.close();
    rmSync(root, { recursive: true, force: true });
    await peer.close();
  });

  /** Tries until it is out; how often. */
  async function insist(): Promise<number> {
    const mailbox = createOutlookMailbox({
      ...{ accountId: 'team', clock: hastyClock, tokens: peer.tokens, endpoints: { api: peer.api } },
    });
    const order = { key: 'run_1/1/a', accountId: 'team', email: ME, mailbox, isAutomatic: true };
    const courier = { store, clock: hastyClock, log: silentLogger, worker: 'worker_1', isShared: false };
    for (let attempts = 1; attempts <= 5; attempts++) {
      const outcome = await deliver({ ...order, letter: async () => LETTER }, courier).catch(() => undefined);
      if (outcome !== undefined) return attempts;
    }
    throw new Error('it is not out after five attempts');
  }

  describe.each([
    { name: 'Exchange keeps our Message-ID', isKept: true },
    { name: 'Exchange chooses a Message-ID of its own', isKept: false },
  ])('where $name', ({ isKept }) => {
    test.each(STEPS.flatMap((step) => [{ step, when: 'before' } as const, { step, when: 'after' } as const]))(
      'is out once, to all, when the connection breaks at request $step, $when it is done',
      async ({ step, when }) => {
        if (!isKept) peer.ignoreMessageIds();
        peer.breakAt(step, when);
        await insist();
        const sent = [...peer.mails.values()].filter(({ isDraft }) => !isDraft);
        expect(sent).toHaveLength(1);
        expect(sent[0]).toMatchObject({ folder: 'sentitems', bcc: ['hidden@client.example'] });
        expect(sent[0]?.internetMessageId).toMatch(/^<callsheet\./);
        await insist();
        expect([...peer.mails.values()].filter(({ isDraft }) => !isDraft)).toHaveLength(1);
      },
    );
  });

  test('is out once where Microsoft takes it without an answer, and lets it go a while later', async () => {
    let left = 0;
    let draft = '';
    peer.intercept(({ path }) => {
      if (path.endsWith('/send') && draft === '') {
        draft = decodeURIComponent(path.split('/')[3] ?? '');
        return { status: 504, body: problem('GatewayTimeout') };
      }
      if (draft !== '' && path.startsWith('/me/messages?') && ++left === 3) peer.leave(draft);
      return undefined;
    });
    expect(await insist()).toBe(1);
    expect([...peer.mails.values()]).toMatchObject([{ folder: 'sentitems' }]);
  });
});
