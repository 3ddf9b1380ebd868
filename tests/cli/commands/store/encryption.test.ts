import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../engine/src/base/clock.ts';
import { createRedactor } from '../../../../engine/src/base/redact.ts';
import { makeKey } from '../../../../engine/src/store/cipher.ts';
import { openSecrets } from '../../../../engine/src/config/secrets.ts';
import { openSqlite } from '../../../../engine/src/store/sqlite/sqlite-store.ts';
import { root } from '../../../available.ts';
import { findWords } from '../../../store/folder.ts';
import { makePlace, type Place, type Started } from '../../harness.ts';
import { PATIENCE_MS } from '../../../next-try.ts';

/** What must not lie on the disk, by where it comes from. */
const WORDS = {
  subject: 'Zephyrine invoice 7781',
  body: 'the-wombat-clause-applies',
  from: 'ottoline@secret-sender.example',
  messageId: 'mid-4411@secret-sender.example',
  attachment: 'numbers-of-the-attachment-9917',
  account: 'desk@private-account.example',
  fileName: 'Ottoline-contract',
  callId: 'call_pangolin_0815',
  question: 'ask-the-helper-about-narwhals',
  agentAnswer: 'narwhals-are-owed-42-crowns',
  item: 'item-text-about-marmots',
  label: 'Label-of-marmots',
  summary: 'closing-words-of-the-director',
  modelKey: 'sk-live-kiwi-5521-abcdef',
  secret: 'sk-vault-tapir-9042-abcdef',
} as const;

const MAIL = `From: Ottoline <${WORDS.from}>
To: ${WORDS.account}
Subject: ${WORDS.subject}
Message-ID: <${WORDS.messageId}>
Date: Sat, 21 Nov 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

${WORDS.body}
--b
Content-Type: text/plain; name="a.txt"
Content-Disposition: attachment; filename="a.txt"

${WORDS.attachment}
--b--
`;

/** A model server that has the director ask its helper, keep an item, and end. It serves those who bring the keys. */
async function serveModel(): Promise<Server & { readonly keys: Set<string> }> {
  const keys = new Set<string>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      keys.add(request.headers.authorization ?? '');
      const { messages, tools = [] } = JSON.parse(text) as { messages: { role: string }[]; tools?: unknown[] };
      const message = answer(JSON.stringify(tools).includes('agent__helper'), messages);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(server, { keys });
}

function answer(isDirector: boolean, messages: readonly { role: string }[]): object {
  const call = (id: string, name: string, args: object) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  });
  if (!isDirector) return { role: 'assistant', content: WORDS.agentAnswer };
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (results === 0) return call(WORDS.callId, 'agent__helper', { input: WORDS.question });
  const item = { label: WORDS.label, mimeType: 'text/plain', data: WORDS.item };
  if (results === 1) return call(`${WORDS.callId}_2`, 'workspace_add_item', item);
  return { role: 'assistant', content: WORDS.summary };
}

function files(url: string): Record<string, string> {
  const api = (id: string, key: string) =>
    `id: ${id}\nprovider: openai\nmodel: m\nbaseUrl: ${url}/v1\napiKey: \${${key}}\nstream: false\n`;
  return {
    'apis/main.yaml': api('main', 'secret:VAULT_KEY'),
    'apis/side.yaml': api('side', 'env:SIDE_KEY'),
    'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [workspace]\n',
    'agents/helper.yaml': 'id: helper\nname: Helper\ndescription: Helps.\napiConfigId: side\n',
    [`accounts/${WORDS.account}.yaml`]: `id: ${WORDS.account}\nprovider: folder\nemail: ${WORDS.account}\npath: ./inbox\n`,
    'filters/all.yaml': 'id: all\nfield: Subject\nregex: .\ndirectorId: [boss]\n',
  };
}

let model: Awaited<ReturnType<typeof serveModel>>;
let place: Place;
let server: Started | undefined;
beforeAll(async () => void (model = await serveModel()));
afterAll(() => model.close());
beforeEach(() => {
  model.keys.clear();
  place = makePlace(files(`http://127.0.0.1:${(model.address() as AddressInfo).port}`));
});
afterEach(async () => {
  await server?.stop('SIGKILL');
  server = undefined;
  place.remove();
});

/** A command with something on its stdin. */
function pipe(input: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return spawnSync(process.execPath, ['--', join(root, 'engine/callsheet.cjs'), ...args], {
    cwd: place.dir,
    env: { PATH: process.env['PATH'], HOME: place.dir, ...env },
    input,
    encoding: 'utf8',
  });
}

