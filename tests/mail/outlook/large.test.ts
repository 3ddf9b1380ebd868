import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../engine/src/base/clock.ts';
import type { EngineError } from '../../../engine/src/base/error.ts';
import type { OutgoingFile, Mailbox, Outgoing } from '../../../engine/src/mail/mailbox.ts';
import { createOutlookMailbox } from '../../../engine/src/mail/outlook/mailbox.ts';
import { compose } from '../../../engine/src/mail/send/compose.ts';
import type { AccountTokens } from '../../../engine/src/account/account.ts';
import { forFull, isFull } from '../../available.ts';
import { ME } from '../../contracts/mailbox.ts';
import { type GraphPeer, problem, startGraphPeer } from '../../account/microsoft/graph-peer.ts';
import { hastyClock } from '../hasty-clock.ts';
import { until } from '../until.ts';

/** Waits are over at once, but not the time for tidying up. */
const clock: Clock = { ...hastyClock, delay: (fn, ms) => (ms === 3000 ? systemClock : hastyClock).delay(fn, ms) };

/** Bytes that look the same nowhere. */
function bytesOf(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let n = 0; n + 4 <= size; n += 4) bytes.writeUInt32LE(Math.imul(n + 1, 2_654_435_761) >>> 0, n);
  return bytes;
}

const MB = 1024 * 1024;
const TEN: OutgoingFile = { name: 'plans.pdf', mimeType: 'application/pdf', bytes: bytesOf(10 * MB + 7) };
const SMALL: OutgoingFile = { name: 'notes ä.txt', mimeType: 'text/plain', bytes: bytesOf(300_000) };
const FIVE: OutgoingFile = { name: 'photo.jpg', mimeType: 'image/jpeg', bytes: bytesOf(5 * MB) };

const MESSAGE_ID = '<callsheet.large@example.org>';
const LETTER = {
  ...{ from: ME, to: [{ name: 'Ann', address: 'ann@client.example' }], cc: [] },
  ...{ bcc: [{ name: '', address: 'hidden@client.example' }], subject: 'Re: Plans', text: 'Here they are.\n' },
  ...{ html: '<p>Here they are.</p><blockquote>The plans?</blockquote>', inReplyTo: '<ask@client.example>' },
  references: ['<first@client.example>', '<ask@client.example>'],
  threadId: 'conv:<first@client.example>',
};

const letter = (attachments: readonly OutgoingFile[], isDraft = false): Promise<Outgoing> =>
  compose(
    { ...LETTER, attachments },
    { messageId: MESSAGE_ID, atMs: Date.UTC(2026, 10, 21), isAutomatic: true, isDraft },
  );

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const facts = ({ name, bytes }: Pick<OutgoingFile, 'name' | 'bytes'>) => `${name} ${bytes.byteLength} ${digest(bytes)}`;

