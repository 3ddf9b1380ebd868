import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FolderWatcher } from '../../../engine/src/base/watch/folder-watcher.ts';

let root: string;
let watcher: FolderWatcher;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'callsheet-watcher-'));
  watcher = new FolderWatcher({
    ignoreInitial: true,
    atomic: false,
    ignored: (_path, stats) => stats?.isFile() === true,
  });
});
afterEach(async () => {
  await watcher.close();
  rmSync(root, { recursive: true, force: true });
});

/** What a scan of a folder lists. */
async function listed(folder: string, options: Parameters<FolderWatcher['createScanStream']>[1] = {}) {
  const names: string[] = [];
  for await (const { path, stats } of watcher.createScanStream(folder, options) ?? [])
    names.push(`${path}${stats?.isDirectory() === true ? '/' : ''}`);
  return names.sort();
}

describe('a scan of a folder', () => {
  beforeEach(() => {
    for (const name of ['a.eml', 'b.eml']) writeFileSync(join(root, name), '');
    for (const name of ['cur', 'new']) mkdirSync(join(root, name));
    symlinkSync(join(root, 'cur'), join(root, 'link'));
  });

  test('lists folders and links, and no files', async () => {
    expect(await listed(root)).toEqual(['cur/', 'link', 'new/']);
  });

  test('asks the filter of each kind', async () => {
    expect(await listed(root, { directoryFilter: ({ basename }) => basename === 'new' })).toEqual(['link', 'new/']);
    expect(await listed(root, { fileFilter: () => false })).toEqual(['cur/', 'new/']);
  });

  test('of a folder that is gone lists nothing', async () => {
    expect(await listed(join(root, 'gone'))).toEqual([]);
  });

  test('of something that is no folder fails', async () => {
    await expect(listed(join(root, 'a.eml'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  test('is shared by all who ask while the folder rests after the one before, with what came meanwhile', async () => {
    const scan = () => watcher.createScanStream(root)?.toArray();
    const [before] = (await scan()) ?? [];
    const asked = Promise.all([scan(), scan()]);
    mkdirSync(join(root, 'later'));
    const [first = [], second = []] = await asked;
    expect(first.map(({ path }) => path).sort()).toEqual(['cur', 'later', 'link', 'new']);
    expect(second.map(({ stats }) => stats)).toEqual(first.map(({ stats }) => stats));
    expect(second[0]?.stats).toBe(first[0]?.stats);
    expect(first.map(({ stats }) => stats)).not.toContain(before?.stats);
  });

  test('ends with the watcher', async () => {
    await listed(root);
    const asked = listed(root);
    await Promise.all([expect(asked).rejects.toThrow(), watcher.close()]);
  });

  test('of a whole tree, as some systems watch it, is that of chokidar', async () => {
    expect(await listed(root, { depth: 0 })).toEqual(['a.eml', 'b.eml', 'cur/', 'link', 'new/']);
  });
});

test('folders that appear and disappear are reported, and changes of files by the event of the system', async () => {
  const events: string[] = [];
  const note = (event: string) => void events.push(event);
  watcher.on('addDir', (path) => note(`new ${path.slice(root.length)}`));
  watcher.on('unlinkDir', (path) => note(`gone ${path.slice(root.length)}`));
  watcher.on('raw', (_event, name) => note(`file ${name}`));
  watcher.add(root);
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  const happened = (event: string) => expect.poll(() => events, { timeout: 10_000 }).toContain(event);

  mkdirSync(join(root, 'sub/below'), { recursive: true });
  await happened('new /sub/below');
  writeFileSync(join(root, 'sub/below/a.part'), '');
  await happened('file a.part');
  renameSync(join(root, 'sub/below/a.part'), join(root, 'sub/below/a.eml'));
  await happened('file a.eml');
  events.length = 0;
  unlinkSync(join(root, 'sub/below/a.eml'));
  await happened('file a.eml');
  rmSync(join(root, 'sub'), { recursive: true });
  await happened('gone /sub/below');
  await happened('gone /sub');
});