/** A data folder under a key, with a secret A in it. */
async function seal(key: string): Promise<void> {
  mkdirSync(place.dataDir);
  const store = openSqlite({ dir: place.dataDir, key });
  const parts = { store, clock: systemClock, redactor: createRedactor(), allowsPlaintext: false };
  await (await openSecrets(parts)).set('A', 'value');
  await store.close();
}

/** The names that `secrets list` prints under a key. */
async function namesUnder(key: string): Promise<string> {
  const { stdout, stderr } = await place.run(['secrets', 'list'], { VX_MAILAGENT_KEY: key });
  return stdout + stderr;
}

/** The main job, once through: a secret, a mail, a director with an agent, an item. Leaves the server running. */
async function work(env: Readonly<Record<string, string>>): Promise<Started> {
  const started = await place.start([], { SIDE_KEY: WORDS.modelKey, ...env });
  server = started;
  const set = await started.ask('PUT', '/api/secrets/VAULT_KEY', { value: WORDS.secret });
  expect(set.status).toBe(204);
  place.drop(`${WORDS.fileName}.eml`, MAIL);
  await started.ask('POST', '/api/fetcher/fetch');
  for (const began = Date.now(); ; await wait(50)) {
    const { items } = (await (await started.ask('GET', '/api/runs')).json()) as { items: { status: string }[] };
    if (items[0]?.status === 'completed') return started;
    if (Date.now() - began > PATIENCE_MS)
      throw new Error(`not completed: ${JSON.stringify(items)} ${started.stderr()}`);
  }
}

describe('the main job', { timeout: 60_000 }, () => {
  test('with a key leaves no word of mail, models, items, addresses or keys in the data folder', async () => {
    const key = makeKey();
    const started = await work({ VX_MAILAGENT_KEY: key });
    expect(model.keys).toEqual(new Set([`Bearer ${WORDS.secret}`, `Bearer ${WORDS.modelKey}`]));
    const words = [...Object.values(WORDS), key];
    expect(findWords(place.dataDir, words)).toEqual([]);
    // The WAL is still there, as a crash leaves it.
    await started.stop('SIGKILL');
    expect(findWords(place.dataDir, words)).toEqual([]);
    expect(started.stderr()).toContain('"storage":"encrypted"');
  });

  test('without one leaves all of them there but the keys that are not kept: so the search can fail', async () => {
    const started = await work({ CALLSHEET_PLAINTEXT: '1' });
    const found = findWords(place.dataDir, Object.values(WORDS)).map((line) => line.replace(/^[^:]*: /, ''));
    const { modelKey: _only, fileName: _hashed, ...kept } = WORDS;
    expect(new Set(found)).toEqual(new Set(Object.values(kept)));
    expect(started.stderr()).toContain('"storage":"plaintext"');
    expect(started.stderr()).toMatch(/"warn".*stored in plain text/);
  });

  test('goes on after a restart with the key, and the API says how it is stored', async () => {
    const env = { VX_MAILAGENT_KEY: makeKey() };
    await (await work(env)).stop();
    server = await place.start([], env);
    const mails = (await (await server.ask('GET', '/api/emails')).json()) as { items: { subject: string }[] };
    expect(mails.items[0]?.subject).toBe(WORDS.subject);
    const runtime = (await (await server.ask('GET', '/api/diagnostics/runtime')).json()) as { storage: string };
    expect(runtime.storage).toBe('encrypted');
  });
});

describe('a data folder and its key', { timeout: 60_000 }, () => {
  test.each([
    ['no key', {}, 'STORE_KEY_MISSING'],
    ['a key that is none', { VX_MAILAGENT_KEY: 'abc' }, 'STORE_KEY_MISSING'],
    ['another key', { VX_MAILAGENT_KEY: makeKey() }, 'STORE_KEY_WRONG'],
  ])('with %s is refused with exit 2', async (_name, env, code) => {
    await seal(makeKey());
    const { code: exit, stderr } = await place.run(['runs', 'list'], env);
    expect(exit).toBe(2);
    expect(stderr).toContain(code);
    expect(stderr).toContain('VX_MAILAGENT_KEY');
  });

  test('in plain text starts with a key that is none, and says so', async () => {
    mkdirSync(place.dataDir);
    const { code, stderr } = await place.run(['runs', 'list'], { VX_MAILAGENT_KEY: 'abc' });
    expect(code).toBe(0);
    expect(stderr).toContain('VX_MAILAGENT_KEY is ignored: expected 64 hex digits');
  });
});

