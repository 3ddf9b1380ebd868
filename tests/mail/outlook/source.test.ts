import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import type { EngineError } from '../../../engine/src/base/error.ts';
import { createOutlookSource, type OutlookSourceOptions } from '../../../engine/src/mail/outlook/source.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import type { SourceEvent, KnownMail, ListOptions, MailSource } from '../../../engine/src/mail/source.ts';
import { corpora } from '../../available.ts';
import { type GraphPeer, problem, startGraphPeer } from '../../account/microsoft/graph-peer.ts';
import { requestOf, samples } from '../../account/microsoft/graph-samples.ts';
import { mailOf } from '../fixtures.ts';

const letter = (subject: string, text = 'Hello.') =>
  mailOf(
    ...['From: Ann Lee <ann@client.example>', 'To: team@example.org', `Subject: ${subject}`],
    ...[`Message-ID: <${subject.replace(/\W/g, '')}@client.example>`, '', text],
  );

describe('an Outlook mailbox', () => {
  const workers = createMailWorkers({ workers: 1 });
  let peer: GraphPeer;
  beforeEach(async () => {
    peer = await startGraphPeer();
  });
  afterEach(() => peer.close());
  afterAll(() => workers.close());

  function sourceOf(options: Partial<OutlookSourceOptions> = {}): MailSource {
    const { tokens, api } = peer;
    return createOutlookSource({
      ...{ accountId: 'team', email: 'team@example.org', workers, clock: systemClock, tokens, endpoints: { api } },
      ...options,
    });
  }

  interface Look {
    readonly cursor?: unknown;
    /** Ids of mails that were taken before, as the engine knows them: they are not read. */
    readonly known?: Set<string>;
    readonly isUnreadable?: ListOptions['isUnreadable'];
    /** Ends the look after so many places. */
    readonly stopAfter?: number;
  }

  /** Takes what a source gives as the engine does; the subjects in their order, and all else that was told. */
  async function look(source: MailSource, { cursor, known = new Set(), isUnreadable, stopAfter = 1000 }: Look = {}) {
    const subjects: string[] = [];
    const given: SourceEvent[] = [];
    const mails: Record<string, unknown>[] = [];
    const totals: number[] = [];
    let unread: string[] = [];
    let places = 0;
    const options = { seen: () => undefined, cursor, onTotal: (mails: number) => totals.push(mails) };
    for await (const one of source.list({ ...options, ...(isUnreadable && { isUnreadable }) })) {
      given.push(one);
      if (one.kind === 'reached') {
        cursor = JSON.parse(JSON.stringify(one.cursor(unread)));
        unread = [];
        if (++places >= stopAfter) break;
      }
      if (one.kind !== 'mail' || known.has(one.providerId ?? '')) continue;
      try {
        const { summary, facts } = await one.read({ id: 'm', receivedAt: '' });
        known.add(one.providerId ?? '');
        subjects.push(facts.subject);
        mails.push(JSON.parse(summary) as Record<string, unknown>);
      } catch (error) {
        if ((error as EngineError).code.startsWith('ACCOUNT_')) throw error;
        if (!(error as EngineError).retryable) unread.push(one.name);
      }
    }
    return { subjects, given, mails, cursor, known, totals };
  }

  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error as EngineError,
    );
  const readsOf = () => peer.asked.filter(({ path }) => path.endsWith('/$value'));
  const labelsOf = (given: readonly SourceEvent[]) =>
    given.flatMap((one) => (one.kind === 'mail' ? [[one.name, one.labels] as const] : []));

  test.each([
    { name: 'takes the word for an id, as in China', status: 400, code: 'ErrorInvalidIdMalformed' },
    { name: 'knows no such resource', status: 400, code: 'BadRequest' },
    { name: 'knows no such method', status: 405, code: '' },
  ])('says what to take instead where a Graph without delta queries $name', async ({ status, code }) => {
    peer.intercept(({ path }) => (path.includes('/delta') ? { status, body: problem(code) } : undefined));
    expect(await failureOf(look(sourceOf()))).toMatchObject({
      ...{
        code: 'ACCOUNT_FAILED',
        retryable: false,
        message: expect.stringContaining('does not report changes of a folder'),
      },
      hint: expect.stringContaining('provider: imap'),
    });
  });

  test('does not blame a mailbox that is not there on the cloud', async () => {
    peer.intercept(({ path }) =>
      path.includes('/delta') ? { status: 404, body: problem('MailboxNotEnabledForRESTAPI') } : undefined,
    );
    expect(await failureOf(look(sourceOf()))).toMatchObject({ message: expect.stringContaining('has no mailbox') });
  });

  test('gives a backlog newest first, and what arrives afterwards in order, each mail once', async () => {
    for (const subject of ['one', 'two', 'three']) peer.deliver(letter(subject));
    const first = await look(sourceOf());
    expect(first.subjects).toEqual(['three', 'two', 'one']);
    for (const subject of ['four', 'five']) peer.deliver(letter(subject));
    const second = await look(sourceOf(), first);
    expect(second.subjects).toEqual(['four', 'five']);
    const third = await look(sourceOf(), second);
    expect(third.given.map(({ kind }) => kind)).toEqual(['reached']);
  });

  test('gives what arrives during a backlog before the rest of it', async () => {
    for (let n = 1; n <= 120; n++) peer.deliver(letter(`mail ${n}`));
    let count = 0;
    peer.intercept(({ path }) => {
      if (path.endsWith('/$value') && ++count === 30) peer.deliver(letter('late'));
      return undefined;
    });
    const { subjects, given } = await look(sourceOf());
    expect(subjects.indexOf('late')).toBe(50);
    expect(subjects).toHaveLength(121);
    const names = labelsOf(given).map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('does not give what arrives during a backlog to a process that could not read it', async () => {
    for (let n = 1; n <= 60; n++) peer.deliver(letter(`mail ${n}`));
    const first = await look(sourceOf(), { stopAfter: 1 });
    const late = peer.deliver(letter('late'));
    const second = await look(sourceOf(), { ...first, isUnreadable: (name) => name === late });
    expect(labelsOf(second.given).map(([name]) => name)).not.toContain(late);
  });

  test('goes on in the middle of a backlog with another process, after what has arrived meanwhile', async () => {
    for (let n = 1; n <= 120; n++) peer.deliver(letter(`mail ${n}`));
    const first = await look(sourceOf(), { stopAfter: 1 });
    expect(first.subjects).toHaveLength(50);
    peer.deliver(letter('late'));
    const second = await look(sourceOf(), first);
    expect(second.subjects).toHaveLength(71);
    expect(second.subjects[0]).toBe('late');
    expect(second.known.size).toBe(121);
    expect(second.subjects.at(-1)).toBe('mail 1');
    // The delta query gives it again after the backlog: it is known by then.
    expect((await look(sourceOf(), second)).subjects).toEqual([]);
  });

  test('says how many mails are going to come', async () => {
    for (let n = 1; n <= 60; n++) peer.deliver(letter(`mail ${n}`));
    const first = await look(sourceOf(), { stopAfter: 1 });
    expect(first.totals).toEqual([60]);
    expect((await look(sourceOf(), first)).totals).toEqual([10]);
    const all = await look(sourceOf());
    peer.deliver(letter('one'));
    expect((await look(sourceOf(), all)).totals).toEqual([1]);
  });

  test('says what Outlook knows of a mail: when it was received, its thread and its labels', async () => {
    const id = peer.deliver(letter('one'), {
      categories: ['Autopilot InProgress'],
      flag: 'flagged',
      received: '2026-03-04T05:06:07Z',
    });
    const { mails, given } = await look(sourceOf());
    expect(mails[0]).toMatchObject({
      ...{ accountId: 'team', receivedAt: '2026-03-04T05:06:07.000Z', labels: ['Autopilot InProgress', '\\Flagged'] },
      ...{ threadId: 'conv:<one@client.example>', own: false },
    });
    expect(labelsOf(given)).toEqual([[id, ['Autopilot InProgress', '\\Flagged']]]);
  });

  test('tells new categories of a known mail without reading it again', async () => {
    const id = peer.deliver(letter('one'));
    const first = await look(sourceOf());
    peer.change(id, { categories: ['Reply', 'Mine'] });
    const second = await look(sourceOf(), first);
    expect(labelsOf(second.given)).toEqual([[id, ['Reply', 'Mine']]]);
    expect(readsOf()).toHaveLength(1);
  });

  test('tells the same labels when a mail was only read by its owner, and none where Graph tells none', async () => {
    const id = peer.deliver(letter('one'), { categories: ['Mine'] });
    const first = await look(sourceOf());
    peer.change(id, { isRead: true });
    const second = await look(sourceOf(), first);
    expect(labelsOf(second.given)).toEqual([[id, ['Mine']]]);
    peer.change(id, { isRead: false });
    peer.intercept(({ path }) =>
      path.includes('deltatoken')
        ? { status: 200, body: { 'value': [{ id }], '@odata.deltaLink': `${peer.api}/v1.0/end` } }
        : undefined,
    );
    expect(labelsOf((await look(sourceOf(), second)).given)).toEqual([[id, undefined]]);
    expect(readsOf()).toHaveLength(1);
  });

  test('asks for the rest where a change tells of categories alone', async () => {
    const id = peer.deliver(letter('one'), { flag: 'flagged' });
    const first = await look(sourceOf());
    peer.change(id, { categories: ['Mine'] });
    const value = [{ id, categories: ['Mine'] }];
    peer.intercept(({ path }) =>
      path.includes('deltatoken')
        ? { status: 200, body: { value, '@odata.deltaLink': `${peer.api}/v1.0/end` } }
        : undefined,
    );
    expect(labelsOf((await look(sourceOf(), first)).given)).toEqual([[id, ['Mine', '\\Flagged']]]);
  });

  test('tells that mails are gone, and knows one again that comes back from another folder', async () => {
    const [moved, deleted] = ['moved', 'deleted'].map((subject) => peer.deliver(letter(subject)));
    const first = await look(sourceOf());
    peer.change(moved ?? '', { folder: 'archive' });
    peer.remove(deleted ?? '');
    const second = await look(sourceOf(), first);
    const gone = second.given.flatMap((one) => (one.kind === 'gone' ? [one.providerId] : []));
    expect(gone).toEqual([moved, deleted]);
    peer.change(moved ?? '', { folder: 'inbox' });
    const third = await look(sourceOf(), second);
    expect(labelsOf(third.given)).toEqual([[moved, []]]);
    expect(third.subjects).toEqual([]);
  });

  test('takes a mail that stands in a page several times once, as it is told of last', async () => {
    const id = peer.deliver(letter('one'));
    const other = peer.deliver(letter('two'));
    const told = (categories: string[]) => ({ id, categories, flag: { flagStatus: 'notFlagged' } });
    const value = [
      told(['Old']),
      { 'id': other, '@removed': { reason: 'changed' } },
      told(['New']),
      { ...told([]), id: other },
    ];
    peer.intercept(({ path }) =>
      path.includes('/delta')
        ? { status: 200, body: { value, '@odata.deltaLink': `${peer.api}/v1.0/end` } }
        : undefined,
    );
    const { given, subjects } = await look(sourceOf());
    expect(labelsOf(given).toSorted()).toEqual([
      [id, ['New']],
      [other, []],
    ]);
    expect(subjects).toHaveLength(2);
  });

  test('lists everything anew where Graph has lost the cursor, and reads nothing that is known', async () => {
    for (const subject of ['one', 'two']) peer.deliver(letter(subject));
    const first = await look(sourceOf());
    peer.deliver(letter('three'));
    peer.forgetPlaces();
    const second = await look(sourceOf(), first);
    expect(second.subjects).toEqual(['three']);
    expect(labelsOf(second.given)).toHaveLength(3);
    expect(readsOf()).toHaveLength(3);
  });

  describe('whose cursor was lost', () => {
    const subjects = ['there', 'moved', 'deleted', 'odd'];
    let ids: string[];
    let knownMails: (after: string) => AsyncIterable<KnownMail>;
    let cursor: unknown;
    beforeEach(async () => {
      ids = subjects.map((subject) => peer.deliver(letter(subject)));
      knownMails = async function* (after) {
        for (const id of ids) if (id > after) yield { position: id, providerId: id, labels: [] };
      };
      ({ cursor } = await look(sourceOf()));
      peer.change(ids[1] ?? '', { folder: 'archive' });
      peer.remove(ids[2] ?? '');
      peer.forgetPlaces();
      peer.asked.length = 0;
    });

    /** Mails that are told of as gone, and the places that are to be kept. */
    async function goneOf() {
      const gone: string[] = [];
      for await (const one of sourceOf().list({ seen: () => undefined, cursor, knownMails }))
        if (one.kind === 'gone') gone.push(subjects[ids.indexOf(one.name)] ?? '');
        else if (one.kind === 'reached') cursor = JSON.parse(JSON.stringify(one.cursor([])));
      return gone;
    }
    const isListing = (path: string) => path.includes('%24top=500') || path.includes('$top=500');

    test('tells what was moved away or deleted meanwhile, once', async () => {
      expect(await goneOf()).toEqual(['moved', 'deleted']);
      expect(await goneOf()).toEqual([]);
      expect(peer.asked.filter(({ path }) => isListing(path))).toHaveLength(1);
    });

    test('tells of no mail as gone that lies there, though it is not listed, or Exchange fails at it', async () => {
      peer.intercept(({ path }) =>
        isListing(path)
          ? { status: 200, body: { value: [] } }
          : path.includes('parentFolderId') && path.includes(encodeURIComponent(ids[3] ?? ''))
            ? { status: 500, body: problem('ErrorItemCorrupt') }
            : undefined,
      );
      expect(await goneOf()).toEqual(['moved', 'deleted']);
    });

    test.each([
      { name: 'the listing', fails: isListing },
      { name: 'one of the mails', fails: (path: string) => path.includes('parentFolderId') },
    ])('marks nothing where $name cannot be had, and goes on there', async ({ fails }) => {
      let isFailing = true;
      peer.intercept(({ path }) =>
        isFailing && fails(path) ? { status: 403, body: problem('ErrorAccessDenied') } : undefined,
      );
      expect(await failureOf(goneOf())).toMatchObject({ code: 'ACCOUNT_SCOPE_MISSING' });
      expect(cursor).toMatchObject({ isBacklog: false, uncompared: '' });
      isFailing = false;
      expect(await goneOf()).toEqual(['moved', 'deleted']);
    });

    test('tells of no mail as elsewhere where Graph does not say which folder it is about', async () => {
      peer.intercept(({ path }) =>
        isListing(path) || path.startsWith('/me/mailFolders/inbox?') ? { status: 200, body: {} } : undefined,
      );
      expect(await goneOf()).toEqual(['deleted']);
    });

    test('knows the folder by what its mails call it, too', async () => {
      peer.intercept(({ path }) => {
        const [there] = ids;
        if (path.startsWith('/me/mailFolders/inbox?')) return { status: 200, body: { id: 'AQM-spelled-otherwise=' } };
        const value = [{ id: there, parentFolderId: 'AQM-inbox=' }];
        return isListing(path) ? { status: 200, body: { value } } : undefined;
      });
      expect(await goneOf()).toEqual(['moved', 'deleted']);
    });

    test('has told what it knows where Graph asks to wait for long, and goes on with the rest', async () => {
      const many = Array.from({ length: 300 }, (_, n) => `BBk-${String(n).padStart(6, '0')}=`);
      ids = many;
      const gone = new Set<string>();
      knownMails = async function* () {
        for (const id of many) if (!gone.has(id)) yield { position: id, providerId: id, labels: [] };
      };
      let asked = 0;
      peer.intercept(({ path, isInBatch }) => {
        if (!isInBatch || !path.includes('BBk-')) return undefined;
        if (++asked !== 150) return { status: 404, body: problem('ErrorItemNotFound') };
        return { status: 429, headers: { 'retry-after': '600' }, body: problem('ApplicationThrottled') };
      });
      let later = 0;
      const clock = { ...systemClock, now: () => Date.now() + later };
      const source = sourceOf({ clock, tokens: { ...peer.tokens } });
      const told = async () => {
        for await (const one of source.list({ seen: () => undefined, cursor, knownMails }))
          if (one.kind === 'gone') gone.add(one.name);
          else if (one.kind === 'reached') cursor = one.cursor([]);
      };
      expect(await failureOf(told())).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
      expect(gone.size).toBe(100);
      later = 600_000;
      await told();
      expect(gone.size).toBe(300);
      expect(cursor).not.toHaveProperty('uncompared');
    });

    test('compares ten thousand mails in a look, and the next ones in the next', async () => {
      const many = Array.from({ length: 10_001 }, (_, n) => `BBk-${String(n).padStart(6, '0')}=`);
      ids = [...ids, ...many];
      peer.intercept(({ path }) =>
        path === '/$batch'
          ? undefined
          : path.includes('BBk-')
            ? { status: 404, body: problem('ErrorItemNotFound') }
            : undefined,
      );
      expect(await goneOf()).toHaveLength(10_000 - 2);
      expect(cursor).toMatchObject({ uncompared: many.at(-6) });
      peer.deliver(letter('late'));
      expect(await goneOf()).toHaveLength(5);
      expect(cursor).not.toHaveProperty('uncompared');
    });
  });

  test('lists everything anew where the cursor is of another folder', async () => {
    peer.deliver(letter('one'));
    peer.deliver(letter('order'), { folder: 'orders' });
    const { cursor } = await look(sourceOf());
    expect((await look(sourceOf({ folder: 'orders' }), { cursor })).subjects).toEqual(['order']);
  });

  test('leaves drafts until they are no more', async () => {
    const id = peer.deliver(letter('one'), { isDraft: true });
    const first = await look(sourceOf());
    expect(first.subjects).toEqual([]);
    peer.change(id, { isDraft: false });
    expect((await look(sourceOf(), first)).subjects).toEqual(['one']);
  });

  test('gives a mail that could not be read again, but not to a process that knows that', async () => {
    const broken = peer.deliver(letter('broken'));
    peer.deliver(letter('fine'));
    let isBroken = true;
    peer.intercept(({ path }) =>
      isBroken && path === `/me/messages/${encodeURIComponent(broken)}/$value`
        ? { status: 500, body: problem('ErrorMimeContentConversionFailed') }
        : undefined,
    );
    const first = await look(sourceOf());
    expect(first.subjects).toEqual(['fine']);
    expect(first.cursor).toMatchObject({ unread: [broken] });
    peer.change(broken, { categories: ['Mine'] });
    const second = await look(sourceOf(), { ...first, isUnreadable: (name) => name === broken });
    expect(labelsOf(second.given)).toEqual([]);
    isBroken = false;
    const third = await look(sourceOf(), second);
    expect(third.subjects).toEqual(['broken']);
    expect(third.cursor).toMatchObject({ unread: [] });
  });

  test('forgets that a mail could not be read when it is gone', async () => {
    const broken = peer.deliver(letter('broken'));
    peer.intercept(({ path }) =>
      path.endsWith('/$value') ? { status: 500, body: problem('ErrorMimeContentConversionFailed') } : undefined,
    );
    const first = await look(sourceOf());
    expect(first.cursor).toMatchObject({ unread: [broken] });
    peer.remove(broken);
    const second = await look(sourceOf(), { ...first, isUnreadable: (name) => name === broken });
    expect(second.cursor).toMatchObject({ unread: [] });
  });

  test('passes over a mail that was deleted between listing and reading', async () => {
    const id = peer.deliver(letter('one'));
    peer.deliver(letter('two'));
    peer.intercept(({ path }) => {
      if (path.includes('/delta') && peer.mails.has(id)) queueMicrotask(() => peer.remove(id));
      return undefined;
    });
    const first = await look(sourceOf());
    expect(first.subjects).toEqual(['two']);
    expect(first.cursor).toMatchObject({ unread: [] });
    const gone = (await look(sourceOf(), first)).given.filter(({ kind }) => kind === 'gone');
    expect(gone).toMatchObject([{ providerId: id }]);
  });

  test('leaves the cursor where it was when a mail cannot be had for now', async () => {
    peer.deliver(letter('one'));
    const { cursor } = await look(sourceOf());
    const two = peer.deliver(letter('two'));
    let isMissing = true;
    peer.intercept(({ path }) =>
      isMissing && path.includes(encodeURIComponent(two))
        ? { status: 403, body: problem('ErrorAccessDenied') }
        : undefined,
    );
    expect(await failureOf(look(sourceOf(), { cursor }))).toMatchObject({ code: 'ACCOUNT_SCOPE_MISSING' });
    isMissing = false;
    expect((await look(sourceOf(), { cursor })).subjects).toEqual(['two']);
  });

  test('reads a backlog in batches, and one mail again alone that a batch has failed at', async () => {
    for (let n = 1; n <= 40; n++) peer.deliver(letter(`mail ${n}`));
    const [first] = peer.mails.keys();
    peer.intercept(({ path, isInBatch }) =>
      isInBatch && path.includes(encodeURIComponent(first ?? ''))
        ? { status: 403, body: problem('ErrorAccessDenied') }
        : undefined,
    );
    const { subjects } = await look(sourceOf());
    expect(subjects).toEqual(Array.from({ length: 40 }, (_, n) => `mail ${40 - n}`));
    expect(peer.asked.filter(({ path }) => path === '/$batch').length).toBeGreaterThanOrEqual(3);
    expect(readsOf().filter(({ isInBatch }) => !isInBatch)).toHaveLength(4);
  });

  test('reads alone what is between known mails', async () => {
    for (let n = 1; n <= 40; n++) peer.deliver(letter(`mail ${n}`));
    const known = new Set([...peer.mails.keys()].filter((_, n) => n % 3 !== 0));
    const { subjects } = await look(sourceOf(), { known });
    expect(subjects).toHaveLength(14);
    expect(peer.asked.some(({ path }) => path === '/$batch')).toBe(false);
  });

  test('has the same bytes from a batch, whatever they are and however Graph writes them', async () => {
    const texts = ['plain', 'a:b', 'Grüße', 'end\r\n'];
    for (let n = 0; n < 24; n++) peer.deliver(letter(`mail ${n}`, texts[n % 4]));
    const odd = peer.deliver(Buffer.concat([letter('latin'), Buffer.from([0xe9, 0x0d, 0x0a])]));
    const parse = workers.parse.bind(workers);
    const raws: Buffer[] = [];
    const watched = {
      parse: ((source, ...rest) => {
        if (source.kind === 'bytes') raws.push(Buffer.from(source.bytes));
        return parse(source, ...rest);
      }) as typeof parse,
    };
    peer.intercept(({ path, isInBatch }) => {
      const raw = [...peer.mails.values()].find(
        ({ id }) => path === `/me/messages/${encodeURIComponent(id)}/$value`,
      )?.raw;
      return isInBatch && raw !== undefined ? { status: 200, body: raw.toString('utf8') } : undefined;
    });
    await look(sourceOf({ workers: watched }));
    const sent = [...peer.mails.values()].map(({ raw }) => raw.toString('latin1'));
    expect(raws.map((raw) => raw.toString('latin1')).toSorted()).toEqual(sent.toSorted());
    expect(raws[0]?.at(-3)).toBe(0xe9);
    expect(odd).toBe([...peer.mails.keys()].at(-1));
    expect(peer.asked.some(({ path }) => path === '/$batch')).toBe(true);
  });

  test('asks for no more than to read mail', async () => {
    peer.deliver(letter('one'));
    await look(sourceOf());
    expect(new Set(peer.tokensAsked.flatMap(({ scopes }) => scopes))).toEqual(new Set(['Mail.Read']));
  });

  test('changes nothing in the mailbox', async () => {
    for (let n = 1; n <= 12; n++) peer.deliver(letter(`mail ${n}`));
    await look(sourceOf());
    expect([...peer.mails.values()].every(({ version, isRead }) => version === 1 && !isRead)).toBe(true);
    expect(peer.asked.filter(({ method, path }) => method !== 'GET' && path !== '/$batch')).toEqual([]);
  });

  test('ends at once when it is aborted', async () => {
    for (let n = 1; n <= 5; n++) peer.deliver(letter(`mail ${n}`));
    const abort = new AbortController();
    let given = 0;
    const all = async () => {
      for await (const one of sourceOf().list({ seen: () => undefined, signal: abort.signal }))
        if (one.kind === 'mail' && ++given === 2) abort.abort(new Error('enough'));
    };
    await expect(all()).rejects.toThrow('enough');
    expect(given).toBe(2);
  });

  test.each([
    { name: 'says nothing', more: () => ({}) },
    { name: 'leads in a circle', more: () => ({ '@odata.nextLink': `${peer.api}/v1.0/me/delta?again` }) },
  ])('says what is wrong where Graph does not say how to go on: it $name', async ({ more }) => {
    peer.intercept(({ path }) =>
      path.includes('/delta') ? { status: 200, body: { value: [], ...more() } } : undefined,
    );
    expect(await failureOf(look(sourceOf()))).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
  });

  test.skipIf(corpora === undefined)(
    'replays the delta pages of the documentation to what is there in the end (left out without the corpora)',
    async () => {
      const there = new Map<string, string>();
      peer.intercept(({ path }) => {
        const isFirst = path.includes('/delta?$select');
        const sample = samples.find(
          ({ id, request }) =>
            id.startsWith('delta-query-events-') &&
            (isFirst ? id.endsWith('-1') : path === requestOf(request?.line ?? '').path),
        );
        if (sample === undefined) return undefined;
        return {
          status: 200,
          body: JSON.parse(JSON.stringify(sample.response.body).replaceAll('https://graph.microsoft.com', peer.api)),
        };
      });
      let cursor: unknown;
      for (let round = 0; round < 2; round++)
        for await (const one of sourceOf().list({ seen: () => undefined, cursor }))
          if (one.kind === 'mail') there.set(one.name, one.kind);
          else if (one.kind === 'gone') there.delete(one.name);
          else if (one.kind === 'reached') cursor = one.cursor([]);
      expect([...there.keys()].toSorted()).toEqual([
        'AAMkADNVxRAAA=',
        'AAMkADVxSAAA=',
        'AAMkADVxTAAA=',
        'AAMkADVxUAAA=',
        'AAMkADj1HuAAA=',
        'AAMkADj1HvAAA=',
      ]);
      expect(cursor).toMatchObject({ link: expect.stringContaining('deltatoken=R0usmcFuQtZdtpk4'), isBacklog: false });
    },
  );
});
