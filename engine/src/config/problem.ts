import type { Problem } from './config.ts';

/** Every code of a config problem with its severity. Codes are part of the contract: add codes, never rename them. */
export const CODES = {
  // read
  CONFIG_UNREADABLE: 'error',
  CONFIG_MORE_ERRORS: 'error',
  CONFIG_MORE_WARNINGS: 'warning',
  CONFIG_LINK_OUTSIDE: 'error',
  CONFIG_TOO_LARGE: 'error',
  CONFIG_WRONG_FOLDER: 'error',
  CONFIG_FILE_NAME: 'error',
  CONFIG_DUPLICATE_ID: 'error',
  // parse
  CONFIG_SYNTAX: 'error',
  CONFIG_DUPLICATE_KEY: 'error',
  CONFIG_ALIASES: 'error',
  // validate
  CONFIG_UNKNOWN_KEY: 'error',
  CONFIG_MISSING_KEY: 'error',
  CONFIG_TYPE: 'error',
  CONFIG_VALUE: 'error',
  CONFIG_ID_MISMATCH: 'error',
  CONFIG_SECRET_LITERAL: 'error',
  CONFIG_ENV_OWN: 'error',
  CONFIG_REGEX: 'error',
  CONFIG_UNKNOWN_TOOL: 'error',
  CONFIG_TOOL_NAME: 'error',
  CONFIG_TOOL_PARAMETERS: 'error',
  CONFIG_TOOL_TEMPLATE: 'error',
  CONFIG_OUTPUT_SCHEMA: 'error',
  CONFIG_KEY_UNUSED: 'warning',
  CONFIG_UNKNOWN_VARIABLE: 'error',
  CONFIG_RESERVED_VARIABLE: 'error',
  CONFIG_UNTRUSTED_VARIABLE: 'error',
  CONFIG_LITERAL_VARIABLE: 'warning',
  CONFIG_EMPTY_VARIABLE: 'warning',
  CONFIG_MAIL_NOT_PLACED: 'warning',
  CONFIG_SCRIPT_TOOL: 'warning',
  CONFIG_RULE: 'error',
  CONFIG_RULE_UNMATCHED: 'warning',
  CONFIG_PERMISSION_UNUSED: 'warning',
  CONFIG_GLOB_UNMATCHED: 'warning',
  CONFIG_ENV_UNSET: 'warning',
  CONFIG_SECRET_UNSET: 'warning',
  CONFIG_REFERENCE_LITERAL: 'warning',
  CONFIG_ROOT: 'error',
  CONFIG_LOCAL_ADDRESS: 'warning',
  CONFIG_TWO_CLOUDS: 'warning',
  CONFIG_ROOT_MISSING: 'warning',
  CONFIG_UNKNOWN_NOTEBOOK: 'warning',
  CONFIG_SCOPE_UNUSED: 'warning',
  CONFIG_PARTICIPANT: 'error',
  CONFIG_PARTICIPANT_UNKNOWN: 'warning',
  CONFIG_CHAT_FILE: 'warning',
  CONFIG_TEST_FILE: 'error',
  // link
  CONFIG_UNKNOWN_API: 'error',
  CONFIG_UNKNOWN_ACCOUNT: 'error',
  CONFIG_UNKNOWN_DIRECTOR: 'error',
  CONFIG_UNKNOWN_AGENT: 'error',
  CONFIG_UNKNOWN_PROMPT: 'error',
  CONFIG_DEPENDS_ON_INVALID: 'error',
  CONFIG_FALLBACK_CYCLE: 'error',
  CONFIG_DELETED_IN_USE: 'error',
  CONFIG_DISABLED: 'error',
  CONFIG_SECRET_NEW_HOST: 'error',
  CONFIG_DISABLED_IN_USE: 'warning',
  CONFIG_REMOTE_API: 'warning',
  CONFIG_CLI_TOOLS: 'warning',
  CONFIG_REMOTE_TOOL: 'warning',
  CONFIG_CAN_LEAK: 'warning',
  CONFIG_ASKS_ANYWAY: 'warning',
} as const satisfies Record<string, Problem['severity']>;

/** Code of a config problem. */
export type ProblemCode = keyof typeof CODES;

/** A path inside a document: keys and indexes from the root. */
export type DocumentPath = readonly (string | number)[];

/** A position in a text. */
export interface Position {
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** Finds the position of the value at a path, or of its key. If the path does not exist: of its nearest ancestor. */
export type LocateInText = (path: DocumentPath, part?: 'key' | 'value') => Position;

/** A problem before its position in the file is known. */
export interface Finding {
  readonly code: ProblemCode;
  readonly path: DocumentPath;
  /** Whether the key or its value is wrong. Default: `value`. */
  readonly part?: 'key' | 'value';
  readonly message: string;
  readonly hint?: string;
  readonly secretHost?: Problem['secretHost'];
  /** Name of the document (`apis/main`) whose errors cause this finding. */
  readonly causedBy?: string;
}

/** Findings reported per document. Later ones rarely help, and composing and placing them takes time. */
export const MAX_FINDINGS = 100;

/** The findings of one document, errors first if there are more than `MAX_FINDINGS`; a last one says that there are more. */
export function limitFindings(findings: readonly Finding[]): Finding[] {
  if (findings.length <= MAX_FINDINGS) return [...findings];
  const ofSeverity = (severity: Problem['severity']) => findings.filter(({ code }) => CODES[code] === severity);
  const [errors, warnings] = [ofSeverity('error'), ofSeverity('warning')];
  const kept = [...errors, ...warnings].slice(0, MAX_FINDINGS);
  return [...kept, errors.length > MAX_FINDINGS ? moreErrors() : more('CONFIG_MORE_WARNINGS', 'problems')];
}

/** Says that a document has more errors than are shown. */
export function moreErrors(): Finding {
  return more('CONFIG_MORE_ERRORS', 'errors');
}

function more(code: ProblemCode, what: string): Finding {
  const message = `this document has more than ${MAX_FINDINGS} ${what}; only the first ${MAX_FINDINGS} are shown`;
  return { code, path: [], message, hint: 'correct these first' };
}

/** Converts a finding into a problem of `file`. */
export function toProblem(finding: Finding, file: string, locate: LocateInText): Problem {
  return {
    severity: CODES[finding.code],
    code: finding.code,
    file,
    ...locate(finding.path, finding.part),
    path: toPointer(finding.path),
    message: finding.message,
    ...(finding.hint !== undefined && { hint: finding.hint }),
    ...(finding.secretHost && { secretHost: finding.secretHost }),
    ...(finding.causedBy !== undefined && { causedBy: finding.causedBy }),
  };
}

/** A problem of a file as a whole. */
export function fileProblem(code: ProblemCode, file: string, message: string, hint?: string): Problem {
  return toProblem({ code, path: [], message, ...(hint !== undefined && { hint }) }, file, () => ({
    line: 1,
    column: 1,
  }));
}

/** JSON Pointer (RFC 6901) of a path. */
export function toPointer(path: DocumentPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Sorts by file, line, column, code and message, and removes duplicates. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const sorted = [...problems].sort(
    (a, b) =>
      compareText(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  );
  return sorted.filter((problem, i) => {
    const last = sorted[i - 1];
    return last === undefined || !isSame(problem, last);
  });
}

function isSame(a: Problem, b: Problem): boolean {
  return (
    a.file === b.file &&
    a.line === b.line &&
    a.column === b.column &&
    a.code === b.code &&
    a.path === b.path &&
    a.message === b.message
  );
}

/** Compares by code units, so the order is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
