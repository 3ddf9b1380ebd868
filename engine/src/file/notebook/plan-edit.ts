import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { EngineError } from '../../base/error.ts';
import type { FileOperation } from '../../config/permissions.ts';
import type { FileRoot } from '../file.ts';
import { listFolder } from '../list-folder.ts';
import { quoted } from '../path-text.ts';
import { readFileBelow } from '../read-file.ts';
import { type CurrentFile, MAX_FILE_BYTES, readCurrent } from './change-file.ts';
import { editProperties, type FileProperties } from './front-matter.ts';
import { expectInScope, isHidden, type ScopedCaller } from './scope-check.ts';
import { textOf, tryText } from './text.ts';

/** The folder of a notebook with its templates. */
const TEMPLATES = 'templates';
/** Longest diff that a person is shown, in characters. */
const MAX_DIFF = 20_000;
/** Most milliseconds that a diff may take. */
const DIFF_MS = 200;
/** Endings of files that may get front matter. A file that has one already may have any ending. */
const WITH_PROPERTIES = new Set(['md', 'markdown', 'mdx', 'qmd', 'rmd', 'txt', 'text', '']);

/** What a call wants to do with a file. */
export type EditRequest =
  | { readonly kind: 'write'; readonly content: string; readonly properties?: FileProperties | undefined }
  | {
      readonly kind: 'create';
      readonly content?: string | undefined;
      readonly template?: string | undefined;
      readonly properties?: FileProperties | undefined;
    }
  | { readonly kind: 'properties'; readonly set: FileProperties; readonly remove: readonly string[] }
  | { readonly kind: 'delete' };

/** A file before and after an edit. Nothing is written yet. */
export interface EditPlan {
  readonly before: CurrentFile;
  /** Null: the file is deleted. */
  readonly after: Uint8Array | null;
}

/** The operation that a request needs where the file exists; a new file always needs `create`. */
const OPERATIONS = {
  write: 'write',
  create: 'create',
  properties: 'write',
  delete: 'delete',
} as const satisfies Record<EditRequest['kind'], FileOperation>;

/**
 * Reads a file and computes what an edit makes of it. `OUT_OF_SCOPE` by the real path, also where the file is new and its caller may
 * not create files; `NOT_FOUND`, `CONFLICT` where the file is missing or there; `TOO_LARGE`; errors of front matter.
 */
export async function planEdit(
  { root, caller, path }: { readonly root: FileRoot; readonly caller: ScopedCaller; readonly path: string },
  request: EditRequest,
  signal?: AbortSignal,
): Promise<EditPlan> {
  const before = await readCurrent(root, path, signal);
  const isNew = before.bytes === null;
  if (isNew && (request.kind === 'properties' || request.kind === 'delete'))
    throw new EngineError('NOT_FOUND', `there is no file ${quoted(`/${path}`)}`, {
      hint: 'list the files of the folder',
    });
  if (!isNew && request.kind === 'create')
    throw new EngineError('CONFLICT', `there is a file ${quoted(`/${path}`)} already`, {
      hint: 'choose another name, or change the file with notebook_write_file',
    });
  expectInScope(caller, isNew ? 'create' : OPERATIONS[request.kind], { notebook: root.name, path: before.path });
  if (request.kind === 'delete') return { before, after: null };
  const after = Buffer.from(await textAfter(root, before, request, signal));
  if (after.byteLength <= MAX_FILE_BYTES) return { before, after };
  throw new EngineError(
    'TOO_LARGE',
    `the file would have ${after.byteLength} bytes; at most ${MAX_FILE_BYTES} are written`,
  );
}

/** The difference that a plan makes, as a unified diff for people. */
export function diffOf({ before, after }: EditPlan): string {
  const [old, next] = [before.bytes, after].map((bytes) => (bytes === null ? '' : tryText(bytes)));
  const name = `/${before.path}`;
  if (old === undefined || next === undefined)
    return `${name} is not a text: ${before.bytes?.byteLength ?? 0} bytes before, ${after?.byteLength ?? 0} after\n`;
  const [from, to] = [before.bytes === null ? '/dev/null' : name, after === null ? '/dev/null' : name];
  const options = { context: 3, timeout: DIFF_MS, headerOptions: FILE_HEADERS_ONLY } as const;
  const patch = createTwoFilesPatch(from, to, old, next, '', '', options);
  // The texts differ too much for a diff in time: the new one is shown.
  const text = patch ?? `--- ${from}\n+++ ${to}\n${next}`;
  if (text.length <= MAX_DIFF) return text;
  return `${text.slice(0, MAX_DIFF).toWellFormed()}\n[truncated: the first ${MAX_DIFF} of ${text.length} characters]\n`;
}

async function textAfter(
  root: FileRoot,
  { path, bytes }: CurrentFile,
  request: Exclude<EditRequest, { kind: 'delete' }>,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (request.kind === 'properties') {
    const text = textOf(bytes ?? new Uint8Array());
    expectProperties(path, text);
    return editProperties(text, request.set, request.remove);
  }
  const { properties, content = '' } = request;
  const start = request.kind === 'create' && request.template !== undefined ? request.template : undefined;
  const text = start === undefined ? content : joined(await templateText(root, start, signal), content);
  if (properties === undefined || Object.keys(properties).length === 0) return text;
  expectProperties(path, text);
  return editProperties(text, properties);
}

/** A template, then the content of the call on a line of its own. */
function joined(template: string, content: string): string {
  return content === '' || template === '' || template.endsWith('\n') ? template + content : `${template}\n${content}`;
}

function expectProperties(path: string, text: string): void {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  if (WITH_PROPERTIES.has(ending) || text.startsWith('---')) return;
  throw new EngineError('TOOL_ARGUMENTS', `a file that ends in .${ending} cannot have properties`, {
    hint: 'properties are YAML front matter, which belongs in Markdown and plain text; write them into the content',
  });
}

/** The text of a template: a file in `templates/`, by its name with or without the ending. */
async function templateText(root: FileRoot, wanted: string, signal: AbortSignal | undefined): Promise<string> {
  const list = await listFolder(root, TEMPLATES, { limit: 1000, signal }).catch((error: unknown) => {
    if (error instanceof EngineError && (error.code === 'NOT_FOUND' || error.code === 'BAD_REQUEST')) return undefined;
    throw error;
  });
  const names = (list?.entries ?? [])
    .filter(({ kind, path }) => kind === 'file' && !isHidden(path))
    .map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  const name = names.find((one) => one === wanted) ?? names.find((one) => one.replace(/\.[^.]+$/, '') === wanted);
  if (name === undefined)
    throw new EngineError('NOT_FOUND', `there is no template ${quoted(wanted)}`, {
      hint:
        names.length === 0 ? `the notebook has no templates: ${TEMPLATES}/ is empty` : `templates: ${names.join(', ')}`,
    });
  const { bytes } = await readFileBelow(root, `${TEMPLATES}/${name}`, { maxBytes: MAX_FILE_BYTES, signal });
  return textOf(bytes);
}
