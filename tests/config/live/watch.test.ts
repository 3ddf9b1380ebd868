import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Parser } from 'yaml';
import type { ConfigService } from '../../../engine/src/config/config.ts';
import { makeFolder, open, save, saveByRename, VALID } from '../folder.ts';
import { PATIENCE_MS } from '../../next-try.ts';

/** Resolves once the names of the running agents are `ids`. */
async function agentsAre(config: ConfigService, ids: readonly string[]): Promise<void> {
  await vi.waitFor(() => expect([...config.current().agents.keys()].sort()).toEqual(ids), {
    timeout: PATIENCE_MS,
    interval: 5,
  });
}

async function nameIs(config: ConfigService, name: string): Promise<void> {
  await vi.waitFor(() => expect(config.current().agents.get('reader')?.name).toBe(name), {
    timeout: PATIENCE_MS,
    interval: 5,
  });
}

async function watched(dir: string): Promise<ConfigService> {
  const config = await open(dir, { watch: true });
  await config.watching();
  return config;
}

describe('the watcher', () => {
  test('applies an edit in place, an edit by rename and an edit made while it started', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir, { watch: true });
    await save(dir, 'agents/reader.yaml', 'id: reader\nname: Early\n');
    await nameIs(config, 'Early');
    await config.watching();
    await save(dir, 'agents/reader.yaml', 'id: reader\nname: In place\n');
    await nameIs(config, 'In place');
    await saveByRename(dir, 'agents/reader.yaml', 'id: reader\nname: Renamed over\n');
    await nameIs(config, 'Renamed over');
  });

  test('applies a new file, a deleted one and a renamed one', async () => {
    const { dir } = await makeFolder({ 'agents/a.yaml': 'id: a\n' });
    const config = await watched(dir);
    await save(dir, 'agents/b.yaml', 'id: b\n');
    await agentsAre(config, ['a', 'b']);
    await rm(join(dir, 'agents/a.yaml'));
    await agentsAre(config, ['b']);
    await writeFile(join(dir, 'agents/b.yaml'), 'id: c\n');
    await rename(join(dir, 'agents/b.yaml'), join(dir, 'agents/c.yaml'));
    await agentsAre(config, ['c']);
    expect(config.problems()).toEqual([]);
  });

  test('applies the settings at the root', async () => {
    const { dir } = await makeFolder({ 'agents/a.yaml': 'id: a\n' });
    const config = await watched(dir);
    await save(dir, 'settings.yaml', 'sessionTimeoutMinutes: 5\n');
    await vi.waitFor(() => expect(config.current().settings.sessionTimeoutMinutes).toBe(5), { timeout: PATIENCE_MS });
  });

  test('takes changes that come together as one', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await watched(dir);
    await config.refresh();
    const changes: (readonly string[])[] = [];
    config.onChange(({ changed }) => changes.push(changed));
    await Promise.all([
      save(dir, 'agents/scholar.yaml', 'id: scholar\n'),
      save(dir, 'directors/boss.yaml', 'id: boss\napiConfigId: main\nagents: [scholar]\n'),
      rm(join(dir, 'agents/reader.yaml')),
    ]);
    await agentsAre(config, ['scholar']);
    expect(changes.flat().sort()).toEqual(['agents/reader', 'agents/scholar', 'directors/boss']);
    expect(config.problems()).toEqual([]);
  });

  test('takes no notice of what editors leave beside a file', async () => {
    const { dir } = await makeFolder({ 'agents/a.yaml': 'id: a\n' });
    const config = await watched(dir);
    await config.refresh();
    let heard = 0;
    config.onChange(() => heard++);
    for (const name of ['.a.yaml.swp', 'a.yaml~', 'a.yaml.tmp', '4913', '#a.yaml#'])
      await save(dir, `agents/${name}`, 'id: [');
    await save(dir, 'agents/last.yaml', 'id: last\n');
    await agentsAre(config, ['a', 'last']);
    expect(heard).toBe(1);
  });

  test('finds a config folder, and a kind folder, that come later', async () => {
    const { dir } = await makeFolder({});
    const config = await watched(dir);
    await mkdir(dir);
    await save(dir, 'agents/a.yaml', 'id: a\n');
    await agentsAre(config, ['a']);
    await save(dir, 'prompts/p.yaml', 'id: p\nmessages: [{ role: user, content: a }]\n');
    await vi.waitFor(() => expect(config.current().prompts.size).toBe(1), { timeout: PATIENCE_MS });
  });

  test('follows a folder that is moved away and back', async () => {
    const { base, dir } = await makeFolder({ 'agents/a.yaml': 'id: a\n' });
    const config = await watched(dir);
    await rename(join(dir, 'agents'), join(base, 'away'));
    await agentsAre(config, []);
    await rename(join(base, 'away'), join(dir, 'agents'));
    await agentsAre(config, ['a']);
    await save(dir, 'agents/b.yaml', 'id: b\n');
    await agentsAre(config, ['a', 'b']);
  });

  test('finds what was saved when so much had happened that the system dropped events', async () => {
    const { base, dir } = await makeFolder({ 'agents/a.yaml': 'id: a\n' });
    const config = await watched(dir);
    // By then all files have been read for the last time.
    await save(dir, 'agents/b.yaml', 'id: b\n');
    await agentsAre(config, ['a', 'b']);
    const names = ['one.tmp', 'two.tmp'].map((name) => join(dir, 'agents', name));
    writeFileSync(names[0]!, '');
    // Two events each, and at most 16,384 wait in a usual Linux: the event loop takes none of them meanwhile.
    for (let n = 0; n < 10_000; n++) renameSync(names[n % 2]!, names[(n + 1) % 2]!);
    writeFileSync(join(base, 'c.yaml'), 'id: c\n');
    renameSync(join(base, 'c.yaml'), join(dir, 'agents/c.yaml'));
    await agentsAre(config, ['a', 'b', 'c']);
  });

  test('follows a config folder that is a link', async () => {
    const { base, dir } = await makeFolder({});
    await save(join(base, 'real'), 'agents/a.yaml', 'id: a\n');
    await symlink(join(base, 'real'), dir);
    const config = await watched(dir);
    await agentsAre(config, ['a']);
    await save(join(base, 'real'), 'agents/b.yaml', 'id: b\n');
    await agentsAre(config, ['a', 'b']);
  });

  test('follows a config folder for which another one is swapped', async () => {
    const { base, dir } = await makeFolder({ 'agents/a.yaml': 'id: a\n' });
    const config = await watched(dir);
    await agentsAre(config, ['a']);
    await save(join(base, 'new'), 'agents/b.yaml', 'id: b\n');
    await rename(dir, join(base, 'old'));
    await rename(join(base, 'new'), dir);
    await agentsAre(config, ['b']);
    await save(dir, 'agents/c.yaml', 'id: c\n');
    await agentsAre(config, ['b', 'c']);
  });

  test('follows a link to a config folder that is switched to another one', async () => {
    const { base, dir } = await makeFolder({});
    await save(join(base, 'first'), 'agents/a.yaml', 'id: a\n');
    await save(join(base, 'second'), 'agents/b.yaml', 'id: b\n');
    await symlink(join(base, 'first'), dir);
    const config = await watched(dir);
    await agentsAre(config, ['a']);
    await symlink(join(base, 'second'), join(base, 'next'));
    await rename(join(base, 'next'), dir);
    await agentsAre(config, ['b']);
    await save(join(base, 'second'), 'agents/c.yaml', 'id: c\n');
    await agentsAre(config, ['b', 'c']);
  });

  test('never watches what a link outside leads to', async () => {
    const { base, dir } = await makeFolder({ 'agents/a.yaml': 'id: a\n' });
    await symlink('/', join(dir, 'root'));
    await symlink(join(base, 'outside'), join(dir, 'prompts'));
    const config = await watched(dir);
    await agentsAre(config, ['a']);
    await save(dir, 'agents/b.yaml', 'id: b\n');
    await agentsAre(config, ['a', 'b']);
    expect(config.problems().map(({ file, code }) => [file, code])).toContainEqual([
      'config/root',
      'CONFIG_LINK_OUTSIDE',
    ]);
  });

  test('is silent after close', async () => {
    const { dir } = await makeFolder({ 'agents/a.yaml': 'id: a\n' });
    const config = await watched(dir);
    await config.close();
    const before = config.current();
    await save(dir, 'agents/b.yaml', 'id: b\n');
    const other = await watched(dir);
    await agentsAre(other, ['a', 'b']);
    expect(config.current()).toBe(before);
  });
});

