import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatOfRow, readMessages } from '../../../engine/src/chat/chat-rows.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import { git } from '../../chat/roam/roam-stage.ts';
import { untilGone } from '../../contracts/cli.ts';
import { leftOpen } from '../faults.ts';
import { drain, startWorker, workerOf } from '../kill-loop.ts';
import { NAMES, slowGit, type Window } from './roaming-windows.ts';
import { programOf } from '../../program.ts';

const FAKE = programOf(new URL('../../model/cli/acp/fake-agent.ts', import.meta.url));
const COMMAND = JSON.stringify([process.execPath, FAKE]);
const CONFIG: Readonly<Record<string, string>> = {
  'config/settings.yaml': 'runs: { concurrency: 16 }\nworkspaces: { work: ./work }\n',
  'config/apis/tool.yaml': `id: tool\nprovider: cli\ncli: codex\nprotocol: acp\nacpCommand: ${COMMAND}\nenv: [FAKE_DO, FAKE_DIR]\nlimits: { concurrency: 16 }\n`,
};

/** The file of the user. */
const MINE = 'mine\n';

interface Turn {
  readonly window: Window;
  /** What the tool has found in its folder. */
  readonly before: string;
  readonly cwd: string;
  readonly pid: number;
}

// Elsewhere tools that have lost their Callsheet are not found.
describe.runIf(process.platform === 'linux')(
  'a process that is killed in all windows of turns that work in a folder (Linux)',
  () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'callsheet-roaming-crash-')));
    const folderOf = (window: Window) => join(root, 'work', window);
    const turns = () =>
      readFileSync(join(root, 'turns'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((one) => JSON.parse(one) as Turn);
    const forEach = <T>(read: (window: Window) => T) => Object.fromEntries(NAMES.map((one) => [one, read(one)]));
    const inGit = (window: Window, name: string) => {
      const folder = join(folderOf(window), '.git', name);
      return existsSync(folder) ? readdirSync(folder) : [];
    };
    const worktrees = () => forEach((window) => inGit(window, 'worktrees').length);
    /** Of each chat: its messages, and how its turn has ended and was begun. */
    const look = async () => {
      const store = openSqlite({ dir: join(root, 'data') });
      try {
        const changes = await store.list('chatChange');
        const read = (await store.list('chat')).map(chatOfRow).map(async ({ id, title }) => {
          const { status, body = '{}' } = changes.find(({ chat }) => chat === id) ?? {};
          const { attempts } = JSON.parse(body) as { attempts?: number };
          const messages = await readMessages(store, id, { limit: 10 });
          const lines = messages.map(({ authorDisplayName, text }) => `${authorDisplayName}: ${text}`);
          return [title, { status, attempts, lines }] as const;
        });
        return { chats: Object.fromEntries(await Promise.all(read)), open: await leftOpen(store) };
      } finally {
        await store.close();
      }
    };
    let killed: { readonly chats: unknown; readonly worktrees: unknown };
    let ended: Awaited<ReturnType<typeof look>>;

    beforeAll(async () => {
      const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
      const files = {
        ...CONFIG,
        'programs/git': slowGit(root, real),
        'hold': '',
        'tmp/.keep': '',
        'first/note.txt': MINE,
      };
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, name)), { recursive: true });
        writeFileSync(join(root, name), text);
      }
      chmodSync(join(root, 'programs', 'git'), 0o755);
      const first = join(root, 'first');
      git(first, 'init', '--quiet');
      git(first, 'add', '--all');
      git(first, 'commit', '--quiet', '--message=first');
      for (const window of NAMES) {
        cpSync(first, folderOf(window), { recursive: true });
        writeFileSync(join(folderOf(window), 'window'), `${window}\n`);
      }
      const env = { ROOT: root, TMPDIR: join(root, 'tmp') };
      const life = startWorker(await workerOf('chat/roaming-worker.ts'), env);
      const stuck = setTimeout(() => life.process.kill('SIGTERM'), 50_000);
      const { signal } = await life.exit;
      clearTimeout(stuck);
      if (signal !== 'SIGKILL') throw new Error(`it was not killed; ${readdirSync(root).join()}\n${life.output()}`);
      killed = { ...(await look()), worktrees: worktrees() };
      rmSync(join(root, 'hold'));
      await drain('chat/roaming-worker.ts', env);
      ended = await look();
    }, 120_000);

    afterAll(() => rmSync(root, { recursive: true, force: true }));

    test('was killed there', () => {
      const isOpen = (window: Window) => window === 'applied' || window === 'kept';
      expect(killed.chats).toEqual(
        forEach((window) => ({
          ...{ status: isOpen(window) ? 'open' : 'working', attempts: 1 },
          lines: isOpen(window) ? ['Jane: @bob go', 'Bob: done'] : ['Jane: @bob go'],
        })),
      );
      expect(killed.worktrees).toEqual(
        forEach((window) => (isOpen(window) || ['begun', 'storing'].includes(window) ? 0 : 1)),
      );
    });

    test('has each message once, and repeats each turn once, but for one that nothing confined', () => {
      const { unconfined, ...others } = ended.chats;
      expect(unconfined).toEqual({
        ...{ status: 'working', attempts: 1 },
        lines: ['Jane: @bob go', expect.stringContaining('in mode "yolo" no turn is repeated')],
      });
      const lines = ['Jane: @bob go', 'Bob: done'];
      const repeated = { status: 'open', attempts: 2, lines };
      expect(others).toEqual({
        ...{ begun: repeated, working: repeated, storing: repeated },
        applied: { status: 'applied', attempts: 1, lines },
        kept: { status: 'kept', attempts: 1, lines },
      });
      expect(ended.open).toEqual([]);
    });

    test('repeats a turn in a fresh worktree', () => {
      expect(turns().map(({ before }) => before)).toEqual(turns().map(() => MINE));
      expect(new Set(turns().map(({ cwd }) => cwd)).size).toBe(turns().length);
      const twice: Window[] = ['working', 'storing'];
      expect(forEach((window) => turns().filter((turn) => turn.window === window).length)).toEqual(
        forEach((window) => (twice.includes(window) ? 2 : 1)),
      );
    });

    test('changes the folder of the user only where a person has applied the changes', () => {
      const isApplied = (window: Window) => window === 'applied';
      expect(forEach((window) => readFileSync(join(folderOf(window), 'note.txt'), 'utf8'))).toEqual(
        forEach((window) => (isApplied(window) ? `${MINE}half\nwhole\n` : MINE)),
      );
      expect(forEach((window) => git(folderOf(window), 'status', '--porcelain'))).toEqual(
        forEach((window) => `${isApplied(window) ? 'M note.txt\n' : ''}?? window`),
      );
    });

    test('leaves no worktree, no copy, no process, and no branch that nobody has asked for', async () => {
      expect(worktrees()).toEqual(forEach(() => 0));
      expect(forEach((window) => inGit(window, 'refs/heads'))).toEqual(
        forEach((window) => (window === 'kept' ? ['callsheet', 'main'] : ['main'])),
      );
      const left = readdirSync(join(root, 'tmp'), { recursive: true, encoding: 'utf8' });
      expect(left.filter((name) => name.includes('work') || name.includes('decide'))).toEqual([]);
      for (const { pid } of turns()) await untilGone(pid);
    });
  },
);
