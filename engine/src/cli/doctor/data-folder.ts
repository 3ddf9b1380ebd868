import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectUnlocked } from '../../app/local-store.ts';
import { inspectMark } from '../../store/sqlite/store-guard.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import { findExposure } from '../../base/folder.ts';
import { type Check, fail, fine, warn } from './check.ts';
import type { CommandContext } from '../context.ts';
import { findServer } from '../server-file.ts';

const MIN_NODE = 24;
const MB = 1024 * 1024;
const LOW_MB = 1024;
const EMPTY_MB = 100;

/** Checks the version of Node. */
export function checkNode(version: string): Check {
  const major = Number(/^v?(\d+)/.exec(version)?.[1]);
  if (major >= MIN_NODE) return fine('node', `Node ${version}`);
  return fail(
    'node',
    `Node ${version} is too old: ${MIN_NODE} or later is needed`,
    'install a newer Node, or use npm start',
  );
}

/** Checks the data folder: writable, free space, and the process that uses it. A shared database may have no data folder. */
export async function checkFolder({ dataDir, terminal }: CommandContext, isShared: boolean): Promise<Check[]> {
  if (!existsSync(dataDir) && isShared) return [];
  if (!existsSync(dataDir)) return [fine('data folder', `${dataDir} does not exist yet; the first start creates it`)];
  return [
    checkWritable(dataDir, terminal.pid),
    ...checkPrivate(dataDir),
    checkSpace(dataDir),
    ...(isShared ? [] : checkDatabase(dataDir)),
    await checkProcess(dataDir),
  ];
}

/** Whether other users of the machine may read mail and keys. Nothing on Windows, which has no modes. */
export function checkPrivate(dir: string): Check[] {
  if (process.platform === 'win32') return [];
  const exposure = findExposure(dir);
  if (exposure === undefined) return [fine('data folder access', 'only its owner can open it')];
  const { folder, files } = exposure;
  const what = [...(folder === undefined ? [] : [`the folder (mode ${folder.mode})`]), ...files].join(', ');
  const hint = `the next start closes it if it may; by hand: chmod 700 ${dir}, and chmod 600 the files in it`;
  return [warn('data folder access', `other users of this machine can open ${what}`, hint)];
}

function checkWritable(dir: string, pid: number): Check {
  const file = join(dir, `doctor-${pid}.tmp`);
  try {
    writeFileSync(file, 'x', { flag: 'wx', mode: 0o600 });
    rmSync(file);
    return fine('data folder', `${dir} is writable`);
  } catch (cause) {
    const hint = 'check the permissions and the free space; runs wait until the folder is writable';
    return fail('data folder', `${dir} is not writable: ${errorBody(cause).message}`, hint);
  }
}

function checkSpace(dir: string): Check {
  const { bavail, bsize } = statfsSync(dir);
  const freeMb = Math.floor((bavail * bsize) / MB);
  const hint = `free space on the disk of ${dir}; runs.retainDays in settings.yaml limits how long finished runs are kept`;
  if (freeMb < EMPTY_MB) return fail('free space', `${freeMb} MB free`, hint);
  return freeMb < LOW_MB ? warn('free space', `${freeMb} MB free`, hint) : fine('free space', `${freeMb} MB free`);
}

/** Whether the database is the one that this folder had, with all its commits. */
function checkDatabase(dir: string): Check[] {
  try {
    inspectMark(dir);
    return [];
  } catch (error) {
    const { message, hint = 'restore the data folder from a copy' } = errorBody(error);
    return [fail('database', message, hint)];
  }
}

async function checkProcess(dir: string): Promise<Check> {
  const server = await findServer(dir);
  if (server !== undefined) return fine('process', `callsheet start runs at ${server.url} (process ${server.pid})`);
  try {
    expectUnlocked(dir);
    return fine('process', 'no process uses the data folder');
  } catch (error) {
    if (error instanceof EngineError && error.code === 'DATA_LOCKED')
      return warn('process', `${error.message}, and it does not answer requests`, 'wait until it ends, or stop it');
    return fail('process', errorBody(error).message, 'check the permissions of the data folder');
  }
}
