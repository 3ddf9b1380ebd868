import { isDeepStrictEqual } from 'node:util';
import { EngineError } from '../../base/error.ts';
import { createYielder } from '../../base/yielding.ts';
import { isRecord, sha256 } from '../../base/json.ts';
import { type DocumentEdit, type Kind, KINDS, type Problem, type ReadDocument, type Writer } from '../config.ts';
import type { Checks, ValidDocument } from '../validate/validate.ts';
import { locateFindings, validateDocument } from '../validate/validate-document.ts';
import { editJson, editYaml } from './edit-text.ts';
import type { FileTable } from '../validate/file-table.ts';
import type { LiveConfig } from '../live/live-config.ts';
import { modeline, removeFile, writeFileAtomically, writeTogether } from './write-file.ts';
import { parseText } from '../parse/parse.ts';
import { CODES, type Finding, toPointer } from '../problem.ts';
import { nameOf, readSource, type Source } from '../parse/read.ts';

interface WriterDeps {
  readonly dir: string;
  readonly table: FileTable;
  readonly live: LiveConfig;
  readonly checks: Checks;
}

/** Creates the writer of a config folder. */
export function createWriter(deps: WriterDeps): Writer {
  const { live } = deps;
  return {
    read: (kind, id) => read(deps, kind, id),
    write: (kind, id, value, options = {}) =>
      live.exclusive(async () => {
        const file = await newestFile(deps, kind, id);
        if (file === undefined && kind !== 'settings') throw missing(kind, id);
        if (file !== undefined && options.expectedHash !== undefined && options.expectedHash !== file.hash)
          throw new EngineError('CONFLICT', `${file.file} was changed in the meantime`, {
            hint: 'load it again and repeat the edit',
          });
        await (file === undefined
          ? writeDocument(deps, kind, id, newText(deps, kind, value))
          : writeDocument(deps, kind, id, edited(deps, file, value), file));
        return read(deps, kind, id);
      }),
    draft: (edits) =>
      live.exclusive(async () => {
        expectEachOnce(edits);
        const drafts = edits.map((edit) => draftOf(deps, edit));
        await checkDocuments(
          deps,
          drafts.map(({ source }) => source),
        );
        return drafts.map(({ source: { file, text: after }, was }) => ({
          ...{ file, after, hash: was?.hash ?? '', before: was?.text ?? '' },
        }));
      }),
    create: (kind, id, value) =>
      live.exclusive(async () => {
        await newestFile(deps, kind, id);
        expectNew(deps, kind, id);
        await writeDocument(deps, kind, id, newText(deps, kind, { id, ...value }));
        return read(deps, kind, id);
      }),
    remove: (kind, id) => live.exclusive(() => remove(deps, kind, id)),
    reorder: (kind, ids) => live.exclusive(() => reorder(deps, kind, ids)),
    editFiles: (work) => live.editFiles(work),
  };
}

function read(deps: WriterDeps, kind: Kind, id: string): ReadDocument {
  const name = nameOf(kind, id);
  const state = deps.live.state(name);
  if (state === undefined) throw missing(kind, id);
  const accepted = deps.live.candidate.accepted.get(name);
  const [file] = deps.table.named(name);
  const text = file?.source?.text ?? accepted?.source.text ?? '';
  return { text, value: (file?.document ?? accepted)?.typed.value, state };
}

/** The only file of a document; undefined if there is none. Throws `CONFLICT` if there are several. */
function fileOf({ table }: WriterDeps, kind: Kind, id: string): Source | undefined {
  const files = table.named(nameOf(kind, id));
  if (files.length > 1)
    throw new EngineError('CONFLICT', `${nameOf(kind, id)} is in ${files.length} files`, {
      hint: 'keep only one of them',
    });
  return files[0]?.source;
}

/** The only file of a document as it is on the disk now: the watcher may not have read the last change yet. */
async function newestFile(deps: WriterDeps, kind: Kind, id: string): Promise<Source | undefined> {
  const known = deps.table.named(nameOf(kind, id)).map(({ relative }) => relative);
  const { relative } = newSource(deps, kind, id, '');
  const source = known.length > 0 ? undefined : await readSource(deps.dir, relative);
  await deps.live.ingest(source !== undefined && 'text' in source ? [relative] : known);
  return fileOf(deps, kind, id);
}

