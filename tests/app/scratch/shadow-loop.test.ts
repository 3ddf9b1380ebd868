import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ShadowLoop } from '../../../engine/src/app/scratch/shadow-loop.ts';
import { startShadow } from '../../../engine/src/app/scratch/start-shadow.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { ShadowView } from '../../../engine/src/replay/shadow/shadow.ts';
import { readShadowView } from '../../../engine/src/replay/shadow/shadow-report.ts';
import { beginShadow, dropShadow } from '../../../engine/src/replay/shadow/shadow-rows.ts';
import { recordOf } from '../../../engine/src/run/run.ts';
import { letter } from '../../api/harness.ts';
import { setStage, type Stage } from '../../run/harness.ts';
import { openPeer, type Peer } from './shadow-peer.ts';
import { sharedRecogniser, sharedThreads } from '../../run/shared-threads.ts';

let peer: Peer;
let stage: Stage;
let loop: ShadowLoop;

beforeAll(async () => {
  peer = await openPeer();
});

afterAll(() => peer.close());

const BOSS = (words: string) =>
  `id: boss\nname: Boss\napiConfigId: main\ntools: [tell]\nuntrusted: { act: [tell] }\npermissions: { allow: ["*"] }\n` +
  `prompt: [{ role: system, content: ${words} }, { role: user, content: '{{email}}' }]\n`;
const API = () =>
  `id: main\nprovider: openai\nmodel: m\napiKey: \${env:KEY}\nbaseUrl: ${peer.origin}/v1\nprice: { inputPerMillion: 1, outputPerMillion: 1 }\n`;
const FILTER = (director: string) => `id: all\nfield: Subject\nregex: ^hello\ndirectorId: [${director}]\n`;

beforeEach(async () => {
  stage = await setStage({
    files: {
      'apis/main.yaml': API(),
      'directors/boss.yaml': BOSS('Be brief.'),
      'directors/other.yaml': BOSS('Be brief.').replace('id: boss', 'id: other'),
      'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
      'filters/all.yaml': FILTER('boss'),
      'tools/tell.yaml': `id: tell
kind: http
description: Tells somebody.
effects: write
allowHosts: [127.0.0.1]
parameters: { type: object, properties: { text: { type: string } } }
request: { method: POST, url: '${peer.origin}/tell', json: { text: '{{text}}' } }
`,
    },
  });
  mkdirSync(join(stage.root, 'inbox'));
  git('init', '-q', '-b', 'main');
  commit();
  peer.reset();
  loop = openLoop();
});

afterEach(async () => {
  await loop.end();
  await stage.close();
});

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: stage.root,
    stdio: 'ignore',
  });
}

function commit(): void {
  git('add', '--all', 'config');
  git('commit', '-qm', 'a change', '--allow-empty');
}

/** A branch on which these files are others. */
function branch(name: string, files: Readonly<Record<string, string>>): void {
  git('checkout', '-qb', name);
  stage.write(files);
  commit();
  git('checkout', '-q', 'main');
}

function openLoop(): ShadowLoop {
  const adapters = { threads: sharedThreads, recogniser: sharedRecogniser };
  return new ShadowLoop(stage.app, { env: () => 'sk-test-key', redactor: createRedactor(), adapters });
}

const start = (ref: string, percent = 100, maxCostPerDay = 2) =>
  startShadow(stage.app, { ref, percent, maxCostPerDay }, () => 'sk-test-key');
const view = () => readShadowView(stage.app.deps.store, stage.app.deps.clock.now());
const runs = async () => (await stage.app.deps.store.list('run')).map((row) => recordOf(row).run);

/** Fetches a mail, and waits until all runs but one are over. */
async function receive(subject = 'hello', waiting?: string): Promise<void> {
  const file = join(stage.root, 'inbox', `${subject}.eml`);
  writeFileSync(file, letter(subject).replace(/\n/g, '\r\n'));
  utimesSync(file, new Date(0), new Date(0));
  await stage.app.fetcher.fetch();
  for (const { id } of await runs()) if (id !== waiting) await stage.ended(id);
}

/** The shadow, once it has tried so many mails. */
async function tried(mails: number): Promise<NonNullable<ShadowView['report']>> {
  await expect.poll(async () => (await view()).shadow?.mails, { timeout: 60_000 }).toBe(mails);
  const { report } = await view();
  if (report === undefined) throw new Error('no report');
  return report;
}

