import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/src/base/error.ts';
import { sendSmtp, type SmtpServer, verifySmtp } from '../../../engine/src/mail/imap/smtp.ts';
import { outgoing } from '../../contracts/mailbox.ts';
import { type Manner, type SmtpPeer, startSmtp } from './smtp-peer.ts';

describe('a server that sends', () => {
  let peer: SmtpPeer;
  beforeEach(async () => {
    peer = await startSmtp({ user: 'team', password: 'right' });
  });
  afterEach(() => peer.close());

  const server = (patch: Partial<SmtpServer> = {}): SmtpServer => ({
    ...{ accountId: 'team', host: '127.0.0.1', port: peer.port, secure: false, user: 'team' },
    password: () => 'right',
    ...patch,
  });
  const failureOf = (patch: Partial<SmtpServer> = {}, signal?: AbortSignal) =>
    sendSmtp(server(patch), outgoing('one'), { signal }).then(
      () => undefined,
      (error: unknown) => error as EngineError,
    );

  test('is signed in to by a check, and sent nothing', async () => {
    await verifySmtp(server());
    expect(peer.taken).toEqual([]);
    await expect(verifySmtp(server({ password: () => 'wrong' }))).rejects.toMatchObject({ code: 'ACCOUNT_FAILED' });
    await expect(verifySmtp(server({ port: 1 }))).rejects.toMatchObject({ code: 'MAIL_NOT_SENT' });
    await expect(verifySmtp(server(), { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });

  test('gets the very bytes, from the account and to everybody', async () => {
    const mail = { ...outgoing('one'), to: ['a@client.example', 'b@client.example'] };
    expect(await sendSmtp(server(), mail)).toEqual({});
    expect(peer.taken).toEqual([
      { from: 'team@example.org', to: mail.to, data: Buffer.from(mail.mime).toString('latin1') },
    ]);
  });

  test('is sent a line that is one dot as it is', async () => {
    const mime = new TextEncoder().encode('Subject: x\r\n\r\na\r\n.\r\n..\r\nb\r\n');
    await sendSmtp(server(), { ...outgoing('one'), mime });
    expect(peer.taken[0]?.data).toBe('Subject: x\r\n\r\na\r\n.\r\n..\r\nb\r\n');
  });

  const faults: readonly (readonly [string, Partial<SmtpServer>, Manner, string, boolean])[] = [
    ['a wrong password', { password: () => 'wrong' }, {}, 'ACCOUNT_FAILED', false],
    ['a recipient that is not taken', {}, { recipient: () => '550 5.1.1 no such user' }, 'MAIL_REFUSED', false],
    ['greylisting', {}, { recipient: () => '451 4.7.1 come again' }, 'MAIL_REFUSED', true],
    ['a mail that is not taken', {}, { end: () => '554 5.6.0 spam' }, 'MAIL_REFUSED', false],
    ['a mail that is not taken now', {}, { end: () => '452 4.3.1 full' }, 'MAIL_REFUSED', true],
    ['a connection cut before the sign-in', {}, { cutAt: 'EHLO' }, 'MAIL_NOT_SENT', true],
    ['a port where nobody listens', { port: 1 }, {}, 'MAIL_NOT_SENT', true],
    ['a host that is not known', { host: 'no-such-host.invalid' }, {}, 'MAIL_NOT_SENT', true],
    ['no STARTTLS on another machine', { host: '127.1' }, {}, 'MAIL_NOT_SENT', true],
    ['TLS that the server does not speak', { secure: true }, {}, 'MAIL_NOT_SENT', true],
  ];

  test.each(faults)('says what is wrong: %s', async (_name, patch, manner, code, retryable) => {
    peer.manner = { user: 'team', password: 'right', ...manner };
    const error = await failureOf(patch);
    expect(error).toMatchObject({ code, retryable });
    expect(error?.message).toContain('account team');
    expect(error?.hint).toBeDefined();
    expect(JSON.stringify(error)).not.toMatch(/wrong"|right"|AHRlYW0/);
    expect(peer.taken).toEqual([]);
  });

  test.each([
    ['after it has the mail', { end: () => 'cut' }],
    ['before it has the mail', { cutAt: 'DATA' }],
  ])('that cuts the connection %s may have it: nobody claims to know', async (_name, manner) => {
    peer.manner = manner;
    expect(await failureOf()).toMatchObject({ code: 'TOOL_OUTCOME_UNKNOWN' });
  });

  test('tells who was not taken while others were', async () => {
    peer.manner = { recipient: (address) => (address.startsWith('bad') ? '550 5.1.1 unknown' : '250 fine') };
    const { note } = await sendSmtp(server(), { ...outgoing('one'), to: ['bad@client.example', 'a@client.example'] });
    expect(note).toMatch(/bad@client\.example.*550 5\.1\.1 unknown/);
    expect(peer.taken[0]?.to).toEqual(['a@client.example']);
  });

  test('is cut off by an abort', async () => {
    const controller = new AbortController();
    peer.manner = {
      end: () => {
        controller.abort(new Error('enough'));
        return 'silent';
      },
    };
    expect(await failureOf({}, controller.signal)).toMatchObject({ message: 'enough' });
  });
});