function newText({ dir }: WriterDeps, kind: Kind, value: Readonly<Record<string, unknown>>): string {
  return `${modeline(dir, kind)}\n${editYaml('', value)}`;
}

function edited({ table }: WriterDeps, file: Source, value: Readonly<Record<string, unknown>>): string {
  const document = table.get(file.relative)?.document;
  const raw = parseText(file.text, file.file).value;
  const { $schema: _none, ...given } = value;
  const wanted = isRecord(raw) && document !== undefined ? withoutDefaults(given, document.typed.value, raw) : given;
  const kept = isRecord(raw) && raw['$schema'] !== undefined ? { $schema: raw['$schema'], ...wanted } : wanted;
  return file.file.endsWith('.json') ? editJson(file.text, kept) : editYaml(file.text, kept);
}

/** `value` without keys that equal `full` (the document with its defaults) and are missing in `raw` (the file). */
function withoutDefaults(value: object, full: object, raw: object): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, wanted] of Object.entries(value)) {
    if (wanted === undefined) continue;
    const now: unknown = Reflect.get(full, key);
    const spelt: unknown = Reflect.get(raw, key);
    if (isDeepStrictEqual(wanted, now)) {
      if (spelt !== undefined) result[key] = spelt;
    } else
      result[key] =
        isRecord(wanted) && isRecord(now) ? withoutDefaults(wanted, now, isRecord(spelt) ? spelt : {}) : wanted;
  }
  return result;
}

/** Each edit begins with the file as it is, so of two of one document the first would be lost. */
function expectEachOnce(edits: readonly DocumentEdit[]): void {
  const names = edits.map(({ kind, id }) => nameOf(kind, id));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new EngineError('BAD_REQUEST', `${twice} is edited twice`, { hint: 'send one edit for each document' });
}

/** The file of a document after an edit, and as it is; absent for a new document, and where there are no settings yet. */
function draftOf(
  deps: WriterDeps,
  { kind, id, value, isNew = false }: DocumentEdit,
): { readonly source: Source; readonly was?: Source } {
  const was = isNew ? undefined : fileOf(deps, kind, id);
  if (isNew) expectNew(deps, kind, id);
  if (was === undefined && !isNew && kind !== 'settings') throw missing(kind, id);
  const own = kind === 'settings' ? value : { id, ...value };
  if (was === undefined) return { source: newSource(deps, kind, id, newText(deps, kind, own)) };
  const text = edited(deps, was, own);
  return { source: { ...was, text, hash: sha256(text) }, was };
}

function expectNew({ table }: WriterDeps, kind: Kind, id: string): void {
  if (table.named(nameOf(kind, id)).length > 0) throw new EngineError('CONFLICT', `${nameOf(kind, id)} already exists`);
}

function newSource({ dir }: WriterDeps, kind: Kind, id: string, text: string): Source {
  const folder = KINDS[kind];
  const relative = folder === '' ? 'settings.yaml' : `${folder}/${id}.yaml`;
  return { relative, kind, id, file: `${dir.split(/[\\/]/).at(-1)}/${relative}`, text, hash: sha256(text) };
}

/** Validates the new text of a document, writes it, and applies it. Writes nothing if it would cause a new error. */
async function writeDocument(deps: WriterDeps, kind: Kind, id: string, text: string, file?: Source): Promise<void> {
  const own = newSource(deps, kind, id, text);
  const source = file === undefined ? own : { ...own, relative: file.relative, file: file.file };
  await checkDocuments(deps, [source]);
  await writeFileAtomically(deps.dir, source.relative, text);
  await deps.live.ingest([source.relative]);
}

/** `CONFIG_INVALID` where texts would be no valid documents, or would together make another one invalid. */
async function checkDocuments(deps: WriterDeps, sources: readonly Source[]): Promise<void> {
  const newest = new Map(deps.table.newest());
  for (const source of sources) {
    const { document, problems } = await validateDocument(source, deps.checks);
    if (document === undefined) throw invalid(problems.filter(({ severity }) => severity === 'error'));
    newest.set(nameOf(source.kind, source.id), document);
  }
  const fresh = await newErrors(deps, newest);
  if (fresh.length > 0) throw invalid(fresh);
}

