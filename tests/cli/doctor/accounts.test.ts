import { expect, test } from 'vitest';
import { checkAccounts } from '../../../engine/src/cli/doctor/accounts.ts';
import { setStage } from '../../run/harness.ts';

test('who fetches an account elsewhere hides no sign-in that is missing, but a folder of that machine', async () => {
  const stage = await setStage({
    files: {
      'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: a@b.c\npath: ./not-here\n',
      'accounts/team.yaml': 'id: team\nprovider: outlook\nemail: a@b.c\noauth: { clientId: client }\n',
    },
  });
  try {
    const { deps, config } = stage.app;
    const holder = (account: string) => ({ name: `account ${account}`, worker: 'w', host: 'far-away' });
    const checks = await checkAccounts(
      { env: () => undefined, redactor: deps.redactor, configDir: stage.root, dataDir: stage.root },
      config.current(),
      {
        store: deps.store,
        shared: { watched: ['inbox', 'team'].map((id) => ({ holder: holder(id), isAlive: true })) },
      },
    );
    expect(checks).toMatchObject([
      { check: 'account inbox', status: 'ok', message: 'fetched by another machine: far-away' },
      { check: 'account team', status: 'warn', message: expect.stringContaining('nobody has signed in') },
    ]);
  } finally {
    await stage.close();
  }
});

test('a password that is not there is named before anybody fetches or sends in vain', async () => {
  const file = (id: string, more: string) =>
    `id: ${id}\nprovider: imap\nemail: a@b.c\nimap: { host: imap.example.org }\n${more}\n`;
  const stage = await setStage({
    files: {
      'accounts/one.yaml': file('one', "auth: { user: a, pass: '${env:IMAP_PASSWORD}' }"),
      'accounts/two.yaml': file('two', "auth: { user: a, pass: '${secret:IMAP_PASSWORD}' }"),
      'accounts/three.yaml': file(
        'three',
        "auth: { user: a, pass: '${env:THERE}' }\nsmtp: { host: x.example, auth: { user: a, pass: '${env:SMTP_PASSWORD}' } }",
      ),
      'accounts/zero.yaml': file('zero', "auth: { user: a, pass: '${env:THERE}' }"),
    },
  });
  try {
    const { deps, config } = stage.app;
    const env = (name: string) => (name === 'THERE' ? 'a-password' : undefined);
    const look = (store: typeof deps.store | undefined) =>
      checkAccounts({ env, redactor: deps.redactor, configDir: stage.root, dataDir: stage.root }, config.current(), {
        store,
        shared: undefined,
      });
    expect(await look(deps.store)).toMatchObject([
      { check: 'account one', status: 'fail', message: expect.stringContaining('`auth.pass`, ${env:IMAP_PASSWORD}') },
      { check: 'account three', status: 'fail', message: expect.stringContaining('`smtp.auth.pass`') },
      { check: 'account two', status: 'fail', message: expect.stringContaining('${secret:IMAP_PASSWORD}') },
      { check: 'account zero', status: 'ok' },
    ]);
    expect((await look(undefined))[2]).toMatchObject({ check: 'account two', status: 'ok' });
  } finally {
    await stage.close();
  }
});
