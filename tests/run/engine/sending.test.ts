import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Desk, letter, openDesk } from '../../api/harness.ts';
import { dovecot } from '../../available.ts';
import { type DovecotServer, startDovecot } from '../../dovecot.ts';
import { type SmtpPeer, startSmtp } from '../../mail/imap/smtp-peer.ts';
import { call } from '../harness.ts';

describe.skipIf(dovecot === undefined)(
  'sending over SMTP from a run (left out without Dovecot)',
  { timeout: 60_000 },
  () => {
    let imap: DovecotServer;
    let smtp: SmtpPeer;
    let desk: Desk;

    beforeEach(async () => {
      imap = await startDovecot();
      smtp = await startSmtp({ user: imap.user, password: imap.password });
      desk = await openDesk({
        files: {
          'accounts/team.yaml': [
            `id: team\nprovider: imap\nemail: ${imap.user}`,
            `imap: { host: 127.0.0.1, port: ${imap.port}, secure: false }`,
            `smtp: { host: 127.0.0.1, port: ${smtp.port}, secure: false }`,
            `auth: { user: ${imap.user}, pass: "\${env:TEAM_PASSWORD}" }\n`,
          ].join('\n'),
          'directors/boss.yaml':
            'id: boss\nname: Boss\napiConfigId: main\ntools: [mail]\npermissions: { allow: [mail_send] }\nuntrusted: { act: [mail_send(to=@thread)] }\n',
        },
        app: { env: (name) => (name === 'TEAM_PASSWORD' ? imap.password : 'sk-test-key') },
        play: ({ turn }) =>
          turn === 1 ? { tool_calls: [call('a', 'mail_send', { text: 'Gladly.' })] } : { content: 'done' },
      });
      imap.deliver(new TextEncoder().encode(letter('Offer').replaceAll('\n', '\r\n')));
    });
    afterEach(async () => {
      await desk.close();
      await smtp.close();
      await imap.remove();
    });

    const run = async () => (await desk.get('/api/runs?limit=1')).json.items[0];
    const answer = async () => {
      const messages = await desk.stage.messages(String((await run())?.['dirThreadId']));
      const said = messages.find(({ role }) => role === 'tool')?.content;
      return JSON.parse(String(said)) as { sent?: boolean; error?: { code: string } };
    };
    const pending = async () => (await desk.get('/api/approvals?status=pending')).json.items;
    const decide = async (decision: 'allow' | 'deny') => {
      const [approval] = await pending();
      await desk.post(`/api/approvals/${approval?.id}`, { decision });
      await desk.rest();
    };
    const inSent = async () => {
      const account = desk.stage.app.config.current().accounts.get('team');
      const mailbox = await desk.stage.app.mailService.open(account!);
      const found = await mailbox.search({ subject: 'Re: Offer' }, { limit: 10 });
      return found.length;
    };

    test('reaches the recipient once, and lies in Sent', async () => {
      await desk.fetch();
      expect(await answer()).toMatchObject({ sent: true });
      expect(smtp.taken.map(({ from, to }) => [from, ...to])).toEqual([[imap.user, 'ada@example.org']]);
      expect(smtp.taken[0]?.data).toMatch(/^Auto-Submitted: auto-replied\r$/m);
      expect(await inSent()).toBe(1);
    });

    test('goes to a person where nobody knows whether it was sent, and is not sent again if they say no', async () => {
      smtp.manner = { end: () => 'cut' };
      await desk.fetch();
      const [approval] = await pending();
      expect(approval).toMatchObject({ tool: 'mail_send', reason: expect.stringContaining('it may have been sent') });
      smtp.manner = {};
      await decide('deny');
      expect((await answer()).error?.code).toBe('TOOL_OUTCOME_UNKNOWN');
      expect(smtp.taken).toHaveLength(1);
    });

    test('is sent again where a person wants that, and asked about no more', async () => {
      smtp.manner = { end: () => 'cut' };
      await desk.fetch();
      smtp.manner = {};
      await decide('allow');
      expect(await answer()).toMatchObject({ sent: true });
      expect(await pending()).toEqual([]);
      expect(smtp.taken).toHaveLength(2);
      const ids = smtp.taken.map(({ data }) => /^Message-ID: (.*)\r$/im.exec(data)?.[1]);
      expect(ids[0]).toBe(ids[1]);
    });

    test('is not sent again by a process that takes up what another one left', async () => {
      const { promise: has, resolve } = Promise.withResolvers<void>();
      smtp.manner = {
        end: () => {
          resolve();
          return 'silent';
        },
      };
      await desk.post('/api/fetcher/fetch');
      await has;
      await desk.restart('another-token-for-tests-0123456789');
      await desk.rest();
      expect(await pending()).toMatchObject([{ tool: 'mail_send' }]);
      expect(smtp.taken).toHaveLength(1);
    });

    test('is in Sent after a restart of a process that ended in between', async () => {
      const { store } = desk.stage.app.deps;
      const { mailService } = desk.stage.app;
      const { open } = mailService;
      const { promise: isOut, resolve } = Promise.withResolvers<void>();
      const endsBefore = async (...args: Parameters<typeof open>) => {
        const mailbox = await open(...args);
        const send: typeof mailbox.send = (mail, options) =>
          mailbox.send(mail, {
            ...options,
            async onSent() {
              await options?.onSent?.();
              resolve();
              return new Promise<never>(() => {});
            },
          });
        return { ...mailbox, send };
      };
      Object.assign(mailService, { open: endsBefore });
      await desk.post('/api/fetcher/fetch');
      await isOut;
      expect((await store.list('outgoing')).map(({ state }) => state)).toEqual(['out']);
      expect(await inSent()).toBe(0);
      await desk.restart('another-token-for-tests-0123456789');
      await desk.rest();
      await desk.stage.app.sentCopies.sweep();
      expect(await inSent()).toBe(1);
      expect(smtp.taken).toHaveLength(1);
      expect(await answer()).toMatchObject({ sent: true });
    });

    test('is tried by the test of an account, which sends nothing', async () => {
      expect((await desk.get('/api/accounts/team/test')).text).toBe('{"ok":true}');
      smtp.manner = { user: 'somebody', password: 'else' };
      const { text } = await desk.get('/api/accounts/team/test');
      expect(JSON.parse(text)).toMatchObject({
        ok: false,
        problem: { code: 'ACCOUNT_FAILED', message: expect.stringContaining(`127.0.0.1:${smtp.port}`) },
      });
      expect(smtp.taken).toEqual([]);
    });

    test('is refused by the server in words that a model can act on', async () => {
      smtp.manner = { recipient: () => '550 5.1.1 no such user' };
      await desk.fetch();
      expect((await answer()).error).toMatchObject({
        code: 'MAIL_REFUSED',
        message: expect.stringContaining('no such user'),
      });
      expect(await pending()).toEqual([]);
    });
  },
);
