import { deepFreeze, isRecord } from '../../base/json.ts';
import { type Kind, type ToolCatalog, type Problem, type TypedDocument, KINDS } from '../config.ts';
import type { OwnFolders } from '../own-folders.ts';
import { checkDocument, unusedModeKeys } from './check-document.ts';
import { useToolNames } from './tool-aliases.ts';
import { explainSchemaError } from './explain-schema-error.ts';
import { linksOf, type Link } from './links.ts';
import { parseText } from '../parse/parse.ts';
import { type DocumentPath, type Finding, limitFindings, MAX_FINDINGS, toProblem } from '../problem.ts';
import { MAX_FILE_BYTES, nameOf, type Source, tooLarge } from '../parse/read.ts';
import { type ReferenceAt, referencesBelow } from './reference-keys.ts';
import { salvage } from './salvage.ts';
import type { CheckShape } from '../parse/schema.ts';

export type { TypedDocument } from '../config.ts';

/** A document without errors of its own: its value is frozen and has its defaults. Its links are not checked yet. */
export interface ValidDocument {
  /** Folder and id: `agents/reply`. */
  readonly name: string;
  readonly source: Source;
  readonly typed: TypedDocument;
  readonly isEnabled: boolean;
  readonly links: readonly Link[];
  readonly references: readonly ReferenceAt[];
  readonly warnings: readonly Problem[];
}

/** Dependencies of validation. */
export interface Checks {
  readonly checkShape: CheckShape;
  readonly catalog: ToolCatalog;
  readonly env: (name: string) => string | undefined;
  /** Folders that no root may overlap. Absent where a stored document is read again. */
  readonly folders?: OwnFolders | undefined;
}

/** The result of validating one document. */
export interface Validated {
  /** Set if there are no errors; warnings are allowed. */
  readonly document?: ValidDocument;
  /** Of an invalid document: the parts whose links can still be checked. A draft never runs. */
  readonly draft?: ValidDocument;
  readonly problems: readonly Problem[];
}

/** Parses and validates the text of one document; returns the document and all its problems. */
export function validateSource(source: Source, checks: Checks): Validated {
  if (source.text.length > MAX_FILE_BYTES) return { problems: [tooLarge(source.file, source.text.length)] };
  const parsed = parseText(source.text, source.file);
  if (parsed.findings.length > 0)
    return { problems: parsed.findings.map((finding) => toProblem(finding, source.file, () => finding.at)) };
  const { locate } = parsed;
  const toProblems = (findings: readonly Finding[]) =>
    limitFindings(findings).map((finding) => toProblem(finding, source.file, locate));
  // A settings file in which every line is a comment means the defaults.
  const value: unknown = parsed.value === null && source.kind === 'settings' ? {} : parsed.value;
  if (!isRecord(value)) return { problems: toProblems([notAMapping(value, source)]) };
  const original = structuredClone(value);
  const errors = checks.checkShape(source.kind, value);
  const hasBadId = errors.some(({ instancePath }) => instancePath === '/id');
  const identity = hasBadId ? [] : checkIdentity(source, value);
  if (errors.length === 0) {
    const { document, findings } = checkMeaning(source, value, checks);
    const unused = source.kind === 'director' ? unusedModeKeys(original) : [];
    const problems = toProblems([...identity, ...findings, ...unused]);
    const isBad = problems.some(({ severity }) => severity === 'error');
    return isBad ? { draft: document, problems } : { document: { ...document, warnings: problems }, problems };
  }
  // With so many errors, what is left says little about the rest of the document.
  const isHopeless = errors.length > MAX_FINDINGS;
  const rest = isHopeless ? undefined : salvage(source.kind, original, errors, checks.checkShape);
  const shape = [...identity, ...explainSchemaError(errors, value)];
  if (rest === undefined) return { problems: toProblems(shape) };
  const { document, findings } = checkMeaning(source, rest.value, checks);
  const isKept = ({ path }: { path: DocumentPath }) => !rest.replaced.has(String(path[0]));
  const draft = { ...document, links: document.links.filter(isKept) };
  return { draft, problems: toProblems([...shape, ...findings.filter(isKept)]) };
}

function notAMapping(value: unknown, source: Source): Finding {
  const found = value === null || value === undefined ? 'empty' : Array.isArray(value) ? 'a list' : 'a single value';
  const message = `the document is ${found}; expected a mapping (key: value)`;
  return { code: 'CONFIG_TYPE', path: [], message, hint: `start with id: ${source.id}` };
}

/** Freezes a value that is valid against its schema and runs the checks that the schema cannot express. */
function checkMeaning(
  source: Source,
  value: Record<string, unknown>,
  checks: Checks,
): { document: ValidDocument; findings: Finding[] } {
  delete value['$schema'];
  if (needsName(source.kind)) value['name'] ??= value['id'];
  useToolNames(value, checks.catalog);
  // The schema check has passed, and the types are generated from the same schema.
  const typed = deepFreeze({ kind: source.kind, value }) as unknown as TypedDocument;
  const name = nameOf(source.kind, source.id);
  const document = {
    name,
    source,
    typed,
    isEnabled: typed.value.enabled,
    links: linksOf(typed, checks.catalog),
    references: referencesBelow(typed),
    warnings: [],
  };
  return { document, findings: checkDocument(typed, checks) };
}

function needsName(kind: Kind): boolean {
  return kind === 'director' || kind === 'agent';
}

/** Reports an id that differs from the file name: seed 000 identifies documents by id, git by file name. */
function checkIdentity(source: Source, value: Record<string, unknown>): Finding[] {
  const id = value['id'];
  if (source.kind === 'settings' || typeof id !== 'string' || id === source.id) return [];
  const message = `the id "${id}" differs from the file name "${source.id}"`;
  const hint = `write id: ${source.id}, or rename the file to ${id}${source.file.slice(source.file.lastIndexOf('.'))} in ${KINDS[source.kind]}/`;
  return [{ code: 'CONFIG_ID_MISMATCH', path: ['id'], message, hint }];
}
