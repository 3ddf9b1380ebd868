import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskIsFull } from '../../store/disk-space.ts';
import { EngineError } from '../../base/error.ts';

/** The file in the data folder with the key that signs cookies. */
const NAME = 'session.key';

/** Creates a signing key: 64 hex digits. */
export function makeSessionKey(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Reads the signing key of a data folder, or stores a new one if it is missing or invalid; then open tabs have to sign in again.
 * `STORE_FAILED` if it cannot be read or written.
 */
export function loadSessionKey(dataDir: string): string {
  return withFile(dataDir, (file) => readKey(file) ?? writeKey(file));
}

/** Replaces the signing key of a data folder, which ends all its sessions. `STORE_FAILED` as above. */
export function replaceSessionKey(dataDir: string): string {
  return withFile(dataDir, writeKey);
}

/** Deletes the signing key of a data folder, which ends all its sessions; no server may run on it. */
export function deleteSessionKey(dataDir: string): void {
  rmSync(join(dataDir, NAME), { force: true });
}

function withFile(dataDir: string, work: (file: string) => string): string {
  const file = join(dataDir, NAME);
  try {
    return work(file);
  } catch (cause) {
    const full = diskIsFull(dataDir);
    const why = full === undefined ? '' : `: ${full.problem}`;
    throw new EngineError('STORE_FAILED', `the session key ${file} cannot be read or written${why}`, {
      hint: full?.hint ?? 'check the permissions of the data folder',
      cause,
    });
  }
}

function writeKey(file: string): string {
  const key = makeSessionKey();
  writeFileSync(file, key, { mode: 0o600 });
  return key;
}

function readKey(file: string): string | undefined {
  try {
    const key = readFileSync(file, 'utf8').trim();
    return /^[0-9a-f]{64}$/.test(key) ? key : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
