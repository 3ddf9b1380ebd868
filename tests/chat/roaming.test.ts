import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { createRedactor } from '../../engine/src/base/redact.ts';
import type { Chat, Roaming } from '../../engine/src/chat/chat.ts';
import { insertChat } from '../../engine/src/chat/chat-rows.ts';
import { openRoaming, type RoamingService } from '../../engine/src/chat/roaming.ts';
import { changesIdOf } from '../../engine/src/chat/roam/change-rows.ts';
import type { Api, Snapshot } from '../../engine/src/config/config.ts';
import type { Run } from '../../engine/src/run/run.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { git, repository, tempFolder, write } from './roam/roam-stage.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const apiOf = (cli: unknown) => ({ id: 'codex', provider: 'cli', cli }) as unknown as Api;
const API = apiOf('codex');
/** A tool that nothing confines without bubblewrap. */
const UNCONFINED = apiOf('claude');
const OWN = apiOf({ argv: ['x'] });
const redactor = createRedactor();
redactor.add('sk-secret-value');

let folder: string;
let temp: string;
let store: Store;
let roaming: RoamingService;

beforeEach(async () => {
  folder = repository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  temp = tempFolder();
  const base = tempFolder();
  for (const name of ['config', 'data']) mkdirSync(join(base, name));
  store = openSqlite({ dir: join(base, 'data') });
  // With git, and without bubblewrap.
  const programs = tempFolder();
  symlinkSync(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(programs, 'git'));
  roaming = openRoaming({
    ...{ store, clock: new SimulatedClock(NOW), log: silentLogger, redactor, temp },
    live: { publish: () => {} },
    env: (name) => (name === 'PATH' ? programs : undefined),
    folders: { config: join(base, 'config'), data: join(base, 'data') },
    hidden: [join(base, 'config'), join(base, 'data')],
    config: () =>
      ({
        settings: { workspaces: { shop: folder } },
        apis: new Map(Object.entries({ codex: API, own: OWN })),
      }) as unknown as Snapshot,
  });
  onTestFinished(() => store.close());
});
afterEach(() => expect(git(folder, 'worktree', 'list').split('\n').length).toBeLessThanOrEqual(1));

async function chatWith(more: Partial<Roaming> = {}): Promise<void> {
  const chat: Chat = {
    ...{ id: 'c_1', title: 'A chat', context: '', files: [], maxRounds: 3, mentions: { caseSensitive: false } },
    ...{ archived: false, createdBy: 'jane' },
    ...{ createdAt: new Date(NOW).toISOString(), updatedAt: new Date(NOW).toISOString() },
    participants: [
      {
        ...{ id: 'a_1', type: 'codex', displayName: 'Bob', handle: 'bob', colorHex: '#8b5cf6', persona: '' },
        apiConfigId: 'codex',
        permissions: { allow: ['cli_read'] },
        roaming: {
          ...{ enabled: true, workspaceDir: folder, mode: 'safe', confirmedBy: 'jane' },
          ...{ confirmedAt: new Date(NOW).toISOString(), confirmedReach: 'user', ...more },
        },
      },
    ],
  };
  await store.apply([insertChat(chat, redactor)]);
}

const run = { id: 'run_1', trigger: { kind: 'chat', chatId: 'c_1', participantId: 'a_1' } } as unknown as Run;
const begin = async () => {
  const work = await roaming.begin({ run, machine: 'run_1', turn: 1, api: API }, {});
  if (work === undefined) throw new Error('the participant got no folder');
  return work;
};
const ID = changesIdOf('run_1', 1);
/** A turn that changes `a.txt`. */
async function turn(): Promise<void> {
  const work = await begin();
  write(work.dir, { 'a.txt': 'agent, sk-secret-value\n' });
  await store.apply(await work.finished());
  await work.end();
}
const turns = () => readdirSync(temp, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('/work'));

