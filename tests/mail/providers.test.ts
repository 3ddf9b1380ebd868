import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { openMailService } from '../../engine/src/mail/open-mail.ts';
import { mailProviders } from '../../engine/src/mail/providers.ts';
import type { Account } from '../../engine/src/config/config.ts';
import { createMailWorkers } from '../../engine/src/mail/parse/mail-workers.ts';
import { deliver } from '../../engine/src/mail/send/deliver.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { openDesk } from '../api/harness.ts';
import { root as repository } from '../available.ts';

const ME = 'team@example.org';
/** Nothing listens there. */
const NOWHERE = { host: '127.0.0.1', port: 1, secure: false };
const TEAM: Account = {
  ...{ id: 'team', description: '', enabled: true, provider: 'imap', email: ME, mailbox: 'INBOX' },
  ...{ imap: NOWHERE, auth: { user: ME, pass: '${env:IMAP_PASSWORD}' } },
  smtp: { ...NOWHERE, auth: { user: ME, pass: '${env:SMTP_PASSWORD}' }, savesSent: false },
};

const workers = createMailWorkers({ workers: 1 });
let root: string;
let store: Store;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'callsheet-mailboxes-'));
  store = openSqlite({ dir: root, log: silentLogger });
});
afterEach(async () => {
  await store.close();
  await workers.close();
  rmSync(root, { recursive: true, force: true });
});

interface AccountSchema {
  readonly oneOf: readonly { readonly $ref: string }[];
  readonly $defs: Readonly<Record<string, { readonly properties: { readonly provider?: { readonly const: string } } }>>;
}

test('the registry has a row for each provider of the account schema, and each row a folder', () => {
  const text = readFileSync(join(repository, 'schemas/account.schema.json'), 'utf8');
  const { oneOf, $defs } = JSON.parse(text) as AccountSchema;
  const names = oneOf.map(({ $ref }) => $defs[$ref.replace('#/$defs/', '')]?.properties.provider?.const);
  expect(Object.keys(mailProviders).toSorted()).toEqual(names.toSorted());
  for (const name of Object.keys(mailProviders))
    expect(readdirSync(join(repository, 'engine/src/mail', name))).toEqual(
      expect.arrayContaining(['provider.ts', 'source.ts', 'mailbox.ts']),
    );
});

test('a mail that cannot go for want of a password was not sent, and nobody is asked whether it was', async () => {
  const base = { store, clock: systemClock, log: silentLogger, worker: 'w', isShared: false };
  const mailService = openMailService({
    ...{ ...base, workers, baseDir: root },
    config: () => {
      throw new Error('not needed');
    },
    resolve: (reference) => (reference === '${env:IMAP_PASSWORD}' ? 'a-password' : undefined),
    tokensOf: () => {
      throw new Error('not needed');
    },
  });
  const letter = {
    ...{ from: ME, to: [{ name: '', address: 'ann@client.example' }], cc: [], bcc: [] },
    ...{ subject: 'Re: Offer', text: 'Thank you.\n', references: [], attachments: [] },
  };
  const mailbox = await mailService.open(TEAM);
  const order = { key: 'k', accountId: 'team', email: ME, mailbox, letter: async () => letter, isAutomatic: false };
  await expect(deliver(order, base)).rejects.toMatchObject({
    code: 'ACCOUNT_FAILED',
    message: expect.stringContaining('`smtp.auth.pass`, ${env:SMTP_PASSWORD}'),
  });
  expect(await store.list('outgoing')).toEqual([]);
});

test('a password that is not there is no trouble of the network', async () => {
  const desk = await openDesk({
    app: { env: () => undefined },
    files: {
      'accounts/team.yaml': `id: team
provider: imap
email: ${ME}
imap: { host: 127.0.0.1, port: 1, secure: false }
auth: { user: ${ME}, pass: '\${env:IMAP_PASSWORD}' }
`,
    },
  });
  const { json } = await desk.get('/api/accounts/team/test');
  await desk.close();
  expect(json).toMatchObject({
    ...{ ok: false, error: 'other' },
    problem: { message: expect.stringContaining('`auth.pass`, ${env:IMAP_PASSWORD}') },
  });
});
