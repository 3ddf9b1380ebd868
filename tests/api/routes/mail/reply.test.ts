import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call } from '../../../run/harness.ts';
import { type Ask, type Desk, letter, openDesk } from '../../harness.ts';

describe('POST /api/emails/:id/reply', () => {
  let desk: Desk;
  let mailId: string;

  beforeEach(async () => {
    desk = await openDesk({
      files: { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n' },
      play: ({ turn }) =>
        turn === 1
          ? { tool_calls: [call('a', 'workspace_add_item', { label: 'Prices', mimeType: 'text/csv', data: 'a,1\n' })] }
          : { content: 'done' },
    });
    await arrive('Offer');
  });
  afterEach(() => desk.close());

  async function arrive(subject: string, more = ''): Promise<void> {
    desk.drop(`${subject}.eml`, letter(subject, 'Hello.', more));
    await desk.fetch();
    const { json } = await desk.get('/api/emails?limit=1');
    mailId = String(json.items[0]?.id);
  }

  const reply = (body: object, headers: Ask['headers'] = {}) =>
    desk.ask('POST', `/api/emails/${mailId}/reply`, { body, headers });
  const shelf = (name: string) => {
    const folder = join(desk.stage.root, name);
    return existsSync(folder) ? readdirSync(folder).map((file) => readFileSync(join(folder, file))) : [];
  };

  test('sends an answer of a person: as theirs, in the thread, with the mail quoted', async () => {
    const { status, json } = await reply({ mode: 'send', text: 'Gladly.', cc: ['Bob <bob@example.org>'] });
    expect(status).toBe(200);
    expect(json).toMatchObject({ mode: 'send', accountId: 'inbox', messageId: expect.stringMatching(/^<callsheet\./) });
    const mail = await PostalMime.parse(shelf('outbox')[0] ?? '');
    expect(mail).toMatchObject({
      subject: 'Re: Offer',
      inReplyTo: '<Offer@example.org>',
      cc: [{ address: 'bob@example.org' }],
    });
    expect(mail.text).toContain('> Hello.');
    expect(mail.headers.some(({ key }) => key === 'auto-submitted')).toBe(false);
  });

  test('keeps a draft, and sends nothing', async () => {
    const { json } = await reply({ mode: 'draft', html: '<p>Gladly.</p>' });
    expect(json).toMatchObject({ mode: 'draft', ref: expect.stringMatching(/^drafts\//) });
    expect([shelf('drafts').length, shelf('outbox').length]).toEqual([1, 0]);
  });

  test('sends Markdown as it is, and as HTML', async () => {
    await reply({ mode: 'send', markdown: 'It is **14.90 €**.\n\n<script>x()</script>' });
    const mail = await PostalMime.parse(shelf('outbox')[0] ?? '');
    expect(mail.text).toMatch(/^It is \*\*14\.90 €\*\*\./);
    expect(mail.html).toMatch(/<strong>14\.90 €<\/strong>[^]*<blockquote[^]*Hello\./);
    expect(mail.html).not.toMatch(/<script|<style/);
    expect((await reply({ mode: 'send', markdown: 'x', text: 'y' })).json.error.code).toBe('BAD_REQUEST');
  });

  test('goes to the recipients and has the subject that the person put in their place', async () => {
    const body = {
      mode: 'send',
      text: 'Gladly.',
      to: ['Bob <bob@example.org>, ann@example.org'],
      subject: 'Other words',
    };
    await reply(body);
    const mail = await PostalMime.parse(shelf('outbox')[0] ?? '');
    expect(mail).toMatchObject({ subject: 'Other words', inReplyTo: '<Offer@example.org>' });
    expect(mail.to?.map(({ address }) => address)).toEqual(['bob@example.org', 'ann@example.org']);
    expect((await reply({ ...body, to: [] })).json.error.code).toBe('BAD_REQUEST');
    expect((await reply({ ...body, subject: 'a\nBcc: x@example.org' })).json.error.code).toBe('BAD_REQUEST');
  });

  test('says what it begins with, and checks without sending', async () => {
    const { json } = await desk.get(`/api/emails/${mailId}/reply?all=true`);
    expect(json).toEqual({
      ...{ accountId: 'inbox', from: 'me@example.org', to: ['Ada Ray <ada@example.org>'], cc: [] },
      subject: 'Re: Offer',
    });
    const good = await reply({ mode: 'check', text: 'Gladly.' });
    expect(good.json).toMatchObject({ mode: 'check', subject: 'Re: Offer', to: [{ address: 'ada@example.org' }] });
    expect((await reply({ mode: 'check', text: 'At [time].' })).json.error.code).toBe('REPLY_HAS_GAPS');
    expect((await reply({ mode: 'check', text: 'x', to: ['nobody'] })).json.error.code).toBe('BAD_REQUEST');
    expect([shelf('outbox').length, shelf('drafts').length]).toEqual([0, 0]);
  });

  test('takes results of the mail along', async () => {
    const { json } = await desk.get('/api/runs?limit=1');
    const items = await desk.get(`/api/workspaces/${json.items[0]?.workspaceId}/items`);
    await reply({ mode: 'send', text: 'Here.', attachments: [items.json.items[0]?.id] });
    const mail = await PostalMime.parse(shelf('outbox')[0] ?? '');
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['Prices.csv']);
    const strange = await reply({ mode: 'send', text: 'Here.', attachments: ['item_of_another_mail'] });
    expect(strange.json.error.code).toBe('ITEM_NOT_FOUND');
  });

  test.each(['send', 'draft'] as const)('does it once under one key, also after a restart: %s', async (mode) => {
    const body = { mode, text: 'Gladly.' };
    const headers = { 'idempotency-key': 'a-key' };
    const both = await Promise.all([reply(body, headers), reply(body, headers)]);
    await desk.restart('another-token-for-tests-0123456789');
    const third = await reply({ ...body, id: 'a-key' });
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(third.json).toEqual(both[0]?.json);
    expect(shelf('outbox').length + shelf('drafts').length).toBe(1);
  });

  test('sends another mail under another key, and refuses one under a key that was used', async () => {
    await reply({ mode: 'send', text: 'Gladly.', id: 'one' });
    expect((await reply({ mode: 'send', text: 'Other words.', id: 'one' })).json.error.code).toBe('CONFLICT');
    await reply({ mode: 'send', text: 'Gladly.', id: 'two' });
    expect(shelf('outbox')).toHaveLength(2);
  });

  test('refuses other words under one key also where both are asked for at once', async () => {
    const both = await Promise.all(['Gladly.', 'Other words.'].map((text) => reply({ mode: 'send', text, id: 'one' })));
    expect(both.map(({ status, json }) => json.error?.code ?? status).toSorted()).toEqual([200, 'CONFLICT']);
    expect(shelf('outbox')).toHaveLength(1);
  });

  test('holds no person to the rules and limits for agents', async () => {
    desk.stage.write({ 'settings.yaml': 'reply: { perThreadPerDay: 0 }\n' });
    await desk.restart('another-token-for-tests-0123456789');
    await arrive('News', 'Auto-Submitted: auto-generated\nList-Id: <news.example.org>\n');
    expect((await reply({ mode: 'send', text: 'Please take me off.' })).status).toBe(200);
  });

  test.each([
    ['no mode', { text: 'x' }, 400, 'BAD_REQUEST'],
    ['an unknown key', { mode: 'send', text: 'x', title: 'x' }, 400, 'BAD_REQUEST'],
    ['no words', { mode: 'send', text: '' }, 400, 'BAD_REQUEST'],
    [
      'a text that ends a header',
      { mode: 'send', text: 'x', cc: ['a@x.example\r\nBcc: b@x.example'] },
      400,
      'BAD_REQUEST',
    ],
    ['a key that is none', { mode: 'send', text: 'x', id: 'ü' }, 400, 'BAD_REQUEST'],
  ])('refuses %s', async (_name, body, status, code) => {
    const answer = await reply(body);
    expect({ status: answer.status, code: answer.json.error.code }).toEqual({ status, code });
    expect(shelf('outbox')).toEqual([]);
  });

  test('says that a mail is not there, and that one names nobody', async () => {
    const nowhere = await desk.ask('POST', '/api/emails/mail_x/reply', { body: { mode: 'send', text: 'x' } });
    expect(nowhere.json.error.code).toBe('NOT_FOUND');
    desk.drop('nobody.eml', 'Subject: nobody\n\nHello.\n');
    await desk.fetch();
    const { json } = await desk.get('/api/emails?limit=1');
    mailId = String(json.items[0]?.id);
    const answer = await reply({ mode: 'draft', text: 'x' });
    expect({ status: answer.status, code: answer.json.error.code }).toEqual({ status: 422, code: 'MAIL_UNANSWERABLE' });
  });

  test('says what is wrong with the account', async () => {
    rmSync(join(desk.stage.root, 'inbox'), { recursive: true });
    const answer = await reply({ mode: 'send', text: 'x' });
    expect(answer.json.error).toMatchObject({
      code: 'ACCOUNT_FAILED',
      message: expect.stringContaining('does not exist'),
    });
  });
});
