import { errorBody } from '../../base/error.ts';
import { expectValue, parseReference } from '../../config/reference.ts';
import { mailHostOf } from '../../config/secret-uses.ts';
import type { AccountOf, MailProvider, ProviderDeps } from '../provider.ts';
import { createImapSource } from './source.ts';

/** `provider: imap`: a mailbox on an IMAP server, and SMTP to send. */
export const imapProvider: MailProvider<'imap'> = {
  openSource(account, { resolve, workers, clock }) {
    return createImapSource({ ...serverOf(account, resolve), workers, clock });
  },
  async openMailbox(account, { resolve, workers }) {
    const { createImapMailbox } = await import('./mailbox.ts');
    return createImapMailbox({ ...serverOf(account, resolve), smtp: smtpOf(account, resolve), workers });
  },
  /** Checks that the passwords are set, those in the store only if the store can be read. Does not connect. */
  inspect({ id, imap, auth, smtp }, { resolve, hasStore }) {
    const keys = [
      { key: 'auth.pass', reference: auth.pass, hosts: [mailHostOf(imap)] },
      ...(smtp?.auth ? [{ key: 'smtp.auth.pass', reference: smtp.auth.pass, hosts: [mailHostOf(smtp)] }] : []),
    ];
    try {
      for (const { key, reference, hosts } of keys)
        if (hasStore || parseReference(reference)?.source === 'env')
          expectValue(id, { key, reference, value: resolve(reference, hosts) });
    } catch (error) {
      const { message, hint = '' } = errorBody(error);
      return { status: 'fail', message, hint };
    }
    return { status: 'ok', message: `${auth.user} at ${imap.host}; not connected` };
  },
};

function serverOf(account: AccountOf<'imap'>, resolve: ProviderDeps['resolve']) {
  const { id: accountId, email, imap, auth, mailbox } = account;
  const password = passwordOf(accountId, { key: 'auth.pass', reference: auth.pass, server: imap }, resolve);
  return { accountId, email, ...imap, user: auth.user, password, mailbox };
}

/** The SMTP server of an account, which signs in as the IMAP server does unless `smtp.auth` is set. */
function smtpOf({ id: accountId, auth, smtp }: AccountOf<'imap'>, resolve: ProviderDeps['resolve']) {
  if (smtp === undefined) return undefined;
  const [key, { user, pass }] = smtp.auth === undefined ? ['auth.pass', auth] : ['smtp.auth.pass', smtp.auth];
  return { accountId, ...smtp, user, password: passwordOf(accountId, { key, reference: pass, server: smtp }, resolve) };
}

/** Resolves the reference at each call, so that a new password is used without a restart. */
function passwordOf(
  accountId: string,
  { key, reference, server }: { key: string; reference: string; server: Parameters<typeof mailHostOf>[0] },
  resolve: ProviderDeps['resolve'],
): () => string {
  return () => expectValue(accountId, { key, reference, value: resolve(reference, [mailHostOf(server)]) });
}
