import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ChangeRecord } from '../../../engine/src/chat/roam/change-rows.ts';
import { COPY_LIMITS, type CopyLimits } from '../../../engine/src/chat/roam/copy-files.ts';
import { changesOf } from '../../../engine/src/chat/roam/turn-changes.ts';
import { makeWorkingCopy, removeTurn } from '../../../engine/src/chat/roam/working-copy.ts';

/** A `PATH` with git. */
export const PATH = process.env['PATH'] ?? '';

/** A temporary folder, removed after the test. */
export function tempFolder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'callsheet-roam-test-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Writes files below a folder. */
export function write(dir: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
}

/** Runs git as a user does, in a folder. */
export function git(dir: string, ...args: string[]): string {
  const user = ['-c', 'user.name=U', '-c', 'user.email=u@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...user, ...args], {
    cwd: dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** A repository with one commit of these files. */
export function repository(files: Readonly<Record<string, string | Buffer>>): string {
  const dir = tempFolder();
  git(dir, 'init', '--quiet');
  write(dir, files);
  git(dir, 'add', '--all');
  git(dir, 'commit', '--quiet', '--message=first');
  return dir;
}

/** A working copy of a folder, with its changes as a record. */
export async function workIn(folder: string, limits: CopyLimits = COPY_LIMITS) {
  const tempDir = tempFolder();
  const turnDir = join(tempDir, 'turn');
  const copy = await makeWorkingCopy(folder, { turnDir, limits, path: PATH });
  return {
    ...copy,
    tempDir,
    turnDir,
    options: { path: PATH, tempDir },
    remove: () => removeTurn(turnDir),
    async record(): Promise<ChangeRecord> {
      const { repository } = copy;
      return {
        ...{ id: 'g_1', chatId: 'c_1', participantId: 'a_1', runId: 'run_1', attempts: 1, folder, status: 'open' },
        ...{ at: '2026-11-23T10:00:00.000Z', ...(repository !== undefined && { head: repository.head }) },
        ...(await changesOf(copy)),
      };
    },
  };
}
