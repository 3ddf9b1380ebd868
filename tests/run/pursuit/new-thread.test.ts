import { afterEach, expect, test } from 'vitest';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { listApprovals } from '../../../engine/src/guard/approval.ts';
import { SentWatch } from '../../../engine/src/intake/sent/sent-watch.ts';
import { createGmailMailbox } from '../../../engine/src/mail/gmail/mailbox.ts';
import type { Mailbox } from '../../../engine/src/mail/mailbox.ts';
import { createOutlookMailbox } from '../../../engine/src/mail/outlook/mailbox.ts';
import type { MailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import { startGraphPeer } from '../../account/microsoft/graph-peer.ts';
import { TOKEN } from '../../mail/gmail/gmail-emulator.ts';
import { GmailPeer } from '../../mail/gmail/gmail-peer.ts';
import { fixedTokens } from '../../mail/gmail/gmail-tokens.ts';
import { hastyClock } from '../../mail/hasty-clock.ts';
import { type ObjectiveStage, objectiveStage } from './players.ts';

const understood = { summary: 'Ann asks.', dates: [], names: [], openQuestions: [], wishes: [] };

/** A mailbox whose provider names threads itself. */
interface Provider {
  readonly mailbox: Mailbox;
  /** Sends the only draft as the provider does it, under another Message-ID; its thread. */
  send(): string;
  close(): Promise<void>;
}

async function gmail(workers: MailWorkers): Promise<Provider> {
  const peer = new GmailPeer();
  const api = await peer.start();
  const own = { accountId: 'box', email: 'me@example.org', workers, clock: hastyClock };
  return {
    mailbox: createGmailMailbox({ ...own, tokens: fixedTokens(TOKEN), endpoints: { api } }),
    send() {
      const [draft] = peer.having('DRAFT');
      if (draft === undefined) throw new Error('no draft');
      peer.drafts.clear();
      peer.remove(draft.id);
      peer.now = Date.now();
      peer.deliver(renamed(draft.raw), ['SENT'], draft.threadId);
      return draft.threadId;
    },
    close: () => peer.close(),
  };
}

async function outlook(): Promise<Provider> {
  const peer = await startGraphPeer();
  const { api, tokens } = peer;
  return {
    mailbox: createOutlookMailbox({ accountId: 'box', clock: hastyClock, tokens, endpoints: { api } }),
    send() {
      const draft = [...peer.mails.values()].find(({ isDraft }) => isDraft);
      if (draft === undefined) throw new Error('no draft');
      const { conversationId } = draft;
      peer.mails.delete(draft.id);
      peer.deliver(renamed(draft.raw), { folder: 'sentitems', conversationId });
      return conversationId;
    },
    close: () => peer.close(),
  };
}

const renamed = (raw: Buffer) =>
  Buffer.from(
    raw
      .toString()
      .replace(/^Message-ID: .*$/im, 'Message-ID: <its-own@provider.example>')
      .replace(/^Date: .*$/im, `Date: ${new Date(Date.now() + 2000).toUTCString()}`),
  );

let stage: ObjectiveStage;
let provider: Provider;
afterEach(async () => {
  await stage.close();
  await provider.close();
});

/** An objective that writes to Bob, in a new thread of the provider, once its draft lies in Drafts or has left. */
async function drafted(
  open: (workers: MailWorkers) => Promise<Provider>,
  change: (mailbox: Mailbox) => Mailbox,
  sendDrafts: 'never' | 'ask' = 'never',
) {
  stage = await objectiveStage(`sendDrafts: ${sendDrafts}`);
  provider = await open(stage.app.mailWorkers as MailWorkers);
  const mailbox = change(provider.mailbox);
  Object.assign(stage.app.mailService, { open: () => Promise.resolve(mailbox) });
  const ask = { to: ['bob@example.com'], subject: 'Paper', instructions: 'ask Bob' };
  stage.answer = (role) => {
    if (role === 'intake') return understood;
    return role === 'planner' ? { action: 'draft', reason: 'Bob knows', ...ask } : 'Do you have paper?';
  };
  await stage.fetch(stage.mail('1', { labels: ['Autopilot'], text: 'Paper?' }));
  const { id } = await stage.reached(({ waitingFor }) => waitingFor === 'answer');
  await stage.app.engine.message(id, { text: 'Ask Bob', by: 'user' });
  const waits = sendDrafts === 'never' ? 'draft' : 'approval';
  return stage.reached(({ waitingFor }) => waitingFor === waits);
}

/** Bob answers on a thread of the provider; how often the objective tells of it, and how often the planner was asked about it. */
async function answers(thread: string) {
  stage.asked.length = 0;
  stage.answer = (role) =>
    role === 'planner' ? { action: 'finish', reason: 'done', result: 'Bob has paper.' } : understood;
  await stage.fetch(stage.mail('bob', { thread, from: 'bob@example.com', text: 'I have paper.' }));
  const done = await stage.reached(({ status }) => status === 'done');
  return {
    told: done.history.filter(({ text }) => text.startsWith('A reply of bob@example.com')).length,
    planned: stage.asked.filter(({ role }) => role === 'planner').length,
  };
}

/** Waits until the objective knows that the user has sent the draft. */
async function noticed() {
  expect(await new SentWatch({ ...stage.app.deps, log: silentLogger }).look('box')).toBe(true);
  stage.app.engine.queued();
  return stage.reached(({ waitingFor }) => waitingFor === 'reply');
}

const PROVIDERS = [
  { name: 'Gmail', open: gmail },
  { name: 'Outlook', open: outlook },
];

test.each(PROVIDERS)('a reply to a new mail wakes once, by the thread that $name gave its draft', async ({ open }) => {
  const { draft, threads } = await drafted(open, (mailbox) => mailbox);
  const thread = provider.send();
  expect(draft).toMatchObject({ threadId: thread, to: ['bob@example.com'] });
  expect(threads.map(({ threadId }) => threadId)).toEqual(['thread1', thread]);
  const waiting = await noticed();
  expect(waiting.threads).toHaveLength(2);
  expect(await answers(thread)).toEqual({ told: 1, planned: 1 });
});

test.each(PROVIDERS)(
  'a reply wakes once where $name did not say the thread until the user sent the draft',
  async ({ open }) => {
    const silent = (mailbox: Mailbox): Mailbox => ({
      ...mailbox,
      async read(ref, options) {
        const { mime, entry } = await mailbox.read(ref, options);
        const { threadId: _, ...rest } = entry;
        return { mime, entry: rest };
      },
    });
    const { draft, threads } = await drafted(open, silent);
    expect(threads.at(-1)?.threadId).toBe(draft?.messageId);
    const thread = provider.send();
    expect((await noticed()).threads.map(({ threadId }) => threadId)).toEqual(['thread1', thread]);
    expect(await stage.app.deps.store.count('objectiveThread')).toBe(2);
    expect(await answers(thread)).toEqual({ told: 1, planned: 1 });
  },
);

test.each(PROVIDERS)('a reply to a new mail that the engine sends wakes once, at $name', async ({ open }) => {
  const { id } = await drafted(open, (mailbox) => mailbox, 'ask');
  const pending = await listApprovals(stage.app.deps.store, id, 'pending');
  const approval = pending.find(({ tool }) => tool === 'mail_send');
  await stage.app.engine.decide(approval?.id ?? '', { decision: 'allow', by: 'user' });
  const { threads } = await stage.reached(({ waitingFor }) => waitingFor === 'reply');
  const since = new Date(0).toISOString();
  const [mail] = await provider.mailbox.recent('sent', { since, limit: 10 });
  const thread = mail?.threadId ?? '';
  expect(threads.at(-1)?.threadId).toBe(thread);
  expect(await answers(thread)).toEqual({ told: 1, planned: 1 });
});