describe('secrets', { timeout: 60_000 }, () => {
  test('are set from stdin, listed by name and deleted', async () => {
    const env = { VX_MAILAGENT_KEY: makeKey() };
    expect(pipe('one\n', ['secrets', 'set', 'B_KEY'], env).status).toBe(0);
    expect(await namesUnder(env.VX_MAILAGENT_KEY)).toBe('B_KEY\n');
    expect((await place.run(['secrets', 'delete', 'B_KEY'], env)).code).toBe(0);
    expect(JSON.parse((await place.run(['secrets', 'list', '--json'], env)).stdout)).toEqual({
      items: [],
      nextCursor: null,
    });
    const again = await place.run(['secrets', 'delete', 'B_KEY'], env);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('NOT_FOUND');
  });

  test.each([
    ['an empty value', '', 'A', 'USAGE'],
    ['a name that a reference cannot say', 'x', 'no-dashes', 'BAD_REQUEST'],
  ])('refuse %s', (_name, input, name, code) => {
    const { status, stderr } = pipe(input, ['secrets', 'set', name], { VX_MAILAGENT_KEY: makeKey() });
    expect(status).toBe(2);
    expect(stderr).toContain(code);
  });

  test('are not stored in plain text unless that is said, and the way to a key is shown', () => {
    const refused = pipe('value-of-a', ['secrets', 'set', 'A'], {});
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/SECRET_NEEDS_KEY[^]*callsheet key make[^]*--plaintext/);
    expect(findWords(place.dataDir, ['value-of-a'])).toEqual([]);
    expect(pipe('value-of-a', ['secrets', 'set', 'A', '--plaintext'], {}).status).toBe(0);
    expect(pipe('value-of-b', ['secrets', 'set', 'B'], { CALLSHEET_PLAINTEXT: '1' }).status).toBe(0);
    expect(findWords(place.dataDir, ['value-of-a', 'value-of-b'])).toHaveLength(2);
  });
});

describe('key', { timeout: 60_000 }, () => {
  test('make prints 64 hex digits, another each time', async () => {
    const keys = await Promise.all([place.run(['key', 'make']), place.run(['key', 'make'])]);
    for (const { stdout } of keys) expect(stdout).toMatch(/^[0-9a-f]{64}\n$/);
    expect(keys[0]?.stdout).not.toBe(keys[1]?.stdout);
  });

  test('rotate prints the key that it made, and that one holds from then on', async () => {
    const env = { VX_MAILAGENT_KEY: makeKey() };
    await seal(env.VX_MAILAGENT_KEY);
    const { code, stdout } = await place.run(['key', 'rotate'], env);
    expect(code).toBe(0);
    expect(await namesUnder(stdout.trim())).toBe('A\n');
    expect(await namesUnder(env.VX_MAILAGENT_KEY)).toContain('STORE_KEY_WRONG');
  });

  test.each([
    ['a file', (key: string) => ({ args: ['--new-key-file', 'new.key'], env: {}, key })],
    ['the environment', (key: string) => ({ args: [], env: { VX_MAILAGENT_NEW_KEY: key }, key })],
  ])('rotate takes the new key from %s and does not repeat it', async (_name, way) => {
    const { args, env, key } = way(makeKey());
    writeFileSync(join(place.dir, 'new.key'), `${key}\n`);
    const old = { VX_MAILAGENT_KEY: makeKey() };
    await seal(old.VX_MAILAGENT_KEY);
    const { code, stdout, stderr } = await place.run(['key', 'rotate', ...args], { ...old, ...env });
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).not.toContain(key);
    expect(await namesUnder(key)).toBe('A\n');
  });

  test('rotate refuses where nothing is encrypted, where the new key is none, and while a server runs', async () => {
    const env = { VX_MAILAGENT_KEY: makeKey() };
    const plain = await place.run(['key', 'rotate'], env);
    expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining('not encrypted')]);
    server = await place.start([], env);
    const bad = await place.run(['key', 'rotate'], { ...env, VX_MAILAGENT_NEW_KEY: 'abc' });
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('64 hex digits')]);
    const busy = await place.run(['key', 'rotate'], env);
    expect([busy.code, busy.stderr, busy.stdout]).toEqual([2, expect.stringContaining('DATA_LOCKED'), '']);
  });
});
