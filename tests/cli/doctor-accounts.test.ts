import { expect, test } from 'vitest';
import { checkAccounts } from '../../engine/src/cli/doctor-accounts.ts';
import { setStage } from '../run/harness.ts';

test('who fetches an account elsewhere hides no sign-in that is missing, but a folder of that machine', async () => {
  const stage = await setStage({
    files: {
      'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: a@b.c\npath: ./not-here\n',
      'accounts/team.yaml': 'id: team\nprovider: outlook\nemail: a@b.c\noauth: { clientId: client }\n',
    },
  });
  try {
    const { parts, config } = stage.app;
    const holder = (account: string) => ({ name: `account ${account}`, worker: 'w', host: 'far-away' });
    const checks = await checkAccounts(
      { env: () => undefined, redactor: parts.redactor, configDir: stage.root, dataDir: stage.root },
      config.current(),
      {
        store: parts.store,
        shared: { watched: ['inbox', 'team'].map((id) => ({ holder: holder(id), isAlive: true })) },
      },
    );
    expect(checks).toMatchObject([
      { check: 'account inbox', status: 'ok', message: 'another machine fetches it: far-away' },
      { check: 'account team', status: 'warn', message: expect.stringContaining('nobody has signed in yet') },
    ]);
  } finally {
    await stage.close();
  }
});
