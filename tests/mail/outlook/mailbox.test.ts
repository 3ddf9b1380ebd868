import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { EngineError } from '../../../engine/src/base/error.ts';
import type { Mailbox } from '../../../engine/src/mail/mailbox.ts';
import { createOutlookMailbox } from '../../../engine/src/mail/outlook/mailbox.ts';
import { letterTo, mailboxContract, outgoing } from '../../contracts/mailbox.ts';
import { type GraphPeer, problem, startGraphPeer } from '../../account/microsoft/graph-peer.ts';
import { hastyClock } from '../hasty-clock.ts';
import { until } from '../until.ts';

const mailboxOf = ({ api, tokens }: GraphPeer): Mailbox =>
  createOutlookMailbox({ accountId: 'team', clock: hastyClock, tokens, endpoints: { api } });

mailboxContract('an Outlook account', {
  async open() {
    const peer = await startGraphPeer();
    return {
      mailbox: mailboxOf(peer),
      deliver: async (raw) => void peer.deliver(raw),
      close: () => peer.close(),
    };
  },
});

describe('an Outlook mailbox', () => {
  let peer: GraphPeer;
  let box: Mailbox;
  beforeEach(async () => {
    peer = await startGraphPeer();
    box = mailboxOf(peer);
  });
  afterEach(() => peer.close());

  const mail = outgoing('one');
  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error as EngineError,
    );
  const asked = (method: string, end: string) =>
    peer.asked.filter((one) => one.method === method && one.path.split('?')[0]?.endsWith(end) === true);
  const folderOf = (folder: string) => [...peer.mails.values()].filter((one) => one.folder === folder);

  /** Does what it is asked, but breaks the connection before the answer. */
  function loseAnswers(method: string, end: string): void {
    let isOver = false;
    peer.intercept((one) => {
      if (isOver || one.method !== method || !one.path.endsWith(end)) return undefined;
      isOver = true;
      const id = decodeURIComponent(one.path.split('/')[3] ?? '');
      if (end === '/send') peer.leave(id);
      else peer.deliver(Buffer.from(one.body, 'base64'), { folder: 'drafts', isDraft: true });
      return { status: 504, body: problem('GatewayTimeout') };
    });
  }

  describe('sends', () => {
    test('as a draft that keeps our Message-ID', async () => {
      const { ref } = await box.send(mail);
      expect(folderOf('sentitems')).toMatchObject([{ id: ref, internetMessageId: mail.messageId }]);
      expect(folderOf('sentitems')[0]?.raw.toString()).toBe(new TextDecoder().decode(mail.mime));
      expect(await box.findSent(mail.messageId)).toEqual({ ref });
    });

    test('under our Message-ID where Exchange has chosen one of its own', async () => {
      peer.ignoreMessageIds();
      await box.send(mail);
      expect(folderOf('sentitems')).toMatchObject([{ internetMessageId: mail.messageId }]);
    });

    test('nothing where Exchange insists on an id of its own', async () => {
      peer.ignoreMessageIds();
      peer.intercept(({ method, path }) =>
        method === 'PATCH'
          ? { status: 200, body: { id: path.split('/')[3], internetMessageId: '<other@x>' } }
          : undefined,
      );
      expect(await errorOf(box.send(mail))).toMatchObject({ code: 'MAIL_REFUSED' });
      expect(folderOf('sentitems')).toEqual([]);
    });

    test('to those in Bcc too, whom no header names', async () => {
      await box.send({ ...mail, to: [...mail.to, 'hidden@client.example'] });
      expect(folderOf('sentitems')).toMatchObject([{ bcc: ['hidden@client.example'] }]);
    });

    test('the draft that an attempt has left which broke off before it was sent', async () => {
      loseAnswers('POST', '/me/messages');
      expect(await errorOf(box.send({ ...mail, to: [...mail.to, 'hidden@client.example'] }))).toMatchObject({
        retryable: true,
      });
      expect(await box.findSent(mail.messageId)).toBeUndefined();
      await box.send({ ...mail, to: [...mail.to, 'hidden@client.example'] });
      expect(folderOf('drafts')).toEqual([]);
      expect(folderOf('sentitems')).toMatchObject([{ bcc: ['hidden@client.example'] }]);
    });

    test('and finds out that it was sent where the answer was lost', async () => {
      loseAnswers('POST', '/send');
      expect(await errorOf(box.send(mail))).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
      expect(asked('POST', '/send')).toHaveLength(1);
      expect(await box.findSent(mail.messageId)).toBeDefined();
    });

    test('no second time where it is out, or on its way', async () => {
      await box.send(mail);
      const { ref } = await box.send(mail);
      expect(folderOf('sentitems')).toMatchObject([{ id: ref }]);
      peer.change(ref ?? '', { folder: 'outbox', isDraft: true });
      expect(await box.send(mail)).toEqual({});
      expect(peer.mails.size).toBe(1);
    });

    test('a mail anew whose draft somebody has thrown away', async () => {
      peer.change((await box.draft(mail)).ref, { folder: 'deleteditems' });
      expect(await box.findSent(mail.messageId)).toBeUndefined();
      const { ref } = await box.send(mail);
      expect(folderOf('sentitems')).toMatchObject([{ id: ref }]);
    });

    test.each([
      { name: 'the draft is gone', status: 404, code: 'ErrorItemNotFound' },
      { name: 'it is refused as no draft', status: 400, code: 'ErrorInvalidOperation' },
    ])('no second time where two attempts meet, and $name', async ({ status, code }) => {
      peer.intercept(({ path }) => {
        if (!path.endsWith('/send')) return undefined;
        // Another attempt has sent it just before.
        peer.leave(decodeURIComponent(path.split('/')[3] ?? ''));
        return { status, body: problem(code) };
      });
      const { ref } = await box.send(mail);
      expect(folderOf('sentitems')).toMatchObject([{ id: ref }]);
    });

    test.each([
      { name: 'a recipient that is none', status: 400, code: 'ErrorInvalidRecipients' },
      { name: 'the address of somebody else in From', status: 403, code: 'ErrorSendAsDenied' },
      { name: 'too large a mail', status: 413, code: 'RequestEntityTooLarge' },
    ])('nothing that Microsoft refuses, and says so: $name', async ({ status, code }) => {
      peer.intercept(({ path }) => (path.endsWith('/send') ? { status, body: problem(code) } : undefined));
      expect(await errorOf(box.send(mail))).toMatchObject({ code: 'MAIL_REFUSED', retryable: false });
    });

    test('nothing where the connection was lost before it was handed over, and says that this is certain', async () => {
      peer.intercept(({ method }) => (method === 'POST' ? { status: 502, body: problem('BadGateway') } : undefined));
      expect(await errorOf(box.send(mail))).toMatchObject({ code: 'MAIL_NOT_SENT', retryable: true });
    });
  });

  test('sends nothing where Microsoft asks to wait, and knows that', async () => {
    peer.intercept(({ path }) =>
      path.endsWith('/send') ? { status: 429, body: problem('ApplicationThrottled') } : undefined,
    );
    expect(await errorOf(box.send(mail))).toMatchObject({ code: 'MAIL_NOT_SENT', retryable: true });
  });

  describe('knows of what was sent', () => {
    test('wherever it lies by now', async () => {
      const { ref = '' } = await box.send(mail);
      peer.change(ref, { folder: 'deleteditems' });
      expect(await box.findSent(mail.messageId)).toEqual({ ref });
    });

    test('while it is on its way: a draft that lies in Drafts no more', async () => {
      const { ref } = await box.draft(mail);
      expect(await box.findSent(mail.messageId)).toBeUndefined();
      peer.change(ref, { folder: 'outbox' });
      expect(await box.findSent(mail.messageId)).toEqual({});
    });

    test('also where it comes into Sent Items only a while after it was taken', async () => {
      const { ref } = await box.draft(mail);
      let looks = 0;
      peer.intercept(({ path }) => {
        if (path.startsWith('/me/messages?') && ++looks === 3) peer.leave(ref);
        return undefined;
      });
      expect(await box.findSent(mail.messageId)).toEqual({ ref: folderOf('sentitems')[0]?.id });
    });

    test('and stops waiting for that when it is aborted', async () => {
      const box = createOutlookMailbox({
        ...{ accountId: 'team', clock: new SimulatedClock(), tokens: peer.tokens, endpoints: { api: peer.api } },
      });
      const abort = new AbortController();
      const found = box.findSent(mail.messageId, { signal: abort.signal });
      found.catch(() => {});
      await until(() => peer.asked.length === 1);
      abort.abort(new Error('enough'));
      await expect(found).rejects.toThrow('enough');
    });
  });

  describe('searches', () => {
    test('by words and by label at once, though Graph takes only one of them', async () => {
      const ids = ['one', 'two'].map((subject) => peer.deliver(letterTo(`Order ${subject}`)));
      await box.label(ids[1] ?? '', { add: ['Mine'], remove: [] });
      expect((await box.search({ subject: 'order', label: 'mine' }, { limit: 5 })).map(({ ref }) => ref)).toEqual([
        ids[1],
      ]);
      expect(peer.asked.at(-1)?.path).not.toContain('$filter');
    });

    test('without a filter for labels where Exchange finds that too much', async () => {
      const id = peer.deliver(letterTo('Order'));
      peer.deliver(letterTo('Other'));
      await box.label(id, { add: ['Mine'], remove: [] });
      peer.intercept(({ path }) =>
        path.includes('categories%2Fany') ? { status: 400, body: problem('InefficientFilter') } : undefined,
      );
      expect((await box.search({ label: 'Mine' }, { limit: 5 })).map(({ ref }) => ref)).toEqual([id]);
    });

    test('for words alone: nothing in them becomes an operator', async () => {
      peer.deliver(letterTo('Order'));
      await box.search({ text: 'x" OR subject:(secret) -y NOT', from: 'a:b' }, { limit: 5 });
      const search = new URL(peer.asked.at(-1)?.path ?? '', 'http://peer').searchParams.get('$search');
      expect(search).toBe('"x AND or AND subject AND secret AND y AND not AND from:a AND from:b"');
    });

    test('through further pages until there are enough', async () => {
      for (let n = 0; n < 120; n++) peer.deliver(letterTo(`Order ${n}`));
      const last = [...peer.mails.keys()][0] ?? '';
      await box.label(last, { add: ['Mine'], remove: [] });
      expect((await box.search({ text: 'order', label: 'Mine' }, { limit: 1 })).map(({ ref }) => ref)).toEqual([last]);
    });

    test('for a Message-ID with an apostrophe', async () => {
      peer.deliver(Buffer.from("Subject: odd\r\nMessage-ID: <o'odd@client.example>\r\n\r\nHello."));
      expect(await box.search({ messageId: "<o'odd@client.example>" }, { limit: 5 })).toHaveLength(1);
    });
  });

  test('keeps a label that somebody else puts on at the same time', async () => {
    const id = peer.deliver(letterTo('Order'));
    let isFirst = true;
    peer.intercept(({ method }) => {
      if (method === 'PATCH' && isFirst) {
        isFirst = false;
        peer.change(id, { categories: ['Theirs'] });
      }
      return undefined;
    });
    expect((await box.label(id, { add: ['Ours'], remove: [] })).labels).toEqual(['Theirs', 'Ours']);
    expect(peer.mails.get(id)?.categories).toEqual(['Theirs', 'Ours']);
  });

  test('flags a mail by the label that says so, and takes labels of any case for one', async () => {
    const id = peer.deliver(letterTo('Order'), { categories: ['Mine'] });
    expect((await box.label(id, { add: ['\\Flagged', 'MINE'], remove: [] })).labels).toEqual(['Mine', '\\Flagged']);
    expect(peer.mails.get(id)).toMatchObject({ categories: ['Mine'], flag: 'flagged' });
    expect((await box.label(id, { add: [], remove: ['mine', '\\flagged'] })).labels).toEqual([]);
    expect(peer.mails.get(id)).toMatchObject({ categories: [], flag: 'notFlagged' });
  });

  test('leaves a flag that is ticked off as it is where it puts on a category', async () => {
    const id = peer.deliver(letterTo('Order'), { flag: 'complete' });
    await box.label(id, { add: ['Mine'], remove: ['\\Flagged'] });
    expect(peer.mails.get(id)).toMatchObject({ categories: ['Mine'], flag: 'complete' });
  });

  test('archives into the Archive folder, and the mail keeps its id', async () => {
    const id = peer.deliver(letterTo('Order'));
    await box.archive(id);
    await box.archive(id);
    expect(peer.mails.get(id)?.folder).toBe('archive');
  });

  test('shows no drafts as mail of a thread', async () => {
    const id = peer.deliver(letterTo('Order'));
    await box.draft({ ...mail, mime: letterTo('Re: Order', ['References: <Order@client.example>']) });
    expect(await box.thread('conv:<Order@client.example>')).toMatchObject([{ ref: id }]);
    expect(await errorOf(box.thread('conv:none'))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each<{ name: string; scopes: string[]; act: (id: string) => Promise<unknown> }>([
    { name: 'search', scopes: ['Mail.Read'], act: () => box.search({}, { limit: 1 }) },
    { name: 'read', scopes: ['Mail.Read'], act: (id) => box.read(id) },
    { name: 'label', scopes: ['Mail.Read', 'Mail.ReadWrite'], act: (id) => box.label(id, { add: ['x'], remove: [] }) },
    { name: 'archive', scopes: ['Mail.ReadWrite'], act: (id) => box.archive(id) },
    { name: 'draft', scopes: ['Mail.ReadWrite'], act: () => box.draft(mail) },
    { name: 'send', scopes: ['Mail.Read', 'Mail.ReadWrite', 'Mail.Send'], act: () => box.send(mail) },
  ])('asks for the least that $name can do with', async ({ scopes, act }) => {
    const id = peer.deliver(letterTo('Order'));
    await act(id);
    expect([...new Set(peer.tokensAsked.flatMap((one) => one.scopes))].toSorted()).toEqual(scopes);
  });
});