describe('the turn of a participant that may work in a folder', () => {
  test('works in a copy, and its changes wait for a person, without secrets', async () => {
    await chatWith();
    await turn();
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n');
    expect(turns()).toEqual([]);
    const changes = await roaming.changes('c_1', ID);
    expect(changes).toMatchObject({
      ...{ participantId: 'a_1', runId: 'run_1', status: 'open', decisions: ['apply', 'branch', 'drop'] },
      files: [{ path: 'a.txt', status: 'changed' }],
    });
    expect(changes.diff).toContain('-one\n+agent, ');
    expect(changes.diff).not.toContain('sk-secret-value');
  });

  test('leaves no changes where it has changed nothing', async () => {
    await chatWith();
    const work = await begin();
    await store.apply(await work.finished());
    await work.end();
    await expect(roaming.changes('c_1', ID)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each<[string, Partial<Roaming>, string]>([
    ['nobody has confirmed it', { confirmedBy: undefined as never }, 'ROAMING_UNCONFIRMED'],
    [
      'it was confirmed for less than is within reach',
      { mode: 'yolo', confirmedReach: 'sandbox' },
      'ROAMING_UNCONFIRMED',
    ],
    ['its folder is no workspace any more', { workspaceDir: '/etc' }, 'FILE_DENIED'],
  ])('is refused where %s, and leaves nothing behind', async (_name, more, code) => {
    await chatWith(more);
    await expect(roaming.begin({ run, machine: 'run_1', turn: 1, api: UNCONFINED }, {})).rejects.toMatchObject({
      code,
    });
    expect(turns()).toEqual([]);
  });

  test('in safe is refused to a command whose modes nobody knows', async () => {
    await chatWith();
    const refused = { code: 'BAD_REQUEST', message: expect.stringContaining('does not know the modes') };
    await expect(roaming.begin({ run, machine: 'run_1', turn: 1, api: OWN }, {})).rejects.toMatchObject(refused);
    expect(turns()).toEqual([]);
    const asked = { name: 'Bob', apiConfigId: 'own', workspaceDir: folder };
    await expect(roaming.warning({ ...asked, mode: 'safe' })).rejects.toMatchObject(refused);
    expect(await roaming.warning({ ...asked, mode: 'yolo' })).toMatchObject({ mode: 'yolo', reach: 'user' });
  });

  test('is text alone where roaming is off', async () => {
    await chatWith({ enabled: false });
    expect(await roaming.begin({ run, machine: 'run_1', turn: 1, api: API }, {})).toBeUndefined();
  });

  test('that was killed is repeated once in a fresh copy, and then no more', async () => {
    await chatWith();
    const first = await begin();
    write(first.dir, { 'a.txt': 'half\n' });
    const second = await begin();
    expect(second.dir).not.toBe(first.dir);
    expect(readFileSync(join(second.dir, 'a.txt'), 'utf8')).toBe('one\n');
    await expect(begin()).rejects.toMatchObject({ code: 'ROAMING_INTERRUPTED' });
    await first.end();
    await second.end();
  });

  test.each<[string, Partial<Roaming>, Api]>([
    ['in yolo', { mode: 'yolo' }, API],
    ['unconfined', {}, UNCONFINED],
  ])('that was killed %s is never repeated, and says why', async (_name, more, api) => {
    await chatWith(more);
    const work = await roaming.begin({ run, machine: 'run_1', turn: 1, api }, {});
    await work?.end();
    await expect(roaming.begin({ run, machine: 'run_1', turn: 1, api }, {})).rejects.toMatchObject({
      code: 'ROAMING_INTERRUPTED',
      message: expect.stringContaining('no turn is repeated'),
    });
  });

  test('that failed by itself may be repeated by the rules of the api where it was confined, and else is not', async () => {
    const error = new EngineError('MODEL_TIMEOUT', 'too slow', { retryable: true });
    await chatWith();
    for (let attempt = 0; attempt < 3; attempt++) {
      const work = await begin();
      expect(await work.failed(error)).toMatchObject({ retryable: true });
      await work.end();
    }
    const work = await roaming.begin({ run, machine: 'run_1', turn: 2, api: UNCONFINED }, {});
    expect(await work?.failed(error)).toMatchObject({ code: 'MODEL_TIMEOUT', retryable: false });
    await work?.end();
  });

  test('leaves a copy and a worktree when its process is killed, and the next start removes both', async () => {
    await chatWith();
    const work = await begin();
    const [root = ''] = readdirSync(temp);
    const [owner = ''] = readdirSync(join(temp, root));
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    // As if another process had made it, which is gone.
    renameSync(join(temp, root, owner), join(temp, root, `${dead}-x`));
    const moved = work.dir.replace(owner, `${dead}-x`);
    execFileSync('git', ['worktree', 'repair', moved], { cwd: folder, stdio: 'ignore' });
    expect(git(folder, 'worktree', 'list').split('\n')).toHaveLength(2);
    await roaming.sweep();
    expect(existsSync(moved)).toBe(false);
    expect(git(folder, 'worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('gives its rules and the newest ones, and denies everything once the participant is gone', async () => {
    await chatWith();
    const work = await begin();
    expect(await work.rules()).toEqual([{ allow: ['cli_read'] }, { allow: ['cli_read'] }]);
    await store.apply([{ op: 'delete', table: 'chat', where: { id: 'c_1' } }]);
    expect((await work.rules()).at(-1)).toEqual({ deny: ['*'] });
    await work.end();
  });
});

describe('a person decides about the changes of a turn once', () => {
  beforeEach(async () => {
    await chatWith();
    await turn();
  });
  const decide = (decision: 'apply' | 'branch' | 'drop') => roaming.decide('c_1', ID, { decision, by: 'jane' });

  test('apply writes them, with who and when', async () => {
    expect(await decide('apply')).toMatchObject({
      ...{ status: 'applied', decidedBy: 'jane', decidedAt: '2026-11-23T12:00:00.000Z', decisions: [] },
    });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('agent, sk-secret-value\n');
    await expect(decide('drop')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('branch keeps them beside what is checked out', async () => {
    const { branch = '', status } = await decide('branch');
    expect(status).toBe('kept');
    expect(git(folder, 'show', `${branch}:a.txt`)).toBe('agent, sk-secret-value');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n');
  });

  test('drop forgets them', async () => {
    expect(await decide('drop')).toMatchObject({ status: 'dropped' });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n');
  });

  test('apply is refused where the folder has changed since, and stays possible', async () => {
    write(folder, { 'a.txt': 'person\n' });
    await expect(decide('apply')).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    write(folder, { 'a.txt': 'one\n' });
    expect(await decide('apply')).toMatchObject({ status: 'applied' });
  });

  test('two decisions at once are one', async () => {
    const both = await Promise.allSettled([decide('apply'), decide('drop')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('in another chat they are not there', async () => {
    await expect(roaming.changes('c_2', ID)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
