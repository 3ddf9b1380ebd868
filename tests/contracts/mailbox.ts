import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mailbox, Outgoing } from '../../engine/src/mail/mailbox.ts';

/** A mailbox with a substitute for the real provider. */
export interface MailboxStage {
  readonly mailbox: Mailbox;
  /** Delivers a mail to the inbox. */
  deliver(raw: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  readonly open: () => Promise<MailboxStage>;
  /** False where a mail that is not in Sent may have been sent all the same. Default true. */
  readonly isSentCertain?: boolean;
  /** False where the substitute cannot search by Message-ID; say where else that is tested. Default true. */
  readonly findsMessageIds?: boolean;
  /** Labels to add; the second one is a name that does not exist yet. */
  readonly labels?: readonly [string, string];
  readonly timeoutMs?: number;
  /** True where this machine lacks the substitute; say so in the name. */
  readonly skip?: boolean;
}

export const ME = 'team@example.org';

/** An incoming mail. */
export function letterTo(subject: string, more: readonly string[] = [], text = 'Hello.'): Uint8Array {
  const head = [
    'From: Ann Lee <ann@client.example>',
    `To: ${ME}`,
    `Subject: ${subject}`,
    `Message-ID: <${subject.replace(/\W/g, '')}@client.example>`,
    ...(more.some((line) => line.startsWith('Date:')) ? [] : ['Date: Sat, 21 Nov 2026 10:00:00 +0000']),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    ...more,
  ];
  return new TextEncoder().encode([...head, '', text, ''].join('\r\n'));
}

/** An outgoing mail. */
export function outgoing(name: string, to = 'ann@client.example'): Outgoing {
  const messageId = `<callsheet.${name}@example.org>`;
  const lines = [
    `From: ${ME}`,
    `To: ${to}`,
    `Subject: Re: ${name}`,
    `Message-ID: ${messageId}`,
    'Date: Sat, 21 Nov 2026 11:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Thank you.',
    '',
  ];
  return { mime: new TextEncoder().encode(lines.join('\r\n')), messageId, from: ME, to: [to] };
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** What every mailbox does. */
export function mailboxContract(name: string, options: Options): void {
  const {
    isSentCertain = true,
    findsMessageIds = true,
    labels = ['Important', 'never-seen-before'],
    skip = false,
    timeoutMs = 30_000,
  } = options;

  describe.skipIf(skip)(`the mailbox of ${name}`, { timeout: timeoutMs }, () => {
    let stage: MailboxStage;
    let box: Mailbox;
    beforeEach(async () => {
      stage = await options.open();
      box = stage.mailbox;
    });
    afterEach(() => stage.close());

    const refOf = async (subject: string) => {
      const [found] = await box.search({ subject }, { limit: 5 });
      if (found === undefined) throw new Error(`no mail ${subject}`);
      return found.ref;
    };

    test('finds a saved draft by its Message-ID', async () => {
      const { ref } = await box.draft(outgoing('one'));
      expect(ref).not.toBe('');
      expect(await box.findDraft(outgoing('one').messageId)).toBeDefined();
    });

    test('finds no draft that was never saved', async () => {
      await box.draft(outgoing('one'));
      expect(await box.findDraft('<nobody@example.org>')).toBeUndefined();
    });

    test('finds no sent mail among the drafts, and no draft among the sent mails', async () => {
      await box.draft(outgoing('one'));
      await box.send(outgoing('two'));
      expect(await box.findDraft(outgoing('two').messageId)).toBeUndefined();
      const sent = await box.findSent(outgoing('one').messageId).catch(() => undefined);
      expect(sent).toBeUndefined();
    });

    test('deletes a draft by its Message-ID, and only that one', async () => {
      await box.draft(outgoing('one'));
      await box.draft(outgoing('two'));
      await box.discardDraft(outgoing('one').messageId);
      await box.discardDraft('<nobody@example.org>');
      expect(await box.findDraft(outgoing('one').messageId)).toBeUndefined();
      expect(await box.findDraft(outgoing('two').messageId)).toBeDefined();
    });

    test('lists what it holds as sent and as drafts, and nothing that only claims to come from the owner', async () => {
      await stage.deliver(letterTo('Forged', [`From: ${ME}`]));
      await box.draft(outgoing('one'));
      await box.send(outgoing('two'));
      const options = { since: '2026-11-01T00:00:00.000Z', limit: 50 };
      const sent = await box.recent('sent', options);
      expect(sent.map(({ subject, isSent }) => [subject, isSent])).toEqual([['Re: two', true]]);
      expect((await box.recent('drafts', options)).map(({ subject }) => subject)).toEqual(['Re: one']);
    });

    test('finds a sent mail by its Message-ID', async () => {
      await box.send(outgoing('one'));
      expect(await box.findSent(outgoing('one').messageId)).toBeDefined();
    });

    test(`${isSentCertain ? 'finds nothing' : 'throws TOOL_OUTCOME_UNKNOWN'} for a mail that is not in Sent`, async () => {
      const asked = box.findSent('<nobody@example.org>');
      if (isSentCertain) expect(await asked).toBeUndefined();
      else await expect(asked).rejects.toMatchObject({ code: 'TOOL_OUTCOME_UNKNOWN' });
    });

    test('returns the mails that match a search, newest first, up to the limit', async () => {
      await stage.deliver(letterTo('Order one', ['Date: Fri, 20 Nov 2026 10:00:00 +0000']));
      await stage.deliver(letterTo('Order two', ['Date: Sat, 21 Nov 2026 10:00:00 +0000']));
      await stage.deliver(letterTo('Holidays'));
      const found = await box.search({ subject: 'Order' }, { limit: 10 });
      expect(found.map(({ subject }) => subject)).toEqual(['Order two', 'Order one']);
      expect(await box.search({ subject: 'Order' }, { limit: 1 })).toHaveLength(1);
    });

    test('searches by sender', async () => {
      await stage.deliver(letterTo('Mine'));
      expect(await box.search({ from: 'ann@client.example' }, { limit: 5 })).toHaveLength(1);
      expect(await box.search({ from: 'bob@client.example' }, { limit: 5 })).toHaveLength(0);
    });

    test('searches by words of the text', async () => {
      await stage.deliver(letterTo('First', [], 'The zebra has arrived.'));
      await stage.deliver(letterTo('Second', [], 'Nothing to say.'));
      const found = await box.search({ text: 'zebra' }, { limit: 5 });
      expect(found.map(({ subject }) => subject)).toEqual(['First']);
    });

    test.skipIf(!findsMessageIds)('searches by Message-ID (left out where the substitute cannot)', async () => {
      await stage.deliver(letterTo('First'));
      await stage.deliver(letterTo('Second'));
      const found = await box.search({ messageId: '<Second@client.example>' }, { limit: 5 });
      expect(found.map(({ subject }) => subject)).toEqual(['Second']);
    });

    test('searches by day', async () => {
      await stage.deliver(letterTo('Before', ['Date: Tue, 10 Nov 2026 10:00:00 +0000']));
      await stage.deliver(letterTo('After', ['Date: Fri, 20 Nov 2026 10:00:00 +0000']));
      const found = await box.search({ after: '2026-11-15', before: '2026-11-21' }, { limit: 5 });
      expect(found.map(({ subject }) => subject)).toEqual(['After']);
    });

    test('returns a mail as raw MIME with its entry', async () => {
      await stage.deliver(letterTo('Mine', [], 'Some words.'));
      const [found] = await box.search({ from: 'ann@client.example' }, { limit: 1 });
      const { mime, entry } = await box.read(found?.ref ?? '');
      expect(text(mime)).toContain('Some words.');
      expect(entry).toMatchObject({
        messageId: found?.messageId,
        from: [{ name: 'Ann Lee', address: 'ann@client.example' }],
      });
    });

    test('throws NOT_FOUND for an unknown ref', async () => {
      await expect(box.read('0')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('returns all mails of a thread, oldest first', async () => {
      await stage.deliver(letterTo('Plan', ['Date: Fri, 20 Nov 2026 10:00:00 +0000']));
      const more = ['In-Reply-To: <Plan@client.example>', 'References: <Plan@client.example>'];
      await stage.deliver(letterTo('Re: Plan', [...more, 'Date: Sat, 21 Nov 2026 10:00:00 +0000']));
      await stage.deliver(letterTo('Holidays'));
      const [found] = await box.search({ subject: 'Plan' }, { limit: 1 });
      const thread = await box.thread(found?.threadId ?? '');
      expect(thread.map(({ subject }) => subject)).toEqual(['Plan', 'Re: Plan']);
    });

    test('marks the mails of a thread that it holds as sent, by no header', async () => {
      await stage.deliver(letterTo('Plan', ['Date: Fri, 20 Nov 2026 10:00:00 +0000']));
      const more = ['In-Reply-To: <Plan@client.example>', 'References: <Plan@client.example>'];
      await stage.deliver(letterTo('Re: Plan forged', [...more, `Sender: ${ME}`]));
      const [found] = await box.search({ subject: 'Plan' }, { limit: 1 });
      const { mime, ...mail } = outgoing('Plan');
      const reply = text(mime).replace('MIME-Version', `${more.join('\r\n')}\r\nMIME-Version`);
      const threadId = found?.threadId ?? '';
      await box.send({ ...mail, mime: new TextEncoder().encode(reply), threadId });
      const thread = await box.thread(threadId);
      expect(thread.filter(({ isSent }) => isSent).map(({ subject }) => subject)).toEqual(['Re: Plan']);
      expect(thread).toHaveLength(3);
    });

    test('adds and removes labels, and a repeated change changes nothing', async () => {
      await stage.deliver(letterTo('Mine'));
      const ref = await refOf('Mine');
      const [known, made] = labels;
      const first = await box.label(ref, { add: [known, made], remove: [] });
      expect(first.labels).toEqual(expect.arrayContaining([known, made]));
      expect((await box.label(ref, { add: [known], remove: [] })).labels).toContain(known);
      const { entry } = await box.read(ref);
      expect(entry.labels).toEqual(expect.arrayContaining([known, made]));
      const last = await box.label(ref, { add: [], remove: [known, 'not-there'] });
      expect(last.labels).toContain(made);
      expect(last.labels).not.toContain(known);
    });

    test('searches by label', async () => {
      await stage.deliver(letterTo('One'));
      await stage.deliver(letterTo('Two'));
      await box.label(await refOf('Two'), { add: [labels[1]], remove: [] });
      const found = await box.search({ label: labels[1] }, { limit: 5 });
      expect(found.map(({ subject }) => subject)).toEqual(['Two']);
    });

    test('keeps an archived mail, and archives it again without an error', async () => {
      await stage.deliver(letterTo('Done with'));
      await box.archive(await refOf('Done with'));
      const again = await refOf('Done with');
      await box.archive(again);
      expect(text((await box.read(await refOf('Done with'))).mime)).toContain('Hello.');
    });

    test('rejects with the reason of an abort', async () => {
      const signal = AbortSignal.abort(new Error('enough'));
      const asked: readonly (() => Promise<unknown>)[] = [
        () => box.search({}, { limit: 1, signal }),
        () => box.read('x', { signal }),
        () => box.thread('x', { signal }),
        () => box.draft(outgoing('one'), { signal }),
        () => box.findDraft('<x@y>', { signal }),
        () => box.send(outgoing('two'), { signal }),
        () => box.findSent('<x@y>', { signal }),
        () => box.label('x', { add: [], remove: [] }, { signal }),
        () => box.archive('x', { signal }),
        () => box.signature({ signal }),
      ];
      for (const ask of asked) await expect(ask()).rejects.toThrow('enough');
    });
  });
}
