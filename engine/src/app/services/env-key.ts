import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { EngineError, errorBody } from '../../base/error.ts';

/** The variable with the key of the stored data. */
export const KEY_NAME = 'VX_MAILAGENT_KEY';
const LINE_BREAK = 0x0a;

/**
 * Why an env file cannot take the key of a data folder; undefined if it can. A file on another disk than the data is refused: in a
 * container it would be gone with the container, and the data would stay without a key.
 */
export function envFileObstacle(path: string, dataDir: string): string | undefined {
  try {
    const file = realFile(path);
    const folder = dirname(file);
    if (existsSync(file)) {
      const info = statSync(file);
      if (!info.isFile()) return `${path} is not a file`;
      if (process.getuid !== undefined && info.uid !== process.getuid()) return `${path} belongs to another user`;
      accessSync(file, constants.R_OK | constants.W_OK);
      if ((parseEnv(readFileSync(file, 'utf8'))[KEY_NAME] ?? '') !== '')
        return `${path} has a line ${KEY_NAME} that this server did not start with`;
    }
    accessSync(folder, constants.W_OK);
    if (statSync(folder).dev !== statSync(dataDir).dev)
      return `${path} is on another disk than the data folder, as in a container: there the key could get lost before the data`;
    return undefined;
  } catch (error) {
    return `${path} cannot be written: ${errorBody(error).message}`;
  }
}

/**
 * Adds the key to an env file, which is created if it is missing. All that is in it stays byte for byte; the file is replaced in one
 * step, is on the disk afterwards, and only its owner can read it (0600). `CONFLICT` if it cannot be written or read back.
 */
export function writeKeyLine(path: string, key: string): void {
  const file = realFile(path);
  const before = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const end = before.length === 0 || before.at(-1) === LINE_BREAK ? '' : '\n';
  // At the end: of several lines with one name the last one counts.
  const bytes = Buffer.concat([before, Buffer.from(`${end}${KEY_NAME}=${key}\n`)]);
  if (parseEnv(bytes.toString())[KEY_NAME] !== key)
    throw new EngineError('CONFLICT', `a line at the end of ${path} would not be read as the key`, {
      hint: 'put the line into the file by hand',
    });
  replaceFile(file, bytes);
}

/** Takes the line with this key out of an env file again; does nothing where it is not there. */
export function removeKeyLine(path: string, key: string): void {
  const file = realFile(path);
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  const line = Buffer.from(`${KEY_NAME}=${key}\n`);
  const at = bytes.indexOf(line);
  if (at === -1) return;
  const rest = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + line.length)]);
  if (rest.length === 0) rmSync(file);
  else replaceFile(file, rest);
}

/** The file behind a link: the link itself stays. */
function realFile(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function replaceFile(file: string, bytes: Uint8Array): void {
  const draft = `${file}.callsheet-new`;
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, file);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw new EngineError('CONFLICT', `${file} cannot be written: ${errorBody(cause).message}`, {
      hint: 'check the rights of the file and of its folder, and the free space',
      cause,
    });
  }
  flushFolder(dirname(file));
}

/** The new name outlives a loss of power only once the folder is on the disk. */
function flushFolder(dir: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
