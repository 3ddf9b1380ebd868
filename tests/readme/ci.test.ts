import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../available.ts';
import { FILES, LETTER, makePlace, type Place } from '../cli/harness.ts';

/** A step of the workflow. */
interface WorkflowStep {
  readonly name?: string;
  readonly run?: string;
}

const PAGE = readFileSync(join(root, 'docs/ci.md'), 'utf8');
const blocks = Array.from(PAGE.matchAll(/^```(\w+)\n([^]*?)^```$/gm), ([, kind = '', text = '']) => ({ kind, text }));
const workflow = parse(blocks.find(({ kind }) => kind === 'yaml')?.text ?? '') as {
  readonly jobs: { readonly report: { readonly steps: readonly WorkflowStep[] } };
};
const hook = blocks.find(({ text }) => text.startsWith('#!/bin/sh'))?.text ?? '';

const BOSS =
  'id: boss\nname: Boss\napiConfigId: real\nprompt: [{ role: system, content: Be brief. }, { role: user, content: "{{email}}" }]\n';
let place: Place;
let bin: string;
let commits: { base: string; head: string };

const env = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: [bin, process.env['PATH'] ?? ''].join(delimiter),
  HOME: place.dir,
  ...{
    GIT_AUTHOR_NAME: 't',
    GIT_AUTHOR_EMAIL: 't@example.org',
    GIT_COMMITTER_NAME: 't',
    GIT_COMMITTER_EMAIL: 't@example.org',
  },
  ...more,
});
const git = (...args: string[]) =>
  execFileSync('git', args, {
    cwd: place.dir,
    env: env(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

beforeAll(async () => {
  const model = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const message = { role: 'assistant', content: 'Good morning.' };
      const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
      const body = { id: 'x', model: 'm', choices: [{ index: 0, finish_reason: 'stop', message }], usage };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => model.listen(0, '127.0.0.1', () => done()));
  const { port } = model.address() as AddressInfo;
  place = makePlace({
    ...FILES,
    'apis/real.yaml': `id: real\nprovider: openai\nmodel: m\napiKey: \${env:KEY}\nbaseUrl: http://127.0.0.1:${port}/v1\n`,
    'directors/boss.yaml': BOSS,
    'tests/desk.yaml': 'tests:\n  - { mail: hello.eml, assert: [{ type: not-route, value: [] }] }\n',
  });
  bin = mkdtempSync(join(tmpdir(), 'callsheet-bin-'));
  symlinkSync(join(root, 'engine/callsheet.cjs'), join(bin, 'callsheet'));
  writeFileSync(join(place.dir, 'hello.eml'), LETTER.replaceAll('\n', '\r\n'));
  writeFileSync(join(place.dir, '.gitignore'), 'data\ninbox\n*.xml\n*.md\n');
  const ran = await place.run(['run', 'boss', '--email', 'hello.eml'], { KEY: 'sk-test-key' });
  const recorded = await place.run(['record', 'last', '--into', 'cases']);
  if (ran.code !== 0 || recorded.code !== 0) throw new Error(ran.stderr + recorded.stderr);
  // From here on there is no model and no store, as in CI.
  await new Promise((done) => model.close(done));
  rmSync(join(place.dir, 'data'), { recursive: true });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const base = git('rev-parse', 'HEAD');
  git('checkout', '-q', '-b', 'edit');
  edit();
  git('commit', '-qam', 'edit');
  commits = { base, head: git('rev-parse', 'HEAD') };
}, 60_000);

afterAll(() => {
  place.remove();
  rmSync(bin, { recursive: true, force: true });
});

/** Another prompt, and another way of all mail. */
function edit(): void {
  place.write({
    'directors/boss.yaml': BOSS.replace('brief', 'polite'),
    'filters/all.yaml': `${FILES['filters/all.yaml']?.replace('[boss]', '[shy]')}`,
  });
}

test('the workflow reports what a pull request changes, and neither validate nor the tests stop it', () => {
  const summary = join(place.dir, 'summary.md');
  const steps = workflow.jobs.report.steps.filter(({ run, name }) => run !== undefined && name !== 'Install');
  expect(steps.map(({ name }) => name)).toEqual(['Validate', 'Test', 'Replay']);
  const ended = steps.map(({ run = '' }) => {
    const { BASE, HEAD } = { BASE: commits.base, HEAD: commits.head };
    const options = {
      cwd: place.dir,
      env: env({ BASE, HEAD, GITHUB_STEP_SUMMARY: summary }),
      encoding: 'utf8',
    } as const;
    return spawnSync('bash', ['-e', '-c', run], options);
  });
  expect(ended.map(({ status, stderr }) => (status === 0 ? 0 : stderr))).toEqual([0, 0, 0]);
  expect(ended[2]?.stdout).toContain('1 of 1 mails is routed differently.');
  const report = readFileSync(summary, 'utf8');
  expect(report).toContain('went to boss, now to shy');
  expect(report).toMatch(/message 1 \(system\): .*brief.*, now .*polite/);
});

test('the hook shows what a commit changes, stops a mistake, and leaves no folder behind', () => {
  git('checkout', '-q', '--detach', 'main');
  mkdirSync(join(place.dir, '.githooks'));
  writeFileSync(join(place.dir, '.githooks/pre-commit'), hook);
  chmodSync(join(place.dir, '.githooks/pre-commit'), 0o755);
  git('config', 'core.hooksPath', '.githooks');
  const commit = () => spawnSync('git', ['commit', '-qam', 'x'], { cwd: place.dir, env: env(), encoding: 'utf8' });
  edit();
  const shown = commit();
  const said = shown.stdout + shown.stderr;
  expect([shown.status, said]).toEqual([0, expect.stringContaining('went to boss, now to shy')]);
  expect(said).toContain('polite');
  place.write({ 'filters/all.yaml': 'id: all\nfield: Subject\nregex: "("\ndirectorId: [shy]\n' });
  const refused = commit();
  expect([refused.status, refused.stdout + refused.stderr]).toEqual([1, expect.stringContaining('filters/all.yaml')]);
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
});

test('the first commit passes the hook, and without cases both recipes replay nothing', () => {
  const fresh = makePlace({
    ...FILES,
    'tests/desk.yaml': 'tests:\n  - { mail: a.eml, assert: [{ type: not-route, value: [] }] }\n',
  });
  onTestFinished(() => fresh.remove());
  const options = { cwd: fresh.dir, env: env(), encoding: 'utf8' } as const;
  const run = (command: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, options);
    return status === 0 ? 0 : stdout + stderr;
  };
  writeFileSync(join(fresh.dir, 'a.eml'), LETTER.replaceAll('\n', '\r\n'));
  run('git', 'init', '-q', '-b', 'main');
  mkdirSync(join(fresh.dir, '.githooks'));
  writeFileSync(join(fresh.dir, '.githooks/pre-commit'), hook, { mode: 0o755 });
  run('git', 'config', 'core.hooksPath', '.githooks');
  run('git', 'add', '-A');
  expect(run('git', 'commit', '-qm', 'first')).toBe(0);
  fresh.write({ 'filters/all.yaml': `${FILES['filters/all.yaml']?.replace('[boss]', '[shy]')}` });
  expect(run('git', 'commit', '-qam', 'second')).toBe(0);
  const replay = workflow.jobs.report.steps.find(({ name }) => name === 'Replay')?.run ?? '';
  expect(run('bash', '-e', '-c', `BASE=main~1 HEAD=main\n${replay}`)).toBe(0);
});
