import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Chat, ChatMessage } from '../../../../engine/src/chat/chat.ts';
import { FILES, makePlace, type Place, type Started } from '../../harness.ts';

let place: Place;
let server: Started;
let chat: Chat;
beforeAll(async () => {
  place = makePlace({ ...FILES, 'agents/helper.yaml': 'id: helper\nname: Helper\n' });
  server = await place.start();
  const participants = [
    { displayName: 'Jane Doe', apiConfigId: 'main', persona: 'Careful.', permissions: { deny: ['fetch'] } },
    { displayName: 'Helper', agentId: 'helper' },
  ];
  chat = (await json('POST', '/api/chats', { title: 'Design review', context: 'The service.', participants })) as Chat;
  for (const text of ['Hello\neverybody', 'Is it *ready*?', '結衣 \u2028 \u202e']) await say(text);
  chat = (await json('GET', `/api/chats/${chat.id}`)) as Chat;
});
afterAll(async () => {
  await server.stop();
  place.remove();
});

const json = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const answer = await server.ask(method, path, body);
  return answer.status === 204 ? undefined : answer.json();
};
const say = (text: string) => json('POST', `/api/chats/${chat.id}/messages`, { text });
const messages = async () => ((await json('GET', `/api/chats/${chat.id}/messages`)) as { items: ChatMessage[] }).items;
const file = (...path: string[]) => join(place.dir, ...path);

test('chats are listed, and one is shown by the beginning of its id or as the last one', async () => {
  const { stdout } = await place.run(['chats', 'list']);
  expect(stdout).toMatch(
    /^ID +CHANGED +TITLE +PARTICIPANTS\n[0-9A-Z]{8} +\d{4}-\d\d-\d\d \d\d:\d\dZ +Design review +Jane Doe, Helper\n$/,
  );
  const shown = await place.run(['chats', 'show', chat.id.slice(2, 12).toLowerCase(), '--limit', '2']);
  expect(shown.stdout).toMatch(
    /^Design review\nchat: +c_\w{26}\nparticipant: +Jane Doe \(@jane-doe\), api main\nparticipant: +Helper \(@helper\), agent helper\n\nThe service\.\n\nUser +\d{4}-.*\nIs it \*ready\*\?\n\nUser +.*\n結衣 \\u2028 \\u202e\n$/,
  );
  expect(shown.stderr).toBe('only the newest 2 messages are shown\n');
  const last = JSON.parse((await place.run(['chats', 'show', 'last', '--json'])).stdout) as unknown;
  expect(last).toEqual({ ...chat, messages: await messages() });
  expect(await place.run(['chats', 'show', 'zzz'])).toMatchObject({ code: 2, stderr: expect.stringContaining('zzz') });
});

test('where all chats are archived, the list and the last one say so, and how they are listed', async () => {
  await json('PUT', `/api/chats/${chat.id}`, { archived: true });
  const stderr = 'all chats are archived; callsheet chats list --archived shows them\n';
  expect(await place.run(['chats', 'list'])).toMatchObject({ code: 0, stdout: '', stderr });
  const last = await place.run(['chats', 'show', 'last']);
  expect(last.code).toBe(2);
  expect(last.stderr).toMatch(/all chats are archived[^]*callsheet chats list --archived shows them/);
  chat = (await json('PUT', `/api/chats/${chat.id}`, { archived: false })) as Chat;
});

