import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { listNotifications } from '../../engine/src/notification/notification-rows.ts';
import { takeMail } from '../contracts/tool-stage.ts';
import { call, type Play, playModels, setStage, type Stage } from '../run/harness.ts';
import { soon } from '../intake/soon.ts';

let stage: Stage;
let server: Server | undefined;
const clock = new SimulatedClock();

afterEach(async () => {
  await stage.close();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

interface Post {
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly id: string; readonly title: string };
}

/** A server that answers with these statuses, the last one again and again. `posts` is what it got. */
async function webhook(...statuses: readonly number[]): Promise<{ url: string; posts: Post[] }> {
  const posts: Post[] = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const status = statuses[Math.min(posts.length, statuses.length - 1)] ?? 200;
      posts.push({ headers: request.headers, body: JSON.parse(text) as Post['body'] });
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end();
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, posts };
}

const NOTIFIES: Play = ({ turn }) =>
  turn === 1
    ? { tool_calls: [call('a', 'notify', { title: 'The proofs are here', text: 'Both of them.' })] }
    : { content: 'Done.' };

async function open(settings: string, play: Play = NOTIFIES, env: Record<string, string> = {}): Promise<void> {
  stage = await setStage({
    clock,
    models: playModels(play),
    env: (name) => env[name] ?? 'sk-test-key',
    files: {
      'settings.yaml': settings,
      'directors/boss.yaml':
        'id: boss\nname: Boss\napiConfigId: main\ntools: [notification, workspace]\npermissions: { allow: [notify], ask: [workspace_remove_item] }\n',
      'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
    },
  });
  mkdirSync(join(stage.root, 'inbox'), { recursive: true });
}

const listed = () => listNotifications(stage.app.deps.store, { limit: 50 });
const ledger = async () =>
  (await stage.app.deps.store.list('ledger', { where: [['machine', 'in', (await listed()).map(({ id }) => id)]] })).map(
    ({ call: channel, state }) => `${channel} ${state}`,
  );
const settled = () => soon(async () => ((await ledger()).some((row) => row.endsWith('intended')) ? [] : ledger()));
const outbox = () => {
  const folder = join(stage.root, 'outbox');
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [];
};

describe('the tool notify', () => {
  test('stores a notification about its run', async () => {
    await open('{}\n');
    const run = await stage.ended(await stage.begin());
    expect(await listed()).toMatchObject([
      { kind: 'message', title: 'The proofs are here', text: 'Both of them.', runId: run.id, status: 'unread' },
    ]);
    expect(await ledger()).toEqual([]);
  });

  test('sends it to the webhook once, with an idempotency key', async () => {
    const { url, posts } = await webhook(200);
    await open(`notify: { webhook: "${url}" }\n`);
    stage.app.notices.start();
    await stage.ended(await stage.begin());
    await soon(() => Promise.resolve(posts));
    expect(await settled()).toEqual(['webhook done']);
    const id = (await listed())[0]?.id ?? '';
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({
      headers: { 'idempotency-key': id, 'content-type': 'application/json' },
      body: { id, kind: 'message', title: 'The proofs are here', text: 'Both of them.' },
    });
    expect(posts[0]?.body).not.toHaveProperty('status');
  });

  test('sends it by mail once, also where the process ends before that is recorded', async () => {
    await open('notify: { mail: { accountId: inbox, to: boss@example.org } }\n');
    stage.app.notices.start();
    await stage.ended(await stage.begin());
    expect(await settled()).toEqual(['mail done']);
    const [mail] = outbox();
    expect(mail).toMatch(/^Subject: The proofs are here\r?$/m);
    expect(mail).toMatch(/^To: boss@example.org\r?$/m);
    expect(mail).toMatch(/^Auto-Submitted: auto-/m);
    // As after a crash between the mail and its record.
    const { store } = stage.app.deps;
    const id = (await listed())[0]?.id ?? '';
    await store.apply([
      { op: 'update', table: 'ledger', key: { machine: id, call: 'mail' }, set: { state: 'intended' } },
      { op: 'update', table: 'notification', key: { id }, set: { delivery: 'pending' } },
    ]);
    await stage.restart();
    stage.app.notices.start();
    expect(await settled()).toEqual(['mail done']);
    expect(outbox()).toHaveLength(1);
  });

  test('waits for a start where none is running', async () => {
    const { url, posts } = await webhook(200);
    await open(`notify: { webhook: "${url}" }\n`);
    await stage.ended(await stage.begin());
    expect([await ledger(), posts]).toEqual([['webhook intended'], []]);
    await stage.restart();
    stage.app.notices.start();
    expect(await settled()).toEqual(['webhook done']);
    expect(posts).toHaveLength(1);
  });
});