test('a save among 1,000 documents is applied by reading only that file again', { timeout: 60_000 }, async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, i) => [`agents/a${i}.yaml`, `id: a${i}\nname: A\n`]),
  );
  const { dir } = await makeFolder(files);
  const config = await watched(dir);
  await config.refresh();
  // `bench/config.ts` measures how long it takes.
  const parse = vi.spyOn(Parser.prototype, 'parse');
  onTestFinished(() => parse.mockRestore());
  for (let round = 0; round < 9; round++) {
    const id = `a${round * 7}`;
    const others = config.current().agents.get('a999');
    const applied = new Promise<void>((resolve) => {
      const stop = config.onChange(({ changed }) => {
        expect(changed).toEqual([`agents/${id}`]);
        stop();
        resolve();
      });
    });
    const text = `id: ${id}\nname: Round ${round}\n`;
    await (round % 2 === 0 ? save(dir, `agents/${id}.yaml`, text) : saveByRename(dir, `agents/${id}.yaml`, text));
    await applied;
    expect(config.current().agents.get('a999')).toBe(others);
    // An event of the folder that came before the file was whole may have it read twice.
    const read = parse.mock.calls.map(([text]) => text);
    expect(new Set(read.filter((one) => one !== ''))).toEqual(new Set([text]));
    parse.mockClear();
  }
});