test('an exported chat is read back to an equal one, and replaces none', async () => {
  const before = await messages();
  expect(await place.run(['chats', 'export', '--to', 'out'])).toMatchObject({ code: 0 });
  expect(readdirSync(file('out')).toSorted()).toEqual([chat.id, 'index.json']);
  expect(JSON.parse(readFileSync(file('out', 'index.json'), 'utf8'))).toEqual([
    { id: chat.id, title: 'Design review', updatedAt: chat.updatedAt },
  ]);
  expect(JSON.parse(readFileSync(file('out', chat.id, 'chat.json'), 'utf8'))).toEqual(chat);
  const lines = readFileSync(file('out', chat.id, 'messages.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(before.map(({ seq: _seq, ...rest }) => rest));

  const refused = await place.run(['chats', 'import', 'out']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is here already') });
  expect(await messages()).toEqual(before);
  await json('DELETE', `/api/chats/${chat.id}`);
  expect(await place.run(['chats', 'import', 'out'])).toMatchObject({
    code: 0,
    stderr: `imported: Design review (${chat.id})\n`,
  });
  expect(await json('GET', `/api/chats/${chat.id}`)).toEqual(chat);
  expect(await messages()).toEqual(before);
});

test('an export leaves the chats of an earlier one, and an archived chat comes back archived', async () => {
  const other = (await json('POST', '/api/chats', { title: 'Other' })) as Chat;
  await json('PUT', `/api/chats/${other.id}`, { archived: true });
  await place.run(['chats', 'export', chat.id, '--to', 'both']);
  await place.run(['chats', 'export', other.id, '--to', 'both']);
  const index = JSON.parse(readFileSync(file('both', 'index.json'), 'utf8')) as { id: string }[];
  expect(index.map(({ id }) => id).toSorted()).toEqual([chat.id, other.id].toSorted());
  await json('DELETE', `/api/chats/${other.id}`);
  await place.run(['chats', 'import', `both/${other.id}`]);
  expect(await json('GET', `/api/chats/${other.id}`)).toMatchObject({ title: 'Other', archived: true });
  expect((await place.run(['chats', 'list', '--archived'])).stdout).toContain('Other');
  await json('DELETE', `/api/chats/${other.id}`);
});

/** Starts an export in a process of its own and kills it once a temporary file of this name is there. Resolves with the signal that ended it. */
function killedExport(name: string): Promise<string | null> {
  const main = fileURLToPath(new URL('../../../../engine/callsheet.cjs', import.meta.url));
  mkdirSync(file('killed', chat.id), { recursive: true });
  const child = spawn(process.execPath, ['--', main, 'chats', 'export', '--to', 'killed'], {
    ...{ cwd: place.dir, env: { PATH: process.env['PATH'], HOME: place.dir }, stdio: 'ignore' },
  });
  const folders = ['killed', join('killed', chat.id)].map((folder) =>
    watch(file(folder), (_event, changed) => {
      if (changed?.startsWith(`.${name}.`) === true) child.kill('SIGKILL');
    }),
  );
  return new Promise((resolve) =>
    child.once('exit', (_code, signal) => {
      for (const folder of folders) folder.close();
      resolve(signal);
    }),
  );
}

test('an export that is killed leaves no half file, and the next one is whole', async () => {
  for (let n = 0; n < 20; n++) await say(`${n} ${'long words '.repeat(9000)}`);
  const before = await messages();
  for (const name of ['messages.jsonl', 'chat.json', 'index.json']) {
    // Again where it has ended before the signal came.
    while ((await killedExport(name)) !== 'SIGKILL');
    const written = ['messages.jsonl', 'chat.json'].filter((one) => existsSync(file('killed', chat.id, one)));
    if (written.includes('messages.jsonl')) {
      const lines = readFileSync(file('killed', chat.id, 'messages.jsonl'), 'utf8')
        .trimEnd()
        .split('\n');
      expect(lines.map((line) => (JSON.parse(line) as ChatMessage).id)).toEqual(before.map(({ id }) => id));
    }
    if (written.includes('chat.json'))
      expect(JSON.parse(readFileSync(file('killed', chat.id, 'chat.json'), 'utf8'))).toMatchObject({ id: chat.id });
    // What the list names is there.
    if (existsSync(file('killed', 'index.json'))) expect(written).toHaveLength(2);
  }
  expect(await place.run(['chats', 'export', '--to', 'killed'])).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(file('killed', 'index.json'), 'utf8'))).toHaveLength(1);
  await json('DELETE', `/api/chats/${chat.id}`);
  expect(await place.run(['chats', 'import', 'killed'])).toMatchObject({ code: 0 });
  expect(await messages()).toEqual(before);
  chat = (await json('GET', `/api/chats/${chat.id}`)) as Chat;
}, 120_000);

const SEED = {
  ...{ id: 'c_01ARZ3NDEKTSV4RRFFQ69G5FAV', title: 'Old', context: '' },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' },
  participants: [
    {
      ...{ id: 'a_01ARZ3NDEKTSV4RRFFQ69G5FAV', type: 'codex', displayName: 'Max', handle: 'max', colorHex: '#7C3AED' },
      persona: 'Careful.',
      roaming: {
        enabled: true,
        workspaceDir: '/w',
        mode: 'yolo',
        confirmedBy: 'eve',
        confirmedAt: '2026-01-01T00:00:00.000Z',
      },
    },
  ],
};
const LINE = {
  ...{ id: 'm_01ARZ3NDEKTSV4RRFFQ69G5FAV', ts: '2026-01-02T00:00:00.000Z', authorKind: 'agent' },
  ...{
    authorId: SEED.participants[0]?.id,
    authorDisplayName: 'Max',
    text: 'Hi',
    meta: { trigger: 'manual', provider: 'codex' },
  },
};

function write(chatJson: string, lines: string): void {
  mkdirSync(file('in'), { recursive: true });
  writeFileSync(file('in', 'chat.json'), chatJson);
  writeFileSync(file('in', 'messages.jsonl'), lines);
}

test('a chat with the members of the seed alone is read, and no file confirms that somebody roams', async () => {
  write(JSON.stringify(SEED), `${JSON.stringify(LINE)}\n`);
  expect(await place.run(['chats', 'import', 'in'])).toMatchObject({ code: 0 });
  expect(await json('GET', `/api/chats/${SEED.id}`)).toMatchObject({
    ...{ maxRounds: 3, files: [], archived: false, updatedAt: SEED.updatedAt },
    participants: [{ apiConfigId: 'codex', roaming: { enabled: true, workspaceDir: '/w', mode: 'yolo' } }],
  });
  const [participant] = ((await json('GET', `/api/chats/${SEED.id}`)) as Chat).participants;
  expect(participant?.roaming).not.toHaveProperty('confirmedBy');
  await json('DELETE', `/api/chats/${SEED.id}`);
});

const line = (more: object) => JSON.stringify({ ...LINE, ...more });
test.each([
  [
    'half a line',
    JSON.stringify(SEED),
    `${line({})}\n${line({ id: 'm_2' }).slice(0, 40)}`,
    'messages.jsonl:2: it is no JSON',
  ],
  [
    'a line without an author',
    JSON.stringify(SEED),
    `${line({})}\n${line({ id: 'm_2', authorId: undefined })}\n`,
    'messages.jsonl:2: authorId must be a string, not nothing',
  ],
  ['an empty line', JSON.stringify(SEED), `\n${line({})}\n`, 'messages.jsonl:1: it is no JSON'],
  [
    'a message that is there twice',
    JSON.stringify(SEED),
    `${line({})}\n${line({})}\n`,
    'messages.jsonl:2: message m_01ARZ3NDEKTSV4RRFFQ69G5FAV is there twice',
  ],
  [
    'a time that is none',
    JSON.stringify(SEED),
    `${line({ ts: 'yesterday' })}\n`,
    'messages.jsonl:1: ts must be a time',
  ],
  ['half a chat.json', JSON.stringify(SEED).slice(0, 50), '', 'chat.json: it is no JSON'],
  [
    'a participant of another type',
    JSON.stringify({ ...SEED, participants: [{ ...SEED.participants[0], type: 'x' }] }),
    '',
    'chat.json: participants[0].type must be one of',
  ],
  ['an id that leads elsewhere', JSON.stringify({ ...SEED, id: 'c_../../x' }), '', 'chat.json: id must be'],
])('%s is refused with its line, and nothing is imported', async (_name, chatJson, lines, says) => {
  write(chatJson, lines);
  const ended = await place.run(['chats', 'import', 'in']);
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
  expect((await server.ask('GET', `/api/chats/${SEED.id}`)).status).toBe(404);
});

test('messages can be added to a chat only while it is imported, and no list shows it before its end', async () => {
  const add = { id: chat.id, messages: [LINE] };
  expect((await server.ask('POST', '/api/chats/import', add)).status).toBe(409);
  await json('POST', '/api/chats/import', { chat: SEED, messages: [LINE] });
  const listed = async () => ((await json('GET', '/api/chats')) as { items: Chat[] }).items.map(({ id }) => id);
  expect(await listed()).not.toContain(SEED.id);
  await json('POST', '/api/chats/import', { chat: SEED });
  await json('POST', '/api/chats/import', { id: SEED.id, messages: [LINE], isComplete: true });
  expect(await listed()).toContain(SEED.id);
  expect(((await json('GET', `/api/chats/${SEED.id}/messages`)) as { items: unknown[] }).items).toEqual([
    { ...LINE, seq: 1 },
  ]);
  await json('DELETE', `/api/chats/${SEED.id}`);
});

test('an export names a folder that cannot be made', async () => {
  writeFileSync(file('taken'), '');
  const { code, stderr } = await place.run(['chats', 'export', '--to', 'taken']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${file('taken')} cannot be written: EEXIST`)]);
});
