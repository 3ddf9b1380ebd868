import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { isRecord } from '../../../engine/src/base/json.ts';
import { createGmailSource, type GmailSourceOptions } from '../../../engine/src/mail/gmail/source.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import type { SourceEvent, KnownMail, ListOptions, MailSource } from '../../../engine/src/mail/source.ts';
import { corpora } from '../../available.ts';
import { type GmailEmulator, startGmail, TOKEN } from './gmail-emulator.ts';
import { GmailPeer, said } from './gmail-peer.ts';
import { fixedTokens } from './gmail-tokens.ts';
import { mailOf } from '../fixtures.ts';

const EMAIL = 'team@example.org';

const letter = (subject: string, from = 'ann@client.example') =>
  mailOf(
    `From: ${from}`,
    `To: ${EMAIL}`,
    `Subject: ${subject}`,
    `Message-ID: <${subject}@client.example>`,
    '',
    'Hello.',
  );

const workers = createMailWorkers({ workers: 1 });
afterAll(() => workers.close());

function sourceAt(api: string, options: Partial<GmailSourceOptions> = {}): MailSource {
  const tokens = fixedTokens(TOKEN);
  return createGmailSource({
    ...{
      accountId: 'support',
      email: EMAIL,
      labels: ['INBOX'],
      workers,
      clock: systemClock,
      tokens,
      endpoints: { api },
    },
    ...options,
  });
}

interface Look {
  /** What was told, in order: the subject of a mail, `name: labels` of a known one, `gone name`. */
  readonly told: string[];
  /** Labels by subject. */
  readonly labels: Record<string, readonly string[]>;
  /** Labels that were told before a mail was read. */
  readonly given: readonly (readonly string[])[];
  readonly cursor: unknown;
}

/** Reads all that a source gives, as the engine does. */
async function look(source: MailSource, options: Partial<ListOptions> & { most?: number } = {}): Promise<Look> {
  const told: string[] = [];
  const labels: Record<string, readonly string[]> = {};
  const given: (readonly string[])[] = [];
  let cursor = options.cursor;
  let reached = 0;
  for await (const one of source.list({ seen: () => undefined, ...options })) {
    if (one.kind === 'reached') {
      cursor = JSON.parse(JSON.stringify(one.cursor([]))) as unknown;
      if (++reached === options.most) break;
    } else if (one.kind === 'labels') told.push(`${one.name}: ${one.labels.join(' ')}`);
    else if (one.kind === 'gone') told.push(`gone ${one.name}`);
    else if (one.kind === 'mail') {
      const mail = await one.read({ id: 'm', receivedAt: '' }).catch((error: unknown) => {
        if (isRecord(error) && error['code'] === 'MAIL_UNSETTLED') return undefined;
        throw error;
      });
      if (mail === undefined) continue;
      told.push(mail.facts.subject);
      labels[mail.facts.subject] = (JSON.parse(mail.summary) as { labels: string[] }).labels;
      if (one.labels !== undefined) given.push(one.labels);
    }
  }
  return { told, labels, given, cursor };
}

