import { ImapFlow } from 'imapflow';
import { describe } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { createImapSource } from '../../../engine/src/mail/imap/source.ts';
import type { MailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import { forDovecot, longDovecot } from '../../available.ts';
import { sourceContract, type SourceWorld } from '../../contracts/source.ts';
import { startDovecot } from '../../dovecot.ts';

/** All that a plain server can do: it counts no changes (CONDSTORE) and tells nothing by itself. */
const PLAIN = 'IMAP4rev1 UIDPLUS';

async function openMailbox(workers: MailWorkers, capability = ''): Promise<SourceWorld> {
  const server = await startDovecot({ capability });
  const mimes = new Map<string, Uint8Array>();
  const other = new ImapFlow({
    ...{ host: '127.0.0.1', port: server.port, secure: false, logger: false },
    auth: { user: server.user, pass: server.password },
  });
  await other.connect();
  await other.mailboxOpen('INBOX');
  const uidOf = async (mail: string) => {
    const [uid] = (await other.search({ header: { 'Message-ID': mail } }, { uid: true })) || [];
    if (uid === undefined) throw new Error(`there is no ${mail}`);
    return String(uid);
  };
  const deliver = async (mime: Uint8Array) => {
    server.deliver(mime);
    await other.noop();
    return /^Message-ID: (.*)$/im.exec(Buffer.from(mime).toString())?.[1]?.trim() ?? '';
  };
  return {
    labels: ['\\Flagged', 'autopilot'],
    open: () =>
      createImapSource({
        ...{ accountId: 'box', email: server.user, host: '127.0.0.1', port: server.port, secure: false },
        ...{ user: server.user, password: () => server.password, mailbox: 'INBOX', workers, clock: systemClock },
      }),
    async deliver(mime) {
      const mail = await deliver(mime);
      mimes.set(mail, mime);
      return mail;
    },
    async label(mail, { add = [], remove = [] }) {
      const uid = await uidOf(mail);
      if (add.length > 0) await other.messageFlagsAdd(uid, [...add], { uid: true });
      if (remove.length > 0) await other.messageFlagsRemove(uid, [...remove], { uid: true });
    },
    async remove(mail) {
      await other.messageDelete(await uidOf(mail), { uid: true });
    },
    async restore(mail) {
      await deliver(mimes.get(mail)!);
    },
    async close() {
      await other.logout();
      await server.remove();
    },
  };
}

describe.skipIf(longDovecot === undefined)(`over Dovecot${forDovecot}`, () => {
  sourceContract('an IMAP mailbox', (workers) => openMailbox(workers));
  sourceContract('an IMAP mailbox that counts no changes', (workers) => openMailbox(workers, PLAIN));
});
