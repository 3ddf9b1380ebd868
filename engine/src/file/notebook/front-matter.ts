import { parseDocument } from 'yaml';
import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { editYaml } from '../../config/edit/edit-text.ts';

/** Longest front matter that is parsed, in characters: YAML of 256 KB would hold the event loop for long. */
const MAX_CHARACTERS = 32 * 1024;

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/** Properties of a file: the keys of its YAML front matter. */
export type FileProperties = Readonly<Record<string, unknown>>;

/** A file cut at its front matter: `opening + yaml + rest` is the text. */
interface CutText {
  readonly opening: string;
  readonly yaml: string;
  readonly rest: string;
}

/** The properties of a text; undefined where it has no front matter. `FILE_UNREADABLE` where that is not a YAML mapping. */
export function readProperties(text: string): FileProperties | undefined {
  const parts = cut(text);
  return parts === undefined ? undefined : parse(parts.yaml);
}

/** A text without its front matter. */
export function withoutProperties(text: string): string {
  return cut(text)?.rest.replace(CLOSING, '') ?? text;
}

/**
 * Sets and removes properties in the front matter of a text, which gets one if it has none. Every line that does not change stays
 * byte for byte, comments and line ends included. Errors as `readProperties`.
 */
export function editProperties(text: string, set: FileProperties, remove: readonly string[] = []): string {
  const parts = cut(text);
  const wanted: Record<string, unknown> = { ...(parts && parse(parts.yaml)), ...set };
  for (const name of remove) delete wanted[name];
  if (parts === undefined) {
    if (Object.keys(wanted).length === 0) return text;
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    const body = text.slice(mark.length);
    const isCrlf = /^[^\n]*\r\n/.test(body);
    const matter = `---\n${editYaml('', wanted)}---\n`;
    return mark + (isCrlf ? matter.replaceAll('\n', '\r\n') : matter) + body;
  }
  const { opening, yaml, rest } = parts;
  return opening + edit(yaml, wanted, opening.endsWith('\r\n')) + rest;
}

/** Without its last key a mapping is empty text, not `{}`. The editor of YAML writes \n. */
function edit(yaml: string, wanted: FileProperties, isCrlf: boolean): string {
  const isPure = isCrlf && !/(?:^|[^\r])\n/.test(yaml);
  const plain = isPure ? yaml.replaceAll('\r\n', '\n') : yaml;
  const before = parse(plain);
  const edited = Object.keys(wanted).length === 0 && Object.keys(before).length === 0 ? plain : editYaml(plain, wanted);
  const tidy = edited.trim() === '{}' ? '' : edited;
  const closed = tidy === '' || tidy.endsWith('\n') ? tidy : `${tidy}\n`;
  return isPure ? closed.replaceAll('\n', '\r\n') : closed;
}

function cut(text: string): CutText | undefined {
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) return undefined;
  const below = text.slice(opening.length);
  const at = below.search(CLOSING);
  return at < 0 ? undefined : { opening, yaml: below.slice(0, at), rest: below.slice(at) };
}

function parse(yaml: string): FileProperties {
  if (yaml.length > MAX_CHARACTERS) throw unreadable(`is longer than ${MAX_CHARACTERS} characters`);
  const document = parseDocument(yaml);
  const [error] = document.errors;
  if (error !== undefined) throw unreadable(`is not valid YAML: ${error.message.split('\n')[0]}`);
  let value: unknown;
  try {
    value = document.toJS();
  } catch (cause) {
    throw unreadable(`cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  if (value === null || value === undefined) return {};
  if (!isRecord(value)) throw unreadable('is not a list of "name: value" lines');
  return value;
}

function unreadable(what: string): EngineError {
  return new EngineError('FILE_UNREADABLE', `the front matter of the file ${what}`, {
    hint: 'read the file and write it as a whole, or ask a person to correct it',
  });
}
