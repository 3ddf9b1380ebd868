import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeOnce } from '../flow/bundled.ts';

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'callsheet-bundled-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('one that waits for a folder is content with that of another', async () => {
  const folder = join(dir, 'made');
  let makes = 0;
  const make = async (partial: string) => {
    makes++;
    mkdirSync(partial);
  };
  await Promise.all([makeOnce(folder, make), makeOnce(folder, make)]);
  expect(makes).toBe(1);
  expect(readdirSync(dir)).toEqual(['made']);
});

test('where one has died that made a folder, another one makes it, and none of several that do fails', async () => {
  const folder = join(dir, 'made');
  mkdirSync(`${folder}.lock`);
  utimesSync(`${folder}.lock`, 0, 0);
  await makeOnce(folder, async (partial) => {
    mkdirSync(partial);
    // Another process was as fast.
    mkdirSync(folder);
    writeFileSync(join(folder, 'file'), '');
  });
  expect(existsSync(join(folder, 'file'))).toBe(true);
  expect(readdirSync(dir)).toEqual(['made']);
});