const found = ({ changed }: NonNullable<ShadowView['report']>) =>
  changed.flatMap(({ tier, differences }) => differences.map(({ kind, text }) => `${tier} ${kind}: ${text}`));

describe('a shadow', () => {
  test('asks models under the other config, reaches no tool, and says what would be different', async () => {
    branch('next', { 'directors/boss.yaml': BOSS('Be polite.') });
    await start('next');
    loop.begin();
    await receive();
    const report = await tried(1);
    expect(found(report)).toEqual(['live drafts: the final answer has other words']);
    expect(report.tiers).toMatchObject([
      { tier: 'routing', total: 1, changed: 0 },
      { tier: 'live', total: 1, changed: 1, missed: 0, cost: 0.003 },
    ]);
    expect([peer.asked, peer.told]).toEqual([4, 1]);
    expect((await view()).shadow).toMatchObject({ ref: 'next', spentToday: 0.003 });
    expect((await runs()).map(({ status }) => status)).toEqual(['completed']);
  });

  test('asks nothing where the other config asks the same', async () => {
    branch('next', { 'filters/more.yaml': 'id: more\nfield: Subject\nregex: ^bye\ndirectorId: [boss]\n' });
    await start('next');
    loop.begin();
    await receive();
    const report = await tried(1);
    expect([found(report), report.leftOut, peer.asked, peer.told]).toEqual([[], [], 2, 1]);
  });

  test('runs a director that gets the mail only there, and not one that gets it no more', async () => {
    branch('next', { 'filters/all.yaml': FILTER('other') });
    await start('next');
    loop.begin();
    await receive();
    expect(found(await tried(1)).filter((text) => !text.includes('duration'))).toEqual([
      'routing routing: went to boss, now to other',
      'live calls: tell is new, with {"text":"Ada wrote"}',
      expect.stringContaining('live drafts'),
      expect.stringContaining('live turns: 0 turns, now 2'),
      expect.stringContaining('live cost'),
    ]);
    expect([peer.asked, peer.told]).toEqual([4, 1]);
  });

  test('sends no request that may exceed the limit of the day', async () => {
    branch('next', { 'directors/boss.yaml': BOSS('Be polite.') });
    await start('next', 100, 0.0001);
    loop.begin();
    await receive();
    const report = await tried(1);
    expect(report.leftOut).toMatchObject([{ why: 'the limit of $0.0001 a day is reached' }]);
    expect([found(report), peer.asked, (await view()).shadow?.spentToday]).toEqual([[], 2, 0]);
  });

  test('goes on after a restart with what it has found and spent, and tries no mail twice', async () => {
    branch('next', { 'directors/boss.yaml': BOSS('Be polite.') });
    await start('next');
    loop.begin();
    await receive();
    await tried(1);
    await loop.end();
    const before = await view();
    await stage.restart();
    expect(await view()).toEqual(before);
    loop = openLoop();
    loop.begin();
    await receive('hello again');
    expect((await tried(2)).tiers).toMatchObject([{ total: 2 }, { total: 2, changed: 2, cost: 0.006 }]);
    expect([peer.asked, peer.told]).toEqual([8, 2]);
  });

  test('takes no mail that came before it', async () => {
    branch('next', {});
    await receive();
    await start('next');
    loop.begin();
    await receive('hello again');
    await tried(1);
    await loop.end();
    expect((await view()).shadow?.mails).toBe(1);
  });

  test('leaves real runs alone when its config cannot be read, and says why', async () => {
    const facts = { ref: 'gone', commit: '0'.repeat(40), percent: 100, maxCostPerDay: 2, warnings: [] };
    const startedAt = new Date(stage.app.deps.clock.now()).toISOString();
    await beginShadow(stage.app.deps.store, { ...facts, id: stage.app.deps.ids.next('shadow'), startedAt });
    loop.begin();
    await receive();
    await expect
      .poll(async () => (await view()).shadow?.problem, { timeout: 60_000 })
      .toMatch(/^git cannot read "0{40}"/);
    expect((await runs()).map(({ status }) => status)).toEqual(['completed']);
    expect([peer.asked, peer.told]).toEqual([2, 1]);
  });

  test('reports a shadow run that fails, which costs nothing and leaves the real run alone', async () => {
    branch('next', { 'apis/main.yaml': API().replace('model: m\n', 'model: refused\n') });
    await start('next');
    loop.begin();
    await receive();
    expect(found(await tried(1))).toContainEqual(
      expect.stringMatching(/^live status: ended as completed, now MODEL_AUTH/),
    );
    expect((await view()).shadow?.spentToday).toBe(0);
    expect((await runs()).map(({ status }) => status)).toEqual(['completed']);
    expect(peer.told).toBe(1);
  });

  test('does not begin while a real run works', async () => {
    branch('next', { 'directors/boss.yaml': BOSS('Be polite.') });
    await start('next');
    peer.heldText = 'wait for me';
    const waiting = await stage.begin('other', 'wait for me');
    await expect.poll(() => peer.held.length, { timeout: 60_000 }).toBe(1);
    let looks = 0;
    const load = stage.app.engine.load.bind(stage.app.engine);
    stage.app.engine.load = () => (looks++, load());
    loop.begin();
    await receive('hello', waiting);
    const before = looks;
    loop.wake();
    await expect.poll(() => looks, { timeout: 60_000 }).toBeGreaterThan(before);
    expect((await view()).shadow?.mails).toBe(0);
    expect(peer.asked).toBe(2);
    peer.heldText = undefined;
    for (const respond of peer.held) respond();
    await stage.ended(waiting);
    await tried(1);
  });

  test('ends at once although a model does not answer, and tries the mail again later', async () => {
    branch('next', { 'directors/boss.yaml': BOSS('Be polite.') });
    await start('next');
    peer.heldText = 'polite';
    loop.begin();
    await receive();
    await expect.poll(() => peer.held.length, { timeout: 60_000 }).toBe(1);
    await loop.end();
    expect((await view()).shadow?.mails).toBe(0);
    peer.heldText = undefined;
    loop = openLoop();
    loop.begin();
    expect(found(await tried(1))).toEqual(['live drafts: the final answer has other words']);
    expect(peer.told).toBe(1);
  });

  test('leaves nothing behind when it is dropped', async () => {
    branch('next', { 'directors/boss.yaml': BOSS('Be polite.') });
    const names = async () =>
      (await stage.app.deps.store.list('meta', { bodies: false })).filter(({ name }) => name.startsWith('shadow'));
    await start('next');
    loop.begin();
    await receive();
    await tried(1);
    expect(await names()).toHaveLength(3);
    expect(await dropShadow(stage.app.deps.store)).toBe(true);
    expect(await names()).toEqual([]);
    expect(await dropShadow(stage.app.deps.store)).toBe(false);
  });

  test('forgets what a run has said once the run is deleted', async () => {
    branch('next', { 'directors/boss.yaml': BOSS('Be polite.') });
    await start('next');
    loop.begin();
    await receive();
    await tried(1);
    const [run] = await runs();
    await stage.app.deps.store.apply([{ op: 'delete', table: 'run', where: { id: run?.id ?? '' } }]);
    stage.app.deps.live.publish('run', { id: run?.id, deleted: true });
    await expect
      .poll(async () => (await view()).report?.leftOut, { timeout: 60_000 })
      .toMatchObject([{ why: 'the mail or its run was deleted' }]);
    expect((await view()).report?.changed).toEqual([]);
  });

  test('warns at its start of what the other config permits that this one does not', async () => {
    stage.write({ 'directors/boss.yaml': BOSS('Be brief.').replace('allow: ["*"]', 'ask: [tell]') });
    commit();
    branch('next', { 'directors/boss.yaml': BOSS('Be brief.') });
    await stage.app.config.refresh();
    await start('next');
    expect((await view()).report?.warnings.join()).toMatch(
      /tell of director boss runs without asking now; it was "ask"/,
    );
    await expect(start('next')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('does not start where a service finds private data, since models would get what it hides', async () => {
    const service = 'privacy: { recognizer: { url: "http://127.0.0.1:9/analyze" } }\n';
    branch('next', { 'settings.yaml': service });
    await expect(start('next')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('found by a service'),
    });
    branch('director', { 'directors/boss.yaml': BOSS('Be brief.') + service });
    await expect(start('director')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await view()).toEqual({ shadow: null });
  });

  test('does not start on a ref that git does not know', async () => {
    await expect(start('nowhere')).rejects.toMatchObject({ code: 'USAGE' });
    rmSync(join(stage.root, '.git'), { recursive: true });
    await expect(start('main')).rejects.toMatchObject({ code: 'USAGE' });
    expect(await view()).toEqual({ shadow: null });
  });
});
