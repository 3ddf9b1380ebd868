import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ImapPeer, startImap } from '../../../mail/imap/imap-peer.ts';
import { type Desk, openDesk } from '../../harness.ts';

let server: ImapPeer;
let desk: Desk;

beforeEach(async () => {
  server = await startImap();
  const imap = `provider: imap
email: me@example.org
imap: { host: 127.0.0.1, port: ${server.port}, secure: false }
auth: { user: me, pass: '\${env:KEY}' }
`;
  desk = await openDesk({
    files: {
      'accounts/reads.yaml': `id: reads\n${imap}`,
      'accounts/sends.yaml': `id: sends\n${imap}smtp: { host: 127.0.0.1, port: 1, secure: false }\n`,
      'accounts/team.yaml': 'id: team\nprovider: outlook\nemail: me@example.org\noauth: { clientId: client }\n',
    },
  });
});
afterEach(async () => {
  await desk.close();
  await server.close();
});

test('the test of an account asks the server that sends, too', async () => {
  expect((await desk.get('/api/accounts/reads/test')).json).toEqual({ ok: true });
  expect((await desk.get('/api/accounts/sends/test')).json).toMatchObject({
    ...{ ok: false, error: 'network' },
    problem: { message: expect.stringContaining('127.0.0.1:1 cannot be reached') },
  });
});

test('nobody begins to sign in to an account at another provider than its own, or where nobody signs in', async () => {
  const ways = [
    desk.get('/api/oauth2/google/initiate?accountId=team'),
    desk.post('/api/oauth2/google/initiate', { accountId: 'team' }),
    desk.get('/api/oauth2/outlook/initiate?accountId=reads'),
  ];
  for (const way of ways) expect((await way).status).toBe(400);
  expect((await desk.get('/api/oauth2/outlook/initiate?accountId=nobody')).status).toBe(404);
  expect((await desk.get('/api/oauth2/outlook/initiate')).status).toBe(400);
});