describe.skipIf(!isFull)(`a mail with large attachments in an Outlook account${forFull}`, () => {
  let peer: GraphPeer;
  let box: Mailbox;
  beforeEach(async () => {
    peer = await startGraphPeer();
    box = boxOf();
  });
  afterEach(() => peer.close());

  const boxOf = (tokens: AccountTokens = peer.tokens): Mailbox =>
    createOutlookMailbox({ accountId: 'team', clock, tokens, endpoints: { api: peer.api } });

  /** A process that gets no further than its nth request to Graph, and never tidies up. */
  const boxThatDiesAt = (nth: number, onDeath: () => void): Mailbox => {
    let asked = 0;
    return boxOf({
      async accessToken(options) {
        if (++asked < nth) return peer.tokens.accessToken(options);
        onDeath();
        return new Promise<string>(() => {});
      },
    });
  };

  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error as EngineError,
    );
  const folder = (name: string) => [...peer.mails.values()].filter((one) => one.folder === name);
  const asked = (method: string, end: string) =>
    peer.asked.filter((one) => one.method === method && one.path.split('?')[0]?.endsWith(end) === true);

  /** It is out once, whole, to everybody, in its thread, and nothing else of it is left but what was thrown away. */
  function expectOut(files: readonly OutgoingFile[]): void {
    const [sent, ...more] = folder('sentitems');
    expect(more).toEqual([]);
    expect(folder('drafts')).toEqual([]);
    expect(sent).toMatchObject({ internetMessageId: MESSAGE_ID, bcc: ['hidden@client.example'] });
    expect(sent?.files.map(facts)).toEqual(files.map(facts));
    const raw = sent?.raw.toString() ?? '';
    expect(raw).toContain('In-Reply-To: <ask@client.example>');
    expect(raw).toContain('References: <first@client.example> <ask@client.example>');
    expect(raw).toContain('Auto-Submitted: auto-replied');
    expect(raw).toContain('<blockquote>The plans?</blockquote>');
    expect(raw).not.toContain('Content-Disposition: attachment');
  }

  test('arrives byte for byte, in its thread, with its quotation and under our Message-ID', async () => {
    const { ref } = await box.send(await letter([TEN]));
    expectOut([TEN]);
    expect(folder('sentitems')[0]?.id).toBe(ref);
    expect(await box.findSent(MESSAGE_ID)).toEqual({ ref });
  });

  test('has its files in their order, whether each is large or small', async () => {
    await box.send(await letter([SMALL, FIVE, SMALL, TEN]));
    expectOut([SMALL, FIVE, SMALL, TEN]);
    expect(folder('sentitems')[0]?.files.map(({ contentType }) => contentType)).toEqual([
      'text/plain',
      'image/jpeg',
      'text/plain',
      'application/pdf',
    ]);
  });

  test('goes out in pieces where it is large by many small files', async () => {
    const files = Array.from({ length: 20 }, (_, n) => ({ ...SMALL, name: `${n}.txt` }));
    await box.send(await letter(files));
    expectOut(files);
    expect(peer.uploads.sessions()).toBe(0);
  });

  test.each([2_300_000, 3_140_000, 3_140_001 + 5727, 3 * MB + 1])('takes a file of %i bytes', async (size) => {
    const file = { ...TEN, bytes: bytesOf(size) };
    await box.send(await letter([file]));
    expectOut([file]);
  });

  test('goes out in one piece where it is small enough', async () => {
    const mail = await letter([{ ...SMALL, bytes: bytesOf(1_900_000) }]);
    await box.send(mail);
    expect(folder('sentitems')[0]?.raw.equals(mail.mime)).toBe(true);
    expect(asked('POST', '/attachments')).toEqual([]);
  });

  test('becomes a draft with its files and its Bcc', async () => {
    const { ref } = await box.draft(await letter([TEN], true));
    expect(folder('drafts')).toMatchObject([
      { id: ref, isDraft: true, internetMessageId: MESSAGE_ID, bcc: ['hidden@client.example'] },
    ]);
    expect(folder('drafts')[0]?.files.map(facts)).toEqual([facts(TEN)]);
    expect(await box.findDraft(MESSAGE_ID)).toEqual({ ref });
  });

  test('goes out where Exchange chooses Message-IDs of its own', async () => {
    peer.ignoreMessageIds();
    await box.send(await letter([FIVE]));
    expectOut([FIVE]);
  });

  describe('goes out once and whole', () => {
    test.each([
      { name: 'the connection is cut in the middle of a range', mishap: 'cut' },
      { name: 'the answer to a range is lost', mishap: 'cut late' },
      { name: 'the server is busy', mishap: { status: 503 } },
      { name: 'the address is not taken', mishap: { status: 401 } },
    ] as const)('where $name', async ({ mishap }) => {
      peer.uploads.mishap(3, mishap);
      await box.send(await letter([TEN]));
      expectOut([TEN]);
    });

    test.each([404, 410] as const)('where the session runs out (%i)', async (status) => {
      peer.uploads.expireAt(4, status);
      await box.send(await letter([TEN]));
      expectOut([TEN]);
      expect(peer.uploads.sessions()).toBe(2);
    });

    test('where the answer to the last range is lost, and the file is not sent again', async () => {
      peer.uploads.mishap(9, 'cut late');
      await box.send(await letter([TEN, SMALL]));
      expectOut([TEN, SMALL]);
      expect(peer.uploads.sessions()).toBe(1);
    });

    test('where the answer to a small file is lost', async () => {
      let isOver = false;
      peer.intercept(({ method, path, body }) => {
        if (isOver || method !== 'POST' || !path.endsWith('/attachments')) return undefined;
        isOver = true;
        const { name = '', contentType = '', contentBytes = '' } = JSON.parse(body) as Record<string, string>;
        const draft = peer.mails.get(decodeURIComponent(path.split('/')[3] ?? ''));
        draft?.files.push({ id: 'late', name, contentType, bytes: Buffer.from(contentBytes, 'base64') });
        return { status: 504, body: problem('GatewayTimeout') };
      });
      await box.send(await letter([SMALL, FIVE]));
      expectOut([SMALL, FIVE]);
    });

    const STEPS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    test.each(STEPS.flatMap((step) => [{ step, when: 'before' } as const, { step, when: 'after' } as const]))(
      'where the connection breaks at request $step, $when it is done',
      async ({ step, when }) => {
        const mail = await letter([SMALL, FIVE]);
        peer.breakAt(step, when);
        for (let attempts = 0; attempts < 3; attempts++) {
          if ((await box.findSent(MESSAGE_ID)) !== undefined) break;
          await box.send(mail).catch(() => undefined);
        }
        expectOut([SMALL, FIVE]);
      },
    );

    test.each([2, 3, 4, 5, 6, 7, 8, 9])('where the process dies before its request %i to Graph', async (nth) => {
      const mail = await letter([SMALL, FIVE]);
      let isDead = false;
      void errorOf(boxThatDiesAt(nth, () => (isDead = true)).send(mail));
      await until(() => isDead);
      expect(folder('sentitems')).toEqual([]);
      expect(await box.findSent(MESSAGE_ID)).toBeUndefined();
      await box.send(mail);
      expectOut([SMALL, FIVE]);
    });

    test('where the process dies in the middle of a file', async () => {
      const mail = await letter([TEN]);
      peer.uploads.mishap(5, 'silence');
      void errorOf(boxOf().send(mail));
      await until(() => peer.uploads.puts.length === 5);
      await box.send(mail);
      expectOut([TEN]);
    });
  });

  test('is no draft before it has its files', async () => {
    const mail = await letter([TEN], true);
    peer.uploads.mishap(5, 'silence');
    void errorOf(box.draft(mail));
    await until(() => peer.uploads.puts.length === 5);
    expect(folder('drafts')).toHaveLength(1);
    expect(await boxOf().findDraft(MESSAGE_ID)).toBeUndefined();
    const { ref } = await boxOf().draft(mail);
    expect(folder('drafts').map(({ id }) => id)).toEqual([ref]);
    expect(folder('drafts')[0]?.files.map(facts)).toEqual([facts(TEN)]);
  });

  test('is sent from the draft that an attempt has left which had all of its files', async () => {
    const mail = await letter([FIVE]);
    const { ref } = await box.draft(mail);
    await box.send(mail);
    expectOut([FIVE]);
    expect(asked('POST', '/me/messages')).toHaveLength(1);
    expect(asked('POST', '/send')[0]?.path).toContain(encodeURIComponent(ref));
  });

  test.each([
    { name: 'a session for it', status: 400, code: 'ErrorAttachmentSizeLimitExceeded' },
    { name: 'a session for it', status: 413, code: 'RequestEntityTooLarge' },
  ])(
    'is refused where Microsoft refuses $name ($status), with the file, and leaves no draft',
    async ({ status, code }) => {
      peer.intercept(({ path }) =>
        path.endsWith('/createUploadSession') ? { status, body: problem(code) } : undefined,
      );
      const message = expect.stringContaining(`attachment 2 of 2 (${TEN.bytes.byteLength} bytes): account team`);
      expect(await errorOf(box.send(await letter([SMALL, TEN])))).toMatchObject({ code: 'MAIL_REFUSED', message });
      expect(await errorOf(box.draft(await letter([SMALL, TEN], true)))).toMatchObject({ code: 'TOO_LARGE', message });
      expect(folder('drafts')).toEqual([]);
      expect(folder('sentitems')).toEqual([]);
    },
  );

  test('is certainly not sent where uploading never works, and leaves no draft', async () => {
    for (let nth = 3; nth < 60; nth++) peer.uploads.mishap(nth, { status: 503 });
    const error = await errorOf(box.send(await letter([TEN])));
    expect(error).toMatchObject({ code: 'MAIL_NOT_SENT', retryable: true });
    expect(error?.message).toContain('attachment 1 of 1');
    expect(folder('drafts')).toEqual([]);
  });

  test('leaves no draft that has its files and lacks its Message-ID', async () => {
    peer.intercept(({ method, body }) =>
      method === 'PATCH' && body.includes(MESSAGE_ID)
        ? { status: 503, body: problem('ServiceUnavailable') }
        : undefined,
    );
    expect(await errorOf(box.draft(await letter([FIVE])))).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    expect(peer.mails.size).toBe(1);
    expect(folder('drafts')).toEqual([]);
  });

  test('is not sent with a file too many, as when Microsoft does twice what it was asked once', async () => {
    let isOver = false;
    peer.intercept(({ method, path }) => {
      if (isOver || (method !== 'PATCH' && !path.includes('/attachments?'))) return undefined;
      const [draft] = folder('drafts');
      if (draft?.files.length !== 1) return undefined;
      isOver = true;
      draft.files.push({ ...SMALL, id: 'late', contentType: '', bytes: Buffer.from(SMALL.bytes) });
      return undefined;
    });
    expect(await errorOf(box.send(await letter([FIVE])))).toMatchObject({ code: 'MAIL_NOT_SENT', retryable: true });
    expect(folder('drafts')).toEqual([]);
    await box.send(await letter([FIVE]));
    expectOut([FIVE]);
  });

  test('stops with the reason of an abort in the middle of a file, and leaves no draft', async () => {
    const abort = new AbortController();
    peer.uploads.mishap(3, 'silence');
    const outcome = errorOf(box.send(await letter([TEN]), { signal: abort.signal }));
    await until(() => peer.uploads.puts.length === 3);
    abort.abort(new Error('enough'));
    expect((await outcome)?.message).toBe('enough');
    expect(folder('drafts')).toEqual([]);
    expect(folder('sentitems')).toEqual([]);
  });

  test('has nothing of the address that lets in whoever knows it in an error', async () => {
    for (let nth = 1; nth < 60; nth++) peer.uploads.mishap(nth, { status: 401 });
    const error = await errorOf(box.send(await letter([TEN])));
    expect(error).toMatchObject({ code: 'MAIL_NOT_SENT' });
    expect(JSON.stringify([error, error?.message, error?.stack, error?.cause])).not.toMatch(/secret|authtoken/);
  });
});
