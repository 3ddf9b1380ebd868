import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { cliEnvironment } from '../../../engine/src/model/cli/environment.ts';
import { startCli } from '../../../engine/src/model/cli/process.ts';
import { createCliSandbox } from '../../../engine/src/model/cli/sandbox.ts';
import type { CliTurn } from '../../../engine/src/model/model.ts';
import { hasBubblewrap } from '../../available.ts';
import { cliApi } from '../../contracts/cli.ts';

/** A home folder with a private file and the state of a tool, and a folder of Callsheet's own in it. */
async function openHome() {
  const home = await realpath(await mkdtemp(join('/var/tmp', 'callsheet-home-')));
  await mkdir(join(home, '.codex'));
  await mkdir(join(home, 'data'));
  await Promise.all([
    writeFile(join(home, '.codex/auth.json'), 'signed in'),
    writeFile(join(home, 'private.txt'), 'private'),
    writeFile(join(home, 'data/callsheet.sqlite'), 'data'),
  ]);
  return home;
}

/** What a program sees under bubblewrap that tries to read the files of a home folder and to write. */
async function seen(home: string, cli: 'codex' | { script: string }, turn: CliTurn) {
  const script =
    typeof cli === 'string'
      ? `const fs = require('fs'); const see = (p) => { try { return fs.readFileSync(p, 'utf8') } catch (e) { return e.code } };
         const put = (p) => { try { fs.writeFileSync(p, 'x'); return 'written' } catch (e) { return e.code } };
         console.log(JSON.stringify({ auth: see('${home}/.codex/auth.json'), private: see('${home}/private.txt'),
           data: see('${home}/data/callsheet.sqlite'), state: put('${home}/.codex/s'), here: put('made'), etc: put('/etc/x') }))`
      : cli.script;
  const variables: Record<string, string | undefined> = { PATH: process.env['PATH'], HOME: home };
  const env = (name: string) => variables[name];
  const argv = [process.execPath, '-e', script];
  const api = cliApi(
    typeof cli === 'string' ? { cli } : { cli: { argv, input: 'stdin', output: 'text', text: 'text' } },
  );
  const wrap = await createCliSandbox(env).wrapOf(api, turn);
  const program = { argv, cwd: turn.roaming?.dir, env: cliEnvironment(env, []), wrap };
  const tool = await startCli(program, { clock: systemClock, timeoutMs: 30_000 });
  tool.stdin.end();
  const { stdout, stderr } = await tool.ended;
  expect(stderr.text).toBe('');
  return JSON.parse(stdout.text);
}

describe.skipIf(!hasBubblewrap)(`a tool in a sandbox${hasBubblewrap ? '' : ' (needs bubblewrap)'}`, () => {
  test('sees its own state and its folder, but nothing else of the user', async () => {
    const home = await openHome();
    expect(await seen(home, 'codex', { hidden: [join(home, 'data')] })).toEqual({
      ...{ auth: 'signed in', private: 'ENOENT', data: 'ENOENT', state: 'written', here: 'written', etc: 'EROFS' },
    });
  });

  test('sees the folder of a roaming turn without what is hidden in it', async () => {
    const home = await openHome();
    const turn: CliTurn = { roaming: { dir: home, mode: 'yolo', hidden: [join(home, 'data')] } };
    expect(await seen(home, 'codex', turn)).toMatchObject({ private: 'private', data: 'ENOENT', here: 'written' });
  });

  test('sees no folder to which a file .git leads that it may have written itself', async () => {
    const home = await openHome();
    const work = join(home, 'work');
    await mkdir(join(work, 'own'), { recursive: true });
    const turn: CliTurn = { roaming: { dir: work, mode: 'safe', hidden: [] } };
    await writeFile(join(work, '.git'), `gitdir: ${home}\n`);
    expect(await seen(home, 'codex', turn)).toMatchObject({ private: 'ENOENT' });
    await writeFile(join(work, '.git'), 'gitdir: own\n');
    await writeFile(join(work, 'own', 'commondir'), `${home}\n`);
    await writeFile(join(work, 'own', 'gitdir'), `${join(work, '.git')}\n`);
    expect(await seen(home, 'codex', turn)).toMatchObject({ private: 'ENOENT' });
  });

  test('sees the repository of a worktree', async () => {
    const home = await openHome();
    const [repository, work] = [join(home, 'repository'), join(home, 'work')];
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.org', ...args], { stdio: 'pipe' });
    git('init', '--quiet', repository);
    git('-C', repository, 'commit', '--quiet', '--allow-empty', '-m', 'First');
    git('-C', repository, 'worktree', 'add', '--quiet', '--detach', work);
    await writeFile(join(repository, '.git', 'note'), 'repository');
    const script = `console.log(JSON.stringify(require('fs').readFileSync('${repository}/.git/note', 'utf8')))`;
    const wrap = await createCliSandbox((name) => (name === 'PATH' ? process.env['PATH'] : home)).wrapOf(
      cliApi({ cli: 'codex' }),
      { roaming: { dir: work, mode: 'safe', hidden: [] } },
    );
    const program = { argv: [process.execPath, '-e', script], cwd: work, env: {}, wrap };
    const tool = await startCli(program, { clock: systemClock, timeoutMs: 30_000 });
    tool.stdin.end();
    expect((await tool.ended).stdout.text).toBe('"repository"');
  });

  test('sees, as a command of the user, all but what is hidden, and no other process', async () => {
    const home = await openHome();
    const script = `const fs = require('fs'); console.log(JSON.stringify({ private: fs.readFileSync('${home}/private.txt', 'utf8'),
      data: fs.readdirSync('${home}/data'), processes: fs.readdirSync('/proc').filter((n) => /^[0-9]+$/.test(n)).length }))`;
    const found = await seen(home, { script }, { hidden: [join(home, 'data')] });
    expect(found).toMatchObject({ private: 'private', data: [] });
    expect(found.processes).toBeLessThan(5);
  });
});

test('there is no sandbox where bubblewrap is not installed', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'callsheet-path-'));
  const sandbox = createCliSandbox((name) => (name === 'PATH' ? empty : undefined));
  expect(await sandbox.isUsable()).toBe(false);
  expect(await sandbox.wrapOf(cliApi({ cli: 'codex' }), undefined)).toBeUndefined();
});