describe('a webhook', () => {
  const failedOnce = (posts: readonly Post[], count: number) =>
    soon(async () => {
      const rows = await stage.app.deps.store.list('ledger', { where: [['call', '=', 'webhook']] });
      return posts.length === count && rows.every(({ body }) => body.includes(`"attempts":${count}`)) ? rows : [];
    });

  test('that fails gets the same key again later', async () => {
    const { url, posts } = await webhook(503, 503, 200);
    await open(`notify: { webhook: "${url}" }\n`);
    stage.app.notices.start();
    await stage.ended(await stage.begin());
    await failedOnce(posts, 1);
    clock.advance(30_000);
    await failedOnce(posts, 2);
    clock.advance(120_000);
    expect(await settled()).toEqual(['webhook done']);
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(posts).toHaveLength(3);
  });

  test.each([404, 302])('that answers %i is not asked again, and no redirect is followed', async (status) => {
    const { url, posts } = await webhook(status);
    await open(`notify: { webhook: "${url}" }\n`);
    stage.app.notices.start();
    await stage.ended(await stage.begin());
    expect(await settled()).toEqual(['webhook failed']);
    clock.advance(86_400_000);
    expect(posts).toHaveLength(1);
  });

  test('may be a reference, and its address appears nowhere', async () => {
    const { url, posts } = await webhook(500, 200);
    await open('notify: { webhook: "${env:HOOK}" }\n', NOTIFIES, { HOOK: `${url}?token=abcdef123456` });
    stage.app.notices.start();
    await stage.ended(await stage.begin());
    await failedOnce(posts, 1);
    expect(JSON.stringify(await stage.app.deps.store.list('ledger'))).not.toContain('abcdef123456');
    clock.advance(30_000);
    expect(await settled()).toEqual(['webhook done']);
  });

  test('that the settings no longer have is left out', async () => {
    await open('notify: { webhook: "http://127.0.0.1:1/" }\n');
    await stage.ended(await stage.begin());
    stage.write({ 'settings.yaml': '{}\n' });
    await stage.restart();
    stage.app.notices.start();
    expect(await settled()).toEqual(['webhook cancelled']);
  });
});

describe('the end of a run', () => {
  const FAILS: Play = () => {
    throw new Error('the model is broken');
  };

  test.each([
    {
      name: 'complete, where the settings name it',
      settings: '[complete]',
      play: () => ({ content: 'Done.' }),
      kinds: ['complete'],
    },
    { name: 'complete, where they do not', settings: '[failure]', play: () => ({ content: 'Done.' }), kinds: [] },
    { name: 'failed, where the settings name it', settings: '[failure]', play: FAILS, kinds: ['failure'] },
    { name: 'failed, where they name nothing', settings: '[]', play: FAILS, kinds: [] },
  ])('is told: $name', async ({ settings, play, kinds }) => {
    await open(`notifications: ${settings}\n`, play);
    const run = await stage.ended(await stage.begin('boss', 'Look at the proofs'));
    const told = await listed();
    expect(told.map(({ kind }) => kind)).toEqual(kinds);
    for (const one of told) {
      expect(one.runId).toBe(run.id);
      expect(`${one.title} ${one.text}`).toMatch(/Boss: (processing complete|run failed) Look at the proofs/);
    }
  });

  test('takes its notifications along where the run is deleted', async () => {
    await open('notifications: [complete]\nnotify: { webhook: "http://127.0.0.1:1/" }\n');
    const run = await stage.ended(await stage.begin());
    expect(await listed()).toHaveLength(2);
    const { deleteRun } = await import('../../engine/src/run/lifecycle/delete.ts');
    const { store } = stage.app.deps;
    await store.apply(await deleteRun(store, run.id));
    expect([await listed(), await store.list('ledger')]).toEqual([[], []]);
  });

  test('sends no mail about mail that a program has sent', async () => {
    await open('notifications: [complete]\nnotify: { mail: { accountId: inbox, to: me@example.org } }\n', () => ({
      content: 'Done.',
    }));
    const person = await takeMail(stage, 'proofs');
    const program = await takeMail(stage, 'again', 'Auto-Submitted: auto-generated\n');
    const { createRun } = await import('../../engine/src/run/lifecycle/create.ts');
    for (const mail of [person, program]) {
      const request = { config: stage.app.config.current(), directorId: 'boss', startedBy: 'test' };
      const trigger = { kind: 'mail' as const, emailId: mail.id };
      const made = await createRun(stage.app.deps, {
        ...request,
        trigger,
        mail: { ...mail, accountId: 'inbox', threadId: mail.id },
      });
      await stage.app.deps.store.apply(made.changes);
      stage.app.engine.queued();
      await stage.ended(made.run.id);
    }
    expect((await listed()).map(({ emailId }) => emailId)).toEqual([program.id, person.id]);
    expect(await ledger()).toEqual(['mail intended']);
  });
});

test('a call that waits for a person is told, with its approval', async () => {
  await open('notifications: [approval]\n', ({ turn }) =>
    turn === 1 ? { tool_calls: [call('a', 'workspace_remove_item', { id: 'x' })] } : { content: 'Done.' },
  );
  const id = await stage.begin();
  await stage.until(id, ({ status }) => status === 'waiting');
  const [approval] = await stage.app.deps.store.list('approval');
  expect(await listed()).toMatchObject([
    { kind: 'approval', title: 'Boss asks to call workspace_remove_item', approvalId: approval?.id, runId: id },
  ]);
});
