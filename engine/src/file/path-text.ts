import { EngineError } from '../base/error.ts';
import { visible } from '../base/visible.ts';
import type { FileRoot, PathOptions } from './file.ts';

const MAX_PATH = 4096;
const MAX_NAME_BYTES = 255;
/** Schemes of addresses. `Re: hello.md` is a file name, so a scheme alone counts only if it is well known. */
const URL_FORM = /^(?:[a-z][a-z0-9+.-]*:[/\\]|(?:blob|data|file|ftp|https?|javascript|mailto|urn|view-source):)/i;
const DRIVE = /^[a-z]:/i;
/** Characters that look like a slash or a backslash and stay so in NFKC. */
const LIKE_SLASH = /[\u2044\u2215\u2216\u2571\u2572\u27cb\u27cd\u29f5\u29f8\u29f9]/u;
/** A path separator, a dot or NUL in percent encoding. Nothing here decodes it, but another program may. */
const ENCODED = /%(?:00|2e|2f|5c)/i;
/** Names that Windows gives to devices, with any ending. */
const DEVICE = /^(?:aux|con|conin\$|conout\$|nul|prn|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * The path below the root that a text names, with `/` between folders and empty for the root itself. Looks only at the text:
 * `resolvePath` follows links. `FILE_DENIED` for a path that could leave the root on any system: `..`, absolute paths, forms
 * of Windows, addresses, backslashes, control and invisible characters, look-alikes of dots and slashes.
 */
export function checkPath(
  text: string,
  root: FileRoot,
  { absolute = 'below' }: PathOptions = {},
  isWindows = process.platform === 'win32',
): string {
  const deny = (reason: string): never => {
    throw deniedPath(root, text, reason);
  };
  if (text.length > MAX_PATH) deny(`it is longer than ${MAX_PATH} characters`);
  if (!text.isWellFormed() || visible(text) !== text) deny('it has control or invisible characters');
  if (DRIVE.test(text)) deny('it names a drive of Windows');
  if (URL_FORM.test(text)) deny('it is an address, not a path');
  if (text.includes('\\')) deny('it has a backslash; folders are separated by /');
  if (text.startsWith('//')) deny('it names another machine');
  if (ENCODED.test(text)) deny('it has a dot, a slash or NUL in percent encoding');
  const names = below(text, root, absolute, deny)
    .split('/')
    .filter((name) => name !== '' && name !== '.');
  for (const name of names) {
    const reason = faultOf(name, isWindows);
    if (reason !== undefined) deny(reason);
  }
  return names.join('/');
}

/** The error for a path that is refused. The hint says which paths are accepted. */
export function deniedPath(root: FileRoot, text: string, reason: string): EngineError {
  return new EngineError('FILE_DENIED', `the path ${quoted(text)} is refused: ${reason}`, {
    hint: `write a path relative to ${root.name}, such as folder/file.txt`,
  });
}

/** A path in quotes for a message: invisible characters are written as escapes, and a long path is cut. */
export function quoted(text: string): string {
  return visible(JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text));
}

/** Text in which look-alikes are equal: letter case and all Unicode forms of a character. */
export function foldName(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}

function below(
  text: string,
  { folder }: FileRoot,
  absolute: 'root' | 'below',
  deny: (reason: string) => never,
): string {
  if (!text.startsWith('/') || absolute === 'root') return text;
  if (text !== folder && !text.startsWith(`${folder}/`)) deny('it is an absolute path');
  return text.slice(folder.length);
}

/** Why a name of a folder or a file is refused. */
function faultOf(name: string, isWindows: boolean): string | undefined {
  if (/^[. ]*\.[. ]*$/u.test(name)) return 'it leads out of its folder';
  const plain = name.normalize('NFKC');
  if (LIKE_SLASH.test(name) || /[/\\]/.test(plain)) return 'it has a character that looks like a slash';
  if (/^[.\s\u00b7\u3002]*$/u.test(plain)) return 'it has characters that look like a dot';
  if (DRIVE.test(plain) && plain !== name) return 'it has a character that looks like a colon';
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `a name in it is longer than ${MAX_NAME_BYTES} bytes`;
  if (!isWindows) return undefined;
  if (/[:*?"<>|]/.test(name)) return 'it has a character that Windows does not allow in names';
  if (/[. ]$/.test(name)) return 'a name in it ends with a dot or a space';
  return DEVICE.test(name) ? 'it names a device of Windows' : undefined;
}