/** Link errors that `newest` would add to the current ones. */
async function newErrors(
  { live }: WriterDeps,
  newest: ReadonlyMap<string, ValidDocument | undefined>,
): Promise<Problem[]> {
  const { accepted, findings: before } = live.candidate;
  const known = new Set(
    before.flatMap(({ document, findings }) => findings.map((finding) => keyOf(document, finding))),
  );
  const after = await live.chooser.chooseLinked({ newest, good: (name) => accepted.get(name) });
  const problems: Problem[] = [];
  const breathe = createYielder();
  for (const { document, findings } of after.findings) {
    const fresh = findings.filter((one) => CODES[one.code] === 'error' && !known.has(keyOf(document, one)));
    problems.push(...(await locateFindings(document.source, fresh)));
    await breathe();
  }
  return problems;
}

function keyOf({ source }: ValidDocument, { code, path, message }: Finding): string {
  return [source.file, code, toPointer(path), message].join('\n');
}

async function remove(deps: WriterDeps, kind: Kind, id: string): Promise<void> {
  const file = fileOf(deps, kind, id);
  if (file === undefined) throw missing(kind, id);
  const name = nameOf(kind, id);
  const newest = new Map(deps.table.newest());
  newest.delete(name);
  const users = new Set((await newErrors(deps, newest)).map((problem) => problem.file));
  if (users.size > 0) {
    const message = `${name} cannot be deleted: it is named by ${[...users].join(', ')}`;
    throw new EngineError('CONFLICT', message, { hint: 'remove it there first' });
  }
  await removeFile(deps.dir, file.relative);
  await deps.live.ingest([file.relative]);
}

async function reorder(deps: WriterDeps, kind: Kind, ids: readonly string[]): Promise<void> {
  // The watcher may not have read the last change of each yet.
  await deps.live.ingest(
    Array.from(deps.table.files()).flatMap(({ source }) => (source?.kind === kind ? [source.relative] : [])),
  );
  const documents = Array.from(deps.table.files()).flatMap(({ document }) =>
    document?.typed.kind === kind ? [document] : [],
  );
  for (const id of ids) if (!documents.some(({ source }) => source.id === id)) throw missing(kind, id);
  const rankOf = (document: ValidDocument) =>
    'order' in document.typed.value ? (document.typed.value.order ?? Infinity) : Infinity;
  const cursorOf = (document: ValidDocument) =>
    ids.includes(document.source.id) ? ids.indexOf(document.source.id) : Infinity;
  documents.sort((a, b) => {
    const byPlace = cursorOf(a) - cursorOf(b);
    if (byPlace < 0 || byPlace > 0) return byPlace;
    const byRank = rankOf(a) - rankOf(b);
    return byRank < 0 || byRank > 0 ? byRank : a.source.id < b.source.id ? -1 : 1;
  });
  const texts = documents.flatMap(({ source, typed }, i) => {
    const order = (i + 1) * 10;
    if ('order' in typed.value && typed.value.order === order) return [];
    const { relative, text: before } = source;
    return [{ relative, before, after: edited(deps, source, { ...typed.value, order }) }];
  });
  await writeTogether(deps.dir, texts);
  await deps.live.ingest(texts.map(({ relative }) => relative));
}

/** The error `NOT_FOUND` of a missing document. */
export function missing(kind: Kind, id: string): EngineError {
  return new EngineError('NOT_FOUND', `there is no ${kind} "${id}"`);
}

function invalid(problems: readonly Problem[]): EngineError {
  const [first] = problems;
  const message = problems.map((problem) => problem.message).join('; ');
  const fields = problems.map(({ file, line, column, path, message: text, hint }) => {
    return { file, line, column, path, message: text, ...(hint !== undefined && { hint }) };
  });
  const where =
    first === undefined
      ? {}
      : { file: first.file, line: first.line, column: first.column, path: first.path, problems: fields };
  return new EngineError('CONFIG_INVALID', message, { hint: first?.hint, where });
}
