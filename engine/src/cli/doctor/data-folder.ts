import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectUnlocked } from '../../app/local-store.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import { type Check, fail, fine, warn } from './check.ts';
import type { CommandContext } from '../context.ts';
import { findServer } from '../server-file.ts';

const MIN_NODE = 24;
const MB = 1024 * 1024;
const LOW_MB = 1024;
const EMPTY_MB = 100;

/** The runtime that this is. */
export function checkNode(version: string): Check {
  const major = Number(/^v?(\d+)/.exec(version)?.[1]);
  if (major >= MIN_NODE) return fine('node', `Node ${version}`);
  return fail(
    'node',
    `Node ${version} is too old: ${MIN_NODE} or later is needed`,
    'install a newer Node, or use npm start',
  );
}

/** The data folder: there, writable, with room, and who works on it. Where a database is shared there may be none. */
export async function checkFolder({ dataDir, terminal }: CommandContext, isShared: boolean): Promise<Check[]> {
  if (!existsSync(dataDir) && isShared) return [];
  if (!existsSync(dataDir)) return [fine('data folder', `${dataDir} is not there yet; the first start makes it`)];
  return [checkWritable(dataDir, terminal.pid), checkSpace(dataDir), await checkProcess(dataDir)];
}

function checkWritable(dir: string, pid: number): Check {
  const file = join(dir, `doctor-${pid}.tmp`);
  try {
    writeFileSync(file, 'x', { flag: 'wx', mode: 0o600 });
    rmSync(file);
    return fine('data folder', `${dir} can be written to`);
  } catch (cause) {
    const hint = 'check the permissions of the folder and its free space; runs wait until it can be written to again';
    return fail('data folder', `${dir} cannot be written to: ${errorBody(cause).message}`, hint);
  }
}

function checkSpace(dir: string): Check {
  const { bavail, bsize } = statfsSync(dir);
  const freeMb = Math.floor((bavail * bsize) / MB);
  const hint = `make room on the disk of ${dir}; settings runs.retainDays says how long finished runs stay`;
  if (freeMb < EMPTY_MB) return fail('free space', `${freeMb} MB are left`, hint);
  return freeMb < LOW_MB
    ? warn('free space', `${freeMb} MB are left`, hint)
    : fine('free space', `${freeMb} MB are left`);
}

async function checkProcess(dir: string): Promise<Check> {
  const server = await findServer(dir);
  if (server !== undefined) return fine('process', `callsheet start works at ${server.url} (process ${server.pid})`);
  try {
    expectUnlocked(dir);
    return fine('process', 'no process works on the data folder');
  } catch (error) {
    if (error instanceof EngineError && error.code === 'DATA_LOCKED')
      return warn('process', `${error.message}, and it answers no requests`, 'wait until it is done, or stop it');
    return fail('process', errorBody(error).message, 'check the permissions of the data folder');
  }
}