describe('Gmail, as the emulator plays it', () => {
  let gmail: GmailEmulator;
  beforeEach(async () => {
    gmail = await startGmail(EMAIL);
  });
  afterEach(() => gmail.close());

  test('gives a backlog newest first, and what arrives afterwards', async () => {
    for (const [n, subject] of ['one', 'two', 'three'].entries())
      await gmail.deliver(mailOf(`Date: Thu, 0${n + 1} Jan 2026 10:00:00 +0000`, `Subject: ${subject}`, '', 'Hi.'));
    const source = sourceAt(gmail.url);
    const first = await look(source);
    expect(first.told).toEqual(['three', 'two', 'one']);
    await gmail.deliver(letter('four'));
    const second = await look(source, { cursor: first.cursor });
    expect(second.told).toEqual(['four']);
    expect((await look(source, { cursor: second.cursor })).told).toEqual([]);
  });

  test('tells labels that people made by their names, and its own by their ids', async () => {
    await gmail.deliver(letter('one'), ['INBOX', 'UNREAD', 'Label_1']);
    const { labels } = await look(sourceAt(gmail.url));
    expect(labels['one']?.toSorted()).toEqual(['INBOX', 'Orders', 'UNREAD']);
  });

  test('tells of labels put on and taken off, and of mail deleted for good', async () => {
    const id = await gmail.deliver(letter('one'));
    const source = sourceAt(gmail.url);
    const first = await look(source);
    await gmail.modify(id, ['Label_1'], ['INBOX', 'UNREAD']);
    const second = await look(source, { cursor: first.cursor });
    expect(second.told).toEqual([`${id}: Orders`]);
    await gmail.remove(id);
    expect((await look(source, { cursor: second.cursor })).told).toEqual([`gone ${id}`]);
  });

  test('gives a mail with its bytes, its thread, its time of arrival, and whether it is own', async () => {
    const raw = letter('mine', EMAIL);
    await gmail.deliver(raw, ['INBOX', 'SENT'], 'thread-7');
    for await (const one of sourceAt(gmail.url).list({ seen: () => undefined })) {
      if (one.kind !== 'mail') continue;
      const mail = await one.read({ id: 'mail_1', receivedAt: 'never' });
      expect(Buffer.from(mail.raw)).toEqual(Buffer.from(raw));
      expect(mail.facts).toMatchObject({ threadId: 'thread-7', own: true, messageId: '<mine@client.example>' });
      expect(JSON.parse(mail.summary)).toMatchObject({ id: 'mail_1', accountId: 'support' });
      expect(JSON.parse(mail.summary)).not.toMatchObject({ receivedAt: 'never' });
      return;
    }
    throw new Error('nothing was given');
  });

  test('gives a mail once though it has two of the fetched labels', async () => {
    await gmail.deliver(letter('both'), ['INBOX', 'Label_1']);
    await gmail.deliver(letter('filed'), ['Label_1']);
    const names = new Set<string>();
    for await (const one of sourceAt(gmail.url, { labels: ['INBOX', 'orders'] }).list({ seen: () => undefined }))
      if (one.kind === 'mail') names.add(one.providerId ?? '');
    expect(names.size).toBe(2);
  });
});

