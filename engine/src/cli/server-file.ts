import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskIsFull } from '../store/disk-space.ts';
import { EngineError } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { isOk, sendLocal } from './local-request.ts';

const NAME = 'server.json';
/** Timeout of the probe of a server. */
const PROBE_MS = 2000;

/** Address of the running server of a data folder, for other commands and programs of the same user. */
export interface ServerFile {
  /** Without the token: `http://127.0.0.1:3001`. */
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/** Writes `<data>/server.json`, readable by its owner only, as one atomic rename. `STORE_FAILED`. */
export function writeServerFile(dataDir: string, server: ServerFile): void {
  const path = join(dataDir, NAME);
  const draft = `${path}.${server.pid}`;
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(server)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    const full = diskIsFull(dataDir);
    const why = full?.problem ?? (cause instanceof Error ? cause.message : String(cause));
    const hint = full?.hint ?? 'check the permissions of the data folder';
    throw new EngineError('STORE_FAILED', `cannot write ${path}: ${why}`, { hint, cause });
  }
}

/** Removes the file if it is still the one of this process. */
export function removeServerFile(dataDir: string, pid: number): void {
  if (readServerFile(dataDir)?.pid === pid) rmSync(join(dataDir, NAME), { force: true });
}

/** Finds the running server of a data folder: one that answers and accepts the token. A stale file counts as none. */
export async function findServer(dataDir: string): Promise<ServerFile | undefined> {
  const server = readServerFile(dataDir);
  if (server === undefined) return undefined;
  try {
    const answer = await sendLocal(`${server.url}/api/auth/whoami`, {
      headers: { Authorization: `Bearer ${server.token}` },
      signal: AbortSignal.timeout(PROBE_MS),
    });
    answer.destroy();
    return isOk(answer) ? server : undefined;
  } catch {
    return undefined;
  }
}

function readServerFile(dataDir: string): ServerFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(dataDir, NAME), 'utf8'));
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { url, token, pid } = value;
  // The token is sent to this machine only, whatever the file contains.
  const isLocal = typeof url === 'string' && /^http:\/\/127\.0\.0\.1:\d+$/.test(url);
  return isLocal && typeof token === 'string' && typeof pid === 'number' ? { url, token, pid } : undefined;
}
