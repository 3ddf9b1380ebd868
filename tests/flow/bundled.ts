import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
// @ts-expect-error: a script without types.
import { removeOld as untyped } from '../../scripts/bundle-cache.mjs';
import { root } from '../available.ts';
import { testCache } from '../test-cache.ts';

const tests = dirname(import.meta.dirname);
/** What the bundles are made of, besides the packages. */
const SOURCES = [
  'engine/**/*.{ts,cjs,json}',
  'schemas/**/*',
  'tests/**/*.{ts,json}',
  'node_modules/.package-lock.json',
];
/** Who makes the bundles has died when it has not made them after so long. */
const DEAD_MS = 60_000;

const removeOld = untyped as (cache: string, prefix: string, current: string) => void;

/** The programs, by their place in `tests`. */
const PROGRAMS = ['flow/**/*worker.ts', 'store/*/{move,rotate-key}-process.ts'];
/** Those that this process has bundles of. */
const ready = new Map<string, Promise<string>>();

/**
 * The file of a program that tests kill, such as `flow/chat/worker.ts`, with all that it imports, in a few files: a start takes a
 * third of the processor time of one with a thousand modules. All these programs are bundled at once, for all test processes and for
 * later runs on the same sources. What code says of its own place stays true.
 */
export function bundled(program: string): Promise<string> {
  const known = ready.get(program);
  if (known !== undefined) return known;
  const made = prepare(program);
  ready.set(program, made);
  return made;
}

async function prepare(program: string): Promise<string> {
  const folder = join(testCache, `workers-${stampOfSources()}`);
  if (!existsSync(folder)) {
    await makeOnce(folder, makeAll);
    removeOld(testCache, 'workers-', basename(folder));
  }
  const file = join(folder, program.replace(/\.ts$/, '.mjs'));
  // Whoever is killed leaves no compiled code. A start without arguments ends by itself, and leaves it for the others.
  await new Promise((resolve) => execFile(process.execPath, [file], resolve));
  return file;
}

/** Makes the folder, whole at any moment, or waits until another process has made it. `make` fills the folder that it gets. */
export async function makeOnce(folder: string, make: (partial: string) => Promise<void>): Promise<void> {
  const lock = `${folder}.lock`;
  mkdirSync(dirname(folder), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
      if (since !== undefined && Date.now() - since > DEAD_MS) break;
      await sleep(20);
      if (existsSync(folder)) return;
    }
  }
  try {
    if (existsSync(folder)) return;
    const partial = `${folder}.${process.pid}`;
    await make(partial);
    try {
      renameSync(partial, folder);
    } catch (error) {
      // Several have found the lock of one that died, and another one was first.
      if (!existsSync(folder)) throw error;
      rmSync(partial, { recursive: true, force: true });
    }
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

async function makeAll(partial: string): Promise<void> {
  const places = {
    name: 'places',
    transform(code: string, id: string) {
      if (!code.includes('import.meta.')) return undefined;
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.filename', JSON.stringify(id));
    },
  };
  const input = Object.fromEntries(
    globSync(PROGRAMS, { cwd: tests }).map((file) => [
      file.replaceAll('\\', '/').replace(/\.ts$/, ''),
      join(tests, file),
    ]),
  );
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent', plugins: [places] });
  await build.write({ dir: partial, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await build.close();
}

/** Differs when a source or a package has changed. */
function stampOfSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync(SOURCES, { cwd: root }).toSorted()) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 12);
}
