import { deepFreeze, isRecord } from '../base/json.ts';
import type { DocumentOf, Kind, Knowledge, Problem } from './config.ts';
import { checkDocument } from './check-document.ts';
import { explain } from './explain.ts';
import { linksOf, type Link } from './link.ts';
import { parseText, locator } from './parse.ts';
import { type Finding, toProblem } from './problem.ts';
import { nameOf, type Source } from './read.ts';
import type { CheckShape } from './schema.ts';
import { KINDS } from './config.ts';

/** A document with its kind; a union, so that a look at `kind` tells the type of `value`. */
export type Typed = { [K in Kind]: { readonly kind: K; readonly value: DocumentOf[K] } }[Kind];

/** A valid document by itself: its value is frozen and has its defaults, its links are not followed yet. */
export interface ValidDocument {
  /** `agents/reply`. */
  readonly name: string;
  readonly source: Source;
  readonly typed: Typed;
  readonly isEnabled: boolean;
  readonly links: readonly Link[];
  readonly warnings: readonly Problem[];
}

/** What validation needs besides the text. */
export interface Checks {
  readonly checkShape: CheckShape;
  readonly knowledge: Knowledge;
  readonly env: (name: string) => string | undefined;
}

/** One text through parse and validate: a document, or all of its problems. */
export function validateSource(
  source: Source,
  checks: Checks,
): { document?: ValidDocument; problems: readonly Problem[] } {
  const parsed = parseText(source.text, source.file);
  if (parsed.findings.length > 0)
    return { problems: parsed.findings.map((finding) => toProblem(finding, source.file, () => finding.at)) };
  const locate = locator(source.text);
  const toProblems = (findings: readonly Finding[]) =>
    findings.map((finding) => toProblem(finding, source.file, locate));
  // A settings file with every line commented out is the defaults.
  const value: unknown = parsed.value === null && source.kind === 'settings' ? {} : parsed.value;
  if (!isRecord(value)) {
    const found = value === null || value === undefined ? 'empty' : Array.isArray(value) ? 'a list' : 'a single value';
    const hint = 'start with id: ' + source.id;
    return {
      problems: toProblems([
        { code: 'CONFIG_TYPE', path: [], message: `the document is ${found}; expected keys and values`, hint },
      ]),
    };
  }
  const errors = explain(checks.checkShape(source.kind, value), value);
  const identity = checkIdentity(source, value);
  if (errors.length > 0) return { problems: toProblems([...identity, ...errors]) };
  delete value['$schema'];
  if (source.kind !== 'settings') value['name'] ??= needsName(source.kind) ? value['id'] : undefined;
  if (value['name'] === undefined) delete value['name'];
  // The schema has just vouched for the shape that the generated types describe.
  const typed = deepFreeze({ kind: source.kind, value }) as unknown as Typed;
  const problems = toProblems([...identity, ...checkDocument(typed, checks)]);
  if (problems.some((problem) => problem.severity === 'error')) return { problems };
  const document = {
    name: nameOf(source.kind, source.id),
    source,
    typed,
    isEnabled: typed.value.enabled,
    links: linksOf(typed),
    warnings: problems,
  };
  return { document, problems };
}

function needsName(kind: Kind): boolean {
  return kind === 'director' || kind === 'agent';
}

/** Seed 000 knows documents by id; git knows them by file name: both must say the same. */
function checkIdentity(source: Source, value: Record<string, unknown>): Finding[] {
  const id = value['id'];
  if (source.kind === 'settings' || typeof id !== 'string' || id === source.id) return [];
  const message = `id "${id}" and file name "${source.id}" differ`;
  const hint = `write id: ${source.id}, or rename the file to ${id}${source.file.slice(source.file.lastIndexOf('.'))} in ${KINDS[source.kind]}/`;
  return [{ code: 'CONFIG_ID_MISMATCH', path: ['id'], message, hint }];
}