describe('Gmail, where the emulator is no help', () => {
  let peer: GmailPeer;
  let url: string;
  beforeEach(async () => {
    peer = new GmailPeer();
    url = await peer.start();
  });
  afterEach(() => peer.close());

  const fill = (count: number) => {
    for (let n = 1; n <= count; n++) peer.deliver(letter(`mail ${n}`));
  };
  const numbers = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => `mail ${from - n}`);

  test('gives a whole mail minutes to come over the line, and nothing else', async () => {
    const limits = vi.spyOn(AbortSignal, 'timeout');
    fill(2);
    await look(sourceAt(url));
    const minutes = limits.mock.calls.map(([ms]) => ms / 60_000);
    limits.mockRestore();
    expect(minutes.filter((each) => each === 5)).toHaveLength(2);
    expect(new Set(minutes)).toEqual(new Set([1, 5]));
  });

  test('goes on in the middle of a backlog, after what has arrived in between', async () => {
    fill(60);
    const first = await look(sourceAt(url), { most: 1 });
    expect(first.told).toEqual(numbers(60, 11));
    peer.deliver(letter('late'));
    // What has arrived has moved one mail from the first page to the second.
    expect((await look(sourceAt(url), { cursor: first.cursor })).told).toEqual(['late', ...numbers(11, 1)]);
  });

  test('puts what arrives in the middle of a look before the rest of the backlog', async () => {
    fill(60);
    const told: string[] = [];
    for await (const one of sourceAt(url).list({ seen: () => undefined })) {
      if (one.kind === 'mail') told.push((await one.read({ id: 'm', receivedAt: '' })).facts.subject);
      if (told.length === 50 && one.kind === 'mail') peer.deliver(letter('late'));
    }
    expect(told.slice(49, 52)).toEqual(['mail 11', 'late', 'mail 11']);
    expect(new Set(told).size).toBe(61);
  });

  test('misses no mail though others leave the inbox while it is listed', async () => {
    fill(120);
    const told = new Set<string>();
    for await (const one of sourceAt(url).list({ seen: () => undefined })) {
      if (one.kind === 'mail') told.add((await one.read({ id: 'm', receivedAt: '' })).facts.subject);
      // As a director does that archives what it has dealt with.
      if (one.kind === 'mail' && told.size <= 40) peer.modify(one.name, [], ['INBOX']);
    }
    expect(told.size).toBe(120);
  });

  test('misses no mail though others go from one of two fetched labels while it is listed', async () => {
    fill(100);
    const filed = Array.from({ length: 40 }, (_, n) => peer.deliver(letter(`filed ${n}`), ['INBOX', 'Label_1']));
    const told = new Set<string>();
    for await (const one of sourceAt(url, { labels: ['INBOX', 'Orders'] }).list({ seen: () => undefined })) {
      if (one.kind !== 'mail') continue;
      told.add((await one.read({ id: 'm', receivedAt: '' })).facts.subject);
      if (told.size === 50) for (const id of filed) peer.modify(id, [], ['INBOX']);
    }
    expect(told.size).toBe(140);
  });

  test('lists everything again where its history is too old, and tells the labels of what it finds', async () => {
    const [one] = [peer.deliver(letter('one'))];
    const first = await look(sourceAt(url));
    peer.modify(one, ['Label_1'], ['UNREAD']);
    peer.deliver(letter('two'));
    peer.oldest = 5000;
    const given: SourceEvent[] = [];
    for await (const each of sourceAt(url).list({ seen: () => undefined, cursor: first.cursor })) given.push(each);
    const mails = given.flatMap((each) => (each.kind === 'mail' ? [each] : []));
    expect(mails.map(({ labels }) => labels)).toEqual([
      ['INBOX', 'UNREAD'],
      ['INBOX', 'Orders'],
    ]);
    expect(peer.asked.filter((request) => request === 'GET /messages')).toHaveLength(2);
  });

  describe('whose history was lost', () => {
    /** What the engine has of the mails of an account. */
    const keptOf = (mails: Record<string, readonly string[]>) =>
      async function* (after: string): AsyncIterable<KnownMail> {
        for (const [providerId, labels] of Object.entries(mails))
          if (providerId > after) yield { position: providerId, providerId, labels };
      };
    const idLists = () => lists.filter((size) => size === '500').length;
    let lists: (string | null)[];
    let cursor: unknown;
    let ids: Record<'there' | 'filed' | 'thrown' | 'archived' | 'deleted' | 'purged', string>;
    let knownMails: (after: string) => AsyncIterable<KnownMail>;
    beforeEach(async () => {
      lists = [];
      peer.fault = (request, query) => {
        if (request === 'GET /messages') lists.push(query.get('maxResults'));
        return undefined;
      };
      const there = peer.deliver(letter('there'));
      const filed = peer.deliver(letter('filed'), ['Label_1']);
      const archived = peer.deliver(letter('archived'));
      const deleted = peer.deliver(letter('deleted'));
      const purged = peer.deliver(letter('purged'), ['TRASH']);
      const thrown = peer.deliver(letter('thrown'), ['TRASH']);
      ids = { there, filed, thrown, archived, deleted, purged };
      const inbox = ['INBOX', 'UNREAD'];
      const old = { [filed]: ['Orders'], [purged]: ['TRASH'], [thrown]: ['TRASH'] };
      knownMails = keptOf({ [there]: inbox, [archived]: inbox, [deleted]: inbox, ...old });
      cursor = (await look(sourceAt(url))).cursor;
      lists = [];
    });

    const loseAll = () => {
      peer.modify(ids.archived, [], ['INBOX']);
      peer.remove(ids.deleted);
      peer.remove(ids.purged);
      peer.forget();
      return [`${ids.archived}: UNREAD`, `gone ${ids.deleted}`, `gone ${ids.purged}`];
    };

    test('tells what was archived or deleted meanwhile, and asks for no other mail alone', async () => {
      const lost = loseAll();
      const { told, cursor: next } = await look(sourceAt(url), { cursor, knownMails });
      expect(told).toEqual(['there', ...lost]);
      expect(idLists()).toBe(2);
      for (const id of [ids.filed, ids.thrown]) expect(peer.asked).not.toContain(`GET /messages/${id}`);
      expect((await look(sourceAt(url), { cursor: next, knownMails })).told).toEqual([]);
      expect(idLists()).toBe(2);
    });

    test('tells of no mail as gone that Gmail still has, though it is not listed', async () => {
      const lost = loseAll();
      peer.fault = (request, query) =>
        request === 'GET /messages' && query.get('maxResults') === '500' ? { status: 200 } : undefined;
      const { told } = await look(sourceAt(url), { cursor, knownMails });
      expect(told.filter((each) => each.startsWith('gone'))).toEqual(lost.slice(1));
      expect(told).toContain(`${ids.filed}: Orders`);
    });

    test.each([
      { name: 'a listing', fails: (request: string) => request === 'GET /messages' && lists.at(-1) === '500' },
      { name: 'one of the mails', fails: (request: string) => request === `GET /messages/${ids.deleted}` },
    ])('keeps its cursor and marks nothing where $name cannot be had, and goes on there', async ({ fails }) => {
      const lost = loseAll();
      const { fault } = peer;
      peer.fault = (request, query) => {
        fault(request, query);
        return fails(request) ? { status: 403, body: said(403, 'forbidden') } : undefined;
      };
      const told: string[] = [];
      const failing = async () => {
        for await (const one of sourceAt(url).list({ seen: () => undefined, cursor, knownMails }))
          if (one.kind === 'reached') cursor = one.cursor([]);
          else if (one.kind === 'gone') told.push(one.name);
      };
      await expect(failing()).rejects.toMatchObject({ code: 'ACCOUNT_FAILED' });
      expect(told).toEqual([]);
      expect(cursor).toMatchObject({ uncompared: '' });
      peer.fault = fault;
      expect((await look(sourceAt(url), { cursor, knownMails })).told).toEqual(lost);
    });

    test('takes what arrives before it has asked for all', async () => {
      const many = Array.from({ length: 12 }, () => peer.deliver(letter('moved')));
      for (const id of many) peer.remove(id);
      peer.forget();
      const inbox = keptOf(Object.fromEntries(many.map((id) => [id, ['INBOX']])));
      const told: string[] = [];
      for await (const one of sourceAt(url).list({ seen: () => undefined, cursor, knownMails: inbox })) {
        if (one.kind === 'mail' || one.kind === 'gone') told.push(one.kind);
        if (told.length === 5) peer.deliver(letter('late'));
      }
      expect(told.filter((kind) => kind === 'gone')).toHaveLength(12);
      expect(told.lastIndexOf('mail')).toBeLessThan(11);
    });

    test('begins once more where Gmail loses the cursor again meanwhile', async () => {
      const many = Array.from({ length: 12 }, () => peer.deliver(letter('moved')));
      for (const id of many) peer.remove(id);
      peer.forget();
      const inbox = keptOf({ ...Object.fromEntries(many.map((id) => [id, ['INBOX']])), [ids.deleted]: ['INBOX'] });
      const gone = new Set<string>();
      for await (const one of sourceAt(url).list({ seen: () => undefined, cursor, knownMails: inbox })) {
        if (one.kind !== 'gone' || gone.has(one.name)) continue;
        if (gone.add(one.name).size === 1) peer.deliver(letter('late'));
        if (gone.size === 6) {
          peer.remove(ids.deleted);
          peer.forget();
        }
      }
      expect(gone).toEqual(new Set([...many, ids.deleted]));
    });

    test('compares nothing where only the fetched labels have changed', async () => {
      loseAll();
      const { told } = await look(sourceAt(url, { labels: ['INBOX', 'SENT'] }), { cursor, knownMails });
      expect(told).toEqual(['there']);
      expect(idLists()).toBe(0);
    });
  });

  test('begins only once where a cursor in history is refused as soon as it is given', async () => {
    fill(1);
    peer.oldest = 1_000_000;
    expect((await look(sourceAt(url))).told).toEqual(['mail 1']);
  });

  test('lists nothing again in a quiet mailbox whose history is refused for days', async () => {
    fill(3);
    peer.oldest = 1_000_000;
    const { cursor } = await look(sourceAt(url));
    const isList = (request: string) => request === 'GET /messages';
    peer.asked.length = 0;
    expect((await look(sourceAt(url), { cursor })).told).toEqual([]);
    expect(peer.asked.filter(isList)).toEqual([]);
    peer.deliver(letter('late'));
    expect((await look(sourceAt(url), { cursor })).told).toContain('late');
  });

  test('reads history that comes without labels and with empty pages', async () => {
    const first = await look(sourceAt(url));
    peer.isTerse = true;
    peer.hasEmptyPages = true;
    const id = peer.deliver(letter('one'));
    peer.deliver(letter('filtered'), ['Label_1']);
    const other = peer.deliver(letter('two'));
    peer.modify(other, ['Label_1'], ['INBOX']);
    const second = await look(sourceAt(url), { cursor: first.cursor });
    expect(second.told).toEqual(['one', `${other}: UNREAD Orders`]);
    peer.modify(id, ['STARRED'], []);
    expect((await look(sourceAt(url), { cursor: second.cursor })).labels).toEqual({
      one: ['INBOX', 'UNREAD', 'STARRED'],
    });
  });

  test('knows the labels after a change, also where history says those before it', async () => {
    peer.isBehind = true;
    const id = peer.deliver(letter('one'));
    const first = await look(sourceAt(url));
    peer.modify(id, ['STARRED'], []);
    const second = await look(sourceAt(url), { cursor: first.cursor });
    expect(second.given).toEqual([['INBOX', 'UNREAD', 'STARRED']]);
    peer.modify(id, [], ['STARRED']);
    expect((await look(sourceAt(url), { cursor: second.cursor })).given).toEqual([['INBOX', 'UNREAD']]);
  });

  test('deals with a long history piece by piece, and keeps the cursor after each', async () => {
    const first = await look(sourceAt(url));
    fill(450);
    const second = await look(sourceAt(url), { cursor: first.cursor, most: 1 });
    expect(second.told).toHaveLength(200);
    const third = await look(sourceAt(url), { cursor: second.cursor });
    expect(third.told[0]).toBe('mail 201');
    expect(third.told).toHaveLength(250);
  });

  test('passes over mail that is gone before it is read, drafts, chats, spam and trash', async () => {
    const gone = peer.deliver(letter('gone'));
    peer.deliver(letter('draft'), ['INBOX', 'DRAFT']);
    peer.deliver(letter('chat'), ['INBOX', 'CHAT']);
    peer.deliver(letter('spam'), ['INBOX', 'SPAM']);
    peer.deliver(letter('trash'), ['INBOX', 'TRASH']);
    peer.deliver(letter('one'));
    peer.fault = (request) =>
      request === `GET /messages/${gone}` ? { status: 404, body: said(404, 'notFound') } : undefined;
    const first = await look(sourceAt(url));
    expect(first.told).toEqual(['one']);
    peer.deliver(letter('another draft'), ['DRAFT']);
    peer.remove(peer.deliver(letter('short-lived')));
    expect((await look(sourceAt(url), { cursor: first.cursor })).told).toEqual([expect.stringMatching(/^gone /)]);
  });

  test('fetches spam where that is one of the labels', async () => {
    peer.deliver(letter('spam'), ['SPAM']);
    expect((await look(sourceAt(url, { labels: ['INBOX', 'Spam'] }))).told).toEqual(['spam']);
  });

  test('begins anew for other labels or another mailbox', async () => {
    peer.deliver(letter('one'));
    const { cursor } = await look(sourceAt(url));
    expect((await look(sourceAt(url), { cursor })).told).toEqual([]);
    expect((await look(sourceAt(url, { labels: ['INBOX', 'SENT'] }), { cursor })).told).toEqual(['one']);
    expect((await look(sourceAt(url, { email: 'other@example.org' }), { cursor })).told).toEqual(['one']);
  });

  test('gives a mail that could not be read again, but not to a process that knows that', async () => {
    fill(3);
    let cursor: unknown;
    const unread = peer.having('INBOX')[1]!.id;
    for await (const one of sourceAt(url).list({ seen: () => undefined }))
      if (one.kind === 'reached') cursor = one.cursor(one.cursor([]) === undefined ? [] : [unread]);
    expect((await look(sourceAt(url), { cursor, isUnreadable: (name) => name === unread })).told).toEqual([]);
    const second = await look(sourceAt(url), { cursor });
    expect(second.told).toEqual(['mail 2']);
    expect((await look(sourceAt(url), { cursor: second.cursor })).told).toEqual([]);
  });

  test.each([
    { name: 'in a backlog', isListed: true },
    { name: 'in history', isListed: false },
  ])('gives a mail that was passed over to the next process, $name', async ({ isListed }) => {
    const before = isListed ? undefined : (await look(sourceAt(url))).cursor;
    fill(3);
    const unread = peer.having('INBOX')[1]!.id;
    // What was found in a look that then failed is passed over in the next one.
    const { told, cursor } = await look(sourceAt(url), { cursor: before, isUnreadable: (name) => name === unread });
    expect(told.toSorted()).toEqual(['mail 1', 'mail 3']);
    expect((await look(sourceAt(url), { cursor })).told).toEqual(['mail 2']);
  });

  test('begins the label anew where Gmail does not know the page any more', async () => {
    fill(60);
    const { cursor } = await look(sourceAt(url), { most: 1 });
    peer.fault = (request, query) =>
      request === 'GET /messages' && query.get('pageToken') === '50'
        ? { status: 400, body: said(400, 'invalidArgument', 'Invalid pageToken') }
        : undefined;
    const told: string[] = [];
    for await (const one of sourceAt(url).list({ seen: () => undefined, cursor })) {
      if (one.kind === 'reached') peer.fault = () => undefined;
      if (one.kind === 'mail') told.push(one.name);
    }
    expect(new Set(told).size).toBe(60);
  });

  test.each([
    { name: 'a page of a proxy', body: '<html>Sign in to the network</html>' },
    { name: 'half an answer', body: '{"messages":[' },
  ])('takes $name for no end of the backlog', async ({ body }) => {
    fill(60);
    const { cursor } = await look(sourceAt(url), { most: 1 });
    peer.fault = (request) => (request === 'GET /messages' ? { status: 200, body } : undefined);
    await expect(look(sourceAt(url), { cursor })).rejects.toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    peer.fault = () => undefined;
    expect((await look(sourceAt(url), { cursor })).told).toEqual(numbers(10, 1));
  });

  test('says how much there is, also when it goes on in the middle', async () => {
    fill(60);
    const totals: number[] = [];
    const { cursor } = await look(sourceAt(url), { most: 1, onTotal: (mails) => totals.push(mails) });
    await look(sourceAt(url), { cursor, onTotal: (mails) => totals.push(mails) });
    fill(2);
    expect(totals).toEqual([60, 10]);
  });

  test('names a label that is not there', async () => {
    await expect(look(sourceAt(url, { labels: ['INBOX', 'Callsheet'] }))).rejects.toMatchObject({
      code: 'ACCOUNT_FAILED',
      message: expect.stringContaining('no label Callsheet'),
    });
  });

  test('rejects with the reason of an abort, also while it waits for Gmail', async () => {
    const abort = new AbortController();
    peer.fault = () => {
      setImmediate(() => abort.abort(new Error('enough')));
      return { status: 429, body: said(429, 'rateLimitExceeded') };
    };
    await expect(look(sourceAt(url), { signal: abort.signal })).rejects.toThrow('enough');
  });

  test.skipIf(corpora === undefined)('takes every message of the corpus (left out without the corpora)', async () => {
    const rows = readFileSync(join(corpora ?? '', 'gmail', 'messages.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const real = rows.map((row) => (JSON.parse(row) as { response: Real }).response);
    for (const message of real) peer.deliver(rawOf(message), message.labelIds, message.threadId);
    const { told, labels } = await look(sourceAt(url, { labels: ['INBOX', 'IMPORTANT'] }));
    const subjects = real.map(({ payload }) => payload.headers?.find(({ name }) => name === 'Subject')?.value ?? '');
    expect(subjects).toHaveLength(8);
    expect([...new Set(told)].toSorted()).toEqual(subjects.toSorted());
    for (const [n, { labelIds }] of real.entries()) expect(labels[subjects[n] ?? '']).toEqual(labelIds);
  });
});

test.skipIf(corpora === undefined)(
  'takes every raw message of the exchanges in the corpus (left out without the corpora)',
  async () => {
    const peer = new GmailPeer();
    const url = await peer.start();
    const rows = readFileSync(join(corpora ?? '', 'gmail', 'emulator.jsonl'), 'utf8').match(/"raw": ?"([^"]+)"/g) ?? [];
    for (const row of rows) peer.deliver(Buffer.from(row.split('"')[3] ?? '', 'base64url'));
    const { told } = await look(sourceAt(url));
    await peer.close();
    expect(rows.length).toBeGreaterThan(5);
    expect(told).toHaveLength(rows.length);
  },
);

