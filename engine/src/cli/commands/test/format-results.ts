import { countResults, type TestResult } from '../../../replay/test/test-result.ts';
import { oneLine } from '../../terminal/table.ts';

const SIGNS = { passed: ['✓', '32'], failed: ['✗', '31'], unknown: ['?', '33'] } as const;

/** One test with its messages. */
export function formatResult(
  { status, file, name, line, messages, repeated, durationMs }: TestResult,
  { color }: { readonly color: boolean },
): string {
  const [sign, code] = SIGNS[status];
  const mark = color ? `\x1b[${code}m${sign}\x1b[0m` : sign;
  const times = repeated === undefined ? '' : `, ${repeated.passed} of ${repeated.of} passed`;
  const head = `${mark} ${file}:${line}  ${oneLine(name)} (${Math.round(durationMs)} ms${times})`;
  const rest = status === 'unknown' ? ['could not run', ...messages] : messages;
  return [head, ...rest.map((text) => `    ${oneLine(text)}`)].map((text) => `${text}\n`).join('');
}

/** The last line. */
export function formatCount(results: readonly TestResult[]): string {
  return `${countResults(results)}\n`;
}
