import type { Problem, Validation } from './config.ts';

/** Format of a report. */
export type ReportFormat = 'pretty' | 'json' | 'github';

/**
 * Formats problems for stdout, with a final line break: `pretty` for people (`file:line:col  severity  code  message` and
 * a line with the counts), `json` as `{ revision, problems }`, `github` as workflow commands
 * (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
 */
export function formatProblems(
  { revision, problems }: Validation,
  format: ReportFormat,
  { color }: { color: boolean },
): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify({ revision, problems }, null, 2)}\n`;
    case 'github':
      return problems.map((problem) => `${githubLine(problem)}\n`).join('');
    case 'pretty':
      return `${[...problems.map((problem) => prettyLines(problem, color)), summary(revision, problems)].join('\n')}\n`;
    default:
      return format satisfies never;
  }
}

function prettyLines({ severity, code, file, line, column, message, hint }: Problem, color: boolean): string {
  const paint = (text: string, ansi: string) => (color ? `\x1b[${ansi}m${text}\x1b[0m` : text);
  const level = paint(severity.padEnd(7), severity === 'error' ? '31' : '33');
  const first = `${file}:${line}:${column}  ${level}  ${code}  ${message}`;
  return hint === undefined ? first : `${first}\n  ${paint(hint, '90')}`;
}

function summary(revision: string, problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const count = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
  if (problems.length === 0) return `config is valid, revision ${revision.slice(0, 12)}`;
  return `${count(errors, 'error')}, ${count(problems.length - errors, 'warning')}`;
}

function githubLine({ severity, code, file, line, column, message, hint }: Problem): string {
  const text = hint === undefined ? message : `${message} (${hint})`;
  return githubCommand(severity, { file, line, col: column, title: code }, text);
}

/** A workflow command of GitHub that shows a message, without a line break. */
export function githubCommand(
  level: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const list = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${list.join(',')}::${data(message)}`;
}

/** Escapes line breaks, which would end the command. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