interface RealPart {
  readonly mimeType: string;
  readonly headers?: { name: string; value: string }[];
  readonly body: { readonly data?: string };
  readonly parts?: readonly RealPart[];
}

interface Real {
  readonly labelIds: string[];
  readonly threadId: string;
  readonly payload: RealPart;
}

/** A mail put together again from what `format: full` says of it. */
function rawOf({ payload }: Real): Buffer {
  const write = (part: RealPart): string => {
    const boundary = /boundary="?([^";]+)"?/i.exec(
      part.headers?.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '',
    )?.[1];
    const skipped = part.parts === undefined ? ['content-transfer-encoding'] : [];
    const lines = (part.headers ?? [])
      .filter(({ name }) => !skipped.includes(name.toLowerCase()))
      .map(({ name, value }) => `${name}: ${value}`);
    if (part.parts !== undefined && boundary !== undefined)
      return [...lines, '', ...part.parts.map((each) => `--${boundary}\r\n${write(each)}`), `--${boundary}--`, ''].join(
        '\r\n',
      );
    const data = Buffer.from(part.body.data ?? '', 'base64url').toString('base64');
    return [...lines, 'Content-Transfer-Encoding: base64', '', ...(data.match(/.{1,76}/g) ?? []), ''].join('\r\n');
  };
  return Buffer.from(write(payload));
}
